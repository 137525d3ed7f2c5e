-- A shop does not send the details of a cheque, and no document is issued for a cheque without them. Shops whose orders
-- were entered as paid by cheque where the shop named no payment method enter them as another method.
update shops set settings = jsonb_set(settings, '{means}', '8') where settings ->> 'means' = '2';
