-- Goods go to another place than the invoice: the address of delivery stands on the document as it was when it was issued, whatever becomes of
-- the customer's register. Nothing is null, so that a paper without one says so.
alter table documents add column deliver_to jsonb check (jsonb_typeof(deliver_to) = 'object');
