-- Double entry: entries are append-only, every entry balances, sums per month are kept in the posting transaction.

create table accounts (
  company_id uuid not null references companies,
  id uuid not null,
  number text not null check (length(number) between 1 and 15),
  -- The template's English name is a word key; a business may give its own name.
  key text,
  name text not null,
  kind text not null check (kind in ('asset', 'liability', 'equity', 'income', 'expense')),
  sort_code text not null default '',
  code6111 text not null default '' check (code6111 ~ '^(\d{3,4})?$'),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number)
);
create unique index accounts_by_key on accounts (company_id, key) where key is not null;
select secure_table('accounts', 'select, insert, update');

create table parties (
  company_id uuid not null references companies,
  id uuid not null,
  role text not null check (role in ('customer', 'supplier')),
  name text not null check (length(name) between 1 and 200),
  name_on_document text,
  tax_id text check (tax_id ~ '^\d{9}$'),
  is_dealer boolean not null default false,
  contact text,
  email text,
  phone text,
  mobile text,
  street text,
  city text,
  zip text,
  country text,
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  due_terms text check (due_terms ~ '^(now|net:\d{1,3}|eom:\d{1,3})$'),
  credit_limit_agorot bigint check (credit_limit_agorot >= 0),
  zero_rate boolean not null default false,
  notes text,
  -- Consent to documents by electronic means (income tax bookkeeping rules, section 18b): when it was given.
  consent_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Letters that sound alike are written alike here; kept by the application.
  folded text not null default '',
  primary key (company_id, id)
);
create index parties_by_name on parties (company_id, role, name, id);
create index parties_search on parties using gin (company_id, folded gin_trgm_ops);
create unique index parties_tax_id on parties (company_id, role, tax_id) where tax_id is not null and archived_at is null;
select secure_table('parties', 'select, insert, update');

-- Under row-level security a trigram index is not used (like is not leakproof), so the search runs as the owner, inside one company.
create function search_parties(kind text, pattern text) returns setof uuid language sql stable security definer set search_path = public
  as $$ select id from parties where company_id = current_company() and role = kind and folded like '%' || pattern || '%' $$;
create function search_customers(pattern text) returns setof uuid language sql stable as $$ select search_parties('customer', pattern) $$;
create function search_suppliers(pattern text) returns setof uuid language sql stable as $$ select search_parties('supplier', pattern) $$;

create table items (
  company_id uuid not null references companies,
  id uuid not null,
  sku text,
  name text not null check (length(name) between 1 and 200),
  details text,
  unit text,
  price numeric(18, 4) not null default 0,
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  vat_kind text not null default 'beforeVat' check (vat_kind in ('beforeVat', 'includingVat', 'trustDeposit', 'withoutVat')),
  cost numeric(18, 4),
  barcode text,
  account_id uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  folded text not null default '',
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
create index items_by_name on items (company_id, name, id);
create index items_search on items using gin (company_id, folded gin_trgm_ops);
create unique index items_sku on items (company_id, sku) where sku is not null and archived_at is null;
select secure_table('items', 'select, insert, update');
create function search_items(pattern text) returns setof uuid language sql stable security definer set search_path = public
  as $$ select id from items where company_id = current_company() and folded like '%' || pattern || '%' $$;

create table entries (
  company_id uuid not null references companies,
  id uuid not null,
  day date not null,
  value_day date not null,
  kind text not null,
  reference text not null default '',
  details text not null default '',
  document_id uuid,
  reverses_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, reverses_id) references entries (company_id, id)
);
create index entries_by_day on entries (company_id, day, id);
create index entries_of_document on entries (company_id, document_id) where document_id is not null;
create unique index entries_reversed_once on entries (company_id, reverses_id) where reverses_id is not null;
select secure_table('entries', 'select, insert');

-- One side of an entry: amount is positive for a debit and negative for a credit, in agorot of the shekel.
create table postings (
  company_id uuid not null,
  entry_id uuid not null,
  line smallint not null,
  account_id uuid not null,
  party_id uuid,
  day date not null,
  amount_agorot bigint not null check (amount_agorot <> 0),
  currency text,
  foreign_amount bigint,
  primary key (company_id, entry_id, line),
  foreign key (company_id, entry_id) references entries (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id)
);
create index postings_of_account on postings (company_id, account_id, day, entry_id, line) include (amount_agorot);
create index postings_of_party on postings (company_id, party_id, day, entry_id, line) include (amount_agorot, account_id) where party_id is not null;
select secure_table('postings', 'select, insert');

