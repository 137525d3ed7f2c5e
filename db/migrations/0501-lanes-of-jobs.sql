-- Jobs are claimed lane by lane, by their names: a backlog of one kind is not read through to find the others.
create index outbox_of_name on outbox (name, run_after) where done_at is null and failed_at is null;
