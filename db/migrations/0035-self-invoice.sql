-- Where the law lays VAT on the buyer he writes a self-invoice: the seller gets his price without VAT, and the buyer reports the VAT both as owed and
-- as deducted. An export keeps the number of its declaration, which is often known only after the invoice was issued.

alter table expenses drop constraint expenses_paper_check;
alter table expenses add constraint expenses_paper_check
  check (paper in ('taxInvoice', 'receipt', 'import', 'palestinian', 'byLaw', 'pettyCash', 'selfInvoice'));

-- What a bill makes us owe its supplier, in the currency of the books: of a self-invoice the VAT goes to the authority.
alter table expenses add column owed_agorot bigint
  generated always as (case when paper = 'selfInvoice' then ils_net_agorot else ils_total_agorot end) stored;

create table export_entries (
  company_id uuid not null references companies,
  document_id uuid not null,
  number text not null check (number ~ '^\d{1,14}$'),
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, document_id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
select secure_table('export_entries', 'select, insert, update, delete');
