-- What an acquirer bills for its fees by the month, to be held against the fees that were booked with its deposits. It is no paper of the books by itself: the
-- fees are there already.
create table acquirer_invoices (
  company_id uuid not null,
  id uuid not null,
  terminal_id uuid not null,
  month date not null check (extract(day from month) = 1),
  number text not null check (length(number) between 1 and 40),
  fee_agorot bigint not null check (fee_agorot >= 0),
  fee_vat_agorot bigint not null check (fee_vat_agorot >= 0),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, terminal_id, number),
  foreign key (company_id, terminal_id) references terminals (company_id, id)
);
select secure_table('acquirer_invoices', 'select, insert, update, delete');
