-- A business on cash basis owes the VAT of an invoice once it is paid. What was unpaid when its books began here brings the VAT that nobody has reported
-- yet: it stands on the account of output VAT from the opening on, and is reported as the item is paid.

alter table opening_items
  add column vat_agorot bigint not null default 0,
  -- Of the invoice of the time, where the law asked for one.
  add column allocation_number text,
  add constraint opening_items_vat_check check (vat_agorot = 0 or vat_agorot > 0 and role = 'customer' and currency = 'ILS' and vat_agorot < amount_agorot);
comment on column opening_items.vat_agorot is 'Within the amount: not reported yet, falls due as the item is paid.';

-- Whether there is any is asked by every return.
create index opening_items_with_vat on opening_items (company_id, document_id) where vat_agorot > 0;
