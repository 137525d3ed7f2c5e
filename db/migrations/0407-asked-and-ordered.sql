-- Who was asked for his part of a levy: each payer once, however often it is pressed.
create table committee_levy_asks (
  company_id uuid not null references companies,
  levy_id uuid not null,
  customer_id uuid not null,
  message_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, levy_id, customer_id),
  foreign key (company_id, levy_id) references committee_levies (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
select secure_table('committee_levy_asks', 'select, insert, update, delete');
create policy own_customers on committee_levy_asks as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = committee_levy_asks.company_id and p.id = committee_levy_asks.customer_id));

-- A standing order by which a tenant pays his house: what it brings becomes his payment, each receipt of each turn once.
create table committee_orders (
  company_id uuid not null references companies,
  order_id uuid not null,
  building_id uuid not null,
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, order_id),
  foreign key (company_id, order_id) references standing_orders (company_id, id),
  foreign key (company_id, building_id) references committee_buildings (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
select secure_table('committee_orders', 'select, insert, update');
create policy own_customers on committee_orders as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = committee_orders.company_id and p.id = committee_orders.customer_id));

create table committee_order_turns (
  company_id uuid not null references companies,
  order_id uuid not null,
  period_start date not null,
  -- The receipt: one that is cancelled and given anew pays anew.
  document_id uuid not null,
  taken_at timestamptz not null default now(),
  primary key (company_id, order_id, period_start, document_id),
  foreign key (company_id, order_id) references committee_orders (company_id, order_id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
select secure_table('committee_order_turns', 'select, insert');
create policy own_customers on committee_order_turns as restrictive to pinkas_own
  using (exists (select 1 from committee_orders o where o.company_id = committee_order_turns.company_id and o.order_id = committee_order_turns.order_id));
