-- Places, kinds of classes and who gives them.
create table class_places (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  address text not null default '' check (length(address) <= 200),
  room text not null default '' check (length(room) <= 80),
  -- Nobody more fits in; null: not told.
  seats smallint check (seats between 1 and 500),
  opens text not null default '' check (opens ~ '^(([01]\d|2[0-3]):[0-5]\d)?$'),
  closes text not null default '' check (closes ~ '^(([01]\d|2[0-3]):[0-5]\d)?$'),
  notes text not null default '' check (length(notes) <= 2000),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index class_places_by_name on class_places (company_id, name) where archived_at is null;
select secure_table('class_places', 'select, insert, update');

create table class_kinds (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  color text not null default '#0b7a6b' check (color ~ '^#[0-9a-f]{6}$'),
  -- A class has seats; an appointment is for one and is made where somebody is free.
  is_appointment boolean not null default false,
  minutes smallint not null default 60 check (minutes between 5 and 1440),
  seats smallint not null default 10 check (seats between 1 and 500),
  price_agorot bigint not null default 0 check (price_agorot between 0 and 10000000),
  -- Before and after an appointment nothing else begins.
  buffer_before smallint not null default 0 check (buffer_before between 0 and 240),
  buffer_after smallint not null default 0 check (buffer_after between 0 and 240),
  -- Booked at the latest so many minutes before, and at the earliest so many days.
  lead_minutes integer not null default 0 check (lead_minutes between 0 and 20160),
  ahead_days smallint not null default 30 check (ahead_days between 1 and 365),
  cancel_hours smallint not null default 12 check (cancel_hours between 0 and 336),
  late_fee_agorot bigint not null default 0 check (late_fee_agorot between 0 and 10000000),
  no_show_fee_agorot bigint not null default 0 check (no_show_fee_agorot between 0 and 10000000),
  -- Whoever owes more than this is not let in; null: nobody asks.
  debt_limit_agorot bigint check (debt_limit_agorot between 0 and 100000000),
  needs_health boolean not null default false,
  is_public boolean not null default true,
  item_id uuid,
  about text not null default '' check (length(about) <= 2000),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id)
);
create unique index class_kinds_by_name on class_kinds (company_id, name) where archived_at is null;
select secure_table('class_kinds', 'select, insert, update');

create table class_trainers (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  -- Who logs in as this trainer.
  user_id uuid,
  phone text,
  email text,
  color text not null default '#5b6660' check (color ~ '^#[0-9a-f]{6}$'),
  pay_by text not null default 'class' check (pay_by in ('class', 'head', 'hour')),
  pay_agorot bigint not null default 0 check (pay_agorot between 0 and 10000000),
  -- Whose bill the pay becomes.
  supplier_id uuid,
  -- Hours in which appointments may be made, of each day of the week, Sunday first: [[["09:00","13:00"]], …]
  hours jsonb not null default '[[],[],[],[],[],[],[]]' check (jsonb_typeof(hours) = 'array' and pg_column_size(hours) < 4000),
  about text not null default '' check (length(about) <= 1000),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, user_id) references memberships (company_id, user_id),
  foreign key (company_id, supplier_id) references parties (company_id, id)
);
create unique index class_trainers_by_user on class_trainers (company_id, user_id) where user_id is not null and archived_at is null;
select secure_table('class_trainers', 'select, insert, update');

-- Whoever is away, or a room that is closed.
create table class_blocks (
  company_id uuid not null references companies,
  id uuid not null,
  trainer_id uuid,
  place_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at and ends_at <= starts_at + interval '400 days'),
  why text not null default '' check (length(why) <= 200),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, trainer_id) references class_trainers (company_id, id),
  foreign key (company_id, place_id) references class_places (company_id, id),
  check (num_nonnulls(trainer_id, place_id) = 1)
);
create index class_blocks_when on class_blocks (company_id, starts_at);
select secure_table('class_blocks', 'select, insert, delete');

create table class_groups (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  kind_id uuid not null,
  from_day date not null,
  to_day date check (to_day >= from_day),
  price_agorot bigint not null default 0 check (price_agorot between 0 and 100000000),
  notes text not null default '' check (length(notes) <= 2000),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, kind_id) references class_kinds (company_id, id)
);
select secure_table('class_groups', 'select, insert, update');

