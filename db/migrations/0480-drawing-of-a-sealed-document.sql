-- The picture of a document that its customer and the business look at shows what was sealed: it is drawn once, with the
-- sealed file, and not again from settings and logos of a later day. Files sealed before have none and are drawn when they are asked for.
alter table document_papers add column drawing bytea;
