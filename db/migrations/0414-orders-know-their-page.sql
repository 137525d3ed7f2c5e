-- Who holds a plan is asked of its order: the page on which it was agreed to is found by it.
create index pay_purchases_of_order on pay_purchases (company_id, order_id) where order_id is not null;
