-- What a business does and which areas of the product it turned on or off itself: what it does not use stands nowhere in its way. While it has not
-- said what it does everything is on.
alter table companies
  add column trades text[] check (trades <@ array['services', 'contractor', 'shop', 'studio', 'office', 'committee', 'nonProfit']),
  add column areas_switched jsonb not null default '{}' check (jsonb_typeof(areas_switched) = 'object' and pg_column_size(areas_switched) < 4000);
