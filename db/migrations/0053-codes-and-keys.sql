-- Whoever loses the phone of his second factor comes in by a code he kept on paper. Customers and suppliers carry the key another program
-- knows them by, and a customer may be shut.

-- Of persons, not of businesses: only the system reads it. The code itself is nowhere.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

alter table parties add column custom_key text check (length(custom_key) between 1 and 40);
-- Of those put away, a key may be given to another.
create unique index parties_by_custom_key on parties (company_id, role, custom_key) where custom_key is not null and archived_at is null;

-- A shut customer is issued nothing new; what he owes he may pay.
alter table parties add column blocked boolean not null default false;
alter table parties add column blocked_reason text check (length(blocked_reason) between 1 and 200);
alter table parties add check (not blocked or blocked_reason is not null);
