-- The page that holds an acquirer's frame is found by the reference of its form.
create index charges_by_reference on charges (reference) where reference is not null;
