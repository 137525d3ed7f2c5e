-- An answer of the desk may be written now and sent later. Until then it is the desk's alone; a word of the asker meanwhile stops it, for it may answer what is no
-- longer asked.
alter table ticket_messages
  add column send_at timestamptz,
  -- Null: said. waits: for its moment. stopped: the asker wrote, or the ticket was closed. dropped: taken back.
  add column planned text check (planned in ('waits', 'stopped', 'dropped')),
  -- What becomes of the ticket with it.
  add column solves boolean not null default false,
  add column leased_until timestamptz,
  add check (planned is null or (author = 'desk' and send_at is not null));
create index ticket_messages_to_send on ticket_messages (send_at) where planned = 'waits';
