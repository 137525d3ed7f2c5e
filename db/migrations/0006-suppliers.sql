-- The suppliers' register: where they are paid, how much tax is withheld from them, and the certificates that say so.

alter table parties
  add column dealer_kind text check (dealer_kind in ('licensed', 'exempt', 'company', 'partnership', 'nonProfit', 'person', 'foreign')),
  add column income_tax_file text check (income_tax_file ~ '^\d{9}$'),
  -- The code of form 856 the supplier is reported under.
  add column withholding_kind text check (withholding_kind ~ '^\d{2}$'),
  add column bank_code smallint check (bank_code between 1 and 99),
  add column bank_branch text check (bank_branch ~ '^\d{1,3}$'),
  add column bank_account text check (bank_account ~ '^\d{1,9}$'),
  -- In whose name the account is, when not in the supplier's own.
  add column bank_account_name text check (length(bank_account_name) <= 120),
  -- Of an account abroad; that of an account here follows from bank, branch and number.
  add column iban text check (iban ~ '^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$'),
  -- When known details were replaced by others: whoever pays is warned for a while.
  add column bank_changed_at timestamptz,
  add column bank_changed_by uuid;

-- What a certificate of the tax authority says. A wrong one is put away, never deleted: what was withheld by it must stay explained.
create table withholding_certificates (
  company_id uuid not null references companies,
  id uuid not null,
  party_id uuid not null,
  from_day date not null,
  to_day date not null,
  -- Null: the authority says there is no certificate, and only the books' approval is known.
  rate_bp integer check (rate_bp between 0 and 10000),
  -- Up to which sum of payments it holds, VAT included.
  ceiling_agorot bigint check (ceiling_agorot > 0),
  books_valid boolean not null default true,
  -- Until when the approval of the books holds; as long as the certificate when null.
  books_to_day date,
  source text not null default 'manual' check (source in ('manual', 'system1000')),
  file_id uuid,
  notes text check (length(notes) <= 500),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id),
  foreign key (company_id, file_id) references files (company_id, id) on delete set null (file_id),
  check (from_day <= to_day)
);
create index withholding_certificates_of on withholding_certificates (company_id, party_id, from_day desc);
create index withholding_certificates_of_file on withholding_certificates (company_id, file_id) where file_id is not null;
select secure_table('withholding_certificates', 'select, insert, update');
create policy own_customers on withholding_certificates as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = withholding_certificates.company_id and p.id = withholding_certificates.party_id));
