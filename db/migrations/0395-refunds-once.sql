-- A program that asks for money back names what it asks: under one name no more goes back, however often and however late it is asked.
alter table charge_refunds add column client_key text check (length(client_key) between 1 and 100);
create unique index charge_refunds_by_client_key on charge_refunds (company_id, charge_id, client_key) where client_key is not null;
