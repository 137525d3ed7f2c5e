-- Payment pages: a page that anybody may open and pay by, once or again and again. What was bought is a row with its lines as they stood, so a page that is
-- changed while somebody pays changes nothing for him; places, stock and uses of coupons are taken while he pays and free again when he does not.

create table pay_pages (
  company_id uuid not null references companies,
  id uuid not null,
  -- charge: money moves. hold: it is set aside, and taken or let go from the list. subscription: a standing order begins.
  kind text not null check (kind in ('charge', 'hold', 'subscription')),
  state text not null default 'draft' check (state in ('draft', 'open', 'closed')),
  page_key text not null unique check (length(page_key) >= 22),
  -- What can be read aloud and printed; leads to the page.
  short_code text not null unique check (short_code ~ '^[a-z2-9]{8}$'),
  -- In the language that is shown first.
  title text not null check (length(title) between 1 and 120),
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  -- {"he": {"title", "text", "button", "thanks", "terms"}}
  texts jsonb not null check (jsonb_typeof(texts) = 'object' and pg_column_size(texts) < 60000),
  accent text not null default '' check (accent ~ '^(#[0-9a-f]{6})?$'),
  -- items: what is chosen. free: the payer says how much. suggested: one of some sums, or his own.
  sum_kind text not null default 'items' check (sum_kind in ('items', 'free', 'suggested')),
  suggested bigint[] not null default '{}' check (cardinality(suggested) <= 8),
  least_agorot bigint check (least_agorot > 0),
  most_agorot bigint check (most_agorot > 0),
  most_instalments smallint not null default 1 check (most_instalments between 1 and 36),
  -- [{"key", "kind", "labels": {"he"}, "must", "choices": {"he": []}}]
  fields jsonb not null default '[]' check (jsonb_typeof(fields) = 'array' and pg_column_size(fields) < 30000),
  asks_email text not null default 'must' check (asks_email in ('no', 'may', 'must')),
  asks_phone text not null default 'may' check (asks_phone in ('no', 'may', 'must')),
  asks_tax_id text not null default 'no' check (asks_tax_id in ('no', 'may', 'must')),
  must_agree boolean not null default false,
  takes_coupons boolean not null default true,
  places integer check (places between 1 and 1000000),
  places_taken integer not null default 0 check (places_taken >= 0),
  closes_at timestamptz,
  thanks_url text not null default '' check (length(thanks_url) <= 500),
  paper text not null default 'usual' check (paper in ('usual', 'invoiceReceipt', 'receipt', 'donation')),
  -- Who is told of every payment.
  told text[] not null default '{}' check (cardinality(told) <= 10),
  -- Sites whose pages may frame it.
  sites text[] not null default '{}' check (cardinality(sites) <= 20),
  -- Of a subscription: how it goes on.
  every_n smallint not null default 1 check (every_n between 1 and 36),
  billing_day smallint not null default 0 check (billing_day between 0 and 28),
  charge_today boolean not null default true,
  first_price_agorot bigint check (first_price_agorot > 0),
  trial_days smallint not null default 0 check (trial_days between 0 and 366),
  times smallint check (times between 2 and 600),
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id),
  check (places is null or places_taken <= places),
  check (most_agorot is null or least_agorot is null or most_agorot >= least_agorot)
);
create index pay_pages_by_time on pay_pages (company_id, created_at desc);
select secure_table('pay_pages', 'select, insert, update');

create table pay_page_items (
  company_id uuid not null,
  page_id uuid not null,
  id uuid not null,
  position smallint not null,
  item_id uuid,
  names jsonb not null check (jsonb_typeof(names) = 'object' and pg_column_size(names) < 8000),
  -- With VAT: what a buyer is told is what he pays.
  price_agorot bigint not null check (price_agorot > 0),
  most_quantity integer not null default 1 check (most_quantity between 1 and 10000),
  -- Always in the basket; else it is chosen.
  is_fixed boolean not null default false,
  stock integer check (stock between 0 and 1000000),
  taken integer not null default 0 check (taken >= 0),
  archived_at timestamptz,
  primary key (company_id, page_id, id),
  foreign key (company_id, page_id) references pay_pages (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id),
  check (stock is null or taken <= stock)
);
select secure_table('pay_page_items', 'select, insert, update');

create table pay_page_pictures (
  company_id uuid not null,
  page_id uuid not null,
  mime text not null check (mime in ('image/jpeg', 'image/png')),
  bytes bytea not null check (octet_length(bytes) <= 3000000),
  updated_at timestamptz not null default now(),
  primary key (company_id, page_id),
  foreign key (company_id, page_id) references pay_pages (company_id, id)
);
select secure_table('pay_page_pictures', 'select, insert, update, delete');

-- How often a page was opened on a day; nobody is told apart.
create table pay_page_days (
  company_id uuid not null,
  page_id uuid not null,
  day date not null,
  views integer not null default 0,
  framed integer not null default 0,
  primary key (company_id, page_id, day),
  foreign key (company_id, page_id) references pay_pages (company_id, id)
);
select secure_table('pay_page_days', 'select, insert, update');

