-- Drafts are few beside what was issued: home counts them, and a list shows them, without reading all papers of years.
create index documents_drafts on documents (company_id, day desc, id desc) where status = 'draft';
