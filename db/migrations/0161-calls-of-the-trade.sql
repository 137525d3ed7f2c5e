-- A key may be used by a program that was written for another product: which numbers of currencies it means, and whether it reads nothing but answers with
-- status 200. A message by SMS may be words alone, to whoever has that phone.
alter table api_keys
  add column trade_currencies text check (trade_currencies in ('plugIn', 'guides')),
  add column trade_always_ok boolean not null default false;
