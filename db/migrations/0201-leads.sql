-- Leads: whoever asked, until he is a customer or is lost; where they come from, through which stages they go, and every step they took.
create table lead_kinds (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  -- [{id, name, kind, choices, needed}]
  fields jsonb not null default '[]' check (jsonb_typeof(fields) = 'array' and pg_column_size(fields) < 8000),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
select secure_table('lead_kinds', 'select, insert, update');

create table lead_stages (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 40),
  color text not null default '#5b6660' check (color ~ '^#[0-9a-f]{6}$'),
  position smallint not null default 0,
  outcome text not null default 'open' check (outcome in ('open', 'won', 'lost')),
  -- After so many days without a step a lead in it is stale.
  stale_days smallint check (stale_days between 1 and 365),
  -- Of one kind only, or of all.
  kind_id uuid,
  chance_bp integer check (chance_bp between 0 and 10000),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, kind_id) references lead_kinds (company_id, id)
);
-- Of two who look first at once one makes the usual stages.
create unique index lead_stages_by_name on lead_stages (company_id, name) where archived_at is null;
select secure_table('lead_stages', 'select, insert, update');

-- 130 random bits in small letters and digits that are not mistaken for each other.
create function new_door_key() returns text language sql volatile as $$
  select string_agg(substr('abcdefghijklmnopqrstuvwxyz234567', (get_byte(uuid_send(gen_random_uuid()), 0) & 31) + n * 0 + 1, 1), '') from generate_series(1, 26) n $$;

create table lead_sources (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  channel text not null check (channel in ('form', 'mail', 'api', 'link', 'hand')),
  -- In the address of its form or link, in its mail address, or before its calls: whoever has it may bring leads and nothing else.
  key text not null default new_door_key() unique check (key ~ '^[a-z2-7]{26}$'),
  is_on boolean not null default true,
  campaign text not null default '' check (length(campaign) <= 80),
  cost_month_agorot bigint check (cost_month_agorot >= 0),
  kind_id uuid,
  owner_id uuid,
  thanks text not null default '' check (length(thanks) <= 300),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, kind_id) references lead_kinds (company_id, id),
  foreign key (company_id, owner_id) references memberships (company_id, user_id)
);
select secure_table('lead_sources', 'select, insert, update');

create table leads (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  company text not null default '' check (length(company) <= 200),
  phone text,
  -- Digits alone, however it was written.
  phone_key text generated always as (nullif(regexp_replace(regexp_replace(coalesce(phone, ''), '\D', '', 'g'), '^(00)?972', '0'), '')) stored,
  email text,
  city text not null default '' check (length(city) <= 80),
  kind_id uuid,
  stage_id uuid not null,
  rank text collate "C" not null default 'a0' check (length(rank) <= 200),
  source_id uuid,
  campaign text not null default '' check (length(campaign) <= 80),
  owner_id uuid,
  created_by uuid not null default current_person(),
  next_day date,
  next_text text not null default '' check (length(next_text) <= 200),
  sum_agorot bigint check (sum_agorot >= 0),
  chance_bp integer check (chance_bp between 0 and 10000),
  tags text[] not null default '{}',
  notes text not null default '' check (length(notes) <= 10000),
  own jsonb not null default '{}' check (jsonb_typeof(own) = 'object' and pg_column_size(own) < 20000),
  -- The first time somebody of the business answered.
  first_answer_at timestamptz,
  stage_at timestamptz not null default now(),
  -- When its owner was told that it waits too long.
  stale_told_at timestamptz,
  outcome text not null default 'open' check (outcome in ('open', 'won', 'lost')),
  lost_reason text not null default '' check (length(lost_reason) <= 200),
  closed_at timestamptz,
  customer_id uuid,
  quote_id uuid,
  version integer not null default 1,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, kind_id) references lead_kinds (company_id, id),
  foreign key (company_id, stage_id) references lead_stages (company_id, id),
  foreign key (company_id, source_id) references lead_sources (company_id, id),
  foreign key (company_id, owner_id) references memberships (company_id, user_id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, quote_id) references documents (company_id, id) on delete set null (quote_id),
  check ((outcome = 'open') = (closed_at is null)),
  check ((outcome = 'lost') or lost_reason = '')
);
create index leads_on_board on leads (company_id, stage_id, rank, id) where archived_at is null;
create index leads_by_phone on leads (company_id, phone_key) where phone_key is not null;
create index leads_by_email on leads (company_id, email) where email is not null;
create index leads_of_owner on leads (company_id, owner_id) where archived_at is null and outcome = 'open';
create index leads_of_customer on leads (company_id, customer_id) where customer_id is not null;
select secure_table('leads', 'select, insert, update');
create policy own_customers on leads as restrictive to pinkas_own using (owner_id = current_person() or created_by = current_person());

