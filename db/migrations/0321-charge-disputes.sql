-- A payer denied a payment before his bank, and the acquirer took the money back: until that is decided, and after it was lost, the debt stands again.
create table charge_disputes (
  company_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  state text not null default 'open' check (state in ('open', 'won', 'lost')),
  told_on date not null,
  -- Until then the business may answer with what it has.
  answer_by date,
  reason text not null check (length(reason) between 1 and 300),
  -- The payment of the charge's paper that was taken back.
  payment_id uuid not null,
  ended_on date,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, charge_id) references charges (company_id, id),
  check ((state = 'open') = (ended_on is null))
);
-- Once at a time; one that was won may be denied anew.
create unique index charge_disputes_of on charge_disputes (company_id, charge_id) where state <> 'won';
select secure_table('charge_disputes', 'select, insert, update');
create policy own_customers on charge_disputes as restrictive to pinkas_own
  using (exists (select 1 from charges c where c.company_id = charge_disputes.company_id and c.id = charge_disputes.charge_id));
