-- A business may want whoever books on its page to pay at once: then his seat is held while he does, and free again when he does not.
alter table booking_pages add column pay_first boolean not null default false;
