-- A renter's debt is his own; after so many days its owner is told of it too, where the house wants that. Without a number he never is.

alter table committee_buildings add column owner_copy_days smallint check (owner_copy_days between 1 and 365);
