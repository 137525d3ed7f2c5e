-- A donation whose cheque bounced, or was returned before it was deposited, is no income any more from the day it came back; no document says so, only
-- its entry. Reports of income read this view: the documents, and each return as a row that subtracts it on its day, or adds it again where the return
-- was undone. `id` of such a row is its entry, `document_id` the donation receipt.
create view income_documents with (security_invoker = true) as
  select d.company_id, d.id, d.id as document_id, false as is_return, d.day, d.type, d.number, d.series, d.status, d.is_bad_debt, d.customer_id,
    d.customer, d.agent_id, d.project_id, d.currency, d.rate, d.subject, d.due_day, d.open_agorot, d.ils_net_agorot, d.ils_held_agorot,
    d.ils_untaxed_agorot, d.ils_vat_agorot, d.ils_total_agorot
  from documents d
  union all
  select r.company_id, e.id, d.id, true, e.day, d.type, d.number, d.series, d.status, d.is_bad_debt,
    d.customer_id, d.customer, d.agent_id, d.project_id, d.currency, d.rate, d.subject, null::date, 0::bigint, s.agorot, 0::bigint,
    case when d.ils_untaxed_agorot = 0 then 0::bigint else s.agorot end, 0::bigint, s.agorot
  from payment_returns r
    join document_payments y on y.company_id = r.company_id and y.id = r.payment_id
    join documents d on d.company_id = y.company_id and d.id = y.document_id and d.type = 11
    join entries e on e.company_id = r.company_id and e.id in (r.entry_id, r.undo_entry_id)
    cross join lateral (select case when e.id = r.entry_id then -y.ils_agorot else y.ils_agorot end as agorot) s;
grant select on income_documents to pinkas_app;
