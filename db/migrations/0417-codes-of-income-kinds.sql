-- A kind of income has a code, by which the accountant and other programs know it: one for a business, of those that are not archived.
alter table income_kinds add column code text check (length(code) between 1 and 20);
create unique index income_kinds_code on income_kinds (company_id, code) where code is not null and archived_at is null;
