-- What is reserved on a payment page and not paid is limited by address and day: a mark of the address it was begun from, which is worth nothing without the key of the installation, and when it was free again.
alter table pay_purchases
  add column begun_from bytea check (length(begun_from) = 32),
  add column freed_at timestamptz;
create index pay_purchases_begun_from on pay_purchases (company_id, page_id, begun_from, created_at desc)
  where state in ('begun', 'freed') and begun_from is not null;
