-- A program that has something paid knows the payment by a number of its own, leads the payer back to its own pages, says which paper the money is given and
-- whether that is mailed, and wants to be told its own values again.
alter table payment_links
  -- As whoever made it calls it. Programs of one business may count alike: each has its own.
  add column reference text check (length(reference) between 1 and 100),
  -- The program that made it; absent: a person.
  add column key_id uuid,
  add column metadata jsonb not null default '{}',
  -- Where the payer goes once he has paid, and where he may go back to when he has not.
  add column success_url text not null default '' check (length(success_url) <= 1000),
  add column error_url text not null default '' check (length(error_url) <= 1000),
  add column mails_paper boolean not null default true,
  drop constraint payment_links_paper_check,
  -- receipt, invoiceReceipt: this one whatever the business gives usually.
  add constraint payment_links_paper_check check (paper in ('usual', 'receipt', 'invoiceReceipt', 'donation')),
  add foreign key (company_id, key_id) references api_keys (company_id, id);
-- What programs called payments so far stood with whom they had told. Of several of one name the newest keeps it.
update payment_links l set reference = w.unique_id, key_id = w.key_id, metadata = case when w.order_number = '' then '{}' else jsonb_build_object('OrderNumber', w.order_number) end
from (select distinct on (p.company_id, e.key_id, p.unique_id) p.company_id, p.link_id, e.key_id, p.unique_id, p.order_number
  from webhook_payments p join webhook_endpoints e on e.company_id = p.company_id and e.id = p.endpoint_id
    join payment_links m on m.company_id = p.company_id and m.id = p.link_id
  where p.unique_id <> '' and e.key_id is not null order by p.company_id, e.key_id, p.unique_id, m.state = 'cancelled', m.created_at desc) w
where l.company_id = w.company_id and l.id = w.link_id;
create unique index payment_links_by_reference on payment_links (company_id, reference, key_id) nulls not distinct
  where reference is not null and state <> 'cancelled';
