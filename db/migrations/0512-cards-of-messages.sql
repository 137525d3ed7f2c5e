-- What a mail is about stands above its text: the amount and the one thing to press. It is kept with the message, so that
-- a message that is sent again looks as it did.
alter table messages add column card jsonb;
