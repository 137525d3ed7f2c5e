-- Letters that were mailed before letters had pages get theirs, so that every letter can be opened by its link and it is known whether it was.

alter table letters disable trigger letters_stay;
update letters l set page_key = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
where l.status = 'sent' and l.page_key is null
  and exists (select 1 from messages m where m.company_id = l.company_id and m.letter_id = l.id);
alter table letters enable trigger letters_stay;
