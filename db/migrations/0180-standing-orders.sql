-- Standing orders: what is charged or billed again and again without anybody asking. The plan is a rule, each charge a row that exists once for the days it
-- is for, so that no run, however often or by whomever, charges anything twice; what happened to an order is added and never changed.

-- What is done when a charge fails, and in the end.
create table standing_campaigns (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- Orders that name none follow this one.
  is_usual boolean not null default false,
  -- [{"days": after the first failure, "on": any|soft|hard, "deed": retry|mail|sms|task|pause|cancel|leaveOpen}]
  steps jsonb not null check (jsonb_typeof(steps) = 'array' and pg_column_size(steps) < 8000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id)
);
create unique index standing_campaigns_usual on standing_campaigns (company_id) where is_usual and archived_at is null;
select secure_table('standing_campaigns', 'select, insert, update');

create table standing_settings (
  company_id uuid primary key references companies,
  -- More missed charges than these ask a person.
  most_missed smallint not null default 2 check (most_missed between 0 and 24),
  -- On the clock in Jerusalem.
  hour smallint not null default 6 check (hour between 0 and 23),
  -- Charges of one terminal in a minute.
  rate_per_minute smallint not null default 60 check (rate_per_minute between 1 and 1000),
  -- The stop button: nothing is made while it is pressed.
  stopped_at timestamptz,
  stopped_by uuid,
  updated_at timestamptz not null default now()
);
select secure_table('standing_settings', 'select, insert, update');

create table standing_orders (
  company_id uuid not null references companies,
  id uuid not null,
  number bigint not null,
  title text not null check (length(title) between 1 and 200),
  customer_id uuid not null,
  means text not null check (means in ('bill', 'masav', 'card')),
  card_id uuid,
  document_type smallint not null,
  language text check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  agent_id uuid,
  project_id uuid,
  send text not null default 'mail' check (send in ('mail', 'sms', 'none')),
  -- Where to; the customer's own when empty.
  send_to text not null default '' check (length(send_to) <= 254),
  notes text not null default '' check (length(notes) <= 1000),
  notes_internal text not null default '' check (length(notes_internal) <= 2000),

  start_day date not null,
  every_n smallint not null check (every_n between 1 and 120),
  unit text not null check (unit in ('day', 'week', 'month', 'year')),
  billing_day smallint not null default 0 check (billing_day between 0 and 28 or billing_day = 31),
  shift text not null default 'none' check (shift in ('none', 'next', 'previous')),
  charge_today boolean not null default true,
  prorate boolean not null default false,
  arrears boolean not null default false,
  trial_days smallint not null default 0 check (trial_days between 0 and 366),
  until_day date,
  times smallint check (times between 1 and 600),

  first_price_agorot bigint check (first_price_agorot >= 0),
  discount_bp smallint not null default 0 check (discount_bp between 0 and 10000),
  discount_turns smallint not null default 0 check (discount_turns between 0 and 60),

  linked text not null default 'none' check (linked in ('none', 'cpi', 'usd')),
  link_falls boolean not null default false,

  party_kind text not null default 'business' check (party_kind in ('consumer', 'business')),
  may_pause boolean not null default false,
  may_cancel boolean not null default true,
  -- Donations: one letter with the receipts of the year instead of one each time.
  yearly_receipt boolean not null default false,
  campaign_id uuid,

  state text not null default 'active' check (state in ('draft', 'active', 'paused', 'failing', 'held', 'ended', 'cancelled')),
  -- Why it is held until a person decides: a word of the program.
  held_why text not null default '' check (held_why ~ '^[A-Za-z.]{0,60}$'),
  paused_until date,
  failing_since date,
  -- Why it ends or ended before its plan does, and who wished it.
  end_reason text not null default '' check (length(end_reason) <= 300),
  end_by text not null default '' check (end_by in ('', 'business', 'customer', 'plan', 'campaign')),
  ended_on date,

  -- The charge that comes next: the first of its days, its place in the plan, its day; and the moment a worker takes it.
  next_from date,
  next_no integer,
  next_day date,
  next_at timestamptz,
  -- What it comes to, as far as it is known today.
  next_total_agorot bigint not null default 0,
  leased_until timestamptz,

  page_key text not null unique check (length(page_key) >= 22),
  page_seen_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, campaign_id) references standing_campaigns (company_id, id),
  check ((state = 'held') = (held_why <> '')),
  check (discount_bp = 0 or discount_turns > 0)
);
create index standing_orders_due on standing_orders (next_at) where next_at is not null;
create index standing_orders_of_customer on standing_orders (company_id, customer_id);
create index standing_orders_in_state on standing_orders (company_id, state, next_day);
select secure_table('standing_orders', 'select, insert, update');
create policy own_customers on standing_orders as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = standing_orders.company_id and p.id = standing_orders.customer_id));

