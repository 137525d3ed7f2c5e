-- The business's bank accounts and what the bank says happened on them: statements are read from files, and however files overlap no line stands twice.

create table bank_accounts (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  bank_code smallint check (bank_code between 1 and 99),
  branch text check (branch ~ '^\d{0,4}$'),
  number text check (number ~ '^[\d/-]{0,20}$'),
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  -- Where its money stands in the books; several may stand on one.
  account_id uuid not null,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references accounts (company_id, id)
);
create unique index bank_accounts_once on bank_accounts (company_id, bank_code, branch, number)
  where archived_at is null and bank_code is not null and number is not null;
create index bank_accounts_of on bank_accounts (company_id, account_id);
select secure_table('bank_accounts', 'select, insert, update');
-- What the bank knows is of the whole business: whoever sees some customers only does not see it.
create policy own_customers on bank_accounts as restrictive to pinkas_own using (false);

-- A file of the bank. Its content is kept until its lines are in.
create table bank_statements (
  company_id uuid not null,
  id uuid not null,
  bank_account_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  size bigint not null,
  kind text not null check (kind in ('table', 'ofx', 'mt940')),
  state text not null default 'read' check (state in ('read', 'taken', 'undone')),
  -- How the file was read (code page, delimiter, sheet), the place of its heads, and what its columns are.
  reading jsonb not null default '{}',
  head_row integer not null default 0 check (head_row between 0 and 1000),
  mapping jsonb not null default '[]',
  -- {rows} of a table, or {lines, account, currency, opening, closing, skipped}.
  content jsonb,
  from_day date,
  to_day date,
  opening_agorot bigint,
  closing_agorot bigint,
  taken integer not null default 0,
  known integer not null default 0,
  -- What the balances did not agree with: the difference to what was there before, and places in the file.
  gap_agorot bigint not null default 0,
  mismatches integer not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  taken_at timestamptz,
  undone_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, bank_account_id) references bank_accounts (company_id, id)
);
create index bank_statements_of on bank_statements (company_id, bank_account_id, id desc);
select secure_table('bank_statements', 'select, insert, update, delete');
create policy own_customers on bank_statements as restrictive to pinkas_own using (false);

-- What a table's columns were the last time, by its heads.
create table bank_mappings (
  company_id uuid not null,
  bank_account_id uuid not null,
  head_mark text not null check (length(head_mark) <= 4000),
  mapping jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, bank_account_id, head_mark),
  foreign key (company_id, bank_account_id) references bank_accounts (company_id, id)
);
select secure_table('bank_mappings', 'select, insert, update');

-- A line of the bank is never changed; it goes only with the whole file it came in.
create table bank_lines (
  company_id uuid not null,
  id uuid not null,
  bank_account_id uuid not null,
  statement_id uuid not null,
  -- Its place in the file, the oldest first.
  position integer not null,
  day date not null,
  value_day date,
  -- Money in is positive.
  amount_agorot bigint not null check (amount_agorot <> 0),
  text text not null check (length(text) <= 200),
  details text not null default '' check (length(details) <= 400),
  reference text not null default '' check (length(reference) <= 60),
  balance_agorot bigint,
  -- Of day, sum, reference, text, and the how-manieth of these it is.
  fingerprint text not null check (length(fingerprint) = 64),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, bank_account_id, fingerprint),
  foreign key (company_id, bank_account_id) references bank_accounts (company_id, id),
  foreign key (company_id, statement_id) references bank_statements (company_id, id)
);
create index bank_lines_by_day on bank_lines (company_id, bank_account_id, day, statement_id, position);
create index bank_lines_of_statement on bank_lines (company_id, statement_id);
select secure_table('bank_lines', 'select, insert, delete');
create policy own_customers on bank_lines as restrictive to pinkas_own using (false);
