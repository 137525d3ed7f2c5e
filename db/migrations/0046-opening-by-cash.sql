-- Who pays tax by what he receives counts a debt from before the opening as income on the day it is paid, because no year has counted it yet. Each such
-- debt carries a mark, so that its payment knows.

alter table opening_items add column income_when_paid boolean not null default false;
comment on column opening_items.income_when_paid is 'No year has counted it: its payment is income of the day it is paid.';

-- What a paper of the time is called is looked up from the document it became.
create index opening_items_of_document on opening_items (company_id, document_id) where document_id is not null;

-- Whoever sees only his own customers sees what they owed before, as he sees their documents; what suppliers are owed he does not.
drop policy own_customers on opening_items;
create policy own_customers on opening_items as restrictive to pinkas_own
  using (role = 'customer' and exists (select 1 from parties p where p.company_id = opening_items.company_id and p.id = opening_items.party_id));
