-- Whoever has a pass is told before it ends, once.
alter table passes add column warned_at timestamptz;

-- A customer reads his own bookings in a calendar elsewhere.
alter table class_feeds add column customer_id uuid;
alter table class_feeds add foreign key (company_id, customer_id) references parties (company_id, id);
alter table class_feeds drop constraint class_feeds_check;
alter table class_feeds add check (num_nonnulls(trainer_id, place_id, customer_id) <= 1);
