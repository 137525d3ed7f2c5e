-- Lists go by the values that programs hang on records.
create index record_marks_by_metadata on record_marks using gin (company_id, entity, metadata jsonb_path_ops);
