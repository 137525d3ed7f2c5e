-- What a customer pays at once on the customer's own page, several documents by one charge, and what the customer said of quotes.

create table customer_page_payments (
  company_id uuid not null references companies,
  id uuid not null,
  customer_id uuid not null,
  amount_agorot bigint not null check (amount_agorot > 0),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index customer_page_payments_of on customer_page_payments (company_id, customer_id, created_at desc);
select secure_table('customer_page_payments', 'select, insert');
create policy own_customers on customer_page_payments as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = customer_page_payments.company_id and p.id = customer_page_payments.customer_id));

create table customer_page_payment_documents (
  company_id uuid not null references companies,
  payment_id uuid not null,
  document_id uuid not null,
  -- What was to be paid of it when the customer chose it.
  amount_agorot bigint not null check (amount_agorot > 0),
  primary key (company_id, payment_id, document_id),
  foreign key (company_id, payment_id) references customer_page_payments (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create index customer_page_payment_documents_of on customer_page_payment_documents (company_id, document_id);
select secure_table('customer_page_payment_documents', 'select, insert');
create policy own_customers on customer_page_payment_documents as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = customer_page_payment_documents.company_id and d.id = customer_page_payment_documents.document_id));

-- The newest answer counts; a comment changes nothing.
create table quote_answers (
  company_id uuid not null references companies,
  id uuid not null,
  document_id uuid not null,
  answer text not null check (answer in ('accepted', 'declined', 'comment')),
  comment text not null default '' check (length(comment) <= 2000),
  answered_at timestamptz not null default now(),
  -- Where the answer came from, as evidence.
  address text not null default '' check (length(address) <= 60),
  primary key (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id),
  check (answer <> 'comment' or comment <> '')
);
create index quote_answers_of on quote_answers (company_id, document_id, answered_at desc);
create trigger quote_answers_frozen before update or delete on quote_answers for each row execute function refuse_change();
select secure_table('quote_answers', 'select, insert');
create policy own_customers on quote_answers as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = quote_answers.company_id and d.id = quote_answers.document_id));
