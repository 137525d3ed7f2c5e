-- A document without VAT names its ground in the law. Null where none was chosen, and on documents from before it could be.
alter table documents add column zero_ground text check (zero_ground ~ '^[a-zA-Z]{1,40}$');
alter table documents add column exempt_ground text check (exempt_ground ~ '^[a-zA-Z]{1,40}$');
-- In a foreign currency: shekels and the rate of exchange are left out where the document carries no VAT.
alter table documents add column hides_ils boolean;

-- A customer abroad brings the currency, the ground of zero rate and what is printed to each new document.
alter table parties add column is_abroad boolean not null default false;
alter table parties add column currency text check (currency ~ '^[A-Z]{3}$');
alter table parties add column zero_ground text check (zero_ground ~ '^[a-zA-Z]{1,40}$');
alter table parties add column hides_ils boolean not null default false;
