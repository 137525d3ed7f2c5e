-- Whoever loses the phone of his second factor comes in by a code he kept on paper.

-- Of persons, not of businesses: only the system reads it. The code itself is nowhere.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
