-- The readable layout of a solved game. The type MOVE is integer where the game numbers its moves, else text.

-- Every reachable position, numbered breadth first from the starts: where play may begin in several, they come
-- first. Its value is the minimax value for the first player; its outcome is for the player to move. In a folded
-- file each row stands for all positions that are symmetric to it.
create table positions (
    id          integer primary key,
    position    text    not null unique,  -- as the game writes it
    to_move     text    not null,         -- the player to move
    ply         integer,                  -- plies since a start; null where ways of different length lead here
    value       integer not null,         -- for the first player: what best play comes to, a margin in scored games
    outcome     text    not null check (outcome in ('win', 'draw', 'loss')),  -- for the player to move
    remoteness  integer,                  -- plies to the end under best play; null where play need not end
    best_move   MOVE,                     -- the first of the best moves; null where the game is over
    is_terminal integer not null check (is_terminal in (0, 1))                -- 1 where the game is over
) strict;

-- Every move, in the order of the game's actions. What the player who makes the move gets by it:
-- remoteness is counted from the position before the move.
create table moves (
    position_id integer not null references positions (id),                   -- before the move
    move        MOVE    not null,
    child_id    integer not null references positions (id),                   -- after the move
    outcome     text    not null check (outcome in ('win', 'draw', 'loss')),  -- for the player who makes it
    remoteness  integer,                  -- plies to the end under best play; null where play need not end
    is_best     integer not null check (is_best in (0, 1))                    -- 1 for a best move
) strict;

create index moves_by_position on moves (position_id);

-- Which game this is, how it was solved, the counts, a CRC-32 over these, and a SHA-256 over all rows. It is filled in
-- last: without the row 'sha256' the build was interrupted. All is proved by `perfectplay verify` but 'program' and
-- 'rules', which say who wrote the file, and by which code.
create table about (
    key   text primary key,
    value text not null
) strict;

-- The moves after which the value is worse for the player who makes them. Both values are for that player, so the
-- worst mistakes have the greatest difference.
create view mistakes as
select before.position, before.to_move, moves.move,
       case when (before.outcome = 'loss') = (before.value > 0) then -before.value else before.value end as value_before,
       case when (moves.outcome = 'loss') = (after.value > 0) then -after.value else after.value end as value_after
from positions as before
join moves on moves.position_id = before.id
join positions as after on after.id = moves.child_id
where after.value <> before.value;

-- The positions in which exactly one move keeps the value, and that move, which is one of so many.
create view only_moves as
select position, to_move, outcome, best_move as move,
       (select count(*) from moves where position_id = before.id) as moves
from positions as before
where 1 = (
    select count(*)
    from moves join positions as after on after.id = child_id
    where position_id = before.id and after.value = before.value
);

-- Best play from the first start: best_move in every position, to an end or until a position would come again.
-- Where there is a remoteness it falls with each move, so only positions without one are remembered.
create view principal_variation as
with recursive line (ply, id, seen) as (
    select 0, 1, '/1/'
    union all
    select line.ply + 1, moves.child_id,
           seen || case when positions.remoteness is null then moves.child_id || '/' else '' end
    from line
    join positions using (id)
    join moves on moves.position_id = line.id and moves.move = best_move
    where instr(seen, '/' || moves.child_id || '/') = 0
)
select line.ply, position, to_move, value, outcome, remoteness, best_move as move
from line
join positions using (id)
order by line.ply;
