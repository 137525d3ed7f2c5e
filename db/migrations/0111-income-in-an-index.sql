-- A question over a year of papers is answered out of the index by day without a look at the papers themselves, whosever they are and whoever sold them;
-- what stands in it beside never changes once a paper is issued, so that payments leave it alone.
drop index if exists documents_vat;
create index documents_vat on documents (company_id, day)
  include (type, ils_net_agorot, ils_vat_agorot, ils_untaxed_agorot, ils_total_agorot, customer_id, agent_id) where status <> 'draft';
