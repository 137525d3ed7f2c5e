-- The orders of which something is still to come are few among all that were ever written: reports of them look at those alone. And whoever sums up the income
-- of a long period by customer or by seller reads it from one index instead of from every document.
create index documents_open_orders on documents (company_id, type, day) where type in (2, 7) and status in ('issued', 'partlyClosed');
drop index documents_vat;
create index documents_vat on documents (company_id, day) include (type, ils_net_agorot, ils_vat_agorot, ils_untaxed_agorot, ils_total_agorot, customer_id, agent_id) where status <> 'draft';
-- Money papers that are the income themselves, few or none where VAT is charged; what was closed since a day, for debts as they stood on it.
create index documents_money_income on documents (company_id, day) where type in (6, 11) and ils_net_agorot <> 0 and status <> 'draft';
create index settlements_by_day on settlements (company_id, day);
