-- Which types of documents the caller of a transaction may see. The server says so at its beginning (pinkas.types: numbers with commas, empty for all),
-- so that a query written once for everybody can leave out documents of other types.
create function sees_type(type smallint) returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('pinkas.types', true), '') = '' or type = any (string_to_array(current_setting('pinkas.types', true), ',')::smallint[])
$$;

-- The id of a document that the caller may see; null of any other.
create function seen_document(company uuid, document uuid) returns uuid language sql stable parallel safe as $$
  select d.id from documents d where d.company_id = company and d.id = document and sees_type(d.type)
$$;