create function lead_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if coalesce(current_setting('pinkas.reranks', true), '') <> 'on' then new.version := new.version + 1; end if;
    if new.stage_id <> old.stage_id then new.stage_at := now(); end if;
  end if;
  return new;
end $$;
create trigger lead_kept before insert or update on leads for each row execute function lead_kept();

-- Every stage a lead came into, for ever: all its reports are read from here.
create table lead_moves (
  company_id uuid not null,
  lead_id uuid not null,
  id uuid not null,
  -- Null where it begins.
  from_stage_id uuid,
  stage_id uuid not null,
  owner_id uuid,
  at timestamptz not null default clock_timestamp(),
  by_user uuid default nullif(current_person(), '00000000-0000-0000-0000-000000000000'),
  primary key (company_id, lead_id, id),
  foreign key (company_id, lead_id) references leads (company_id, id)
);
create index lead_moves_by_time on lead_moves (company_id, at);
select secure_table('lead_moves', 'select');
create policy own_customers on lead_moves as restrictive to pinkas_own
  using (exists (select 1 from leads l where l.company_id = lead_moves.company_id and l.id = lead_id));

-- Written by the change itself, whichever command it was; nobody can write or change one by hand.
create function lead_moved() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into lead_moves (company_id, lead_id, id, from_stage_id, stage_id, owner_id)
  values (new.company_id, new.id, new_event_id(), case when tg_op = 'UPDATE' then old.stage_id end, new.stage_id, new.owner_id);
  return null;
end $$;
create trigger lead_began after insert on leads for each row execute function lead_moved();
create trigger lead_moved after update on leads for each row when (old.stage_id is distinct from new.stage_id) execute function lead_moved();

-- By which phone or mail an open lead is known to whatever brings leads: the key makes two that come at once one.
create table lead_marks (
  company_id uuid not null,
  mark text not null check (length(mark) between 3 and 330),
  lead_id uuid not null,
  primary key (company_id, mark),
  -- Taken before the lead is written, so that whoever comes second waits here.
  foreign key (company_id, lead_id) references leads (company_id, id) deferrable initially deferred
);
create index marks_of_lead on lead_marks (company_id, lead_id);
select secure_table('lead_marks', 'select, insert, delete');
create policy own_customers on lead_marks as restrictive for select to pinkas_own using (false);

-- What came in, as it came.
create table lead_intakes (
  company_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  -- What the sender knows it by: the same one twice is once.
  external_id text check (length(external_id) between 1 and 200),
  given jsonb not null check (pg_column_size(given) < 40000),
  address text not null default '',
  -- toCheck: perhaps nobody; a person decides.
  state text not null check (state in ('taken', 'toCheck', 'dropped')),
  doubts text[] not null default '{}',
  lead_id uuid,
  at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, source_id) references lead_sources (company_id, id),
  foreign key (company_id, lead_id) references leads (company_id, id)
);
create unique index intakes_once on lead_intakes (company_id, source_id, external_id) where external_id is not null;
create index intakes_to_check on lead_intakes (company_id, at desc) where state = 'toCheck';
create index intakes_of_lead on lead_intakes (company_id, lead_id) where lead_id is not null;
select secure_table('lead_intakes', 'select, insert, update');
create policy own_customers on lead_intakes as restrictive for select to pinkas_own using (false);

-- Who gets a lead that nobody has: the first rule that fits, in their order.
create table lead_rules (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  position smallint not null default 0,
  is_on boolean not null default true,
  source_id uuid,
  kind_id uuid,
  -- Towns it is for; all when empty.
  cities text[] not null default '{}',
  how text not null default 'turn' check (how in ('turn', 'load')),
  people uuid[] not null check (cardinality(people) between 1 and 100),
  -- Whose turn it was.
  last_person uuid,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, source_id) references lead_sources (company_id, id),
  foreign key (company_id, kind_id) references lead_kinds (company_id, id)
);
select secure_table('lead_rules', 'select, insert, update');

-- Who is away gets none.
create table lead_absences (
  company_id uuid not null,
  user_id uuid not null,
  until_day date not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references memberships (company_id, user_id)
);
select secure_table('lead_absences', 'select, insert, update, delete');

-- The trace of every hand-over.
create table lead_handovers (
  company_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  from_user uuid,
  to_user uuid,
  rule_id uuid,
  by_user uuid default nullif(current_person(), '00000000-0000-0000-0000-000000000000'),
  at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, lead_id) references leads (company_id, id)
);
create index handovers_by_time on lead_handovers (company_id, at desc, id desc);
create index handovers_of_lead on lead_handovers (company_id, lead_id);
select secure_table('lead_handovers', 'select, insert');
create policy own_customers on lead_handovers as restrictive for select to pinkas_own using (false);

alter table tasks add foreign key (company_id, lead_id) references leads (company_id, id);
create index tasks_of_lead on tasks (company_id, lead_id) where lead_id is not null;
