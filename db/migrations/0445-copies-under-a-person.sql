-- Copies to external storage are made with the rights of the person who connected the place. A place pauses when that person left the business or no longer sees all of it.
alter table drive_targets
  drop constraint drive_targets_state_check,
  add constraint drive_targets_state_check check (state in ('on', 'off', 'revoked', 'full', 'paused')),
  add column paused_why text check (paused_why in ('left', 'limited', 'key')),
  add constraint drive_targets_paused check ((state = 'paused') = (paused_why is not null));
create index drive_targets_untold on drive_targets (company_id, id) where state = 'paused' and told_at is null and archived_at is null;

-- What people with less than all rights connected, or an API key did, pauses until somebody with all rights turns it on.
-- The log keeps the prefix of a key before the address. A place that is off is judged when it is turned on.
update drive_targets t set state = 'paused', told_at = null, rest_until = null, updated_at = now(), paused_why = w.why
from (
  select d.company_id, d.id, case
    when m.user_id is null or m.removed_at is not null or m.blocked_at is not null or u.blocked_at is not null then 'left'
    when not allows_all(m.rules) or cardinality(m.docs_allow) > 0 or m.hide_total_prices or m.own_customers_only then 'limited'
    when exists (select 1 from audit_log a where a.company_id = d.company_id and a.action = 'drive.add' and a.entity = 'driveTargets'
      and a.entity_id = d.id and a.address like 'pk\_%') then 'key' end as why
  from drive_targets d join users u on u.id = d.created_by
    left join memberships m on m.company_id = d.company_id and m.user_id = d.created_by
  where d.archived_at is null and d.state <> 'off') w
where t.company_id = w.company_id and t.id = w.id and w.why is not null;
