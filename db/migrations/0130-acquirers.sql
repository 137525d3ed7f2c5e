-- Acquirers: terminals that money is taken by, and every call that moves money written down under a key of its own before it is made, so that nothing
-- is ever charged twice and what had no answer is asked about and never repeated. What stood for the test acquirer alone moves over.

create table terminals (
  company_id uuid not null references companies,
  id uuid not null,
  gateway text not null check (gateway ~ '^[a-zA-Z0-9]{2,20}$'),
  -- As the business calls it; empty: as the gateway is called.
  name text not null default '' check (length(name) <= 60),
  -- draft: not proved yet. failing: it was proved and its keys are refused now. off: takes no new charges.
  state text not null default 'draft' check (state in ('draft', 'proved', 'failing', 'off')),
  -- Keys and numbers of the business at the acquirer, sealed by the vault.
  settings_sealed bytea not null,
  -- Part of the address that notices come to.
  notice_key text not null unique,
  currencies text[] not null default '{ILS}' check (cardinality(currencies) between 1 and 20),
  -- Takes sums from one to below the other; any when neither is said.
  from_agorot bigint check (from_agorot > 0),
  to_agorot bigint check (to_agorot > 0),
  -- The smallest comes first where several could take a charge.
  position smallint not null default 1 check (position between 1 and 999),
  -- [{"fromAgorot": …, "most": …}]: up to so many instalments from that sum on.
  instalments jsonb not null default '[]' check (jsonb_typeof(instalments) = 'array'),
  -- Where the acquirer's fees go in the books.
  fee_account_id uuid,
  proved_at timestamptz,
  answered_at timestamptz,
  failed_at timestamptz,
  last_error text not null default '' check (length(last_error) <= 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, fee_account_id) references accounts (company_id, id) on delete set null (fee_account_id),
  check (to_agorot is null or to_agorot > coalesce(from_agorot, 0)),
  check (state not in ('proved', 'failing') or proved_at is not null)
);
create index terminals_in_order on terminals (company_id, position, id);
create unique index terminals_test on terminals (company_id) where gateway = 'test';
select secure_table('terminals', 'select, insert, update, delete');

insert into terminals (company_id, id, gateway, state, settings_sealed, notice_key, instalments, proved_at, answered_at)
  select company_id, gen_random_uuid(), acquirer, case when is_on then 'proved' else 'off' end, secret_sealed, notice_key,
    case when most_instalments > 1 then jsonb_build_array(jsonb_build_object('fromAgorot', 0, 'most', most_instalments)) else '[]'::jsonb end,
    updated_at, updated_at
  from acquirer_accounts;
drop table acquirer_accounts;

-- What a terminal was asked and answered, in words and codes alone: no body of a call is ever kept.
create table terminal_calls (
  company_id uuid not null,
  id uuid not null,
  terminal_id uuid not null,
  at timestamptz not null default now(),
  call text not null check (length(call) <= 40),
  -- 0: nothing came back.
  status smallint not null,
  took_ms integer not null,
  code text not null default '' check (length(code) <= 40),
  words text not null default '' check (length(words) <= 200),
  primary key (company_id, id),
  foreign key (company_id, terminal_id) references terminals (company_id, id) on delete cascade
);
create index terminal_calls_of on terminal_calls (company_id, terminal_id, at desc);
select secure_table('terminal_calls', 'select, insert, delete');

alter table card_charges rename to charges;
alter index card_charges_pkey rename to charges_pkey;
alter index card_charges_by_time rename to charges_by_time;
alter index card_charges_paper rename to charges_paper;
alter index card_charges_open_of_link rename to charges_open_of_link;
alter index card_charges_open_of_document rename to charges_open_of_document;
alter table charges
  add column terminal_id uuid,
  -- What it is for; its feature says whether the money is still due and makes the paper.
  add column purpose text check (purpose ~ '^[a-zA-Z]{2,20}$'),
  add column currency text not null default 'ILS' check (currency ~ '^[A-Z]{3}$'),
  -- What the acquirer knows the deal by, once there is one; `reference` is that of its form.
  add column uid text not null default '' check (length(uid) <= 100),
  add column decline_class text not null default '' check (decline_class in ('', 'soft', 'hard', 'fraud', 'expired', 'details', 'technical')),
  add column description text not null default '' check (length(description) <= 200),
  -- Where the payer comes back to.
  add column return_to text not null default '',
  -- When the acquirer is asked next what became of it, and how often it was since the last change.
  add column ask_at timestamptz,
  add column asks smallint not null default 0,
  add foreign key (company_id, terminal_id) references terminals (company_id, id);
