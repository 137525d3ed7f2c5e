-- What was reported of VAT is kept exactly as it was filed: the figures, the very file, who filed it and when, and what the authority answered.
-- Whoever reports by cash has days from which he does, and the VAT of a bill may be put off to a later period before it is reported.

-- From which day on the VAT of sales is due when they are paid (cash) or when they are invoiced (accrual). Without a row: accrual.
create table vat_basis_changes (
  company_id uuid not null references companies,
  from_day date not null,
  basis text not null check (basis in ('accrual', 'cash')),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, from_day)
);
select secure_table('vat_basis_changes', 'select, insert, update');

create table vat_filings (
  company_id uuid not null references companies,
  id uuid not null,
  from_day date not null,
  to_day date not null,
  -- With the detailed report of every paper, or the return alone.
  kind text not null check (kind in ('detailed', 'return')),
  basis text not null check (basis in ('accrual', 'cash')),
  -- Exact sums in agorot, and as they were filed: whole shekels, in agorot.
  figures jsonb not null,
  filed_figures jsonb not null,
  entry_count integer not null default 0 check (entry_count >= 0),
  -- The file byte for byte.
  file bytea,
  file_sha256 bytea,
  lock_id uuid not null,
  made_by uuid,
  made_at timestamptz not null default now(),
  sent_day date,
  confirmation text not null default '' check (length(confirmation) <= 40),
  sent_by uuid,
  reopened_at timestamptz,
  reopened_by uuid,
  reopen_reason text not null default '' check (length(reopen_reason) <= 300),
  primary key (company_id, id),
  foreign key (company_id, lock_id) references locked_periods (company_id, id),
  check (from_day <= to_day),
  check ((file is null) = (kind = 'return')),
  check ((reopened_at is null) = (reopen_reason = ''))
);
create unique index vat_filings_standing on vat_filings (company_id, to_day) where reopened_at is null;
create index vat_filings_by_time on vat_filings (company_id, made_at desc);
select secure_table('vat_filings', 'select, insert, update');

-- Of a filing only its fate moves: that it was sent, that it was taken back.
create function vat_filing_frozen() returns trigger language plpgsql as $$
declare
  fate constant text[] := array['sent_day', 'confirmation', 'sent_by', 'reopened_at', 'reopened_by', 'reopen_reason'];
begin
  if tg_op = 'DELETE' then
    if discards_demo(old.company_id) then return old; end if;
    raise exception 'a filing is never deleted' using errcode = 'PK261';
  end if;
  if (to_jsonb(new) - fate) is distinct from (to_jsonb(old) - fate) or old.reopened_at is not null then
    raise exception 'a filing is never changed' using errcode = 'PK261';
  end if;
  return new;
end $$;
create trigger vat_filing_frozen before update or delete on vat_filings for each row execute function vat_filing_frozen();

-- A period is locked while papers are being written: whoever locks it holds the business's row, which every new entry waits for, and so this
-- check sees the lock. Manual entries on the accounts of VAT are refused here too; moving a return's sum to the settlement account is not.
create function refuse_locked_postings() returns trigger language plpgsql as $$
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
      where g.entry_id = f.entry_id and b.number = '2110') limit 1;
  if found then raise exception '%', closed using errcode = 'PK260'; end if;
  return null;
end $$;
create trigger zz_postings_locked after insert on postings referencing new table as fresh for each statement execute function refuse_locked_postings();

-- The same for sales without VAT, which no account of VAT knows.
create function refuse_locked_document() returns trigger language plpgsql as $$
begin
  if exists (select 1 from locked_periods p where p.company_id = new.company_id and p.reopened_at is null and p.kind = 'vat'
             and new.day between p.from_day and p.to_day) then
    raise exception '%', new.day using errcode = 'PK260';
  end if;
  return null;
end $$;
create trigger zz_documents_locked after insert on documents for each row when (new.status <> 'draft' and new.type in (8, 9, 10, 12))
  execute function refuse_locked_document();

-- The claim of a bill's VAT may be put off: a fate like being paid, with an entry of its own that moves it.
create or replace function expense_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state in ('approved', 'cancelled') and not discards_demo(old.company_id) then
      raise exception 'an expense in the books is never deleted' using errcode = 'PK005';
    end if;
    return old;
  end if;
  if old.state in ('approved', 'cancelled') and
     (old.supplier_id, old.supplier_number, old.paper, old.day, old.claims_vat, old.books_day, old.currency, old.rate, old.net_agorot, old.vat_agorot,
      old.ils_net_agorot, old.ils_vat_agorot, old.recognised_vat_agorot, old.equipment_vat_agorot, old.type_id, old.means)
     is distinct from
     (new.supplier_id, new.supplier_number, new.paper, new.day, new.claims_vat, new.books_day, new.currency, new.rate, new.net_agorot, new.vat_agorot,
      new.ils_net_agorot, new.ils_vat_agorot, new.recognised_vat_agorot, new.equipment_vat_agorot, new.type_id, new.means) then
    raise exception 'an expense in the books is never changed' using errcode = 'PK005';
  end if;
  if old.state in ('approved', 'cancelled') and old.vat_day <> new.vat_day
     and not (old.state = 'approved' and new.vat_day > old.vat_day and current_setting('pinkas.postponing', true) = old.id::text) then
    raise exception 'the day of its VAT is moved by putting it off only' using errcode = 'PK005';
  end if;
  if old.state = 'cancelled' and new.state <> 'cancelled' or old.state = 'approved' and new.state not in ('approved', 'cancelled') then
    raise exception 'an expense in the books does not go back' using errcode = 'PK005';
  end if;
  return new;
end $$;