-- What is charged from a day on.
create table standing_versions (
  company_id uuid not null,
  order_id uuid not null,
  no smallint not null,
  from_day date not null,
  lines jsonb not null check (jsonb_typeof(lines) = 'array' and pg_column_size(lines) < 40000),
  -- The index or rate the prices are of, where they follow one.
  base_value numeric(18, 6) check (base_value > 0),
  base_of date,
  -- Higher than what was before it.
  raises boolean not null default false,
  why text not null default '' check (length(why) <= 300),
  made_by uuid,
  made_at timestamptz not null default now(),
  primary key (company_id, order_id, no),
  unique (company_id, order_id, from_day),
  foreign key (company_id, order_id) references standing_orders (company_id, id) on delete cascade,
  check ((base_value is null) = (base_of is null))
);
select secure_table('standing_versions', 'select, insert, update, delete');
create policy own_customers on standing_versions as restrictive to pinkas_own
  using (exists (select 1 from standing_orders o where o.company_id = standing_versions.company_id and o.id = order_id));

-- One charge. The key is the law: an order is charged for its days once.
create table standing_periods (
  company_id uuid not null,
  order_id uuid not null,
  period_start date not null,
  -- What a charge of a card names it by.
  id uuid not null,
  no integer not null,
  period_end date not null,
  due_day date not null,
  version_no smallint,
  state text not null check (state in ('asked', 'billed', 'failed', 'done', 'givenUp', 'skipped')),
  -- Why it was left out or given up: a word of the program.
  reason text not null default '' check (reason ~ '^[A-Za-z.]{0,60}$'),
  net_agorot bigint not null default 0,
  total_agorot bigint not null default 0,
  -- What a month of it is worth in shekels before VAT, without regard to a part of a period.
  monthly_agorot bigint not null default 0,
  part_days smallint,
  part_of smallint,
  reduced text not null default '' check (reduced in ('', 'first', 'discount')),
  -- {"base", "baseOf", "known", "knownOf"} where it follows an index.
  link jsonb,
  -- What its paper says, as it was worked out: {"lines", "discount", "notes", "notesBelow"}.
  content jsonb,
  document_id uuid,
  charge_id uuid,
  failure_class text not null default '' check (length(failure_class) <= 20),
  failure_code text not null default '' check (length(failure_code) <= 60),
  failed_on date,
  -- Which step of the campaign comes next, and when.
  step_no smallint not null default 0,
  step_at timestamptz,
  tries smallint not null default 0,
  made_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (company_id, order_id, period_start),
  unique (company_id, order_id, no),
  unique (company_id, id),
  foreign key (company_id, order_id) references standing_orders (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id),
  check (period_end >= period_start),
  check (step_at is null or state = 'failed')
);
create unique index standing_periods_of_document on standing_periods (company_id, document_id) where document_id is not null;
create index standing_periods_due_steps on standing_periods (step_at) where step_at is not null;
create index standing_periods_open on standing_periods (company_id, state) where state in ('asked', 'billed', 'failed');
create index standing_periods_by_days on standing_periods (company_id, period_start, period_end);
select secure_table('standing_periods', 'select, insert, update');
create policy own_customers on standing_periods as restrictive to pinkas_own
  using (exists (select 1 from standing_orders o where o.company_id = standing_periods.company_id and o.id = order_id));