update charges c set terminal_id = t.id, purpose = case when c.link_id is null then 'document' else 'link' end, uid = case when c.state = 'paid' then coalesce(c.reference, '') else '' end,
    decline_class = case c.decline_code when 'noFunds' then 'soft' when 'declined' then 'hard' else '' end,
    ask_at = case when c.state in ('begun', 'declined') then c.lapses_at + interval '2 minutes' end
  from terminals t where t.company_id = c.company_id;
alter table charges
  alter column terminal_id set not null,
  alter column purpose set not null,
  drop column acquirer,
  drop constraint card_charges_state_check,
  -- needsPerson: the acquirer told what was not asked, or nothing for a week.
  add constraint charges_state check (state in ('begun', 'declined', 'needsPerson', 'paid', 'lapsed')),
  add constraint charges_reference unique (company_id, terminal_id, reference);
-- One deal of the acquirer is one charge of ours.
create unique index charges_uid on charges (company_id, terminal_id, uid) where uid <> '';
create index charges_to_ask on charges (ask_at) where ask_at is not null;

alter table charge_refunds
  drop constraint charge_refunds_state_check,
  -- unknown: asked for without an answer. needsPerson: nobody can say what became of it.
  add constraint charge_refunds_state check (state in ('asked', 'unknown', 'needsPerson', 'done', 'refused')),
  add column ask_at timestamptz;
update charge_refunds set ask_at = now() where state = 'asked';
create index charge_refunds_to_ask on charge_refunds (ask_at) where ask_at is not null;

-- Every time something was asked of the acquirer that moves money: written down and committed before the call.
create table charge_tries (
  company_id uuid not null,
  charge_id uuid not null,
  no smallint not null,
  terminal_id uuid not null,
  deed text not null check (deed in ('page', 'refund', 'void')),
  refund_id uuid,
  -- What the acquirer is given as our reference, in words and, for those that take no words, as a number.
  gateway_key text not null check (length(gateway_key) <= 60),
  gateway_number integer not null check (gateway_number > 0),
  amount_agorot bigint not null,
  asked_at timestamptz not null,
  answered_at timestamptz,
  outcome text not null default '' check (length(outcome) <= 20),
  code text not null default '' check (length(code) <= 40),
  primary key (company_id, charge_id, no),
  foreign key (company_id, charge_id) references charges (company_id, id),
  foreign key (company_id, terminal_id) references terminals (company_id, id),
  foreign key (company_id, refund_id) references charge_refunds (company_id, id),
  check ((deed = 'page') = (refund_id is null)),
  unique (company_id, gateway_key),
  unique (company_id, terminal_id, gateway_number)
);
-- A form is opened once, and money goes back by one call at a time: the next one is made when the last was answered.
create unique index charge_tries_page on charge_tries (company_id, charge_id) where deed = 'page';
create unique index charge_tries_open_refund on charge_tries (company_id, refund_id) where answered_at is null and refund_id is not null;
select secure_table('charge_tries', 'select, insert, update');
create policy own_customers on charge_tries as restrictive to pinkas_own
  using (exists (select 1 from charges c where c.company_id = charge_tries.company_id and c.id = charge_tries.charge_id));

-- Until now a charge was asked for under its own id, and money back under the refund's.
insert into charge_tries (company_id, charge_id, no, terminal_id, deed, gateway_key, gateway_number, amount_agorot, asked_at, answered_at, outcome)
  select company_id, id, 1, terminal_id, 'page', id::text, row_number() over (partition by company_id order by created_at, id), amount_agorot,
    created_at, created_at, 'open'
  from charges where reference is not null;
insert into charge_tries (company_id, charge_id, no, terminal_id, deed, refund_id, gateway_key, gateway_number, amount_agorot, asked_at, answered_at, outcome)
  select r.company_id, r.charge_id, 1 + row_number() over (partition by r.company_id, r.charge_id order by r.created_at, r.id), c.terminal_id, 'refund', r.id,
    r.id::text, 1000000 + row_number() over (partition by r.company_id order by r.created_at, r.id), r.amount_agorot, r.created_at,
    case when r.state = 'asked' then null else r.updated_at end, case when r.state = 'asked' then '' else r.state end
  from charge_refunds r join charges c on c.company_id = r.company_id and c.id = r.charge_id;

-- The rows say themselves when they are to be asked about: the jobs that stood for it are not needed.
delete from outbox where name in ('paymentLinks.settle', 'paymentLinks.refund') and done_at is null;
update outbox set name = 'acquirers.testNotice' where name = 'paymentLinks.testNotice' and done_at is null;
