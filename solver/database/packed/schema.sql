-- The packed layout of a solved game: a few thousand states in each row, see solver/database/packed/block.py.

-- All states of a stage in which play is over, or is not, in ascending order of their keys (the integers that the
-- rules take for states): cut into blocks of 4096, from the least key on, of which only the last has fewer.
-- Blocks are numbered in order of stage, is_terminal and first. A stage is a ply since a start; where `about` says
-- labels = remoteness, which are games with loops, it is a tier, from 0 on (solver/database/packed/probe.py).
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

-- The dictionary by which zstd compresses keys, in rows of 512 KiB that are compressed themselves, see
-- solver/database/packed/keys/dictionary.py. A small file has none.
create table dictionary (
    id   integer primary key,
    data blob not null
) strict;

-- How many states there are of each kind.
create table counts (
    stage       integer not null,
    is_terminal integer not null,
    to_move     integer not null,     -- 0: the first player, 1: the second
    value       integer not null,     -- the minimax value for the first player
    remoteness  integer,              -- plies to the end under best play; null where play need not end
    states      integer not null
) strict;

-- Which game this is, how it was solved, what labels look like (solver/database/packed/label_code.py), the counts, and a SHA-256 over
-- all rows. It is filled in last: without the row 'sha256' the build was interrupted.
create table about (
    key   text primary key,
    value text not null
) strict;
