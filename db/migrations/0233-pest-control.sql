-- Pest control: where a customer is treated, who may treat, what was done, and the sealed certificate of it.
create table pest_sites (
  company_id uuid not null references companies,
  id uuid not null,
  customer_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  address text not null default '' check (length(address) <= 200),
  contact text not null default '' check (length(contact) <= 120),
  phone text not null default '',
  notes text not null default '' check (length(notes) <= 2000),
  -- Kept by the treatments.
  last_day date,
  last_substance text not null default '',
  next_day date,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index pest_sites_of on pest_sites (company_id, customer_id);
create index pest_sites_next on pest_sites (company_id, next_day) where archived_at is null;
select secure_table('pest_sites', 'select, insert, update');
create policy own_customers on pest_sites as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = pest_sites.company_id and p.id = pest_sites.customer_id));

create table pest_licences (
  company_id uuid not null references companies,
  id uuid not null,
  worker text not null check (length(worker) between 1 and 120),
  number text not null check (length(number) between 1 and 40),
  valid_until date not null,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
select secure_table('pest_licences', 'select, insert, update');

-- What was done stands: a certificate was given for it. One that was a mistake is put away, with its certificate.
create table pest_treatments (
  company_id uuid not null references companies,
  id uuid not null,
  -- Of the certificate, without gaps in a business.
  number integer not null,
  site_id uuid not null,
  licence_id uuid not null,
  day date not null,
  pest text not null check (length(pest) between 1 and 120),
  substance text not null check (length(substance) between 1 and 120),
  registration text not null check (length(registration) between 1 and 40),
  amount numeric(14, 4) not null check (amount > 0),
  unit text not null check (unit in ('ml', 'l', 'g', 'kg', 'piece')),
  area text not null default '' check (length(area) <= 200),
  warnings text not null default '' check (length(warnings) <= 2000),
  reentry_hours integer not null default 0 check (reentry_hours between 0 and 720),
  next_day date check (next_day > day),
  -- As they were on the day.
  worker text not null default '',
  licence_number text not null default '',
  created_by uuid,
  folded text not null default '',
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number),
  foreign key (company_id, site_id) references pest_sites (company_id, id),
  foreign key (company_id, licence_id) references pest_licences (company_id, id)
);
create index pest_treatments_of on pest_treatments (company_id, site_id, day desc);
select secure_table('pest_treatments', 'select, insert, update');
create policy own_customers on pest_treatments as restrictive to pinkas_own
  using (exists (select 1 from pest_sites s where s.company_id = pest_treatments.company_id and s.id = pest_treatments.site_id));

create table pest_certificates (
  company_id uuid not null,
  treatment_id uuid not null,
  bytes bytea not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz not null default now(),
  primary key (company_id, treatment_id),
  foreign key (company_id, treatment_id) references pest_treatments (company_id, id)
);
select secure_table('pest_certificates', 'select, insert');
create policy own_customers on pest_certificates as restrictive to pinkas_own
  using (exists (select 1 from pest_treatments t where t.company_id = pest_certificates.company_id and t.id = pest_certificates.treatment_id));

-- The next number, and what the licence said on the day. Two at once lose the unique key, and one of them is run again.
create function pest_treatment_begins() returns trigger language plpgsql security definer set search_path = public as $$
begin
  new.number := (select coalesce(max(number), 0) + 1 from pest_treatments where company_id = new.company_id);
  select worker, number into new.worker, new.licence_number from pest_licences where company_id = new.company_id and id = new.licence_id;
  return new;
end $$;
create trigger pest_treatment_begins before insert on pest_treatments for each row execute function pest_treatment_begins();

-- The site tells its last treatment and its next visit; of treatments that were put away it knows nothing.
create function pest_site_follows() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update pest_sites s set last_day = t.day, last_substance = coalesce(t.substance, ''), next_day = t.next_day, updated_at = now()
    from (select 1) one left join lateral (select day, substance, next_day from pest_treatments where company_id = new.company_id and site_id = new.site_id
      and archived_at is null order by day desc, number desc limit 1) t on true
    where s.company_id = new.company_id and s.id = new.site_id;
  return null;
end $$;
create trigger pest_site_follows after insert or update of archived_at on pest_treatments for each row execute function pest_site_follows();

create function pest_treatment_stays() returns trigger language plpgsql as $$
begin
  if discards_demo(old.company_id) and tg_op = 'DELETE' then return old; end if;
  if tg_op = 'UPDATE' and (to_jsonb(new) - 'archived_at' - 'updated_at') = (to_jsonb(old) - 'archived_at' - 'updated_at') then return new; end if;
  raise exception 'a treatment stays as it was certified' using errcode = 'PK233';
end $$;
create trigger pest_treatment_stays before update or delete on pest_treatments for each row execute function pest_treatment_stays();
