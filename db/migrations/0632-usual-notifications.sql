-- Owners hear of what they want to know of without choosing it first: money that came or failed, signatures, bookings, leads, answers to quotes. Each person
-- can turn a kind off.

create function is_usual_notification(kind text) returns boolean language sql immutable as $$
  select kind in ('charge.paid', 'charge.declined', 'charge.disputed', 'standingOrder.failing', 'signature.done', 'signature.declined',
    'classBooking.made', 'classBooking.cancelled', 'lead.created', 'quote.accepted', 'quote.declined', 'quote.commented')
$$;

create or replace function bell_hears() returns trigger language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
begin
  with wanted as (
    select f.company_id, m.user_id, f.name, f.entity, f.entity_id, f.payload, f.by_user, f.at,
      coalesce(c.way, case when is_usual_notification(f.name) and m.type_id = 4 and m.office_id is null
        and (cardinality(m.rules) = 0 or m.rules[1] = -1) and cardinality(m.docs_allow) = 0 and not m.own_customers_only
        and not m.hide_total_prices then 'screen' else 'none' end) as way
    from fresh f join memberships m on m.company_id = f.company_id and m.removed_at is null and m.blocked_at is null
      left join notification_choices c on c.company_id = f.company_id and c.user_id = m.user_id and c.kind = f.name
    where m.user_id is distinct from f.by_user and (c.way is not null or is_usual_notification(f.name))
  ), rung as (
    insert into notifications (company_id, user_id, id, kind, entity, entity_id, params, by_user, at)
    select w.company_id, w.user_id, new_event_id(), w.name, w.entity, w.entity_id, w.payload, w.by_user, w.at
    from wanted w where w.way <> 'none' returning company_id, user_id, id, kind
  )
  insert into outbox (id, company_id, name, payload)
  select new_event_id(), r.company_id, 'bell.mail', jsonb_build_object('userId', r.user_id, 'id', r.id)
  from rung r join wanted w on w.company_id = r.company_id and w.user_id = r.user_id and w.name = r.kind where w.way = 'mail'
  group by r.company_id, r.user_id, r.id;
  return null;
end $$;
