-- Money that lines of a document hold in trust for its owner is no income: it is kept beside the net of the document, so that every report
-- subtracts the same amount. Lines of older documents that were posted among income stay income.
alter table documents add column ils_held_agorot bigint not null default 0;

alter table documents disable trigger documents_guard;
update documents d set ils_held_agorot = h.held
from (select l.company_id, l.document_id, sum(l.ils_net_agorot)::bigint as held
  from document_lines l join accounts a on a.company_id = l.company_id and a.id = l.account_id
  where l.vat_kind = 3 and a.number = '2310' group by 1, 2 having sum(l.ils_net_agorot) <> 0) h
where d.company_id = h.company_id and d.id = h.document_id and d.status <> 'draft';
alter table documents enable trigger documents_guard;

drop index documents_vat;
create index documents_vat on documents (company_id, day)
  include (type, ils_net_agorot, ils_vat_agorot, ils_untaxed_agorot, ils_held_agorot, ils_total_agorot, customer_id, agent_id) where status <> 'draft';

-- Receipts that are income without an invoice.
drop index documents_money_income;
create index documents_money_income on documents (company_id, day) where type in (6, 11) and ils_net_agorot <> ils_held_agorot and status <> 'draft';
