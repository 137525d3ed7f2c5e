-- Being paid by card: links to pay by, what the acquirer was asked and answered, money given back, a customer's own page, and what a
-- business sets about its receipts.

alter table companies
  -- Names of means of payment in the order they are offered, by commas; all of them in the usual order when empty.
  add column receipt_means text not null default '' check (receipt_means ~ '^([a-zA-Z]+(,[a-zA-Z]+)*)?$' and length(receipt_means) <= 120),
  add column default_card_brand text not null default '' check (length(default_card_brand) <= 30),
  -- Where transfers land in the books; the first account of the bank when absent.
  add column transfer_account_id uuid,
  -- What somebody who pays online is given where no invoice stands before it.
  add column online_paper text not null default 'receipt' check (online_paper in ('receipt', 'invoiceReceipt')),
  -- In place of the sentence of section 46 on receipts for donations.
  add column section46_text text not null default '' check (length(section46_text) <= 500),
  add column thanks_text text not null default '' check (length(thanks_text) <= 500),
  -- How to pay by a payment app: a number, a name.
  add column phone_payment text not null default '' check (length(phone_payment) <= 300),
  add foreign key (id, transfer_account_id) references accounts (company_id, id) on delete set null (transfer_account_id);

-- How the business stands with an acquirer.
create table acquirer_accounts (
  company_id uuid not null references companies,
  acquirer text not null check (acquirer in ('test')),
  is_on boolean not null default false,
  -- Part of the address that notices come to.
  notice_key text not null unique,
  -- What notices are signed with; sealed by the vault.
  secret_sealed bytea not null,
  most_instalments smallint not null default 1 check (most_instalments between 1 and 36),
  updated_at timestamptz not null default now(),
  primary key (company_id, acquirer)
);
select secure_table('acquirer_accounts', 'select, insert, update');

create table payment_links (
  company_id uuid not null references companies,
  id uuid not null,
  -- 244 random bits: the key in the address is the right to pay.
  page_key text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  description text not null check (length(description) between 1 and 200),
  -- Absent: what the document has open when it is paid.
  amount_agorot bigint check (amount_agorot > 0),
  document_id uuid,
  customer_id uuid,
  email text check (length(email) <= 254),
  -- donation: paid with a receipt for donations.
  paper text not null default 'usual' check (paper in ('usual', 'donation')),
  most_instalments smallint not null default 1 check (most_instalments between 1 and 36),
  -- The last day it can be paid on.
  expires_on date,
  -- Days after it was made on which an unpaid one is reminded of, by commas.
  remind_days text not null default '' check (remind_days ~ '^(\d{1,3}(,\d{1,3})*)?$' and length(remind_days) <= 40),
  reminded smallint[] not null default '{}',
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  state text not null default 'open' check (state in ('open', 'paid', 'cancelled')),
  -- The charge it was paid by.
  charge_id uuid,
  paid_at timestamptz,
  sent_at timestamptz,
  viewed_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete cascade,
  foreign key (company_id, customer_id) references parties (company_id, id),
  check (amount_agorot is not null or document_id is not null),
  check ((state = 'paid') = (paid_at is not null))
);
create index payment_links_by_time on payment_links (company_id, created_at desc, id desc);
create index payment_links_of_document on payment_links (company_id, document_id) where document_id is not null;
create index payment_links_of_customer on payment_links (company_id, customer_id) where customer_id is not null;
select secure_table('payment_links', 'select, insert, update');
create policy own_customers on payment_links as restrictive to pinkas_own
  using (case when customer_id is null then created_by = current_person()
    else exists (select 1 from parties p where p.company_id = payment_links.company_id and p.id = payment_links.customer_id) end);

