-- A unit told apart moves with its goods: which movement of stock took it along stands beside the event, and a unit may change its store or come back with a cancelled paper.

alter table serial_events add column move_id uuid;
alter table serial_events drop constraint serial_events_kind_check;
alter table serial_events add constraint serial_events_kind_check
  check (kind in ('expected', 'received', 'sold', 'returned', 'scrapped', 'missing', 'found', 'moved', 'cancelled'));
alter table serial_events add foreign key (company_id, move_id) references stock_moves (company_id, id);
create index serial_events_of_document on serial_events (company_id, document_id, kind) where document_id is not null;
