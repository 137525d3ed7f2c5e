-- Whoever writes a program tries it on a test business: a business beside the real one, with numbers and books of its own, whose papers say what they are and
-- from which nothing leaves. It is emptied and thrown away like a demo.
alter table companies add column test_of uuid references companies (id);
alter table companies add constraint companies_test_is_demo check (test_of is null or (demo and test_of <> id));
create unique index companies_test_of on companies (test_of) where test_of is not null;
