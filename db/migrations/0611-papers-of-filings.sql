-- What a VAT filing was worked out from, so that what changed since then is told document by document. Filings from before keep their totals alone.
create table vat_filing_papers (
  company_id uuid not null references companies,
  filing_id uuid not null,
  papers jsonb not null,
  primary key (company_id, filing_id),
  foreign key (company_id, filing_id) references vat_filings (company_id, id)
);
select secure_table('vat_filing_papers', 'select, insert');
