-- What a letter holds decides who may read it in the list of messages and send it again, so each letter says what it is.

alter table messages add column kind text;

-- Of letters from before: by the paper they name, and where they name none by the work that sent them, as long as it is remembered. What
-- stays unknown is for those who see everything.
update messages m set kind = coalesce(
  case when m.letter_id is not null then 'writtenLetter' when m.outside_id is not null then 'outside' end,
  (select 'reminder' from reminders r where r.company_id = m.company_id and r.message_id = m.id limit 1),
  (select 'form857' from given_certificates g where g.company_id = m.company_id and g.message_id = m.id limit 1),
  (select 'accountant' from accountant_packages k where k.company_id = m.company_id and k.message_id = m.id limit 1),
  (select case o.name when 'documents.mail' then 'document' when 'documents.sms' then 'document' when 'statements.mail' then 'statement'
      when 'accountant.mail' then 'accountant' when 'filings.mail857' then 'form857' when 'supplierPayments.mail' then 'supplierPayment'
      when 'vat.mail' then 'vatQuestion' when 'proof.mail' then 'proof'
      when 'letters.mail' then case when m.created_by is not null then 'letter' end end
    from outbox o where o.company_id = m.company_id and o.payload->>'messageId' = m.id::text order by o.created_at desc limit 1),
  case when m.document_id is not null then case when m.party_id is null then 'document' else 'paymentLink' end end,
  'unknown');

alter table messages alter column kind set not null;
alter table messages add constraint messages_kind_check check (kind in ('document', 'letter', 'writtenLetter', 'statement', 'reminder', 'paymentLink',
  'customerPage', 'accountant', 'form857', 'supplierPayment', 'vatQuestion', 'outside', 'proof', 'unknown'));
