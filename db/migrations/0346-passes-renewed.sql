-- A pass that comes again with each charge of a standing order that was paid, and goes with a charge that went back.
alter table pass_kinds add column renews text not null default 'once' check (renews in ('once', 'week', 'month', 'quarter', 'year'));

-- Whose order brings which passes.
create table pass_renewals (
  company_id uuid not null,
  order_id uuid not null,
  kind_id uuid not null,
  customer_id uuid not null,
  people uuid[] not null default '{}',
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, order_id),
  foreign key (company_id, order_id) references standing_orders (company_id, id),
  foreign key (company_id, kind_id) references pass_kinds (company_id, id),
  foreign key (company_id, customer_id) references parties (company_id, id)
);
create index pass_renewals_of on pass_renewals (company_id, customer_id);
select secure_table('pass_renewals', 'select, insert, update');
create policy own_customers on pass_renewals as restrictive to pinkas_own
  using (exists (select 1 from parties p where p.company_id = pass_renewals.company_id and p.id = pass_renewals.customer_id));

alter table passes add column order_id uuid, add column period_start date,
  add foreign key (company_id, order_id) references pass_renewals (company_id, order_id),
  add check ((order_id is null) = (period_start is null));
-- The days of a charge bring one pass, whatever is told twice.
create unique index passes_of_period on passes (company_id, order_id, period_start) where order_id is not null;
alter table passes drop constraint passes_end_reason_check;
alter table passes add constraint passes_end_reason_check check (end_reason in ('', 'expired', 'cancelled', 'used', 'refunded'));
alter table pass_moves drop constraint pass_moves_why_check;
alter table pass_moves add constraint pass_moves_why_check check (why in ('bought', 'used', 'returned', 'expired', 'fixed', 'refunded'));

-- Whatever pays a charge (a card, a debit, a receipt by hand) or takes the money back says so here, in its own transaction.
create function pass_follows_turn() returns trigger language plpgsql security definer set search_path = public as $$
declare
  r pass_renewals;
  p passes;
  bought smallint;
  rest integer;
begin
  select * into r from pass_renewals where company_id = new.company_id and order_id = new.order_id;
  if not found then return null; end if;
  select * into p from passes where company_id = new.company_id and order_id = new.order_id and period_start = new.period_start for update;
  if new.state = 'done' then
    if p.id is null then
      select visits into bought from pass_kinds where company_id = r.company_id and id = r.kind_id;
      insert into passes (company_id, id, kind_id, customer_id, visits, price_agorot, from_day, to_day, document_id, created_by, order_id, period_start)
        values (r.company_id, new_event_id(), r.kind_id, r.customer_id, bought, new.total_agorot, new.period_start, new.period_end, new.document_id, r.created_by, r.order_id, new.period_start)
        returning * into p;
      insert into pass_people (company_id, pass_id, customer_id)
        select r.company_id, p.id, who from (select r.customer_id as who union select unnest(r.people)) all_of;
      if bought is not null then
        insert into pass_moves (company_id, id, pass_id, visits, why) values (r.company_id, new_event_id(), p.id, bought, 'bought');
      end if;
    elsif p.end_reason = 'refunded' then
      select -coalesce(sum(visits) filter (where why = 'refunded'), 0) - coalesce(sum(visits) filter (where why = 'bought'), 0) + p.visits into rest
        from pass_moves where company_id = p.company_id and pass_id = p.id;
      update passes set ended_at = null, end_reason = '', document_id = new.document_id, updated_at = now() where company_id = p.company_id and id = p.id;
      if rest > 0 then
        insert into pass_moves (company_id, id, pass_id, visits, why) values (p.company_id, new_event_id(), p.id, rest, 'bought');
      end if;
    end if;
  elsif p.id is not null and p.end_reason <> 'refunded' then
    -- What is still to be is no longer paid by it.
    insert into pass_moves (company_id, id, pass_id, visits, why, booking_id)
      select b.company_id, new_event_id(), b.pass_id, 1, 'returned', b.id from class_bookings b
        join classes c on c.company_id = b.company_id and c.id = b.class_id and c.state = 'planned'
        where b.company_id = p.company_id and b.pass_id = p.id and b.state = 'booked' and b.pays = 'pass'
      on conflict (company_id, booking_id, why) where booking_id is not null do nothing;
    update class_bookings b set pays = 'price', pass_id = null, price_agorot = c.price_agorot, updated_at = now() from classes c
      where c.company_id = b.company_id and c.id = b.class_id and c.state = 'planned'
        and b.company_id = p.company_id and b.pass_id = p.id and b.state in ('booked', 'waiting', 'offered', 'held') and b.pays = 'pass';
    select coalesce(sum(visits), 0) into rest from pass_moves where company_id = p.company_id and pass_id = p.id;
    if p.visits is not null and rest > 0 then
      insert into pass_moves (company_id, id, pass_id, visits, why) values (p.company_id, new_event_id(), p.id, -rest, 'refunded');
    end if;
    update passes set ended_at = coalesce(ended_at, now()), end_reason = 'refunded', updated_at = now() where company_id = p.company_id and id = p.id;
  end if;
  return null;
end $$;
create trigger pass_follows_turn after insert or update of state on standing_periods for each row execute function pass_follows_turn();
