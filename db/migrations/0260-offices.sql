-- An office of accountants is a business of its own; whom it works for stands here, with the client's consent, and what it did for each month of a client stands with the client.

create table offices (
  company_id uuid primary key references companies,
  -- The accountant's or tax adviser's licence, as written.
  licence text not null default '' check (length(licence) <= 20),
  -- Who signs up by the link with it asks for this office.
  join_key text not null unique check (length(join_key) >= 20),
  created_at timestamptz not null default now()
);
select secure_table('offices', 'select, insert, update');

-- What is asked before a month is closed, by kind of client.
create table closing_templates (
  company_id uuid not null references offices,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  -- Kinds of business it is for without being chosen.
  kinds text[] not null default '{}',
  -- Questions of the books that are not asked.
  skips text[] not null default '{}',
  -- Lines of the office's own, signed by hand.
  own text[] not null default '{}' check (cardinality(own) <= 20),
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index closing_templates_by_name on closing_templates (company_id, lower(name)) where archived_at is null;
select secure_table('closing_templates', 'select, insert, update');

create table engagements (
  company_id uuid not null references offices,
  client_id uuid not null references companies,
  state text not null check (state in ('asked', 'active', 'paused', 'ended')),
  -- What the client agreed to beyond seeing his books.
  rights text[] not null default '{}' check (rights <@ array['enter', 'post', 'close', 'file']),
  responsible_id uuid,
  template_id uuid,
  -- A month's fee before VAT, as agreed.
  fee_agorot bigint check (fee_agorot >= 0),
  asked_by uuid not null references users,
  asked_at timestamptz not null default now(),
  consented_by uuid references users,
  consented_at timestamptz,
  ended_by uuid references users,
  ended_at timestamptz,
  end_reason text not null default '' check (length(end_reason) <= 300),
  -- When the client's months were last summed up for the office.
  summed_at timestamptz,
  primary key (company_id, client_id),
  foreign key (company_id, template_id) references closing_templates (company_id, id),
  foreign key (company_id, responsible_id) references memberships (company_id, user_id),
  check (company_id <> client_id),
  -- Nobody works in a business that did not agree.
  check (state in ('asked', 'ended') or consented_by is not null)
);
create index engagements_of_client on engagements (client_id) where state <> 'ended';
select secure_table('engagements', 'select, insert, update');
-- The client sees who works for him.
create policy client on engagements for select to pinkas_app using (client_id = current_company());

-- Whoever of the office is not its manager sees these clients, or all.
create table office_people (
  company_id uuid not null,
  user_id uuid not null,
  all_clients boolean not null default false,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references memberships (company_id, user_id)
);
select secure_table('office_people', 'select, insert, update, delete');

create table office_clients (
  company_id uuid not null,
  client_id uuid not null,
  user_id uuid not null,
  primary key (company_id, client_id, user_id),
  foreign key (company_id, client_id) references engagements (company_id, client_id),
  foreign key (company_id, user_id) references memberships (company_id, user_id)
);
select secure_table('office_clients', 'select, insert, delete');

-- A client is asked by mail: only the hash of the link's key lies here.
create table office_invites (
  company_id uuid not null references offices,
  id uuid not null,
  email text not null check (email = lower(email) and email like '%_@_%'),
  name text not null check (length(name) between 1 and 120),
  rights text[] not null default '{}' check (rights <@ array['enter', 'post', 'close', 'file']),
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  invited_by uuid not null references users,
  used_at timestamptz,
  client_id uuid references companies,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index office_invites_waiting on office_invites (company_id, email) where used_at is null and revoked_at is null;
select secure_table('office_invites', 'select, insert, update');

-- What the cockpit shows of a client's month: written by the client's own job, so that the office never reads across the books of many.
create table duty_summaries (
  company_id uuid not null,
  client_id uuid not null,
  month date not null check (extract(day from month) = 1),
  facts jsonb not null,
  made_at timestamptz not null default now(),
  primary key (company_id, client_id, month),
  foreign key (company_id, client_id) references engagements (company_id, client_id)
);
select secure_table('duty_summaries', 'select');

-- The month of a business in the hands of its accountant; the business's own, whoever keeps its books.
create table closings (
  company_id uuid not null references companies,
  month date not null check (extract(day from month) = 1),
  -- Said by a person; where nobody said it follows from the books.
  said_state text check (said_state in ('waiting', 'work', 'review')),
  note text not null default '' check (length(note) <= 500),
  paid_at timestamptz,
  paid_by uuid references users,
  updated_by uuid references users,
  updated_at timestamptz not null default now(),
  primary key (company_id, month)
);
select secure_table('closings', 'select, insert, update');

-- Who signed a line of the list, and who took it back and why; never rewritten.
create table closing_marks (
  company_id uuid not null,
  id uuid not null,
  month date not null,
  line text not null check (length(line) between 1 and 60),
  deed text not null check (deed in ('signed', 'reopened')),
  reason text not null default '' check (length(reason) <= 300),
  -- What the books said then.
  count integer not null default 0,
  by_user uuid not null references users,
  at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, month) references closings (company_id, month),
  check ((deed = 'reopened') = (reason <> ''))
);
create index closing_marks_of on closing_marks (company_id, month, line, at desc);
select secure_table('closing_marks', 'select, insert');

-- Who came to a business through an office goes when the office goes.
alter table memberships add column office_id uuid references offices (company_id);
create index memberships_of_office on memberships (office_id) where office_id is not null;
alter table invitations drop constraint invitations_type_id_check, add constraint invitations_type_id_check check (type_id in (4, 5, 6, 8, 9));

-- A way in for one person, one page and one minute. Used and ended ones stay a day, so that a refusal can say why.
create table auto_logins (
  token_hash bytea primary key,
  user_id uuid not null references users,
  opens_in uuid not null references companies,
  path text not null check (path ~ '^/[a-zA-Z]' and length(path) <= 300),
  made_by uuid not null references users,
  made_in text not null check (made_in in ('person', 'office', 'dealer')),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
-- How a session began, for the list of one's devices.
alter table sessions add column way text not null default '' check (way in ('', 'link'));