create table coupons (
  company_id uuid not null references companies,
  id uuid not null,
  code text not null check (length(code) between 3 and 40),
  -- As it is looked for: without spaces and in one case.
  code_folded text not null,
  -- What it was given out for; codes made together share it.
  name text not null default '' check (length(name) <= 80),
  kind text not null check (kind in ('percent', 'sum')),
  value_bp integer check (value_bp between 1 and 9999),
  value_agorot bigint check (value_agorot > 0),
  -- Of one page alone, and of some of its things alone.
  page_id uuid,
  item_ids uuid[] not null default '{}' check (cardinality(item_ids) <= 60),
  -- Of a subscription: the first charge only, or every one.
  first_only boolean not null default true,
  from_day date,
  to_day date,
  uses_max integer check (uses_max between 1 and 1000000),
  per_customer smallint check (per_customer between 1 and 100),
  least_agorot bigint check (least_agorot > 0),
  stopped_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, code_folded),
  foreign key (company_id, page_id) references pay_pages (company_id, id),
  check ((kind = 'percent') = (value_bp is not null) and (kind = 'sum') = (value_agorot is not null)),
  check (to_day is null or from_day is null or to_day >= from_day)
);
create index coupons_by_time on coupons (company_id, created_at desc);
select secure_table('coupons', 'select, insert, update');

create table pay_purchases (
  company_id uuid not null,
  id uuid not null,
  page_id uuid not null,
  -- Of the browser that pays, so that what it sends twice is one.
  visit uuid not null,
  -- begun: somebody stands before the form, and what he wants is kept for him. freed: he did not pay in time. held: the money is set aside.
  state text not null default 'begun' check (state in ('begun', 'freed', 'paid', 'held', 'released', 'subscribed', 'surplus')),
  held_until timestamptz,
  kind text not null check (kind in ('charge', 'hold', 'subscription')),
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  payer jsonb not null check (pg_column_size(payer) < 4000),
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object' and pg_column_size(answers) < 40000),
  -- What was agreed to, in its words.
  terms text not null default '' check (length(terms) <= 10000),
  address text not null default '' check (length(address) <= 60),
  gross_agorot bigint not null check (gross_agorot > 0),
  discount_agorot bigint not null default 0 check (discount_agorot >= 0),
  total_agorot bigint not null check (total_agorot > 0),
  -- What a hold brought when less was taken of it.
  taken_agorot bigint check (taken_agorot > 0),
  -- Of a subscription: how it was told.
  plan jsonb,
  coupon_id uuid,
  instalments smallint not null default 1,
  charge_id uuid,
  customer_id uuid,
  order_id uuid,
  -- Where it was paid: on the page, or framed by that site.
  site text not null default '' check (length(site) <= 200),
  utm jsonb not null default '{}' check (jsonb_typeof(utm) = 'object' and pg_column_size(utm) < 2000),
  -- It takes up one of the page's places, and of its things what its lines say.
  takes boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  paid_at timestamptz,
  primary key (company_id, id),
  unique (company_id, page_id, visit, id),
  foreign key (company_id, page_id) references pay_pages (company_id, id),
  foreign key (company_id, coupon_id) references coupons (company_id, id),
  foreign key (company_id, charge_id) references charges (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  check (gross_agorot - discount_agorot = total_agorot)
);
create unique index pay_purchases_of_visit on pay_purchases (company_id, page_id, visit) where state = 'begun';
create index pay_purchases_by_time on pay_purchases (company_id, page_id, created_at desc);
create index pay_purchases_to_free on pay_purchases (held_until) where state = 'begun';
select secure_table('pay_purchases', 'select, insert, update');
create policy own_customers on pay_purchases as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = pay_purchases.company_id and p.id = pay_purchases.customer_id));

create table pay_purchase_lines (
  company_id uuid not null,
  purchase_id uuid not null,
  no smallint not null,
  page_item_id uuid,
  item_id uuid,
  name text not null check (length(name) between 1 and 300),
  quantity integer not null check (quantity between 1 and 10000),
  price_agorot bigint not null check (price_agorot > 0),
  discount_agorot bigint not null default 0 check (discount_agorot >= 0),
  primary key (company_id, purchase_id, no),
  foreign key (company_id, purchase_id) references pay_purchases (company_id, id)
);
select secure_table('pay_purchase_lines', 'select, insert');
create policy own_customers on pay_purchase_lines as restrictive to pinkas_own
  using (exists (select 1 from pay_purchases p where p.company_id = pay_purchase_lines.company_id and p.id = purchase_id));

-- One use of a coupon: which of its uses, and which of this customer's. Two cannot have the same, so the last one is had once.
create table coupon_uses (
  company_id uuid not null,
  id uuid not null,
  coupon_id uuid not null,
  purchase_id uuid not null,
  state text not null default 'held' check (state in ('held', 'used', 'freed')),
  seat integer,
  -- Who, as far as it is told: a mail address or a phone number in one spelling.
  who text not null default '' check (length(who) <= 254),
  who_seat smallint,
  discount_agorot bigint not null check (discount_agorot > 0),
  at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, purchase_id),
  foreign key (company_id, coupon_id) references coupons (company_id, id),
  foreign key (company_id, purchase_id) references pay_purchases (company_id, id),
  check (state <> 'freed' or (seat is null and who_seat is null))
);
create unique index coupon_uses_seat on coupon_uses (company_id, coupon_id, seat) where seat is not null;
create unique index coupon_uses_who on coupon_uses (company_id, coupon_id, who, who_seat) where who_seat is not null;
create index coupon_uses_of on coupon_uses (company_id, coupon_id, at desc);
select secure_table('coupon_uses', 'select, insert, update');
create policy own_customers on coupon_uses as restrictive to pinkas_own
  using (exists (select 1 from pay_purchases p where p.company_id = coupon_uses.company_id and p.id = purchase_id));
