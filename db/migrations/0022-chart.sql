-- The codes behind the chart of accounts: kinds of cards with their ranges of numbers, sort codes of the trial balance, codes of the balance
-- sheet, VAT codes with their accounts, and which line of form 6111 an account has in a tax year. All of it belongs to the business.

create table card_kinds (
  company_id uuid not null references companies,
  id uuid not null,
  key text,
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('asset', 'liability', 'equity', 'income', 'expense')),
  from_number text not null check (from_number ~ '^\d{1,15}$'),
  to_number text not null check (to_number ~ '^\d{1,15}$'),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check (from_number::numeric <= to_number::numeric)
);
create unique index card_kinds_by_key on card_kinds (company_id, key) where key is not null;
select secure_table('card_kinds', 'select, insert, update');

alter table accounts add column card_kind_id uuid;
alter table accounts add foreign key (company_id, card_kind_id) references card_kinds (company_id, id);

create table balance_codes (
  company_id uuid not null references companies,
  id uuid not null,
  key text,
  code text not null check (length(code) between 1 and 15),
  name text not null check (length(name) between 1 and 120),
  parent_id uuid,
  position integer not null default 0,
  -- On which side the group grows: what stands on the other one is a deduction.
  side text not null default 'debit' check (side in ('debit', 'credit')),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, parent_id) references balance_codes (company_id, id),
  check (parent_id <> id)
);
create unique index balance_codes_by_code on balance_codes (company_id, code) where archived_at is null;
create unique index balance_codes_by_key on balance_codes (company_id, key) where key is not null;
select secure_table('balance_codes', 'select, insert, update');

create table sort_codes (
  company_id uuid not null references companies,
  id uuid not null,
  key text,
  code text not null check (length(code) between 1 and 15),
  name text not null check (length(name) between 1 and 120),
  parent_id uuid,
  position integer not null default 0,
  side text not null default 'debit' check (side in ('debit', 'credit')),
  -- Where its accounts stand in profit and loss; null for accounts of the balance sheet.
  profit_line text check (profit_line in ('revenue', 'costOfSales', 'production', 'selling', 'general', 'finance', 'other', 'taxes')),
  balance_code_id uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, parent_id) references sort_codes (company_id, id),
  foreign key (company_id, balance_code_id) references balance_codes (company_id, id),
  check (parent_id <> id)
);
create unique index sort_codes_by_code on sort_codes (company_id, code) where archived_at is null;
create unique index sort_codes_by_key on sort_codes (company_id, key) where key is not null;
select secure_table('sort_codes', 'select, insert, update');

-- A code below itself would be summed for ever.
create function refuse_circle() returns trigger language plpgsql as $$
declare
  above uuid := new.parent_id;
  steps integer := 0;
begin
  while above is not null loop
    steps := steps + 1;
    if above = new.id or steps > 8 then raise exception 'a code below itself' using errcode = 'PK220'; end if;
    execute format('select parent_id from %I where company_id = $1 and id = $2', tg_table_name) into above using new.company_id, above;
  end loop;
  return new;
end $$;
create trigger sort_codes_circle before insert or update of parent_id on sort_codes for each row execute function refuse_circle();
create trigger balance_codes_circle before insert or update of parent_id on balance_codes for each row execute function refuse_circle();

create table vat_codes (
  company_id uuid not null references companies,
  id uuid not null,
  key text,
  code text not null check (length(code) between 1 and 15),
  name text not null check (length(name) between 1 and 120),
  kind text not null check (kind in ('sale', 'input', 'equipment', 'exempt', 'zero')),
  -- The part that may be deducted; of sales all of it is owed.
  vat_share text not null default 'full' check (vat_share in ('full', 'twoThirds', 'quarter', 'none')),
  return_line text not null default 'none' check (return_line in ('taxedSales', 'exemptSales', 'inputs', 'equipmentInputs', 'none')),
  -- A rate of its own from a day on; before it, and without one, the rate of law of the day.
  rate_bp integer check (rate_bp between 0 and 10000),
  rate_from date,
  account_id uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id),
  check ((rate_bp is null) = (rate_from is null))
);
create unique index vat_codes_by_code on vat_codes (company_id, code) where archived_at is null;
create unique index vat_codes_by_key on vat_codes (company_id, key) where key is not null;
select secure_table('vat_codes', 'select, insert, update');

-- The line of form 6111 an account has in one tax year; without a row the account's own code holds.
create table account_codes6111 (
  company_id uuid not null,
  account_id uuid not null,
  year smallint not null check (year between 2000 and 2200),
  code text not null check (code ~ '^(\d{2,4})?$'),
  primary key (company_id, account_id, year),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
select secure_table('account_codes6111', 'select, insert, update, delete');

-- Codes of a tax year that a business brought in beyond the list we know.
create table codes6111 (
  company_id uuid not null references companies,
  year smallint not null check (year between 2000 and 2200),
  code text not null check (code ~ '^\d{2,4}$'),
  name text not null check (length(name) between 1 and 200),
  part text not null check (part in ('profit', 'adjustment', 'balance')),
  primary key (company_id, year, code)
);
select secure_table('codes6111', 'select, insert, update, delete');

-- Balances, movements and lists of entries ask by kind and period.
create index entries_by_kind on entries (company_id, kind, day, id);