create table class_group_people (
  company_id uuid not null,
  group_id uuid not null,
  customer_id uuid not null,
  from_day date not null,
  to_day date check (to_day >= from_day),
  created_at timestamptz not null default now(),
  primary key (company_id, group_id, customer_id),
  foreign key (company_id, group_id) references class_groups (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
select secure_table('class_group_people', 'select, insert, update, delete');

-- A class that comes back: hours of the wall; its classes stand as rows of their own, some ninety days ahead.
create table class_series (
  company_id uuid not null references companies,
  id uuid not null,
  kind_id uuid not null,
  trainer_id uuid,
  place_id uuid,
  group_id uuid,
  unit text not null check (unit in ('day', 'week', 'month')),
  every smallint not null check (every between 1 and 52),
  days smallint[] not null default '{}',
  first_day date not null,
  until_day date check (until_day >= first_day),
  times smallint check (times between 1 and 500),
  at text not null check (at ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  minutes smallint not null check (minutes between 5 and 1440),
  seats smallint not null check (seats between 1 and 500),
  -- Up to here its classes have been made.
  made_until date not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, kind_id) references class_kinds (company_id, id),
  foreign key (company_id, trainer_id) references class_trainers (company_id, id),
  foreign key (company_id, place_id) references class_places (company_id, id),
  foreign key (company_id, group_id) references class_groups (company_id, id)
);
create index class_series_to_make on class_series (made_until);
select secure_table('class_series', 'select, insert, update');

create table classes (
  company_id uuid not null references companies,
  id uuid not null,
  kind_id uuid not null,
  trainer_id uuid,
  place_id uuid,
  group_id uuid,
  series_id uuid,
  -- The day the rule gave it: moved or cancelled, it stays the one of that day.
  series_day date,
  -- Moved or changed by itself: a change of the whole passes it over.
  is_own boolean not null default false,
  title text not null default '' check (length(title) <= 120),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at and ends_at <= starts_at + interval '24 hours'),
  day date not null,
  seats smallint not null check (seats between 1 and 500),
  price_agorot bigint not null default 0 check (price_agorot between 0 and 10000000),
  state text not null default 'planned' check (state in ('planned', 'held', 'cancelled')),
  notes text not null default '' check (length(notes) <= 2000),
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, series_id, series_day),
  foreign key (company_id, kind_id) references class_kinds (company_id, id),
  foreign key (company_id, trainer_id) references class_trainers (company_id, id),
  foreign key (company_id, place_id) references class_places (company_id, id),
  foreign key (company_id, group_id) references class_groups (company_id, id),
  foreign key (company_id, series_id) references class_series (company_id, id),
  check ((series_id is null) = (series_day is null))
);
create index classes_by_day on classes (company_id, day, starts_at);
create index classes_of_trainer on classes (company_id, trainer_id, starts_at) where state <> 'cancelled';
create index classes_of_place on classes (company_id, place_id, starts_at) where state <> 'cancelled';
select secure_table('classes', 'select, insert, update');

create function class_kept() returns trigger language plpgsql as $$
begin
  new.day := (new.starts_at at time zone 'Asia/Jerusalem')::date;
  if tg_op = 'UPDATE' then new.version := old.version + 1; end if;
  return new;
end $$;
create trigger class_kept before insert or update on classes for each row execute function class_kept();

-- A seat is a row: whoever takes it has it, and of many at once each takes another.
create table class_seats (
  company_id uuid not null,
  class_id uuid not null,
  no smallint not null,
  booking_id uuid,
  primary key (company_id, class_id, no),
  foreign key (company_id, class_id) references classes (company_id, id)
);
create unique index class_seats_of_booking on class_seats (company_id, booking_id) where booking_id is not null;
select secure_table('class_seats', 'select, insert, update, delete');

-- As many seats as the class has; one that is taken is never taken away.
create function class_seats_kept() returns trigger language plpgsql security definer set search_path = public as $$
declare
  n integer;
  whose uuid;
begin
  if tg_op = 'UPDATE' and new.seats = old.seats then return null; end if;
  insert into class_seats (company_id, class_id, no) select new.company_id, new.id, g from generate_series(1, new.seats) g
    on conflict do nothing;
  delete from class_seats where company_id = new.company_id and class_id = new.id and booking_id is null and no > new.seats;
  -- Those beyond the end move into the room that is left.
  for n in select no from class_seats where company_id = new.company_id and class_id = new.id and no > new.seats order by no loop
    delete from class_seats where company_id = new.company_id and class_id = new.id and no = n returning booking_id into whose;
    update class_seats set booking_id = whose where company_id = new.company_id and class_id = new.id and no = (select min(no) from class_seats
      where company_id = new.company_id and class_id = new.id and booking_id is null and no <= new.seats);
    if not found then raise exception 'more are booked than seats' using errcode = 'PK300'; end if;
  end loop;
  return null;
end $$;
create trigger class_seats_kept after insert or update of seats on classes for each row execute function class_seats_kept();

