-- Building committee: buildings, their flats, who lives in them and who pays on each day; what each flat owes, what was paid of it and by whom, and what was
-- spent. Whoever paid is found on the day a due is made and is never exchanged afterwards.
create extension if not exists btree_gist;

create table committee_buildings (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  address text not null default '' check (length(address) <= 200),
  treasurer text not null default '' check (length(treasurer) <= 120),
  -- What lay in the committee's hands when it began here.
  opening_agorot bigint not null default 0,
  reserve_agorot bigint not null default 0 check (reserve_agorot >= 0),
  opened_on date not null,
  -- For all tenants by link; null while nobody may look.
  page_key text unique,
  -- Debts stand with names only where the house decided it.
  names_decided_on date,
  names_decision text not null default '' check (length(names_decision) <= 300),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check (names_decided_on is null or names_decision <> '')
);
select secure_table('committee_buildings', 'select, insert, update');

-- What all flats together pay a month, from a month on, and how it is split.
create table committee_rates (
  company_id uuid not null,
  building_id uuid not null,
  from_month date not null check (extract(day from from_month) = 1),
  rule text not null check (rule in ('equal', 'area', 'share', 'own')),
  -- Of all flats together; of 'own' each flat says its sum.
  agorot bigint not null check (agorot >= 0),
  primary key (company_id, building_id, from_month),
  foreign key (company_id, building_id) references committee_buildings (company_id, id)
);
select secure_table('committee_rates', 'select, insert, update');

create table committee_flats (
  company_id uuid not null references companies,
  id uuid not null,
  building_id uuid not null,
  entrance text not null default '' check (length(entrance) <= 20),
  number text not null check (length(number) between 1 and 10),
  floor integer check (floor between -20 and 200),
  -- Square metres.
  area numeric(18, 4) check (area > 0),
  -- Of the common property, in hundredths of a per cent.
  share_bp integer check (share_bp between 0 and 10000),
  own_agorot bigint check (own_agorot >= 0),
  is_exempt boolean not null default false,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, building_id) references committee_buildings (company_id, id)
);
create unique index committee_flats_number on committee_flats (company_id, building_id, entrance, number) where archived_at is null;
select secure_table('committee_flats', 'select, insert, update');

create table committee_people (
  company_id uuid not null references companies,
  id uuid not null,
  flat_id uuid not null,
  customer_id uuid not null,
  role text not null check (role in ('owner', 'renter', 'family')),
  pays boolean not null default false,
  from_day date not null,
  to_day date check (to_day >= from_day),
  notes text not null default '' check (length(notes) <= 500),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, flat_id) references committee_flats (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  -- One payer for a flat on a day.
  constraint committee_one_payer exclude using gist (company_id with =, flat_id with =, daterange(from_day, to_day, '[]') with &&) where (pays and archived_at is null)
);
create index committee_people_of on committee_people (company_id, customer_id);
select secure_table('committee_people', 'select, insert, update');

create table committee_levies (
  company_id uuid not null references companies,
  id uuid not null,
  building_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  purpose text not null default '' check (length(purpose) <= 1000),
  rule text not null check (rule in ('equal', 'area', 'share', 'own')),
  agorot bigint not null check (agorot > 0),
  instalments smallint not null check (instalments between 1 and 60),
  first_month date not null check (extract(day from first_month) = 1),
  -- The meeting that decided it: its day, the votes, and up to which sum.
  decided_on date not null,
  votes_for integer not null check (votes_for > 0),
  votes_against integer not null default 0 check (votes_against >= 0 and votes_against < votes_for),
  voted_agorot bigint not null,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  check (agorot <= voted_agorot),
  foreign key (company_id, building_id) references committee_buildings (company_id, id)
);
select secure_table('committee_levies', 'select, insert, update');

create table committee_dues (
  company_id uuid not null references companies,
  id uuid not null,
  flat_id uuid not null,
  kind text not null check (kind in ('month', 'levy', 'opening')),
  month date not null check (extract(day from month) = 1),
  -- Zeros where it is of no levy.
  levy_id uuid not null default '00000000-0000-0000-0000-000000000000',
  agorot bigint not null check (agorot >= 0),
  is_exempt boolean not null default false,
  -- Who was to pay on the day it was made; null: nobody to ask.
  payer_id uuid,
  paid_agorot bigint not null default 0 check (paid_agorot between 0 and agorot),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, flat_id, kind, month, levy_id),
  foreign key (company_id, flat_id) references committee_flats (company_id, id),
  foreign key (company_id, payer_id) references parties (company_id, id)
);
create index committee_dues_open on committee_dues (company_id, flat_id, month) where paid_agorot < agorot;
select secure_table('committee_dues', 'select, insert, update, delete');

