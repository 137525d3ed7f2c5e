-- What a key ordered before there were limits is bound to the key, as the log tells; and whatever of the past could not
-- be carried out any more is put into the inbox once, by a job.
update authorities a set key_id = k.id
  from audit_log l join api_keys k on k.company_id = l.company_id and starts_with(l.address, k.prefix || '…')
  where l.company_id = a.company_id and k.created_by = a.user_id and a.key_id is null
    and (l.entity_id = a.subject_id or (l.action = 'reminders.change' and a.kind = 'reminderPlans'))
    and l.action = any ('{standingOrders.create,payPages.create,shops.create,signRequests.send,coupons.create,reportPlans.create,reportPlans.change,accountants.invite,accountants.change,reminders.change,bookingPage.set,committee.setReminders,committee.setRate,committee.openingDebt}')
    and l.at between a.ordered_at - interval '1 minute' and a.ordered_at + interval '1 minute';

insert into outbox (id, company_id, name, payload)
  select new_event_id(), null, 'approvals.upgrade', '{}' where exists (select 1 from authorities);