-- Passes: what was bought, and each visit in and out. What is left is never kept, it is added up.
create table pass_kinds (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- Null: as many as one likes while it lasts.
  visits smallint check (visits between 1 and 1000),
  days smallint not null default 90 check (days between 1 and 1100),
  price_agorot bigint not null default 0 check (price_agorot between 0 and 100000000),
  is_trial boolean not null default false,
  -- How many may use it together.
  people smallint not null default 1 check (people between 1 and 20),
  freeze_days smallint not null default 0 check (freeze_days between 0 and 365),
  -- What it pays; every kind where it is empty.
  kinds uuid[] not null default '{}',
  is_public boolean not null default true,
  item_id uuid,
  about text not null default '' check (length(about) <= 1000),
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('pass_kinds', 'select, insert, update');

create table passes (
  company_id uuid not null references companies,
  id uuid not null,
  kind_id uuid not null,
  customer_id uuid not null,
  visits smallint,
  price_agorot bigint not null default 0 check (price_agorot >= 0),
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  ended_at timestamptz,
  end_reason text not null default '' check (end_reason in ('', 'expired', 'cancelled', 'used')),
  document_id uuid,
  -- Bought by the customer himself: it pays nothing before its paper is paid.
  paid_first boolean not null default false,
  notes text not null default '' check (length(notes) <= 1000),
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, kind_id) references pass_kinds (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete set null (document_id)
);
create index passes_of on passes (company_id, customer_id);
create index passes_running on passes (company_id, to_day) where ended_at is null;
select secure_table('passes', 'select, insert, update');
create policy own_customers on passes as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = passes.company_id and p.id = passes.customer_id));

create table pass_people (
  company_id uuid not null,
  pass_id uuid not null,
  customer_id uuid not null,
  primary key (company_id, pass_id, customer_id),
  foreign key (company_id, pass_id) references passes (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index pass_people_of on pass_people (company_id, customer_id);
select secure_table('pass_people', 'select, insert, delete');

create table pass_freezes (
  company_id uuid not null,
  id uuid not null,
  pass_id uuid not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, pass_id) references passes (company_id, id)
);
create index pass_freezes_of on pass_freezes (company_id, pass_id);
select secure_table('pass_freezes', 'select, insert, delete');

create table class_bookings (
  company_id uuid not null references companies,
  id uuid not null,
  class_id uuid not null,
  customer_id uuid not null,
  state text not null check (state in ('held', 'booked', 'waiting', 'offered', 'cancelled', 'late', 'came', 'missed')),
  -- How the visit is paid for.
  pays text not null default 'price' check (pays in ('price', 'pass', 'group', 'free')),
  pass_id uuid,
  price_agorot bigint not null default 0 check (price_agorot >= 0),
  fee_agorot bigint not null default 0 check (fee_agorot >= 0),
  document_id uuid,
  by_way text not null default 'desk' check (by_way in ('desk', 'page', 'trainer', 'group', 'api')),
  -- Of whoever waits: first come, first served.
  waits_since timestamptz,
  -- Until when a seat is kept for him.
  until_at timestamptz,
  came_at timestamptz,
  cancelled_at timestamptz,
  override_reason text not null default '' check (length(override_reason) <= 200),
  notes text not null default '' check (length(notes) <= 500),
  -- A press that was made without a network is known again by this.
  client_id uuid,
  reminded_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, class_id) references classes (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, pass_id) references passes (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id) on delete set null (document_id),
  check ((pays = 'pass') = (pass_id is not null))
);
-- One person has one place in a class.
create unique index class_bookings_once on class_bookings (company_id, class_id, customer_id) where state not in ('cancelled', 'late');
create unique index class_bookings_by_client on class_bookings (company_id, client_id) where client_id is not null;
create index class_bookings_of_customer on class_bookings (company_id, customer_id, created_at desc);
create index class_bookings_waiting on class_bookings (company_id, class_id, waits_since) where state = 'waiting';
create index class_bookings_lapsing on class_bookings (until_at) where state in ('held', 'offered');
select secure_table('class_bookings', 'select, insert, update');
create policy own_customers on class_bookings as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = class_bookings.company_id and p.id = class_bookings.customer_id));
alter table class_seats add foreign key (company_id, booking_id) references class_bookings (company_id, id);

-- Each visit in and out. A booking uses a visit once and gives it back once, whatever is pressed twice.
create table pass_moves (
  company_id uuid not null,
  id uuid not null,
  pass_id uuid not null,
  visits smallint not null check (visits <> 0),
  why text not null check (why in ('bought', 'used', 'returned', 'expired', 'fixed')),
  booking_id uuid,
  note text not null default '' check (length(note) <= 200),
  by_user uuid,
  at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, pass_id) references passes (company_id, id),
  foreign key (company_id, booking_id) references class_bookings (company_id, id),
  check ((why in ('used', 'returned')) = (booking_id is not null)),
  check (case why when 'bought' then visits > 0 when 'returned' then visits > 0 when 'fixed' then true else visits < 0 end)
);
create unique index pass_moves_once on pass_moves (company_id, booking_id, why) where booking_id is not null;
create index pass_moves_of on pass_moves (company_id, pass_id);
select secure_table('pass_moves', 'select, insert');

