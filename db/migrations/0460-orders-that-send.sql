-- What is sent on a schedule, asked for on a page or taken off a price later is bound to who ordered it, too.
-- What was there before: under the person who last set it, as the log tells; under the business where it tells nobody.
create function last_setter(company uuid, actions text[], thing uuid) returns uuid
language sql stable as $$
  select a.user_id from audit_log a join memberships m on m.company_id = a.company_id and m.user_id = a.user_id
    where a.company_id = company and a.action = any (actions) and (thing is null or a.entity_id = thing)
    order by a.id desc limit 1
$$;

insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select p.company_id, 'reminderPlans', p.company_id, last_setter(p.company_id, '{reminders.change}', null), p.updated_at
  from reminder_plans p;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select b.company_id, 'bookingPages', b.company_id, last_setter(b.company_id, '{bookingPage.set}', null), b.updated_at
  from booking_pages b;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select a.company_id, 'accountantPackages', a.id,
    last_setter(a.company_id, '{accountants.invite,accountants.change}', a.id), a.updated_at
  from accountants a;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select p.company_id, 'reportPlans', p.id, p.created_by, p.updated_at from report_plans p;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select b.company_id, 'committeeReminders', b.id, last_setter(b.company_id, '{committee.setReminders}', b.id), b.updated_at
  from committee_buildings b;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select b.company_id, 'committeePages', b.id,
    last_setter(b.company_id, '{committee.setRate,committee.openingDebt,committee.tenantPage}', b.id), b.updated_at
  from committee_buildings b;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select c.company_id, 'coupons', c.id, case when m.user_id is not null then c.created_by end, c.created_at
  from coupons c left join memberships m on m.company_id = c.company_id and m.user_id = c.created_by;

drop function last_setter(uuid, text[], uuid);
