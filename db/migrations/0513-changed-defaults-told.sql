-- A default that a release changed is announced once to a person who runs a business: up to which release that was done.
-- Null before the first announcement.
alter table users add column release_told text check (release_told ~ '^\d+\.\d+\.\d+$');
grant select (release_told) on users to pinkas_app;
