-- Banks let go of what is held after some days, whether anybody says so or not: the acquirer is asked then. Where it named no day it is a week.
update charges set held_until = coalesce(held_until, updated_at + interval '7 days'), ask_at = coalesce(ask_at, held_until, updated_at + interval '7 days')
  where state = 'held';
update pay_purchases p set held_until = c.held_until from charges c
  where c.company_id = p.company_id and c.id = p.charge_id and p.state = 'held' and c.state = 'held' and p.held_until is null;
