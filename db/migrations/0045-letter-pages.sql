-- A letter that is mailed has a page of its own, so that it is known whether its customer opened it, as it is known of documents.

-- Of letters that were mailed; whoever has the key may read. Letters from before have none.
alter table letters add column page_key text check (length(page_key) >= 40);
create unique index letters_by_key on letters (page_key) where page_key is not null;
