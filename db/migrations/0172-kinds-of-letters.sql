-- Kinds of letters are listed by the program (src/features/office/messages/kinds.ts), where each says who may read it; a feature that sends a new one
-- needs no migration for it.
alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind ~ '^[a-z][a-zA-Z0-9]{1,29}$');
