-- The list of a count is signed and kept for years, so what a unit cost in it must not move with what is sold or bought afterwards: each line of an
-- approved count says up to which movement of its item the list is priced. Of counts that were approved before, the last one of then.
alter table stock_count_lines add column priced_seq integer check (priced_seq >= 0);
update stock_count_lines l set priced_seq = coalesce((select max(m.seq) from stock_moves m
    where m.company_id = l.company_id and m.item_id = l.item_id and m.at <= c.approved_at), 0)
  from stock_counts c where c.company_id = l.company_id and c.id = l.count_id and c.state = 'approved';
