-- People of a business: sets of rights, invitations, and who may give what to whom; its accountant and his monthly package.

alter table memberships add column job text not null default '' check (length(job) <= 80);
alter table memberships add column invited_by uuid;
alter table memberships add column seen_at timestamptz;
alter table memberships add column blocked_at timestamptz;
-- Whoever leaves stays known by name beside what he did.
alter table memberships add column removed_at timestamptz;
create index memberships_of_set on memberships (company_id, rule_id) where rule_id <> 0;

-- A named set of rights. Its people carry a copy of it, so that a call reads one row; a change of the set changes the copies.
create table permission_sets (
  company_id uuid not null references companies,
  id uuid not null,
  -- `ruleid` of the stored session.
  number integer not null check (number > 0),
  name text not null check (length(name) between 1 and 60),
  -- The ready-made set it began as.
  starter text,
  rules integer[] not null,
  docs_allow smallint[] not null default '{}',
  hide_nav_header boolean not null default false,
  hide_total_prices boolean not null default false,
  own_customers_only boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, number)
);
create unique index permission_sets_by_name on permission_sets (company_id, lower(name));
select secure_table('permission_sets', 'select, insert, update, delete');

create table invitations (
  company_id uuid not null references companies,
  id uuid not null,
  email text not null check (email = lower(email) and email like '%_@_%'),
  full_name text not null check (length(full_name) between 1 and 120),
  job text not null default '' check (length(job) <= 80),
  language text not null check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  type_id smallint not null check (type_id in (4, 5, 9)),
  sub_type_id smallint not null default 0 check (sub_type_id in (0, 1, 2)),
  rule_id integer not null default 0,
  rules integer[] not null default '{}',
  docs_allow smallint[] not null default '{}',
  hide_nav_header boolean not null default false,
  hide_total_prices boolean not null default false,
  own_customers_only boolean not null default false,
  is_active_button boolean not null default true,
  -- Only the hash of the link's key: who reads the table cannot come in.
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  invited_by uuid not null,
  used_at timestamptz,
  used_by uuid,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id)
);
create unique index invitations_waiting on invitations (company_id, email) where used_at is null and revoked_at is null;
select secure_table('invitations', 'select, insert, update');

-- Who is here and who is asked to come.
create view team with (security_invoker = true) as
  select m.company_id, m.user_id as id, u.full_name as name, u.email, u.phone, m.job, u.language, m.type_id, m.sub_type_id, m.rule_id, m.rules, m.docs_allow,
    m.hide_nav_header, m.hide_total_prices, m.own_customers_only, m.is_active_button,
    case when m.blocked_at is not null then 'blocked' else 'active' end as state,
    m.seen_at, null::timestamptz as expires_at, m.created_at, m.created_at as updated_at
  from memberships m join users u on u.id = m.user_id where m.removed_at is null
  union all
  select i.company_id, i.id, i.full_name, i.email, '', i.job, i.language, i.type_id, i.sub_type_id, i.rule_id, i.rules, i.docs_allow,
    i.hide_nav_header, i.hide_total_prices, i.own_customers_only, i.is_active_button,
    'invited', null, i.expires_at, i.created_at, i.updated_at
  from invitations i where i.used_at is null and i.revoked_at is null;
grant select on team to pinkas_app;

create function allows_all(rules integer[]) returns boolean language sql immutable
  as $$ select cardinality(rules) = 0 or rules[1] = -1 $$;

-- Whether the person who acts holds all of these rights himself: nobody gives what he has not got.
create function within_own_rights(company uuid, given integer[], docs smallint[], hides boolean, own boolean) returns boolean language sql stable as $$
  select exists (select 1 from memberships a where a.company_id = company and a.user_id = current_person() and a.blocked_at is null and a.removed_at is null
    and (allows_all(a.rules) or (not allows_all(given) and given <@ a.rules))
    and (cardinality(a.docs_allow) = 0 or (cardinality(docs) > 0 and docs <@ a.docs_allow))
    and (hides or not a.hide_total_prices) and (own or not a.own_customers_only))
