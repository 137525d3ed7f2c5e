-- What customers are written of their bookings in words of the business, letter by letter and language by language.
create table booking_words (
  company_id uuid not null references companies,
  letter text not null check (letter in ('booked', 'moved', 'cancelled', 'offered', 'reminder')),
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  subject text not null check (length(subject) between 1 and 200),
  body text not null check (length(body) between 1 and 2000),
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (company_id, letter, language)
);
select secure_table('booking_words', 'select, insert, update, delete');
