-- A denial may be of a part of a payment, and what an acquirer's list says went back without our asking has a name of its own.
alter table charge_disputes add column amount_agorot bigint check (amount_agorot > 0);
-- Of a part: the entry by which the debt stands again, and the payment requests that ask again. A whole payment is taken back as one that bounced.
alter table charge_disputes add column entry_id uuid, add column asked jsonb not null default '[]';
update charge_disputes x set amount_agorot = c.amount_agorot from charges c where c.company_id = x.company_id and c.id = x.charge_id;
alter table charge_disputes alter column amount_agorot set not null;

alter table acquirer_deals drop constraint acquirer_deals_state_check;
alter table acquirer_deals add constraint acquirer_deals_state_check
  check (state in ('matched', 'unknown', 'missing', 'sum', 'currency', 'explained', 'takenBack'));
