-- What a business writes of its standing orders in words of its own, letter by letter and language by language; where there is no row the ready words are said.
create table standing_words (
  company_id uuid not null references companies,
  letter text not null check (length(letter) between 1 and 30),
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  subject text not null check (length(subject) between 1 and 200),
  body text not null check (length(body) between 1 and 4000),
  sms text not null check (length(sms) between 1 and 300),
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, letter, language)
);
select secure_table('standing_words', 'select, insert, update, delete');
