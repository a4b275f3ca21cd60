-- The readable layout of a solved game. The type MOVE is integer where the game numbers its moves, else text.

-- Every reachable position, numbered breadth first from the starts: where play may begin in several, they come
-- first. Its value is the minimax value for the
-- first player; its outcome is for the player to move.
create table positions (
    id          integer primary key,
    position    text    not null unique,
    to_move     text    not null,
    ply         integer,              -- plies since a start; null where ways of different length lead here
    value       integer not null,
    outcome     text    not null check (outcome in ('win', 'draw', 'loss')),
    remoteness  integer,              -- plies to the end under best play; null where play need not end
    best_move   MOVE,                 -- the first of the best moves; null where the game is over
    is_terminal integer not null check (is_terminal in (0, 1))
) strict;

-- Every move, in the order of the game's actions. What the player who makes the move gets by it:
-- remoteness is counted from the position before the move.
create table moves (
    position_id integer not null references positions (id),
    move        MOVE    not null,
    child_id    integer not null references positions (id),
    outcome     text    not null check (outcome in ('win', 'draw', 'loss')),
    remoteness  integer,
    is_best     integer not null check (is_best in (0, 1))
) strict;

create index moves_by_position on moves (position_id);

-- Which game this is, how it was solved, the counts, a CRC-32 over these, and a SHA-256 over all rows. It is filled in
-- last: without the row 'sha256' the build was interrupted. All is proved by `perfectplay verify` but 'program' and
-- 'rules', which say who wrote the file, and by which code.
create table about (
    key   text primary key,
    value text not null
) strict;
