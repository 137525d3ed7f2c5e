-- The law lets a minor work no overtime: when somebody was born, where he is one. And a clock that was forgotten is told of once.

alter table work_terms add column born date check (born > '1900-01-01');
alter table clockings add column forgotten_at timestamptz;
create index clockings_forgotten on clockings (started_at) where ended_at is null and archived_at is null and forgotten_at is null;
