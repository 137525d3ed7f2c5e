-- Questions and faults, told to whoever runs the installation. A ticket is of the business it was asked in; its number is one of the whole
-- installation, so that two people speak of the same thing by it.
create table ticket_counter (
  one boolean primary key default true check (one),
  last bigint not null default 0
);
insert into ticket_counter default values;
alter table ticket_counter enable row level security;

create function next_ticket() returns bigint language sql security definer set search_path = public as $$
  update ticket_counter set last = last + 1 returning last $$;

create table tickets (
  company_id uuid not null references companies,
  id uuid not null,
  number bigint not null unique,
  kind text not null check (kind in ('question', 'fault')),
  severity text not null default 'normal' check (severity in ('low', 'normal', 'high', 'blocking')),
  -- new: nobody has answered; open: it is the operator's turn; waiting: the asker's; solved and closed end it, and an answer opens both again.
  state text not null default 'new' check (state in ('new', 'open', 'waiting', 'solved', 'closed')),
  subject text not null check (length(subject) between 1 and 200),
  -- Where it was asked from.
  page text not null default '' check (length(page) <= 300),
  version text not null default '' check (length(version) <= 20),
  browser text not null default '' check (length(browser) <= 400),
  -- The article it was asked from, when it was.
  article text not null default '' check (length(article) <= 80),
  asker_id uuid not null references users,
  -- Letters to these two are taken into the thread: the one for the asker, the other for the operator.
  asker_token text not null unique check (asker_token ~ '^[a-z2-7]{26}$'),
  desk_token text not null unique check (desk_token ~ '^[a-z2-7]{26}$'),
  state_at timestamptz not null default now(),
  warned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index tickets_of_asker on tickets (company_id, asker_id, created_at desc);
create index tickets_at_desk on tickets (state, updated_at desc);
select secure_table('tickets', 'select, insert, update');

create table ticket_messages (
  company_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  -- system: what happened by itself, a word key in `text`.
  author text not null check (author in ('asker', 'desk', 'system')),
  user_id uuid references users,
  sender text not null default '' check (length(sender) <= 300),
  text text not null check (length(text) <= 20000),
  -- The letter's own number: a letter that comes twice stands once.
  message_ref text check (length(message_ref) <= 400),
  -- From an address nobody knows here: it waits for a person to take it in.
  held boolean not null default false,
  -- When it was mailed to the other side.
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, ticket_id) references tickets (company_id, id),
  unique (company_id, ticket_id, message_ref)
);
create index ticket_messages_of on ticket_messages (company_id, ticket_id, created_at);
select secure_table('ticket_messages', 'select, insert, update');

-- The page as it was, drawn by its browser with what is private made unreadable, and drawn anew here.
create table ticket_pictures (
  company_id uuid not null,
  ticket_id uuid not null,
  width integer not null check (width between 1 and 4000),
  height integer not null check (height between 1 and 8000),
  bytes bytea not null check (length(bytes) <= 3145728),
  created_at timestamptz not null default now(),
  primary key (company_id, ticket_id),
  foreign key (company_id, ticket_id) references tickets (company_id, id)
);
select secure_table('ticket_pictures', 'select, insert');
