-- Who brings businesses to the product is paid a share of what they pay for it. All of it is the operator's: whose business sells the product in this installation.

-- What is paid, from a day on. Earlier versions stay: a payment is counted by the version of its day.
create table affiliate_plans (
  company_id uuid not null references companies,
  from_day date not null,
  -- [{"from": 1, "rateBp": 2000}, …]: by the how-manieth paying business of an affiliate it is.
  steps jsonb not null check (jsonb_typeof(steps) = 'array' and pg_column_size(steps) < 2000),
  -- So many months after a business began; 0 is as long as it pays.
  months smallint not null default 0 check (months between 0 and 120),
  -- A commission may be paid out so many days after the payment.
  hold_days smallint not null default 45 check (hold_days between 0 and 365),
  -- Less than this waits for the next time.
  least_agorot bigint not null default 0 check (least_agorot >= 0),
  made_by uuid,
  made_at timestamptz not null default now(),
  primary key (company_id, from_day)
);
select secure_table('affiliate_plans', 'select, insert, update, delete');

create table affiliates (
  company_id uuid not null references companies,
  -- The affiliate's own business in this installation: he logs in there, and his books are his.
  affiliate_id uuid not null references companies,
  user_id uuid not null references users,
  -- As whom he is billed and paid, once the operator has agreed to him.
  supplier_id uuid,
  -- His card was made for him by that, and follows what he says of his account.
  own_card boolean not null default false,
  -- Where he wants to be paid.
  bank_code smallint check (bank_code between 1 and 99),
  bank_branch text,
  bank_account text,
  bank_account_name text,
  bank_said_at timestamptz,
  state text not null default 'asked' check (state in ('asked', 'active', 'stopped')),
  state_reason text not null default '' check (length(state_reason) <= 300),
  -- That the operator writes the invoice in his stead.
  agreed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (company_id, affiliate_id),
  foreign key (company_id, supplier_id) references parties (company_id, id),
  check (state <> 'active' or supplier_id is not null)
);
create unique index affiliates_of_business on affiliates (affiliate_id);
select secure_table('affiliates', 'select, insert, update');

create table affiliate_links (
  company_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  -- What stands in the address behind ?aff=.
  code text not null check (code ~ '^[a-z0-9]{8,20}$'),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, affiliate_id) references affiliates (company_id, affiliate_id)
);
create unique index affiliate_links_code on affiliate_links (code);
select secure_table('affiliate_links', 'select, insert, update');

-- How often a link was opened on a day, and never by whom.
create table affiliate_views (
  company_id uuid not null,
  link_id uuid not null,
  day date not null,
  count integer not null default 1 check (count > 0),
  primary key (company_id, link_id, day),
  foreign key (company_id, link_id) references affiliate_links (company_id, id)
);
select secure_table('affiliate_views', 'select');

-- A business belongs to whoever sent it first, once and for good.
create table affiliate_signups (
  company_id uuid not null,
  client_id uuid not null references companies,
  affiliate_id uuid not null,
  link_id uuid not null,
  -- What the operator's pages of payment know the business by.
  business_key text not null check (length(business_key) between 20 and 64),
  signed_up_day date not null,
  -- counted by itself; held until somebody looked at it; refused for good.
  state text not null default 'counted' check (state in ('counted', 'held', 'refused')),
  -- Why it was held: ownUser, ownMail, ownPhone, ownTaxId, sameCard, sameBank.
  reasons text[] not null default '{}',
  -- Reasons that somebody looked at and let be.
  cleared text[] not null default '{}',
  decided_by uuid references users,
  decided_at timestamptz,
  decision text not null default '' check (length(decision) <= 300),
  -- The how-manieth paying business of its affiliate it is.
  rank integer check (rank > 0),
  created_at timestamptz not null default now(),
  primary key (company_id, client_id),
  foreign key (company_id, affiliate_id) references affiliates (company_id, affiliate_id),
  foreign key (company_id, link_id) references affiliate_links (company_id, id)
);
create unique index affiliate_signups_rank on affiliate_signups (company_id, affiliate_id, rank) where rank is not null;
create unique index affiliate_signups_key on affiliate_signups (company_id, business_key);
create unique index affiliate_signups_client on affiliate_signups (client_id);
select secure_table('affiliate_signups', 'select, update');

create table affiliate_payouts (
  company_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  -- The invoice that was written in his stead.
  document_id uuid not null,
  amount_agorot bigint not null check (amount_agorot > 0),
  made_by uuid references users,
  made_at timestamptz not null default now(),
  -- Its invoice was cancelled: what was in it waits again.
  undone_at timestamptz,
  primary key (company_id, id),
  unique (company_id, document_id),
  foreign key (company_id, affiliate_id) references affiliates (company_id, affiliate_id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
select secure_table('affiliate_payouts', 'select, insert, update');

-- What a payment earned, and each later change of it: a credit takes back, a cancelled credit gives again. Rows are only added; being paid out is their one fate.
create table affiliate_commissions (
  company_id uuid not null,
  document_id uuid not null,
  -- 0 is what the payment earned.
  no smallint not null check (no >= 0),
  client_id uuid not null,
  affiliate_id uuid not null,
  day date not null,
  -- What the share is of, before VAT; of a later change by how much that changed.
  base_agorot bigint not null,
  rate_bp integer not null check (rate_bp between 0 and 10000),
  amount_agorot bigint not null,
  due_day date not null,
  payout_id uuid,
  made_at timestamptz not null default now(),
  primary key (company_id, document_id, no),
  foreign key (company_id, document_id) references documents (company_id, id),
  foreign key (company_id, client_id) references affiliate_signups (company_id, client_id),
  foreign key (company_id, payout_id) references affiliate_payouts (company_id, id)
);
create index affiliate_commissions_of on affiliate_commissions (company_id, affiliate_id, day);
create index affiliate_commissions_unpaid on affiliate_commissions (company_id, affiliate_id, due_day) where payout_id is null;
select secure_table('affiliate_commissions', 'select, insert, update');

-- By whom a business paid: asked for each business that somebody brought.
create index pay_purchases_of_business on pay_purchases (company_id, (utm ->> 'utm_business')) where utm ? 'utm_business';