$$;

-- The second wall of rights: refused even where a command should forget to ask.
create function guard_membership() returns trigger language plpgsql as $$
begin
  if current_user not in ('pinkas_app', 'pinkas_own') then return new; end if;
  if not within_own_rights(new.company_id, old.rules, old.docs_allow, old.hide_total_prices, old.own_customers_only)
    or not within_own_rights(new.company_id, new.rules, new.docs_allow, new.hide_total_prices, new.own_customers_only) then
    raise exception 'beyond own rights' using errcode = 'PK011';
  end if;
  if old.type_id = 4 and allows_all(old.rules) and old.blocked_at is null and old.removed_at is null
    and (new.type_id <> 4 or not allows_all(new.rules) or cardinality(new.docs_allow) > 0 or new.hide_total_prices or new.own_customers_only
      or new.blocked_at is not null or new.removed_at is not null) then
    -- One after the other: two owners must not shut each other out at once.
    perform 1 from companies where id = new.company_id for update;
    if not exists (select 1 from memberships o where o.company_id = new.company_id and o.user_id <> new.user_id and o.type_id = 4 and allows_all(o.rules)
      and cardinality(o.docs_allow) = 0 and not o.hide_total_prices and not o.own_customers_only and o.blocked_at is null and o.removed_at is null) then
      raise exception 'the last owner stays' using errcode = 'PK012';
    end if;
  end if;
  return new;
end $$;
create trigger membership_guarded before update on memberships for each row execute function guard_membership();
grant update (job, sub_type_id, rules, docs_allow, hide_nav_header, hide_total_prices, own_customers_only, is_active_button, rule_id, blocked_at, removed_at)
  on memberships to pinkas_app;

create function guard_invitation() returns trigger language plpgsql as $$
begin
  if current_user in ('pinkas_app', 'pinkas_own')
    and not within_own_rights(new.company_id, new.rules, new.docs_allow, new.hide_total_prices, new.own_customers_only) then
    raise exception 'beyond own rights' using errcode = 'PK011';
  end if;
  return new;
end $$;
create trigger invitation_guarded before insert or update on invitations for each row execute function guard_invitation();

-- Sessions are the system's own; a business may end those of its people in it, and no others.
create function end_sessions(person uuid) returns void language sql security definer set search_path = public
  as $$ delete from sessions where company_id = current_company() and user_id = person $$;
revoke execute on function end_sessions(uuid) from public;
grant execute on function end_sessions(uuid) to pinkas_app;

create index audit_of_person on audit_log (company_id, user_id, at desc, id desc);

create table accountants (
  company_id uuid not null references companies,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  office text not null default '' check (length(office) <= 120),
  email text not null check (email = lower(email) and email like '%_@_%'),
  phone text not null default '',
  language text not null default 'he' check (language in ('he', 'en', 'ar', 'ru', 'fr')),
  access text not null check (access in ('all', 'books', 'reports')),
  may_expenses boolean not null default false,
  may_post boolean not null default false,
  -- The day of the month on which the package of the month before is mailed; none without a day.
  send_day smallint check (send_day between 1 and 28),
  contents text[] not null default '{}',
  -- Counts up with every change of the day: a mailing planned before it is void.
  plan integer not null default 0,
  invitation_id uuid not null,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, invitation_id) references invitations (company_id, id)
);
create unique index accountants_by_email on accountants (company_id, email) where archived_at is null;
select secure_table('accountants', 'select, insert, update');

-- The planned package of a month goes out once, whatever runs twice.
create table accountant_packages (
  company_id uuid not null,
  accountant_id uuid not null,
  month date not null,
  message_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (company_id, accountant_id, month),
  foreign key (company_id, accountant_id) references accountants (company_id, id)
);
select secure_table('accountant_packages', 'select, insert');
