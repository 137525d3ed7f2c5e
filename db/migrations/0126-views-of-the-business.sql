-- A saved view can be everybody's: one person arranges a list or a report, all others find it beside their own.
alter table saved_views add column is_shared boolean not null default false;
create index saved_views_shared on saved_views (company_id, list) where is_shared;
