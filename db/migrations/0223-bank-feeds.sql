-- Files of a bank that come by themselves: whoever fetches them (a bank's own service, an aggregator, a script of the business) lays them at an address with
-- a key, or in a folder of the installation. A file is taken once, whatever comes twice; what is not plain waits for a person. Nobody logs in to a bank here.
create table bank_feeds (
  company_id uuid not null references companies,
  id uuid not null,
  bank_account_id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- Part of the address, and the name of its folder.
  drop_key text not null unique check (length(drop_key) >= 22),
  state text not null default 'on' check (state in ('on', 'off')),
  last_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, bank_account_id) references bank_accounts (company_id, id)
);
select secure_table('bank_feeds', 'select, insert, update');

create table bank_feed_files (
  company_id uuid not null,
  feed_id uuid not null,
  sha256 bytea not null check (length(sha256) = 32),
  name text not null check (length(name) between 1 and 200),
  size_bytes bigint not null,
  at timestamptz not null default now(),
  -- taken: its lines are in the bank. nothing: they were there before. waits: a person must look at it. refused: it is no statement, with the reason.
  outcome text not null check (outcome in ('taken', 'nothing', 'waits', 'refused')),
  code text not null default '' check (length(code) <= 60),
  lines integer not null default 0,
  statement_id uuid,
  primary key (company_id, feed_id, sha256),
  foreign key (company_id, feed_id) references bank_feeds (company_id, id)
);
create index bank_feed_files_newest on bank_feed_files (company_id, feed_id, at desc);
select secure_table('bank_feed_files', 'select, insert, update');
