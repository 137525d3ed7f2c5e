-- Allocation numbers are asked of the tax authority behind the commit: who may ask in the name of the business, what was asked and
-- answered, the stock for hours in which the authority is away, and what was found about the numbers of suppliers.

create table authority_links (
  company_id uuid not null references companies,
  service text not null check (service in ('invoices')),
  -- A log-in under way at the authority; the hash of what it must bring back.
  asked_key bytea,
  asked_at timestamptz,
  -- Tokens are sealed by the vault.
  refresh_sealed bytea,
  access_sealed bytea,
  access_until timestamptz,
  connected_at timestamptz,
  connected_by uuid,
  -- When a person must log in again.
  ends_at timestamptz,
  -- The authority took the permission back, or it ran out.
  ended_at timestamptz,
  -- While the authority does not answer, only every so often one call finds out.
  away_until timestamptz,
  away_tries integer not null default 0 check (away_tries >= 0),
  updated_at timestamptz not null default now(),
  primary key (company_id, service),
  check (refresh_sealed is null or (connected_at is not null and ends_at is not null))
);
select secure_table('authority_links', 'select, insert, update');

create table allocation_requests (
  company_id uuid not null,
  document_id uuid not null,
  -- What the authority knows the request by: asked twice it answers the same number.
  invoice_key text not null check (length(invoice_key) between 1 and 50),
  -- 3: the customer reports the VAT himself.
  action smallint check (action in (3, 4)),
  tries integer not null default 0 check (tries >= 0),
  asked_at timestamptz,
  next_at timestamptz,
  -- Why there is no number: notConnected, ended, off, away, or the authority's code.
  reason text not null default '' check (length(reason) <= 40),
  -- As the authority put it.
  message text not null default '' check (length(message) <= 500),
  decision text not null default '' check (decision in ('', 'cancel', 'continue', 'reverseCharge', 'objection')),
  decided_at timestamptz,
  decided_by uuid,
  told_at timestamptz,
  -- All 26 digits; the last nine stand on the document.
  confirmation_number text check (confirmation_number ~ '^\d{9,26}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, document_id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete cascade
);
select secure_table('allocation_requests', 'select, insert, update');
create policy own_customers on allocation_requests as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = allocation_requests.company_id and d.id = allocation_requests.document_id));

create table emergency_numbers (
  company_id uuid not null references companies,
  number text not null check (number ~ '^\d{9,26}$'),
  added_at timestamptz not null default now(),
  added_by uuid,
  document_id uuid,
  used_at timestamptz,
  reported_at timestamptz,
  primary key (company_id, number),
  unique (company_id, document_id),
  foreign key (company_id, document_id) references documents (company_id, id),
  check ((document_id is null) = (used_at is null)),
  check (reported_at is null or used_at is not null)
);
create index emergency_numbers_left on emergency_numbers (company_id, added_at) where document_id is null;
select secure_table('emergency_numbers', 'select, insert, update, delete');

create table supplier_number_checks (
  company_id uuid not null references companies,
  id uuid not null,
  expense_id uuid,
  supplier_name text not null default '',
  supplier_tax_id text not null check (supplier_tax_id ~ '^\d{9}$'),
  invoice_number text not null check (length(invoice_number) <= 40),
  day date not null,
  net_agorot bigint not null,
  vat_agorot bigint not null,
  number text not null default '' check (number ~ '^(\d{9,26})?$'),
  -- confirmed: as written; differs: the number belongs to another invoice or sum; found: there is a number and here it is.
  answer text not null check (answer in ('confirmed', 'differs', 'found', 'notFound')),
  -- What the authority has under the number, or the number it has.
  found_number text not null default '',
  found_net_agorot bigint,
  found_vat_agorot bigint,
  found_day date,
  checked_by uuid,
  checked_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, expense_id) references expenses (company_id, id) on delete cascade
);
create index supplier_number_checks_of_expense on supplier_number_checks (company_id, expense_id, checked_at desc);
create index supplier_number_checks_by_time on supplier_number_checks (company_id, checked_at desc);
select secure_table('supplier_number_checks', 'select, insert');

-- What still waits is found without reading the documents.
create index documents_without_number on documents (company_id, day) where allocation_state in ('waiting', 'away', 'refused');

-- A copy that is sealed after the authority answered shows the answer; what was given out before keeps its bytes beside it.
alter table document_papers add column about text not null default '' check (length(about) <= 40);
alter table document_papers drop constraint document_papers_pkey;
alter table document_papers add primary key (company_id, document_id, variant, about);
