-- The release whose news a person saw last: what came after it is new to him. Null before his first look.
alter table users add column release_seen text check (release_seen ~ '^\d+\.\d+\.\d+$');
