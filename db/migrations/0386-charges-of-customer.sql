-- The line of everything with a customer shows charges that failed, newest first.
create index charges_of_customer on charges (company_id, customer_id, created_at desc, id desc) where customer_id is not null;
