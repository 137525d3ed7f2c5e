-- Seats that are reserved on the booking page without being paid are limited by address too, as on payment pages: a mark of the address, which is worth
-- nothing without the key of the installation.
alter table class_bookings add column begun_from bytea check (length(begun_from) = 32);
create index class_bookings_begun_from on class_bookings (company_id, begun_from) where begun_from is not null;

-- Wrong passwords of a shared report are counted by source, with all other guesses.
alter table report_shares drop column wrong_tries, drop column wait_until;