create table committee_payments (
  company_id uuid not null references companies,
  id uuid not null,
  flat_id uuid not null,
  customer_id uuid not null,
  day date not null,
  means smallint not null check (means between 1 and 8),
  agorot bigint not null check (agorot > 0),
  -- What is not for any due yet: it pays the next ones.
  ahead_agorot bigint not null default 0 check (ahead_agorot between 0 and agorot),
  reference text not null default '' check (length(reference) <= 100),
  -- The receipt; a payment has one at most, and a receipt may be of several flats of one payer.
  document_id uuid,
  client_key text,
  cancelled_at timestamptz,
  user_id uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, flat_id) references committee_flats (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create unique index committee_payments_once on committee_payments (company_id, client_key) where client_key is not null;
create index committee_payments_of on committee_payments (company_id, flat_id, day);
create index committee_payments_ahead on committee_payments (company_id, flat_id) where ahead_agorot > 0 and cancelled_at is null;
select secure_table('committee_payments', 'select, insert, update');

create table committee_paid (
  company_id uuid not null,
  payment_id uuid not null,
  due_id uuid not null,
  agorot bigint not null check (agorot > 0),
  primary key (company_id, payment_id, due_id),
  foreign key (company_id, payment_id) references committee_payments (company_id, id),
  foreign key (company_id, due_id) references committee_dues (company_id, id)
);
create index committee_paid_for on committee_paid (company_id, due_id);
select secure_table('committee_paid', 'select, insert, delete');

-- What was spent for a building; its sum and paper are the expense's own.
create table committee_expenses (
  company_id uuid not null,
  expense_id uuid not null,
  building_id uuid not null,
  levy_id uuid,
  -- What all tenants read of it.
  said text not null default '' check (length(said) <= 200),
  created_at timestamptz not null default now(),
  primary key (company_id, expense_id),
  foreign key (company_id, expense_id) references expenses (company_id, id),
  foreign key (company_id, building_id) references committee_buildings (company_id, id),
  foreign key (company_id, levy_id) references committee_levies (company_id, id)
);
create index committee_expenses_of on committee_expenses (company_id, building_id);
select secure_table('committee_expenses', 'select, insert, update, delete');

create table committee_reminders (
  company_id uuid not null references companies,
  id uuid not null,
  building_id uuid not null,
  customer_id uuid not null,
  -- Nobody is reminded twice in a week.
  week date not null,
  agorot bigint not null,
  message_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, building_id, customer_id, week),
  foreign key (company_id, building_id) references committee_buildings (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
select secure_table('committee_reminders', 'select, insert');

-- One committee hands over to the next: what there was that day.
create table committee_handovers (
  company_id uuid not null references companies,
  id uuid not null,
  building_id uuid not null,
  day date not null,
  from_name text not null check (length(from_name) between 1 and 120),
  to_name text not null check (length(to_name) between 1 and 120),
  balance_agorot bigint not null,
  debts_agorot bigint not null,
  things text not null default '' check (length(things) <= 2000),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, building_id) references committee_buildings (company_id, id)
);
create index committee_handovers_of on committee_handovers (company_id, building_id);
select secure_table('committee_handovers', 'select, insert');

-- The month whose dues the night makes next; null until the house has said what it pays.
alter table committee_buildings add column next_month date check (extract(day from next_month) = 1);

-- A payment is taken back: what it paid is owed again.
create function committee_payment_goes(company uuid, payment uuid) returns void language plpgsql as $$
begin
  update committee_dues d set paid_agorot = d.paid_agorot - p.agorot from committee_paid p
    where p.company_id = company and p.payment_id = payment and d.company_id = company and d.id = p.due_id;
  delete from committee_paid where company_id = company and payment_id = payment;
  update committee_payments set cancelled_at = now(), ahead_agorot = 0 where company_id = company and id = payment;
end $$;

-- A receipt that is cancelled takes its payments back.
create function committee_receipt_goes() returns trigger language plpgsql as $$
begin
  perform committee_payment_goes(y.company_id, y.id) from committee_payments y where y.company_id = new.company_id and y.document_id = new.id and y.cancelled_at is null;
  return null;
end $$;
create trigger committee_receipt_goes after update of status on documents for each row when (new.status = 'cancelled' and old.status <> 'cancelled' and new.type = 6)
  execute function committee_receipt_goes();
create index committee_payments_by_document on committee_payments (company_id, document_id) where document_id is not null;
create policy own_customers on committee_people as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = committee_people.company_id and p.id = committee_people.customer_id));
create policy own_customers on committee_payments as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = committee_payments.company_id and p.id = committee_payments.customer_id));
