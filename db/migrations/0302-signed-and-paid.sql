-- A field of a signed paper that asks for a payment: the link it is paid by, one for each field of a signer.
create table sign_payments (
  company_id uuid not null,
  signer_id uuid not null,
  field text not null,
  link_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, signer_id, field),
  foreign key (company_id, signer_id) references sign_signers (company_id, id),
  foreign key (company_id, link_id) references payment_links (company_id, id)
);
select secure_table('sign_payments', 'select, insert, update');
create policy own_customers on sign_payments as restrictive to pinkas_own
  using (exists (select 1 from sign_signers s where s.company_id = sign_payments.company_id and s.id = sign_payments.signer_id));
