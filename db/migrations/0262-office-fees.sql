-- The fee of a client's month is charged once; a draft that is deleted gives it back.
create table office_fees (
  company_id uuid not null,
  client_id uuid not null,
  month date not null check (extract(day from month) = 1),
  document_id uuid not null,
  fee_agorot bigint not null check (fee_agorot > 0),
  made_by uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (company_id, client_id, month),
  foreign key (company_id, client_id) references engagements (company_id, client_id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete cascade
);
create index office_fees_of_document on office_fees (company_id, document_id);
select secure_table('office_fees', 'select, insert');
