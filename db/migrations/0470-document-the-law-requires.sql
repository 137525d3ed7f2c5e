-- What a payment online brings follows from the law, and is no choice: a business that charges VAT issues a tax invoice/receipt
-- where no invoice was issued before. The setting whose default was a receipt goes, and so does what pages, open links and orders
-- had named against it.
alter table companies drop column online_paper;

update pay_pages set paper = 'usual' where paper in ('receipt', 'invoiceReceipt');
update payment_links set paper = 'usual' where paper in ('receipt', 'invoiceReceipt') and state = 'open';

-- 9 is a tax invoice/receipt; a receipt (6) or a donation receipt (11) alone is for those who charge no VAT.
update standing_orders o set document_type = 9
  from companies c
  where c.id = o.company_id and o.means = 'card' and o.document_type in (6, 11)
    and c.kind not in ('exemptDealer', 'nonProfit');
