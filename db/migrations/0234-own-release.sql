-- What of the news somebody has seen is asked at every start, inside his business: a second connection for it would be one too many when many begin at once.
grant select (release_seen, created_at) on users to pinkas_app;
