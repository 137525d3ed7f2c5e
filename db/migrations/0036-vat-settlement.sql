-- When a VAT period is reported, its VAT moves to the account of the VAT authority by an entry of its own, which is taken back with the filing. Such
-- an entry is no turnover of the accounts of VAT, and stands in a reported period also when there is nothing to pay.

create table vat_settlements (
  company_id uuid not null references companies,
  filing_id uuid not null,
  entry_id uuid not null,
  -- The entry that took it back.
  reversal_id uuid,
  -- As it was reported; negative: a refund.
  to_pay_agorot bigint not null,
  made_by uuid,
  made_at timestamptz not null default now(),
  primary key (company_id, filing_id),
  foreign key (company_id, filing_id) references vat_filings (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, reversal_id) references entries (company_id, id)
);
create unique index vat_settlements_by_entry on vat_settlements (company_id, entry_id);
select secure_table('vat_settlements', 'select, insert');
grant update (reversal_id) on vat_settlements to pinkas_app;

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
      where e.company_id = f.company_id and e.id = f.entry_id and coalesce(o.kind, e.kind) = 'vatSettlement') limit 1;
  if found then raise exception '%', closed using errcode = 'PK260'; end if;
  return null;
end $$;
