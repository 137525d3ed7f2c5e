-- An email address and a phone number identify a person only after a code sent there came back.
alter table users add column email_verified_at timestamptz, add column phone_verified_at timestamptz;
grant select (email_verified_at) on users to pinkas_app;

-- However a phone number is written, one number has one key (phoneKey in src/domain/phone.ts).
create function phone_key(phone text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(regexp_replace(phone, '\D', '', 'g'), '^(00)?9720?', '0')
$$;
-- A verified number belongs to one account.
create unique index users_by_verified_phone on users (phone_key(phone)) where phone_verified_at is not null;

-- Codes that were sent to an address or a number and have not come back yet; one of a kind for each account.
create table verifications (
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('email', 'phone')),
  target text not null,
  code_hash bytea not null,
  link_hash bytea unique,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  primary key (user_id, kind)
);
alter table verifications enable row level security;

-- Browsers in which an account was opened; the token is kept as its hash.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null,
  address text not null default '',
  agent text not null default '',
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);
alter table known_devices enable row level security;

-- Changes of how an account is reached, each with the link that undoes it for some days.
create table account_changes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in
    ('password', 'phone', 'email', 'factorOn', 'factorOff', 'recoveryCodes', 'device', 'apiKey', 'google')),
  -- Encrypted: what undoing restores.
  before bytea not null,
  undo_hash bytea not null unique,
  address text not null default '',
  agent text not null default '',
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  undone_at timestamptz
);
create index account_changes_of_user on account_changes (user_id, made_at);
alter table account_changes enable row level security;

-- A code by text message is good only for the device or the network that asked for it: others may guess, but not at
-- this one.
alter table resets add column asked_by bytea;
create index resets_by_time on resets (user_id, expires_at);

-- Addresses with good evidence count as verified: Google vouched for them, a link sent there was used, or the account has
-- been used for more than thirty days.
update users u set email_verified_at = now()
where u.google_subject is not null
  or exists (select 1 from invitations i where i.used_by = u.id and lower(i.email) = u.email)
  or exists (select 1 from resets r where r.user_id = u.id and r.channel = 'mail' and r.used_at is not null)
  or exists (select 1 from auto_logins a where a.user_id = u.id and a.made_in = 'mail' and a.used_at is not null)
  or exists (select 1 from memberships m where m.user_id = u.id and m.seen_at > u.created_at + interval '30 days')
  or exists (select 1 from sessions s where s.user_id = u.id and s.used_at > u.created_at + interval '30 days');

-- A number that a single account has keeps working for log-in and reset by text message.
update users u set phone_verified_at = now()
where phone_key(u.phone) <> '' and u.blocked_at is null
  and not exists (select 1 from users o where o.id <> u.id and phone_key(o.phone) = phone_key(u.phone));
