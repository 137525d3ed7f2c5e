-- A program may set up by its key what it is told, and is told no more than the key may see. What was put back from a backup tells nobody by itself: the
-- business it was taken of may still be telling.
alter table webhook_endpoints add column key_id uuid, add foreign key (company_id, key_id) references api_keys (company_id, id);
alter table webhook_endpoints drop constraint webhook_endpoints_off_why_check;
alter table webhook_endpoints add constraint webhook_endpoints_off_why_check check (off_why in ('person', 'gone', 'failing', 'owner', 'restored'));
