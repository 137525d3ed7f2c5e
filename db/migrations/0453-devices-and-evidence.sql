-- A person sees the devices that an account knows and can have one forgotten: the next log-in from it is announced again.
alter table known_devices
  add column id uuid not null default gen_random_uuid(),
  -- A forgotten device stays in the table, so that another one of its kind at the same address does not vouch for it.
  add column forgotten_at timestamptz;
create unique index known_devices_by_id on known_devices (id);
-- Which known device a session was opened in.
alter table sessions add column device_hash bytea;

-- More evidence that an address is its owner's, for accounts from before addresses were verified: a message of support was
-- answered by the address that is known only from it, or the plan of a business they own was paid.
update users u set email_verified_at = now()
where u.email_verified_at is null
  and u.created_at < (select m.timestamp::timestamptz from migrations m where m.name = '0438-identity')
  and (exists (select 1 from ticket_messages m
      join tickets t on t.company_id = m.company_id and t.id = m.ticket_id
    where m.author = 'asker' and m.message_ref is not null and not m.held and m.user_id = u.id and t.asker_id = u.id)
  or exists (select 1 from memberships o
      join affiliate_signups s on s.client_id = o.company_id
      join pay_purchases p on p.company_id = s.company_id and p.utm ->> 'utm_business' = s.business_key
        and p.state = 'subscribed'
      join standing_periods r on r.company_id = p.company_id and r.order_id = p.order_id
      join documents d on d.company_id = r.company_id and d.id = r.document_id
    where o.user_id = u.id and o.type_id = 4 and allows_all(o.rules) and o.removed_at is null and d.total_agorot > 0
      and ((d.type = 9 and d.status not in ('draft', 'cancelled'))
        or (d.type = 8 and d.open_agorot = 0 and d.status = 'closed')
        or (d.type = 5 and d.asked_agorot = 0 and d.status = 'closed'))));