-- Never below nothing, even if two at once ask.
create function pass_moves_kept() returns trigger language plpgsql security definer set search_path = public as $$
declare
  limited boolean;
begin
  select visits is not null into limited from passes where company_id = new.company_id and id = new.pass_id for update;
  if limited and (select sum(visits) from pass_moves where company_id = new.company_id and pass_id = new.pass_id) < 0 then
    raise exception 'no visits are left' using errcode = 'PK301';
  end if;
  return null;
end $$;
create trigger pass_moves_kept after insert on pass_moves for each row execute function pass_moves_kept();

create table health_forms (
  company_id uuid not null references companies,
  id uuid not null,
  customer_id uuid not null,
  day date not null,
  -- Whoever answered yes to a question needs a doctor's letter.
  needs_letter boolean not null default false,
  letter_until date,
  signed_name text not null check (length(signed_name) between 1 and 120),
  answers jsonb not null default '[]' check (jsonb_typeof(answers) = 'array' and pg_column_size(answers) < 4000),
  address text not null default '',
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index health_forms_of on health_forms (company_id, customer_id, day desc);
select secure_table('health_forms', 'select, insert');
create policy own_customers on health_forms as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = health_forms.company_id and p.id = health_forms.customer_id));

-- Who is kept out, and why; one person, one row.
create table entry_bans (
  company_id uuid not null,
  customer_id uuid not null,
  why text not null check (length(why) between 1 and 200),
  by_user uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, customer_id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
select secure_table('entry_bans', 'select, insert, delete');

-- A class given to another trainer: asked, accepted by him, approved by whoever may.
create table class_swaps (
  company_id uuid not null,
  id uuid not null,
  class_id uuid not null,
  from_trainer uuid not null,
  to_trainer uuid not null check (to_trainer <> from_trainer),
  state text not null default 'asked' check (state in ('asked', 'accepted', 'approved', 'refused', 'withdrawn')),
  note text not null default '' check (length(note) <= 200),
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, class_id) references classes (company_id, id),
  foreign key (company_id, from_trainer) references class_trainers (company_id, id),
  foreign key (company_id, to_trainer) references class_trainers (company_id, id)
);
create unique index class_swaps_open on class_swaps (company_id, class_id) where state in ('asked', 'accepted');
select secure_table('class_swaps', 'select, insert, update');

-- A month of a trainer that has become a bill.
create table trainer_sheets (
  company_id uuid not null,
  trainer_id uuid not null,
  month date not null,
  classes integer not null,
  agorot bigint not null check (agorot >= 0),
  expense_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, trainer_id, month),
  foreign key (company_id, trainer_id) references class_trainers (company_id, id)
);
select secure_table('trainer_sheets', 'select, insert');

-- The page on which anybody books, by its key; the addresses of sites that may show it in a frame.
create table booking_pages (
  company_id uuid primary key references companies,
  key text not null default new_door_key() unique check (key ~ '^[a-z2-7]{26}$'),
  is_on boolean not null default false,
  welcome text not null default '' check (length(welcome) <= 1000),
  sites text[] not null default '{}',
  new_people boolean not null default true,
  -- Whoever booked is reminded so many hours before; 0: nobody is.
  remind_hours smallint not null default 0 check (remind_hours between 0 and 72),
  updated_at timestamptz not null default now()
);
select secure_table('booking_pages', 'select, insert, update');

create table booking_codes (
  company_id uuid not null references companies,
  id uuid not null,
  phone text not null,
  name text not null default '' check (length(name) <= 120),
  code_hash bytea not null,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index booking_codes_of on booking_codes (company_id, phone, created_at desc);
select secure_table('booking_codes', 'select, insert, update, delete');

create table class_feeds (
  company_id uuid not null references companies,
  id uuid not null,
  -- Of a trainer, of a place, or of the whole.
  trainer_id uuid,
  place_id uuid,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, trainer_id) references class_trainers (company_id, id),
  foreign key (company_id, place_id) references class_places (company_id, id),
  check (num_nonnulls(trainer_id, place_id) <= 1)
);
select secure_table('class_feeds', 'select, insert, delete');

-- Letters about bookings are a kind of their own, beside those that were there.
do $$
declare
  said text;
begin
  select pg_get_constraintdef(oid) into said from pg_constraint where conname = 'messages_kind_check';
  execute 'alter table messages drop constraint messages_kind_check';
  execute 'alter table messages add constraint messages_kind_check ' || replace(said, 'ARRAY[', 'ARRAY[''classBooking''::text, ');
end $$;
