-- Links by which a customer gives a business his card to keep: he opens one, reads what he agrees to, and types the card at the acquirer's own form.

alter table charges
  -- What the payer came back with, for acquirers that can be asked about nothing else.
  add column told text not null default '' check (length(told) <= 4000);

create table card_requests (
  company_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  page_key text not null unique,
  -- The card that the new one takes the place of.
  renews_card_id uuid,
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  state text not null default 'open' check (state in ('open', 'done', 'cancelled')),
  card_id uuid,
  expires_on date not null,
  sent_to text not null default '' check (length(sent_to) <= 200),
  sent_at timestamptz,
  viewed_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, renews_card_id) references cards (company_id, id),
  foreign key (company_id, card_id) references cards (company_id, id),
  check ((state = 'done') = (card_id is not null))
);
create index card_requests_of_customer on card_requests (company_id, customer_id, created_at desc);
select secure_table('card_requests', 'select, insert, update');
create policy own_customers on card_requests as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = card_requests.company_id and p.id = card_requests.customer_id));

-- What a card was charged for by a person: the description and what document it shall have.
create table card_sales (
  company_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  customer_id uuid not null,
  document_id uuid,
  description text not null check (length(description) between 1 and 200),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, card_id) references cards (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, document_id) references documents (company_id, id)
);
create index card_sales_of_card on card_sales (company_id, card_id, created_at desc);
select secure_table('card_sales', 'select, insert');
create policy own_customers on card_sales as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = card_sales.company_id and p.id = card_sales.customer_id));

-- How long before its end a card's owner was told, each step once.
create table card_warnings (
  company_id uuid not null,
  card_id uuid not null,
  days smallint not null check (days in (60, 30, 7)),
  message_id uuid,
  at timestamptz not null default now(),
  primary key (company_id, card_id, days),
  foreign key (company_id, card_id) references cards (company_id, id)
);
select secure_table('card_warnings', 'select, insert');
create policy own_customers on card_warnings as restrictive to pinkas_own
  using (exists (select 1 from cards c where c.company_id = card_warnings.company_id and c.id = card_warnings.card_id));

-- When the acquirer was last asked which of its cards were replaced.
alter table terminals add column replaced_asked_at timestamptz;

-- Whoever could give money back to cards until now, by the right to change payment links, still can.
alter table memberships disable trigger user;
alter table permission_sets disable trigger user;
alter table api_keys disable trigger user;
update memberships set rules = rules || 171 where 47 = any (rules) and not 171 = any (rules) and rules[1] <> -1;
update permission_sets set rules = rules || 171 where 47 = any (rules) and not 171 = any (rules) and rules[1] <> -1;
update api_keys set rules = rules || 171 where 47 = any (rules) and not 171 = any (rules) and rules[1] <> -1;
alter table memberships enable trigger user;
alter table permission_sets enable trigger user;
alter table api_keys enable trigger user;
