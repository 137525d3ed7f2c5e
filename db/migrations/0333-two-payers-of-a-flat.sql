-- Two may pay for one flat together, each his part; all parts of a day are a hundred per cent at most, and what is missing is nobody's.
alter table committee_people add column split_bp integer check (split_bp between 1 and 9999);
alter table committee_people drop constraint committee_one_payer;
create function committee_payers_fit() returns trigger language plpgsql as $$
begin
  if not new.pays or new.archived_at is not null then return null; end if;
  perform 1 from committee_flats where company_id = new.company_id and id = new.flat_id for update;
  -- The most there is on any day is there on some payer's first day.
  if exists (select 1 from committee_people f where f.company_id = new.company_id and f.flat_id = new.flat_id and f.pays and f.archived_at is null
    and (select sum(coalesce(p.split_bp, 10000)) from committee_people p where p.company_id = f.company_id and p.flat_id = f.flat_id and p.pays and p.archived_at is null
      and f.from_day between p.from_day and coalesce(p.to_day, 'infinity')) > 10000) then
    raise exception 'payers of a flat are more than the whole' using errcode = 'PK333';
  end if;
  return null;
end $$;
create trigger committee_payers_fit after insert or update on committee_people for each row execute function committee_payers_fit();

-- What a flat owes for a month may be owed in parts.
alter table committee_dues add column part smallint not null default 0 check (part >= 0);
alter table committee_dues drop constraint committee_dues_company_id_flat_id_kind_month_levy_id_key;
create unique index committee_dues_once on committee_dues (company_id, flat_id, kind, month, levy_id, part);

-- A page of each tenant's own, by a key of his person and not of his flat.
create table committee_tenant_pages (
  company_id uuid not null references companies,
  building_id uuid not null,
  customer_id uuid not null,
  key text not null unique,
  created_at timestamptz not null default now(),
  primary key (company_id, building_id, customer_id),
  foreign key (company_id, building_id) references committee_buildings (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
select secure_table('committee_tenant_pages', 'select, insert, update, delete');
create policy own_customers on committee_tenant_pages as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = committee_tenant_pages.company_id and p.id = committee_tenant_pages.customer_id));

-- What a tenant asked to pay by card: when its paper is paid it becomes his payment, once.
create table committee_requests (
  company_id uuid not null references companies,
  id uuid not null,
  building_id uuid not null,
  customer_id uuid not null,
  document_id uuid not null,
  agorot bigint not null check (agorot > 0),
  taken_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, building_id) references committee_buildings (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create index committee_requests_waiting on committee_requests (company_id, customer_id) where taken_at is null;
select secure_table('committee_requests', 'select, insert, update');
create policy own_customers on committee_requests as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = committee_requests.company_id and p.id = committee_requests.customer_id));
