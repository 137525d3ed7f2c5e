-- Cards that an acquirer keeps for a customer, charges by them, and holds: one more way for money to come, in the same rows and states as the others.

create table cards (
  company_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  -- A token is worth nothing at another terminal.
  terminal_id uuid not null,
  -- What the acquirer wants to see again: the token, and whatever belongs to the first payment. Sealed by the vault; gone once it is removed there.
  secret_sealed bytea,
  brand text not null default '' check (length(brand) <= 30),
  last4 text not null default '' check (last4 ~ '^(\d{4})?$'),
  -- The month it ends with.
  expiry text not null check (expiry ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  -- The acquirer forgets the token on that day, whatever the card says.
  token_deleted_on date,
  -- active: can be charged. askAgain: its terminal takes nothing any more. removing: still to be forgotten at the acquirer.
  state text not null default 'active' check (state in ('active', 'replaced', 'askAgain', 'removing', 'removed')),
  replaced_by uuid,
  is_default boolean not null default false,
  -- What its owner agreed to, in his words and language, and when and where from.
  consent text not null check (length(consent) between 1 and 2000),
  consent_at timestamptz not null,
  consent_address text not null default '' check (length(consent_address) <= 60),
  -- How often the acquirer was asked to forget it.
  tries smallint not null default 0,
  ask_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id),
  foreign key (company_id, terminal_id) references terminals (company_id, id),
  foreign key (company_id, replaced_by) references cards (company_id, id),
  check (state not in ('active', 'removing') or secret_sealed is not null),
  check (state <> 'removed' or secret_sealed is null),
  check ((state = 'replaced') = (replaced_by is not null) or state = 'removed'),
  check (not is_default or state in ('active', 'askAgain'))
);
create index cards_of_customer on cards (company_id, customer_id, created_at desc);
create unique index cards_default on cards (company_id, customer_id) where is_default;
create index cards_to_ask on cards (ask_at) where ask_at is not null;
create index cards_by_expiry on cards (company_id, expiry) where state = 'active';
select secure_table('cards', 'select, insert, update');
create policy own_customers on cards as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = cards.company_id and p.id = cards.customer_id));

alter table charges
  add column card_id uuid,
  -- Of whoever asks for the charge: under one key a card is charged once, however often that is asked.
  add column our_key text check (length(our_key) between 1 and 100),
  -- What it is for, where that is neither a link nor a document: its feature knows which.
  add column subject_id uuid,
  -- charge: money moves. hold: it is set aside, and taken or let go later. card: only the card is kept.
  add column deed text not null default 'charge' check (deed in ('charge', 'hold', 'card')),
  -- The payer agreed that his card is kept, in these words.
  add column consent text not null default '' check (length(consent) <= 2000),
  add column consent_address text not null default '' check (length(consent_address) <= 60),
  add column held_until timestamptz,
  -- The card that is kept by it takes the place of this one.
  add column renews_card_id uuid,
  add foreign key (company_id, card_id) references cards (company_id, id),
  drop constraint card_charges_amount_agorot_check,
  add constraint charges_amount check (amount_agorot >= 0 and (deed = 'card') = (amount_agorot = 0)),
  drop constraint card_charges_check2,
  add constraint charges_for check (link_id is not null or document_id is not null or subject_id is not null),
  drop constraint charges_state,
  -- unknown: a card was charged and nobody answered. held: set aside. saved: the card is kept, and nothing was to be paid.
  add constraint charges_state check (state in ('begun', 'declined', 'unknown', 'needsPerson', 'paid', 'held', 'released', 'saved', 'lapsed')),
  add constraint charges_our_key unique (company_id, our_key);
create index charges_of_card on charges (company_id, card_id, created_at desc) where card_id is not null;
create index charges_of_subject on charges (company_id, subject_id) where subject_id is not null;
drop index charges_open_of_document;
create unique index charges_open_of_document on charges (company_id, document_id)
  where state in ('begun', 'declined') and link_id is null and our_key is null and subject_id is null;
create unique index charges_open_of_subject on charges (company_id, subject_id)
  where state in ('begun', 'declined') and our_key is null and subject_id is not null;

alter table charge_tries
  drop constraint charge_tries_deed_check,
  drop constraint charge_tries_check,
  add constraint charge_tries_deed check (deed in ('page', 'card', 'capture', 'release', 'refund', 'void')),
  add constraint charge_tries_of check ((deed in ('refund', 'void')) = (refund_id is not null));
-- A card is charged once for a charge: whoever wants to try again makes another one.
create unique index charge_tries_card on charge_tries (company_id, charge_id) where deed = 'card';
create unique index charge_tries_open_hold on charge_tries (company_id, charge_id) where answered_at is null and deed in ('capture', 'release');

alter table test_charges
  add column deed text not null default 'charge' check (deed in ('charge', 'hold', 'card')),
  add column keeps_card boolean not null default false,
  add column token text not null default '',
  add column expiry text not null default '',
  drop constraint test_charges_state_check,
  add constraint test_charges_state check (state in ('open', 'declined', 'paid', 'held', 'released', 'saved', 'closed'));
-- Cards that the test acquirer keeps: what each does, and never a number.
create table test_tokens (
  company_id uuid not null references companies,
  token text not null,
  deed text not null,
  brand text not null,
  last4 text not null,
  expiry text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, token)
);
select secure_table('test_tokens', 'select, insert, update, delete');
