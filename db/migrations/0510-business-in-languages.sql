-- A document in another language than the business's names the business in that language. What a row leaves empty is
-- printed as it is in the business's own language; a row that leaves everything empty says that this was chosen.
create table company_languages (
  company_id uuid not null references companies,
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  name text not null default '' check (length(name) <= 120),
  street text not null default '' check (length(street) <= 120),
  city text not null default '' check (length(city) <= 80),
  bank_details text not null default '' check (length(bank_details) <= 500),
  updated_at timestamptz not null default now(),
  primary key (company_id, language)
);
select secure_table('company_languages', 'select, insert, update');

-- An account has one international number in every language.
alter table companies add column iban text not null default '' check (iban ~ '^([A-Z]{2}[0-9]{2}[A-Z0-9]{11,30})?$');
alter table companies add column swift text not null default '' check (swift ~ '^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$');
