-- A document may name the worker who sold it, for lists and for his part of the income: frozen with it like whoever issued it, so it stays when he
-- leaves the business. The column was there and nothing wrote it.
create index documents_of_agent on documents (company_id, agent_id, day) where agent_id is not null;
