-- A brand's domain is proved before links lead there, and its sender before letters leave in its name; its logo is uploaded.
alter table brands
  -- What its domain must say under /.well-known and the records of its sender's domain must hold.
  add column proof text not null default replace(gen_random_uuid()::text, '-', ''),
  add column site_proved_at timestamptz,
  add column mail_proved_at timestamptz;

-- Drawn anew from what came; shown to whoever opens the domain.
create table brand_logos (
  domain text primary key references brands,
  width integer not null check (width between 1 and 4000),
  height integer not null check (height between 1 and 4000),
  bytes bytea not null check (octet_length(bytes) <= 1000000),
  updated_at timestamptz not null default now()
);
