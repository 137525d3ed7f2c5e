-- A draft that is written again, or issued, goes and comes back under its own id within one transaction. What hangs on it looks only at
-- the end: while the paper is there the tie holds, so that nothing is charged a second time; a draft that is thrown away lets go.
do $$
declare
  tie record;
begin
  for tie in
    select c.conname as name, c.conrelid::regclass as of, (select a.attname from pg_attribute a where a.attrelid = c.conrelid and a.attnum = c.conkey[2]) as field
    from pg_constraint c where c.contype = 'f' and c.confrelid = 'documents'::regclass
      and c.conrelid in ('tasks'::regclass, 'leads'::regclass, 'clockings'::regclass, 'passes'::regclass, 'class_bookings'::regclass, 'office_fees'::regclass) and c.confdeltype in ('n', 'c')
  loop
    execute format('alter table %s drop constraint %I', tie.of, tie.name);
    execute format('alter table %s add constraint %I foreign key (company_id, %I) references documents (company_id, id) deferrable initially deferred', tie.of, tie.name, tie.field);
  end loop;
end $$;

-- As the owner: the application's role takes no fee of an office back by itself.
create function let_go_of_draft() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select 1 from documents d where d.company_id = old.company_id and d.id = old.id) then return null; end if;
  update tasks set document_id = null where company_id = old.company_id and document_id = old.id;
  update leads set quote_id = null where company_id = old.company_id and quote_id = old.id;
  update clockings set document_id = null where company_id = old.company_id and document_id = old.id;
  update passes set document_id = null where company_id = old.company_id and document_id = old.id;
  update class_bookings set document_id = null where company_id = old.company_id and document_id = old.id;
  delete from office_fees where company_id = old.company_id and document_id = old.id;
  return null;
end $$;
-- Of one deed triggers go by their names, and those of the ties are called RI_…: this one is before them.
create constraint trigger "A_draft_lets_go" after delete on documents deferrable initially deferred
  for each row when (old.status = 'draft') execute function let_go_of_draft();