create table account_months (
  company_id uuid not null,
  account_id uuid not null,
  month date not null,
  debit_agorot bigint not null,
  credit_agorot bigint not null,
  primary key (company_id, account_id, month),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
select secure_table('account_months', 'select, insert, update');

create table party_months (
  company_id uuid not null,
  party_id uuid not null,
  account_id uuid not null,
  month date not null,
  debit_agorot bigint not null,
  credit_agorot bigint not null,
  primary key (company_id, party_id, account_id, month),
  foreign key (company_id, party_id) references parties (company_id, id)
);
select secure_table('party_months', 'select, insert, update');

create trigger entries_frozen before update or delete on entries for each row execute function refuse_change();
create trigger postings_frozen before update or delete on postings for each row execute function refuse_change();

-- What is closed: 'vat' locks documents that carry VAT, 'month' and 'year' lock everything.
create table locked_periods (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (kind in ('vat', 'month', 'year')),
  from_day date not null,
  to_day date not null,
  locked_at timestamptz not null default now(),
  locked_by uuid,
  reopened_at timestamptz,
  reopened_by uuid,
  primary key (company_id, id),
  check (from_day <= to_day)
);
create index locked_now on locked_periods (company_id, to_day) where reopened_at is null;
select secure_table('locked_periods', 'select, insert, update');

-- Writes one entry with its lines and keeps the sums. `e` = {id, day, valueDay, kind, reference, details, documentId, reversesId, by,
-- lines: [{account, party, amount, currency, foreign}]}; refuses an entry that does not balance or falls in a closed month or year.
create function post_entry(company uuid, e jsonb) returns void language plpgsql as $$
declare
  on_day date := (e->>'day')::date;
  total numeric;
begin
  select sum((l->>'amount')::bigint) into total from jsonb_array_elements(e->'lines') l;
  if total is distinct from 0 then
    raise exception 'entry does not balance: %', total using errcode = 'PK002';
  end if;
  if exists (select 1 from locked_periods p where p.company_id = company and p.reopened_at is null and p.kind in ('month', 'year')
             and on_day between p.from_day and p.to_day) then
    raise exception 'the period of % is closed', on_day using errcode = 'PK003';
  end if;
  insert into entries (company_id, id, day, value_day, kind, reference, details, document_id, reverses_id, created_by)
  values (company, (e->>'id')::uuid, on_day, coalesce((e->>'valueDay')::date, on_day), e->>'kind', coalesce(e->>'reference', ''),
          coalesce(e->>'details', ''), (e->>'documentId')::uuid, (e->>'reversesId')::uuid, (e->>'by')::uuid);
  insert into postings (company_id, entry_id, line, account_id, party_id, day, amount_agorot, currency, foreign_amount)
  select company, (e->>'id')::uuid, n, (l->>'account')::uuid, (l->>'party')::uuid, on_day, (l->>'amount')::bigint, l->>'currency', (l->>'foreign')::bigint
  from jsonb_array_elements(e->'lines') with ordinality as t (l, n) where (l->>'amount')::bigint <> 0;
  -- In the order of accounts, so that two postings never wait for each other crosswise.
  insert into account_months as m (company_id, account_id, month, debit_agorot, credit_agorot)
  select company, (l->>'account')::uuid, date_trunc('month', on_day)::date, sum(greatest((l->>'amount')::bigint, 0)), sum(greatest(-(l->>'amount')::bigint, 0))
  from jsonb_array_elements(e->'lines') l group by 2 order by 2
  on conflict (company_id, account_id, month)
  do update set debit_agorot = m.debit_agorot + excluded.debit_agorot, credit_agorot = m.credit_agorot + excluded.credit_agorot;
  insert into party_months as m (company_id, party_id, account_id, month, debit_agorot, credit_agorot)
  select company, (l->>'party')::uuid, (l->>'account')::uuid, date_trunc('month', on_day)::date, sum(greatest((l->>'amount')::bigint, 0)), sum(greatest(-(l->>'amount')::bigint, 0))
  from jsonb_array_elements(e->'lines') l where l->>'party' is not null group by 2, 3 order by 2, 3
  on conflict (company_id, party_id, account_id, month)
  do update set debit_agorot = m.debit_agorot + excluded.debit_agorot, credit_agorot = m.credit_agorot + excluded.credit_agorot;
end $$;
