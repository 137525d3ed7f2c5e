-- The customers' register: kinds, statuses and portfolios, people and places of a customer, fields a business invents itself,
-- tags, consent, customers who register themselves, and doubles that become one.

-- Israeli numbers are written in many ways; what remains of two of them tells whether they are one.
create function phone_digits(phone text) returns text language sql immutable strict parallel safe
  as $$ select regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^(00)?972', '0') $$;
-- A name without what people add or leave out: marks, final letters, "Ltd".
create function name_without_dress(name text) returns text language sql immutable strict parallel safe
  as $$ select regexp_replace(translate(regexp_replace(lower(name), '[\s"''`’״׳.,()־–-]', '', 'g'), 'ךםןףץ', 'כמנפצ'), '(בעמ|ltd|limited|inc)$', '') $$;

create table customer_types (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  discount_bp integer not null default 0 check (discount_bp between 0 and 10000),
  due_terms text check (due_terms ~ '^(now|net:\d{1,3}|eom:\d{1,3})$'),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index customer_types_by_name on customer_types (company_id, name) where archived_at is null;
select secure_table('customer_types', 'select, insert, update');

create table customer_statuses (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 40),
  color text not null default '#5b6660' check (color ~ '^#[0-9a-f]{6}$'),
  position integer not null default 0,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index customer_statuses_by_name on customer_statuses (company_id, name) where archived_at is null;
select secure_table('customer_statuses', 'select, insert, update');

create table portfolios (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  agent_id uuid,
  notes text,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, agent_id) references memberships (company_id, user_id)
);
create unique index portfolios_by_name on portfolios (company_id, name) where archived_at is null;
create index portfolios_of_agent on portfolios (company_id, agent_id) where agent_id is not null;
select secure_table('portfolios', 'select, insert, update');

-- Fields a business invents for its customers. Values stand in parties.own under the field's id.
create table customer_fields (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  kind text not null check (kind in ('text', 'number', 'day', 'choice', 'flag')),
  choices text[] not null default '{}',
  needed boolean not null default false,
  position integer not null default 0,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check (kind <> 'choice' or cardinality(choices) > 0)
);
create unique index customer_fields_by_name on customer_fields (company_id, name) where archived_at is null;
select secure_table('customer_fields', 'select, insert, update');

alter table parties
  add column type_id uuid,
  add column status_id uuid,
  add column portfolio_id uuid,
  add column tags text[] not null default '{}',
  add column own jsonb not null default '{}' check (jsonb_typeof(own) = 'object'),
  add column source text not null default 'entered' check (source in ('entered', 'registered', 'imported')),
  -- What this customer withholds of what he pays us.
  add column withholds_bp integer check (withholds_bp between 0 and 10000),
  add column withholds_until date,
  add column withholds_file text check (withholds_file ~ '^9\d{8}$'),
  -- How the consent of consent_at was given, by whom, and from which address when it came over the network.
  add column consent_how text check (consent_how in ('paper', 'mail', 'phone', 'registered')),
  add column consent_by text,
  add column consent_address text,
  -- The customer this one turned out to be. Issued papers and entries keep pointing here.
  add column merged_into uuid,
  add column phone_key text generated always as (phone_digits(phone)) stored,
  add column mobile_key text generated always as (phone_digits(mobile)) stored,
  add column name_key text generated always as (name_without_dress(name)) stored,
  add foreign key (company_id, type_id) references customer_types (company_id, id),
  add foreign key (company_id, status_id) references customer_statuses (company_id, id),
  add foreign key (company_id, portfolio_id) references portfolios (company_id, id),
  add foreign key (company_id, merged_into) references parties (company_id, id),
  add check (merged_into is null or (archived_at is not null and merged_into <> id));
create index parties_of_type on parties (company_id, type_id) where type_id is not null;
create index parties_of_status on parties (company_id, status_id) where status_id is not null;
create index parties_of_portfolio on parties (company_id, portfolio_id) where portfolio_id is not null;
create index parties_tags on parties using gin (company_id, tags);
create index parties_merged on parties (company_id, merged_into) where merged_into is not null;
create index parties_by_phone on parties (company_id, phone_key) where phone_key is not null;
create index parties_by_mobile on parties (company_id, mobile_key) where mobile_key is not null;
create index parties_by_email on parties (company_id, email) where email is not null;
create index parties_by_name_key on parties (company_id, role, name_key);

create table customer_contacts (
  company_id uuid not null references companies,
  id uuid not null,
  party_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  duty text,
  email text,
  phone text,
  gets_invoices boolean not null default false,
  gets_reminders boolean not null default false,
  notes text,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id)
);
create index customer_contacts_of on customer_contacts (company_id, party_id);
select secure_table('customer_contacts', 'select, insert, update');
create policy own_customers on customer_contacts as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = customer_contacts.company_id and p.id = customer_contacts.party_id));

create table customer_addresses (
  company_id uuid not null references companies,
  id uuid not null,
  party_id uuid not null,
  kind text not null check (kind in ('billing', 'delivery', 'site')),
  name text,
  street text,
  city text,
  zip text,
  country text,
  contact text,
  phone text,
  notes text,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id)
);
create index customer_addresses_of on customer_addresses (company_id, party_id);
select secure_table('customer_addresses', 'select, insert, update');
create policy own_customers on customer_addresses as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = customer_addresses.company_id and p.id = customer_addresses.party_id));

-- The link by which customers register themselves. The key is kept in clear: the business shows it again and again, and it opens a form only.
create table registration_links (
  company_id uuid primary key references companies,
  key text not null unique check (length(key) >= 32),
  is_on boolean not null default true,
  made_at timestamptz not null default now(),
  made_by uuid
);
select secure_table('registration_links', 'select, insert, update');

-- What somebody who is known already wrote into the form: the business decides, nothing is overwritten from outside.
create table customer_proposals (
  company_id uuid not null references companies,
  id uuid not null,
  party_id uuid not null,
  given jsonb not null check (jsonb_typeof(given) = 'object'),
  -- Whose record it may be, by what is the same.
  by text[] not null default '{}',
  consents boolean not null default false,
  address text not null default '',
  decided_at timestamptz,
  decided_by uuid,
  accepted boolean,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, party_id) references parties (company_id, id)
);
create index customer_proposals_open on customer_proposals (company_id, created_at) where decided_at is null;
create index customer_proposals_of on customer_proposals (company_id, party_id);
select secure_table('customer_proposals', 'select, insert, update');
create policy own_customers on customer_proposals as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = customer_proposals.company_id and p.id = customer_proposals.party_id));

-- Whom a letter that is about no document went to.
alter table messages add column party_id uuid;
alter table messages add foreign key (company_id, party_id) references parties (company_id, id);
create index messages_of_party on messages (company_id, party_id) where party_id is not null;
alter policy own_customers on messages
  using (case when document_id is not null then exists (select 1 from documents d where d.company_id = messages.company_id and d.id = messages.document_id)
    when party_id is not null then exists (select 1 from parties p where p.company_id = messages.company_id and p.id = messages.party_id)
    else created_by = current_person() end);

-- The people who may be in charge of customers: the members of the business, by name.
create view agents with (security_invoker = true) as
  select m.company_id, m.user_id as id, u.full_name as name, u.email, null::timestamptz as archived_at, m.created_at, m.created_at as updated_at
  from memberships m join users u on u.id = m.user_id;
grant select on agents to pinkas_app;
