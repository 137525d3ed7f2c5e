-- Work that was given up after all tries is counted and listed for the operator of the installation.
create index outbox_given_up on outbox (failed_at) where failed_at is not null;
create index messages_failed on messages (updated_at) where state = 'failed';
create index drive_copies_failed on drive_copies (company_id, target_id) where state = 'failed';
create index webhook_deliveries_failed on webhook_deliveries (company_id, endpoint_id) where state = 'failed';
-- Since when operators were last notified of it.
create table given_up_told (
  id smallint primary key default 1 check (id = 1),
  told_at timestamptz not null
);
insert into given_up_told (told_at) values (now());
