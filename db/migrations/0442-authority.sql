-- Who ordered what happens later, and within which limits: kept beside the instruction, checked when it is carried out.
create table authorities (
  company_id uuid not null references companies,
  kind text not null,
  subject_id uuid not null,
  -- Null: the business itself, such as a payer who follows a link or what was there before this table.
  user_id uuid references users,
  key_id uuid,
  -- The limits of that moment; today's are applied beside them.
  limits jsonb not null default '{}',
  ordered_at timestamptz not null default now(),
  primary key (company_id, kind, subject_id),
  foreign key (company_id, key_id) references api_keys (company_id, id)
);
select secure_table('authorities', 'select, insert, update');

-- What waits for a person: an instruction that reached beyond the limits of who gave it.
create table approvals (
  company_id uuid not null references companies,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  user_id uuid references users,
  key_id uuid,
  effect text not null,
  -- Why it was not carried out, as a word.
  why text not null,
  amount_agorot bigint,
  document_type smallint,
  limit_agorot bigint,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'ended')),
  asked_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid references users,
  reason text not null default '' check (length(reason) <= 500),
  primary key (company_id, id),
  foreign key (company_id, key_id) references api_keys (company_id, id)
);
create unique index approvals_waiting on approvals (company_id, kind, subject_id) where state = 'waiting';
create index approvals_by_time on approvals (company_id, asked_at desc, id desc);
select secure_table('approvals', 'select, insert, update');

grant select (blocked_at) on users to pinkas_app;

-- What a program asked for rings for the person whose key it has, too.
create or replace function ring(company uuid, of text, thing text, thing_id uuid, said jsonb, people uuid[]) returns void
language plpgsql security definer set search_path = public as $$
begin
  with wanted as (
    select m.user_id, coalesce(c.way, 'screen') as way from memberships m
      left join notification_choices c on c.company_id = m.company_id and c.user_id = m.user_id and c.kind = of
    where m.company_id = company and m.user_id = any (people) and m.removed_at is null and m.blocked_at is null
      and (m.user_id is distinct from current_person() or of in ('task.reminder', 'approvals.asked'))
  ), rung as (
    insert into notifications (company_id, user_id, id, kind, entity, entity_id, params, by_user)
    select company, w.user_id, new_event_id(), of, thing, thing_id, coalesce(said, '{}'),
      nullif(current_person(), '00000000-0000-0000-0000-000000000000')
    from wanted w where w.way <> 'none' returning user_id, id
  )
  insert into outbox (id, company_id, name, payload)
  select new_event_id(), company, 'bell.mail', jsonb_build_object('userId', r.user_id, 'id', r.id)
  from rung r join wanted w on w.user_id = r.user_id where w.way = 'mail';
end $$;

-- What was there before: under who made it, within the limits of today; charges under the business itself.
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select o.company_id, 'standingOrders', o.id, case when m.user_id is not null then o.created_by end, o.created_at
  from standing_orders o left join memberships m on m.company_id = o.company_id and m.user_id = o.created_by;
insert into authorities (company_id, kind, subject_id, user_id, key_id, ordered_at)
  select l.company_id, 'paymentLinks', l.id, case when m.user_id is not null then l.created_by end,
    case when m.user_id is not null then l.key_id end, l.created_at
  from payment_links l left join memberships m on m.company_id = l.company_id and m.user_id = l.created_by;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select p.company_id, 'payPages', p.id, case when m.user_id is not null then p.created_by end, p.created_at
  from pay_pages p left join memberships m on m.company_id = p.company_id and m.user_id = p.created_by;
insert into authorities (company_id, kind, subject_id, ordered_at)
  select company_id, 'charges', id, created_at from charges;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select s.company_id, 'shops', s.id, case when m.user_id is not null then s.created_by end, s.created_at
  from shops s left join memberships m on m.company_id = s.company_id and m.user_id = s.created_by;
insert into authorities (company_id, kind, subject_id, user_id, ordered_at)
  select r.company_id, 'signRequests', r.id, case when m.user_id is not null then r.sent_by end, r.sent_at
  from sign_requests r left join memberships m on m.company_id = r.company_id and m.user_id = r.sent_by;
insert into authorities (company_id, kind, subject_id, user_id)
  select d.company_id, 'affiliatePayDays', d.company_id, case when m.user_id is not null then d.set_by end
  from affiliate_pay_days d left join memberships m on m.company_id = d.company_id and m.user_id = d.set_by;
