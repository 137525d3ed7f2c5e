-- Saved cards: what an acquirer keeps of a customer's card for us, by a token that is sealed and shown to nobody, with what its owner agreed to; and
-- the links by which customers add one or renew it.

create table cards (
  company_id uuid not null references companies,
  id uuid not null,
  customer_id uuid not null,
  -- A token is good at its terminal alone.
  terminal_id uuid not null,
  -- Sealed by the vault; absent once the card is removed.
  token_sealed bytea,
  last4 text not null check (last4 ~ '^\d{4}$'),
  brand text not null default '' check (length(brand) <= 30),
  holder text not null default '' check (length(holder) <= 100),
  -- The last month it is good in.
  expiry text not null check (expiry ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- The day on which the acquirer forgets the token, where it says so.
  token_deleted_on date,
  -- The last day it can be charged on: the earlier of both.
  good_until date not null,
  -- Of the first deal, which later ones are asked to name.
  first_uid text not null default '',
  first_approval text not null default '',
  first_at timestamptz,
  consent text not null check (length(consent) between 1 and 2000),
  consent_at timestamptz not null,
  consent_address text not null default '',
  state text not null default 'active' check (state in ('active', 'replaced', 'removed')),
  replaced_by uuid,
  is_default boolean not null default false,
  -- The day of the next warning of its end; none once all were sent.
  warn_on date,
  last_used_at timestamptz,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, terminal_id) references terminals (company_id, id),
  foreign key (company_id, replaced_by) references cards (company_id, id),
  check ((state = 'removed') = (removed_at is not null)),
  check (state <> 'active' or token_sealed is not null),
  check (state = 'active' or not is_default)
);
create unique index cards_default on cards (company_id, customer_id) where is_default;
create index cards_of_customer on cards (company_id, customer_id, created_at desc);
create index cards_to_warn on cards (warn_on) where warn_on is not null;
select secure_table('cards', 'select, insert, update');
create policy own_customers on cards as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = cards.company_id and p.id = cards.customer_id));

alter table charges add foreign key (company_id, card_id) references cards (company_id, id);

-- A link by which a customer adds a card, or renews one.
create table card_links (
  company_id uuid not null references companies,
  id uuid not null,
  -- 244 random bits: the key in the address is the right to add a card for this customer.
  page_key text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  customer_id uuid not null,
  replaces_id uuid,
  state text not null default 'open' check (state in ('open', 'done', 'cancelled')),
  expires_on date not null,
  card_id uuid,
  sent_to text check (length(sent_to) <= 254),
  sent_at timestamptz,
  viewed_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, replaces_id) references cards (company_id, id),
  foreign key (company_id, card_id) references cards (company_id, id),
  check ((state = 'done') = (card_id is not null))
);
create index card_links_of_customer on card_links (company_id, customer_id, created_at desc);
select secure_table('card_links', 'select, insert, update');
create policy own_customers on card_links as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = card_links.company_id and p.id = card_links.customer_id));

alter table charges
  add column card_link_id uuid,
  add foreign key (company_id, card_link_id) references card_links (company_id, id);
create unique index charges_open_of_card_link on charges (company_id, card_link_id) where state = 'begun' and card_link_id is not null;
