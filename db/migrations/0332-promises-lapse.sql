-- For how many days past its promised day (or its own, where it promises none) an order holds goods back; null: until it is closed.
alter table stock_settings add column reserve_days smallint check (reserve_days between 1 and 365);

-- What has fallen below its minimum and was told: an item is told again only after it has risen meanwhile.
create table stock_low (
  company_id uuid not null references companies,
  item_id uuid not null,
  since date not null,
  primary key (company_id, item_id),
  foreign key (company_id, item_id) references items (company_id, id)
);
select secure_table('stock_low', 'select, insert, delete');
create index items_with_minimum on items (company_id) where is_stocked and minimum_quantity is not null and archived_at is null;
