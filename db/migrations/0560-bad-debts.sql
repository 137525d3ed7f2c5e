-- A debt that will not be paid is written off by a credit invoice that takes its VAT back and leaves the income as it was: the net goes to the account of
-- bad debts (VAT Regulations, 24A). What is paid later is charged again by an invoice of the same kind. Neither is income of any report.
alter table documents add column is_bad_debt boolean not null default false;

drop index documents_vat;
create index documents_vat on documents (company_id, day)
  include (type, ils_net_agorot, ils_vat_agorot, ils_untaxed_agorot, ils_held_agorot, ils_total_agorot, customer_id, agent_id, is_bad_debt) where status <> 'draft';

-- What the business said of each write-off and of each payment that came after one.
create table bad_debts (
  company_id uuid not null references companies,
  -- The credit invoice of the write-off, or the invoice of what was paid later.
  document_id uuid not null,
  -- The invoice that was not paid.
  invoice_id uuid not null,
  -- Of a later payment: the credit invoice that it takes back.
  recovers_id uuid,
  ground text check (ground in ('insolvency', 'enforcement', 'notFound', 'agreement', 'other')),
  -- What was done to collect the debt, in words.
  steps text not null default '',
  -- Days that the period of the law leaves out: proceedings over the debt.
  paused_from date,
  paused_to date,
  vat_paid boolean not null default false,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, document_id),
  foreign key (company_id, document_id) references documents (company_id, id),
  foreign key (company_id, invoice_id) references documents (company_id, id),
  foreign key (company_id, recovers_id) references documents (company_id, id),
  check ((paused_from is null) = (paused_to is null) and paused_from <= paused_to),
  check ((recovers_id is null) = (ground is not null))
);
create index bad_debts_of on bad_debts (company_id, invoice_id);
create index bad_debts_recovered on bad_debts (company_id, recovers_id) where recovers_id is not null;
create trigger bad_debts_frozen before update or delete on bad_debts for each row execute function refuse_change();
select secure_table('bad_debts', 'select, insert');
create policy own_customers on bad_debts as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = bad_debts.company_id and d.id = bad_debts.document_id));