-- Everything that happened to an order, in its order.
create table standing_steps (
  company_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  period_start date,
  at timestamptz not null default now(),
  kind text not null check (kind ~ '^[A-Za-z]{2,30}$'),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and pg_column_size(details) < 4000),
  by_user uuid,
  primary key (company_id, id),
  foreign key (company_id, order_id) references standing_orders (company_id, id)
);
create index standing_steps_of on standing_steps (company_id, order_id, at desc, id desc);
select secure_table('standing_steps', 'select, insert');
create policy own_customers on standing_steps as restrictive to pinkas_own
  using (exists (select 1 from standing_orders o where o.company_id = standing_steps.company_id and o.id = order_id));

-- What the law asks to tell a consumer, each within its days and once.
create table standing_notices (
  company_id uuid not null,
  order_id uuid not null,
  kind text not null check (kind in ('end', 'endShort', 'benefit', 'raise')),
  for_day date not null,
  from_day date not null,
  to_day date not null,
  sent_at timestamptz,
  -- The last day on which it was tried: where there is no address, once a day is enough.
  tried_on date,
  message_id uuid,
  primary key (company_id, order_id, kind, for_day),
  foreign key (company_id, order_id) references standing_orders (company_id, id),
  check (to_day >= from_day)
);
create index standing_notices_due on standing_notices (from_day) where sent_at is null;
select secure_table('standing_notices', 'select, insert, update, delete');
create policy own_customers on standing_notices as restrictive to pinkas_own
  using (exists (select 1 from standing_orders o where o.company_id = standing_notices.company_id and o.id = order_id));

-- The consumer price index as the business entered or brought it in.
create table price_indices (
  company_id uuid not null references companies,
  month date not null check (extract(day from month) = 1),
  value numeric(10, 4) not null check (value > 0),
  -- What links it to the base before it: 1 until the bureau begins a new base.
  coefficient numeric(12, 7) not null default 1 check (coefficient > 0),
  source text not null check (source in ('typed', 'file')),
  created_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, month)
);
select secure_table('price_indices', 'select, insert, update, delete');

-- By whatever road a paper is paid, opened again or cancelled, its charge says the same, and an order with nothing left that failed is well again.
create function standing_periods_follow() returns trigger language plpgsql security definer set search_path = public as $$
declare p standing_periods;
begin
  select * into p from standing_periods where company_id = new.company_id and document_id = new.id for update;
  if not found then return null; end if;
  if new.status = 'closed' and p.state in ('billed', 'failed', 'givenUp') then
    update standing_periods set state = 'done', done_at = now(), step_at = null, reason = ''
      where company_id = p.company_id and order_id = p.order_id and period_start = p.period_start;
    insert into standing_steps (company_id, id, order_id, period_start, kind) values (p.company_id, new_event_id(), p.order_id, p.period_start, 'paid');
    update standing_orders o set state = 'active', failing_since = null, updated_at = now()
      where o.company_id = p.company_id and o.id = p.order_id and o.state = 'failing'
        and not exists (select 1 from standing_periods f where f.company_id = o.company_id and f.order_id = o.id and f.state = 'failed');
  elsif new.status in ('issued', 'partlyClosed') and p.state = 'done' then
    update standing_periods set state = 'billed', done_at = null
      where company_id = p.company_id and order_id = p.order_id and period_start = p.period_start;
    insert into standing_steps (company_id, id, order_id, period_start, kind) values (p.company_id, new_event_id(), p.order_id, p.period_start, 'reopened');
  elsif new.status = 'cancelled' and p.state <> 'skipped' then
    update standing_periods set state = 'skipped', reason = 'cancelled', step_at = null
      where company_id = p.company_id and order_id = p.order_id and period_start = p.period_start;
    insert into standing_steps (company_id, id, order_id, period_start, kind) values (p.company_id, new_event_id(), p.order_id, p.period_start, 'paperCancelled');
  end if;
  return null;
end $$;
create trigger standing_periods_follow after update on documents for each row
  when (old.status is distinct from new.status and old.status <> 'draft') execute function standing_periods_follow();

alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in ('document', 'letter', 'writtenLetter', 'statement', 'reminder', 'paymentLink',
  'customerPage', 'accountant', 'form857', 'supplierPayment', 'vatQuestion', 'outside', 'proof', 'report', 'standingOrder', 'unknown'));
