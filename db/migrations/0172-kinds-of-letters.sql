-- A letter with the link by which a customer gives his card is a kind of its own.
alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in ('document', 'letter', 'writtenLetter', 'statement', 'reminder', 'paymentLink',
  'customerPage', 'accountant', 'form857', 'supplierPayment', 'vatQuestion', 'outside', 'proof', 'report', 'cardRequest', 'unknown'));
