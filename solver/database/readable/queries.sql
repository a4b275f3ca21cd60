-- Queries of the readable layout that Datasette offers. The comment before each gives its name and title.

-- best_move: The best move in a position
select to_move, outcome, remoteness, best_move from positions where position = :position;

-- moves_of: All moves in a position, the best ones first
select move, child.position, moves.outcome, moves.remoteness, is_best
from positions
join moves on position_id = positions.id
join positions as child on child.id = child_id
where positions.position = :position
order by is_best desc, moves.rowid;

-- longest_wins: The positions from which a win takes longest
select * from positions where outcome = 'win' order by remoteness desc, id limit 100;

-- worst_mistakes: The moves that lose most
select * from mistakes order by value_before - value_after desc limit 100;

-- outcomes: How many positions are won, drawn and lost for the player to move, ply by ply
select ply, outcome, count(*) as positions from positions group by ply, outcome order by ply, outcome;