-- One form of the acquirer that was opened, and what became of it. Money that came is never forgotten: its paper is made from this row.
create table card_charges (
  company_id uuid not null references companies,
  id uuid not null,
  link_id uuid,
  document_id uuid,
  customer_id uuid,
  acquirer text not null check (acquirer in ('test')),
  -- What the acquirer knows it by.
  reference text,
  form_url text not null default '',
  amount_agorot bigint not null check (amount_agorot > 0),
  most_instalments smallint not null default 1,
  -- {name, email, phone, taxId} of somebody who is no customer yet.
  payer jsonb not null default '{}',
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  state text not null default 'begun' check (state in ('begun', 'declined', 'paid', 'lapsed')),
  decline_code text not null default '' check (length(decline_code) <= 40),
  instalments smallint,
  card_brand text not null default '' check (length(card_brand) <= 30),
  card_last4 text not null default '' check (card_last4 ~ '^(\d{4})?$'),
  approval text not null default '' check (length(approval) <= 40),
  paid_at timestamptz,
  -- Nothing was left to pay when the money came: it goes back by itself.
  surplus boolean not null default false,
  -- The paper that was issued for it, or why none could be.
  paper_id uuid,
  paper_failure text not null default '' check (length(paper_failure) <= 60),
  given_back_agorot bigint not null default 0 check (given_back_agorot >= 0),
  lapses_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, acquirer, reference),
  foreign key (company_id, link_id) references payment_links (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, paper_id) references documents (company_id, id),
  check (given_back_agorot <= amount_agorot),
  check ((state = 'paid') = (paid_at is not null)),
  check (link_id is not null or document_id is not null)
);
-- One form at a time for one thing to pay: two tabs come to the same one.
create unique index card_charges_open_of_link on card_charges (company_id, link_id) where state in ('begun', 'declined') and link_id is not null;
create unique index card_charges_open_of_document on card_charges (company_id, document_id)
  where state in ('begun', 'declined') and link_id is null;
create unique index card_charges_paper on card_charges (company_id, paper_id) where paper_id is not null;
create index card_charges_by_time on card_charges (company_id, created_at desc, id desc);
select secure_table('card_charges', 'select, insert, update');
create policy own_customers on card_charges as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = card_charges.company_id and p.id = card_charges.customer_id));

-- What happened to a charge, in order; nobody changes it.
create table charge_events (
  company_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  at timestamptz not null default now(),
  kind text not null check (length(kind) <= 30),
  details jsonb not null default '{}',
  primary key (company_id, id),
  foreign key (company_id, charge_id) references card_charges (company_id, id)
);
create index charge_events_of on charge_events (company_id, charge_id, at);
select secure_table('charge_events', 'select, insert');
create policy own_customers on charge_events as restrictive to pinkas_own
  using (exists (select 1 from card_charges c where c.company_id = charge_events.company_id and c.id = charge_events.charge_id));

-- Money on its way back. Its id is the key the acquirer is asked under: asked twice it gives back once.
create table charge_refunds (
  company_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  amount_agorot bigint not null check (amount_agorot > 0),
  reason text not null default '' check (length(reason) <= 200),
  state text not null default 'asked' check (state in ('asked', 'done', 'refused')),
  automatic boolean not null default false,
  tries integer not null default 0,
  reference text not null default '' check (length(reference) <= 60),
  code text not null default '' check (length(code) <= 40),
  paper_id uuid,
  paper_failure text not null default '' check (length(paper_failure) <= 60),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, charge_id) references card_charges (company_id, id),
  foreign key (company_id, paper_id) references documents (company_id, id)
);
create index charge_refunds_of on charge_refunds (company_id, charge_id);
select secure_table('charge_refunds', 'select, insert, update');
create policy own_customers on charge_refunds as restrictive to pinkas_own
  using (exists (select 1 from card_charges c where c.company_id = charge_refunds.company_id and c.id = charge_refunds.charge_id));

-- A customer's own page: his documents by a key.
create table customer_pages (
  company_id uuid not null references companies,
  customer_id uuid not null,
  page_key text not null unique,
  made_at timestamptz not null default now(),
  made_by uuid,
  sent_at timestamptz,
  viewed_at timestamptz,
  primary key (company_id, customer_id),
  foreign key (company_id, customer_id) references parties (company_id, id) on delete cascade
);
select secure_table('customer_pages', 'select, insert, update, delete');
create policy own_customers on customer_pages as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = customer_pages.company_id and p.id = customer_pages.customer_id));

-- What the test acquirer remembers, as a real one would on its own machines. Of a card only brand and last digits.
create table test_charges (
  company_id uuid not null references companies,
  reference text not null,
  merchant_key text not null,
  amount_agorot bigint not null,
  most_instalments smallint not null,
  description text not null,
  language text not null,
  return_to text not null,
  state text not null default 'open' check (state in ('open', 'declined', 'paid', 'closed')),
  code text not null default '',
  brand text not null default '',
  last4 text not null default '',
  instalments smallint,
  approval text not null default '',
  -- {key: agorot} of what was given back.
  given_back jsonb not null default '{}',
  refuses_refunds boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (company_id, reference),
  unique (company_id, merchant_key)
);
create unique index test_charges_by_reference on test_charges (reference);
select secure_table('test_charges', 'select, insert, update');
create policy own_customers on test_charges as restrictive to pinkas_own using (false);
