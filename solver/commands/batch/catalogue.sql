-- What `perfectplay batch` has solved and written in a folder. It contains times, so no two runs write the same file.

create table if not exists games (
    name        text primary key,     -- its database is <name>.db
    command     text,                 -- what solves it
    source      text,                 -- where the expected figures come from
    rules       text,                 -- the fingerprint of the rules
    states      integer,              -- positions, or classes of symmetric ones
    moves       integer,
    value       integer,              -- the minimax value of the start, for the first player
    remoteness  integer,              -- plies from the start to the end under best play; null where play need not end
    best_move   text,                 -- the first best move in the start; null where the game is over
    bytes       integer,              -- the size of the database
    sha256      text,                 -- the SHA-256 over its rows, as it stores it itself
    seconds     real,                 -- how long the solve took
    peak_memory integer,              -- the most bytes that its process held; null where the system does not tell
    failure     text                  -- what has failed at last; null if nothing
) strict;

create table if not exists outputs (
    game        text not null references games (name),
    line        text not null,        -- the command, as the batch file has it
    file        text,                 -- the file that it wrote; null if it only printed
    sha256      text,                 -- the SHA-256 of the file
    database    text,                 -- the `sha256` of the database it was made from
    program     text,                 -- the version of the program that made it; null while the command runs
    printed     text,                 -- what the command printed
    seconds     real,                 -- how long it took
    primary key (game, line)
) strict;
