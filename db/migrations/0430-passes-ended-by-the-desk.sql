-- A pass that the desk ended kept its visits in the ledger, while one that ran out wrote what was left off: now both are closed by a move.
alter table pass_moves drop constraint pass_moves_why_check;
alter table pass_moves add constraint pass_moves_why_check check (why in ('bought', 'used', 'returned', 'expired', 'ended', 'fixed', 'refunded'));

insert into pass_moves (company_id, id, pass_id, visits, why, at)
select p.company_id, new_event_id(), p.id, -sum(m.visits), 'ended', p.ended_at from passes p
join pass_moves m on m.company_id = p.company_id and m.pass_id = p.id
where p.end_reason = 'cancelled' and p.visits is not null group by p.company_id, p.id, p.ended_at having sum(m.visits) > 0;
