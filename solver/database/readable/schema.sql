-- The readable layout of a solved game. The type MOVE is integer if the game numbers its moves, else text.

-- Every reachable position, numbered breadth first, starts first. `value` is the minimax value for the first player;
-- `outcome` is for the player to move. In a folded file, each row represents a class of symmetric positions.
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

-- Every move, in the order of the game's actions. `outcome` is for the player who makes the move; `remoteness` is counted
-- from the position before the move.
create table moves (
    position_id integer not null references positions (id),                   -- before the move
    move        MOVE    not null,
    child_id    integer not null references positions (id),                   -- after the move
    outcome     text    not null check (outcome in ('win', 'draw', 'loss')),  -- for the player who makes it
    remoteness  integer,                  -- plies to the end under best play; null where play need not end
    is_best     integer not null check (is_best in (0, 1))                    -- 1 for a best move
) strict;

create index moves_by_position on moves (position_id);

-- The game, how it was solved, the counts, the CRC-32 of these, and the SHA-256 of all rows. The row 'sha256' is written
-- last: if it is missing, the build was interrupted. `perfectplay verify` proves every row except 'program' and 'rules',
-- which say which program wrote the file, and from which rules.
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

-- The positions in which exactly one move keeps the value, with that move and the number of all moves.
create view only_moves as
select position, to_move, outcome, best_move as move,
       (select count(*) from moves where position_id = before.id) as moves
from positions as before
where 1 = (
    select count(*)
    from moves join positions as after on after.id = child_id
    where position_id = before.id and after.value = before.value
);

-- Best play from the first start: best_move in every position, to the end or until a position would repeat. Remoteness
-- falls with each move, so `seen` needs only the positions without remoteness.
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
