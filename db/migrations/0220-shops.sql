-- Shops: whoever sells on a site of his own or of another's has the document of each paid order made by itself. However often, late or out of order a shop
-- tells of it, an order is one row, and its document hangs on that row.
create table shops (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null check (kind in ('generic', 'woocommerce', 'shopify', 'wix')),
  name text not null check (length(name) between 1 and 80),
  -- What the shop is known by where it stands: a name below myshopify.com, an instance at Wix. Empty for a shop that is known by our own key.
  outside_id text not null default '' check (length(outside_id) <= 200),
  -- gone: taken out at the shop's own side.
  state text not null default 'on' check (state in ('on', 'off', 'gone')),
  -- Part of the address that orders come to.
  notice_key text not null unique check (length(notice_key) >= 22),
  -- What signs the notices of a shop of one's own, and what its orders are read with elsewhere.
  secret_sealed bytea,
  token_sealed bytea,
  settings jsonb not null check (jsonb_typeof(settings) = 'object' and pg_column_size(settings) < 8000),
  -- Where the parts of an order stand in what a shop of one's own sends.
  mapping jsonb not null default '{}' check (jsonb_typeof(mapping) = 'object' and pg_column_size(mapping) < 8000),
  heard_at timestamptz,
  -- When its orders of the last days were gone over.
  swept_at timestamptz,
  last_error text not null default '' check (length(last_error) <= 200),
  -- The day whose differences were told last.
  told_day date,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id)
);
-- A shop elsewhere belongs to one business.
create unique index shops_outside on shops (kind, outside_id) where outside_id <> '' and archived_at is null;
select secure_table('shops', 'select, insert, update');

create table shop_orders (
  company_id uuid not null,
  id uuid not null,
  shop_id uuid not null,
  external_id text not null check (length(external_id) between 1 and 100),
  number text not null default '' check (length(number) <= 60),
  version bigint not null default 0,
  -- new: not paid. mapped: paid, its paper is on the way. ignored: nothing is issued for it, by a rule or a person.
  state text not null check (state in ('new', 'mapped', 'issued', 'ignored', 'trouble')),
  trouble text check (length(trouble) <= 30),
  trouble_params jsonb not null default '{}' check (pg_column_size(trouble_params) < 2000),
  difference_agorot bigint,
  -- Why it is ignored: a rule ('test', 'before', 'cancelled') or 'person' with his words.
  ignored_why text check (ignored_why in ('test', 'before', 'cancelled', 'person')),
  note text not null default '' check (length(note) <= 300),
  is_paid boolean not null,
  paid_day date,
  customer text not null default '' check (length(customer) <= 200),
  currency text not null check (length(currency) <= 10),
  total_agorot bigint not null,
  -- As it is understood, and as it came.
  content jsonb not null,
  raw jsonb not null,
  -- What the paper was made from, in the order's currency.
  issued_agorot bigint,
  document_id uuid,
  receipt_id uuid,
  tried_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, shop_id, external_id),
  unique (company_id, document_id),
  foreign key (company_id, shop_id) references shops (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id),
  foreign key (company_id, receipt_id) references documents (company_id, id),
  check ((state = 'trouble') = (trouble is not null)),
  check ((state = 'ignored') = (ignored_why is not null)),
  check (state <> 'issued' or document_id is not null)
);
create index shop_orders_newest on shop_orders (company_id, shop_id, id desc);
create index shop_orders_in_state on shop_orders (company_id, shop_id, state) where state in ('mapped', 'trouble');
create index shop_orders_by_day on shop_orders (company_id, shop_id, paid_day) where is_paid;
select secure_table('shop_orders', 'select, insert, update');
create policy own_customers on shop_orders as restrictive to pinkas_own
  using (exists (select 1 from documents d where d.company_id = shop_orders.company_id and d.id = document_id));

create table shop_refunds (
  company_id uuid not null,
  id uuid not null,
  shop_id uuid not null,
  order_id uuid not null,
  external_id text not null check (length(external_id) between 1 and 100),
  state text not null default 'new' check (state in ('new', 'issued', 'ignored', 'trouble')),
  trouble text check (length(trouble) <= 30),
  trouble_params jsonb not null default '{}' check (pg_column_size(trouble_params) < 2000),
  amount_agorot bigint not null check (amount_agorot > 0),
  refund_day date,
  reason text not null default '' check (length(reason) <= 300),
  -- The credit, and the receipt of the money that went back where that is a paper of its own.
  credit_id uuid,
  receipt_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  -- Two orders may have a refund 1 each.
  unique (company_id, order_id, external_id),
  unique (company_id, credit_id),
  foreign key (company_id, order_id) references shop_orders (company_id, id),
  foreign key (company_id, shop_id) references shops (company_id, id),
  foreign key (company_id, credit_id) references documents (company_id, id),
  foreign key (company_id, receipt_id) references documents (company_id, id),
  check ((state = 'trouble') = (trouble is not null)),
  check (state <> 'issued' or credit_id is not null)
);
create index shop_refunds_of_shop on shop_refunds (company_id, shop_id, state);
select secure_table('shop_refunds', 'select, insert, update');
create policy own_customers on shop_refunds as restrictive to pinkas_own
  using (exists (select 1 from shop_orders o where o.company_id = shop_refunds.company_id and o.id = order_id));

-- What a shop told, in a line, for thirty days. A notice that has a number of its own is heard once.
create table shop_notices (
  company_id uuid not null,
  shop_id uuid not null,
  id uuid not null,
  notice_id text not null default '' check (length(notice_id) <= 100),
  at timestamptz not null default now(),
  topic text not null default '' check (length(topic) <= 60),
  external_id text not null default '' check (length(external_id) <= 100),
  outcome text not null check (length(outcome) <= 30),
  primary key (company_id, id),
  foreign key (company_id, shop_id) references shops (company_id, id)
);
create unique index shop_notices_once on shop_notices (company_id, shop_id, notice_id) where notice_id <> '';
create index shop_notices_newest on shop_notices (company_id, shop_id, id desc);
select secure_table('shop_notices', 'select, insert, delete');

-- A shop elsewhere is being connected: the key that must come back, once, within the hour, by the same person.
create table shop_ties (
  company_id uuid not null references companies,
  id_hash bytea not null,
  kind text not null check (kind in ('shopify', 'wix')),
  outside_id text not null default '' check (length(outside_id) <= 200),
  user_id uuid not null references users,
  expires_at timestamptz not null,
  primary key (company_id, id_hash)
);
select secure_table('shop_ties', 'select, insert, delete');
