-- The bell: what a person is told of. Some is for him by name (a task given, a word to him); the rest is what events tell, as far as he wants it.
create table notifications (
  company_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  kind text not null check (length(kind) between 1 and 60),
  entity text not null check (length(entity) between 1 and 60),
  entity_id uuid,
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object' and pg_column_size(params) < 4000),
  by_user uuid,
  at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  primary key (company_id, user_id, id)
);
select secure_table('notifications', 'select, update');
create policy of_the_person on notifications as restrictive to pinkas_app using (user_id = current_person());
create index notifications_unread on notifications (company_id, user_id) where read_at is null;
create index notifications_old on notifications using brin (at);

-- What he wants of a kind: beside the bell, by mail too, or not at all.
create table notification_choices (
  company_id uuid not null,
  user_id uuid not null,
  kind text not null check (length(kind) between 1 and 60),
  way text not null check (way in ('screen', 'mail', 'none')),
  primary key (company_id, kind, user_id),
  foreign key (company_id, user_id) references memberships (company_id, user_id)
);
select secure_table('notification_choices', 'select, insert, update');
create policy of_the_person on notification_choices as restrictive to pinkas_app using (user_id = current_person());

-- Rings for people by name, as each wants it; whoever did it himself needs no bell. As the owner: nobody writes into another's bell by a plain insert.
create function ring(company uuid, of text, thing text, thing_id uuid, said jsonb, people uuid[]) returns void
language plpgsql security definer set search_path = public as $$
begin
  with wanted as (
    select m.user_id, coalesce(c.way, 'screen') as way from memberships m
      left join notification_choices c on c.company_id = m.company_id and c.user_id = m.user_id and c.kind = of
    where m.company_id = company and m.user_id = any (people) and m.removed_at is null and m.blocked_at is null
      and (m.user_id is distinct from current_person() or of = 'task.reminder')
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

-- The same events as everybody else hears, for those who asked for their kind.
create function bell_hears() returns trigger language plpgsql security definer set search_path = public set plan_cache_mode = force_generic_plan as $$
begin
  with rung as (
    insert into notifications (company_id, user_id, id, kind, entity, entity_id, params, by_user, at)
    select f.company_id, c.user_id, new_event_id(), f.name, f.entity, f.entity_id, f.payload, f.by_user, f.at
    from fresh f join notification_choices c on c.company_id = f.company_id and c.kind = f.name and c.way <> 'none'
      join memberships m on m.company_id = c.company_id and m.user_id = c.user_id and m.removed_at is null and m.blocked_at is null
    where c.user_id is distinct from f.by_user returning company_id, user_id, id, kind
  )
  insert into outbox (id, company_id, name, payload)
  select new_event_id(), r.company_id, 'bell.mail', jsonb_build_object('userId', r.user_id, 'id', r.id)
  from rung r join notification_choices c on c.company_id = r.company_id and c.user_id = r.user_id and c.kind = r.kind where c.way = 'mail';
  return null;
end $$;
create trigger bell_hears after insert on events referencing new table as fresh for each statement execute function bell_hears();
