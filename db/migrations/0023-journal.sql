-- Journal entries by hand are typed into a batch, checked and posted; a posted batch is never changed, only undone by its reversal. What is
-- typed lies here from the first line on, so that nothing is lost.

create table movement_kinds (
  company_id uuid not null references companies,
  id uuid not null,
  code text not null check (length(code) between 1 and 15),
  name text not null check (length(name) between 1 and 120),
  debit_account_id uuid,
  credit_account_id uuid,
  vat_code_id uuid,
  details text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, debit_account_id) references accounts (company_id, id),
  foreign key (company_id, credit_account_id) references accounts (company_id, id),
  foreign key (company_id, vat_code_id) references vat_codes (company_id, id)
);
create unique index movement_kinds_by_code on movement_kinds (company_id, code) where archived_at is null;
select secure_table('movement_kinds', 'select, insert, update');

create table journal_counters (
  company_id uuid primary key references companies,
  last_number integer not null
);
select secure_table('journal_counters', 'select, insert, update');

create table journal_batches (
  company_id uuid not null references companies,
  id uuid not null,
  number integer not null check (number > 0),
  kind text not null default 'typed' check (kind in ('typed', 'imported', 'opening', 'reversal')),
  name text not null default '' check (length(name) <= 120),
  state text not null default 'open' check (state in ('open', 'checked', 'posted', 'dropped')),
  created_by uuid,
  checked_by uuid,
  checked_at timestamptz,
  posted_by uuid,
  posted_at timestamptz,
  -- The posted batch that this one undoes.
  reverses_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id, reverses_id) references journal_batches (company_id, id),
  check ((state = 'posted') = (posted_at is not null))
);
create index journal_batches_open on journal_batches (company_id, created_by) where state in ('open', 'checked');
select secure_table('journal_batches', 'select, insert, update');

-- A line with two accounts is an entry by itself; lines with one account make an entry together with those that follow, until it balances.
create table journal_lines (
  company_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  position integer not null default 0,
  kind_id uuid,
  day date not null,
  value_day date,
  reference text not null default '' check (length(reference) <= 40),
  details text not null default '' check (length(details) <= 200),
  debit_account_id uuid,
  credit_account_id uuid,
  -- With VAT in it, where there is VAT.
  amount_agorot bigint not null,
  vat_code_id uuid,
  -- Null: worked out by the code's rate of the day.
  vat_agorot bigint,
  -- What was posted: the VAT in the amount and the part of it that the code recognises.
  posted_vat_agorot bigint,
  posted_recognised_agorot bigint,
  entry_id uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, batch_id) references journal_batches (company_id, id),
  foreign key (company_id, kind_id) references movement_kinds (company_id, id),
  foreign key (company_id, debit_account_id) references accounts (company_id, id),
  foreign key (company_id, credit_account_id) references accounts (company_id, id),
  foreign key (company_id, vat_code_id) references vat_codes (company_id, id),
  foreign key (company_id, entry_id) references entries (company_id, id)
);
create index journal_lines_of_batch on journal_lines (company_id, batch_id, position, id);
create index journal_lines_with_vat on journal_lines (company_id, day) where vat_code_id is not null and entry_id is not null;
select secure_table('journal_lines', 'select, insert, update, delete');

-- Which entries came of a batch: the entries themselves stay as they were written.
create table batch_entries (
  company_id uuid not null,
  entry_id uuid not null,
  batch_id uuid not null,
  primary key (company_id, entry_id),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, batch_id) references journal_batches (company_id, id)
);
create index entries_of_batch on batch_entries (company_id, batch_id);
select secure_table('batch_entries', 'select, insert');
create trigger batch_entries_frozen before update or delete on batch_entries for each row execute function refuse_change();

-- Posted is for ever, and so is what was dropped.
create function refuse_posted_batch() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if discards_demo(old.company_id) then return old; end if;
    raise exception 'batches are never deleted' using errcode = 'PK221';
  end if;
  if old.state in ('posted', 'dropped') then raise exception 'batch % is closed', old.number using errcode = 'PK221'; end if;
  return new;
end $$;
create trigger journal_batches_frozen before update or delete on journal_batches for each row execute function refuse_posted_batch();

create function refuse_posted_line() returns trigger language plpgsql as $$
declare
  batch uuid := case when tg_op = 'DELETE' then old.batch_id else new.batch_id end;
  company uuid := case when tg_op = 'DELETE' then old.company_id else new.company_id end;
begin
  if tg_op = 'DELETE' and discards_demo(company) then return old; end if;
  if tg_op = 'UPDATE' and new.batch_id <> old.batch_id then raise exception 'a line stays in its batch' using errcode = 'PK221'; end if;
  if exists (select 1 from journal_batches b where b.company_id = company and b.id = batch and b.state in ('posted', 'dropped')) then
    raise exception 'the batch is closed' using errcode = 'PK221';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger journal_lines_frozen before insert or update or delete on journal_lines for each row execute function refuse_posted_line();
