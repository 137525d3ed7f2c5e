-- People of a group may sign one after another, as they stand in it, where the template leaves them side by side.
alter table sign_groups add column in_turn boolean not null default false;
