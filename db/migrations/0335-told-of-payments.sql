-- A program that has a sum paid names the address that is told what became of it. Addresses of one place are one line among the webhooks, with their log,
-- their tries and their rest; which payment is told to which address stands beside.
alter table webhook_endpoints add column of_payments boolean not null default false;
create unique index webhook_endpoints_of_payments on webhook_endpoints (company_id, key_id, url) where of_payments and archived_at is null;

create table webhook_payments (
  company_id uuid not null,
  link_id uuid not null,
  endpoint_id uuid not null,
  -- With what stands behind the question mark.
  url text not null check (length(url) between 10 and 1000),
  -- What the program calls it.
  unique_id text not null default '' check (length(unique_id) <= 100),
  order_number text not null default '' check (length(order_number) <= 40),
  primary key (company_id, link_id),
  foreign key (company_id, link_id) references payment_links (company_id, id),
  foreign key (company_id, endpoint_id) references webhook_endpoints (company_id, id)
);
select secure_table('webhook_payments', 'select, insert, update');
create policy own_customers on webhook_payments as restrictive to pinkas_own
  using (exists (select 1 from webhook_endpoints e where e.company_id = webhook_payments.company_id and e.id = endpoint_id));
create index webhook_payments_of_endpoint on webhook_payments (company_id, endpoint_id);

create or replace function webhooks_hear() returns trigger language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
begin
  insert into webhook_deliveries (company_id, endpoint_id, event_id)
  select e.company_id, e.id, f.id from fresh f join webhook_endpoints e on e.company_id = f.company_id
  where e.state = 'on' and e.archived_at is null and f.name like any (e.patterns) and f.name <> 'webhook.test'
    and (not e.of_payments or exists (select 1 from charges c join webhook_payments p on p.company_id = c.company_id and p.link_id = c.link_id
      where c.company_id = f.company_id and c.id = f.entity_id and p.endpoint_id = e.id));
  return null;
end $$;
