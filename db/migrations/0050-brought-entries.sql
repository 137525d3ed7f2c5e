-- Which entries another program's file brought in: their period was reported there, and no paper of ours stands for them. So the VAT of such an
-- entry is read from the entry itself and never compared with papers. An opening balance on an account of VAT is no VAT of its day's period either.

create table uniform_entries (
  company_id uuid not null,
  entry_id uuid not null,
  import_id uuid not null,
  primary key (company_id, entry_id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, import_id) references uniform_imports (company_id, id)
);
create index uniform_entries_of_import on uniform_entries (company_id, import_id);
select secure_table('uniform_entries', 'select, insert');
create policy own_customers on uniform_entries as restrictive to pinkas_own using (false);
create trigger uniform_entries_frozen before update or delete on uniform_entries for each row execute function refuse_change();

-- Books were empty before an import: whatever stood in them when it ended had come with it.
insert into uniform_entries (company_id, entry_id, import_id)
  select e.company_id, e.id, i.id from uniform_imports i join entries e on e.company_id = i.company_id and e.created_at <= i.ended_at
  where i.state = 'done' on conflict do nothing;

create or replace function refuse_locked_postings() returns trigger language plpgsql as $$
declare
  closed date;
begin
  select f.day into closed from fresh f join locked_periods p on p.company_id = f.company_id and p.reopened_at is null
    and f.day between p.from_day and p.to_day and p.kind in ('month', 'year') limit 1;
  if found then raise exception 'the period of % is closed', closed using errcode = 'PK003'; end if;
  select f.day into closed from fresh f join locked_periods p on p.company_id = f.company_id and p.reopened_at is null
    and f.day between p.from_day and p.to_day and p.kind = 'vat'
    join accounts a on a.company_id = f.company_id and a.id = f.account_id and a.number in ('1200', '1210', '2100')
    where not exists (select 1 from fresh g join accounts b on b.company_id = g.company_id and b.id = g.account_id
      where g.entry_id = f.entry_id and b.number = '2110')
    and not exists (select 1 from entries e left join entries o on o.company_id = e.company_id and o.id = e.reverses_id
      where e.company_id = f.company_id and e.id = f.entry_id and coalesce(o.kind, e.kind) in ('vatSettlement', 'opening')) limit 1;
  if found then raise exception '%', closed using errcode = 'PK260'; end if;
  return null;
end $$;
