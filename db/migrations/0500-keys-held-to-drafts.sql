-- Keys held to drafts could once cause more than drafts. Those that may have done so are looked at once, and asked about in
-- the inbox of approvals by the job of upgrades.
insert into authorities (company_id, kind, subject_id, user_id, key_id, limits, ordered_at)
  select k.company_id, 'apiKeys', k.id, k.created_by, k.id, '{"draftsOnly": true}', k.created_at
  from api_keys k
  where k.drafts_only and k.revoked_at is null and k.used_at is not null
    and (k.expires_at is null or k.expires_at > now());

insert into outbox (id, company_id, name, payload)
  select new_event_id(), null, 'approvals.upgrade', '{"kinds": ["apiKeys"]}'
  where exists (select 1 from authorities where kind = 'apiKeys');
