-- The packed layout of a solved game: each row of `blocks` has up to 4096 states (solver/database/packed/block.py).

-- Each stage has its terminal states and its nonterminal states. Each of these two sets is sorted by key (the integer
-- that represents a state in the rules) and cut into blocks of 4096 states; only the last block may have fewer. Blocks
-- are numbered in the order of stage, is_terminal and first. A stage is the ply since a start; in games with loops,
-- where `about` says labels = remoteness, it is a tier, from 0 on (solver/database/packed/probe.py).
create table blocks (
    id          integer primary key,
    stage       integer not null,
    is_terminal integer not null,     -- 1: play is over in all of the states; 0: in none of them
    first       integer not null,     -- the least key
    states      integer not null,     -- how many there are
    crc32       integer not null,     -- of stage, is_terminal, first and states (8 bytes each), keys and labels
    keys        blob    not null,     -- the differences between the keys, compressed with zstd and the dictionary
    labels      blob                  -- value and remoteness, compressed; null where play is over: the rules say it
) strict;

create unique index blocks_by_key on blocks (stage, is_terminal, first);

-- The dictionary with which zstd compresses keys, itself compressed in rows of 512 KiB
-- (solver/database/packed/keys/dictionary.py). A small file has none.
create table dictionary (
    id   integer primary key,
    data blob not null
) strict;

-- The number of states with each combination of stage, is_terminal, to_move, value and remoteness.
create table counts (
    stage       integer not null,
    is_terminal integer not null,
    to_move     integer not null,     -- 0: the first player, 1: the second
    value       integer not null,     -- the minimax value for the first player
    remoteness  integer,              -- plies to the end under best play; null where play need not end
    states      integer not null
) strict;

-- The game, how it was solved, the code of the labels (solver/database/packed/label_code.py), the counts, and the SHA-256
-- of all rows. The row 'sha256' is written last: if it is missing, the build was interrupted.
create table about (
    key   text primary key,
    value text not null
) strict;
