import { sql, type RawBuilder } from 'kysely'
import { healthDays } from '#domain/calendar/rules.ts'
import { addDays } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { lastDay, passesWhere, renewalsWhere, waitsForCard } from '#features/calendar/passes/server/index.ts'
import type { EntryView, Refusal } from '../endpoints.ts'

/** Classes missed before are forgotten. */
const missedDays = 30

interface Standing {
  id: string
  name: string
  phone: string | null
  debt: number
  limit: number | null
  needs: boolean
  health: string | null
  letter: boolean
  letterUntil: string | null
  ban: string | null
  nextClass: string | null
}

/**
 * What a customer owes, until when the declaration is valid and whether entry is blocked; `kinds` says which rules
 * are checked.
 */
async function standings(
  ctx: Ctx,
  people: RawBuilder<unknown>,
  kindId: string | null,
  most: number,
): Promise<Standing[]> {
  const { rows } = await sql<Standing>`select w.id, w.name, coalesce(nullif(w.mobile, ''), w.phone) as phone,
      coalesce((select sum(d.open_agorot) from documents d where d.company_id = w.company_id
      and d.customer_id = w.id and d.open_agorot <> 0), 0)::bigint as debt,
      (select min(k.debt_limit_agorot) from class_kinds k where k.company_id = w.company_id
      and k.archived_at is null and (${kindId}::uuid is null or k.id = ${kindId}::uuid))::bigint as limit,
      exists (select 1 from class_kinds k where k.company_id = w.company_id and k.archived_at is null
      and k.needs_health and (${kindId}::uuid is null or k.id = ${kindId}::uuid)) as needs,
      h.day as health, coalesce(h.needs_letter, false) as letter, h.letter_until as "letterUntil",
      e.why as ban,
      (select c.starts_at from class_bookings b join classes c on c.company_id = b.company_id
      and c.id = b.class_id where b.company_id = w.company_id and b.customer_id = w.id
        and b.state in ('booked', 'held', 'offered') and c.state = 'planned'
        and c.ends_at > ${ctx.now.toISOString()} order by c.starts_at limit 1) as "nextClass"
    from parties w left
    join lateral (select * from health_forms f where f.company_id = w.company_id and f.customer_id = w.id
    order by f.day desc, f.id desc limit 1) h on true
    left join entry_bans e on e.company_id = w.company_id and e.customer_id = w.id
    where w.company_id = ${ctx.companyId} and w.role = 'customer' and ${people} order by w.name, w.id
    limit ${most}`.execute(ctx.tx)
  return rows
}

const healthUntil = ({ health, letter, letterUntil }: Standing): string | null => {
  if (!health) return null
  const year = addDays(health, healthDays - 1)
  // With a yes among the answers it is valid as long as the doctor says, and without the doctor's letter not at all.
  return letter ? (letterUntil && letterUntil < year ? letterUntil : letterUntil ? year : null) : year
}

function refusalsOf(ctx: Ctx, one: Standing): Refusal[] {
  const found: Refusal[] = []
  if (one.ban) found.push('banned')
  if (one.limit !== null && one.debt > one.limit) found.push('debt')
  if (one.needs && (healthUntil(one) ?? '') < ctx.today) found.push('health')
  return found
}

/** What prevents this customer from entering a class of this kind. */
export async function refusalsFor(ctx: Ctx, customerId: string, kindId: string): Promise<Refusal[]> {
  const [one] = await standings(ctx, sql`w.id = ${customerId}`, kindId, 1)
  return one ? refusalsOf(ctx, one) : []
}

/** The same of many at once. */
export async function refusalsOfMany(
  ctx: Ctx,
  ids: readonly string[],
  kindId: string,
): Promise<Map<string, Refusal[]>> {
  if (!ids.length) return new Map()
  const all = await standings(ctx, sql`w.id = any (${[...new Set(ids)]}::uuid[])`, kindId, 2000)
  return new Map(all.map((one) => [one.id, refusalsOf(ctx, one)]))
}

/**
 * Whether the customer cancelled late or did not come as often as this kind allows; for booking, and never for entry
 * at the door.
 */
export async function missedTooOften(ctx: Ctx, customerId: string, kindId: string): Promise<boolean> {
  const { rows } = await sql<{
    often: boolean
  }>`select (select count(*) from class_bookings b join classes c on c.company_id = b.company_id
      and c.id = b.class_id
      where b.company_id = k.company_id and b.customer_id = ${customerId} and b.state in ('late', 'missed')
        and c.day > ${addDays(ctx.today, -missedDays)}) >= k.strikes as often
    from class_kinds k where k.company_id = ${ctx.companyId} and k.id = ${kindId}
      and k.strikes is not null`.execute(ctx.tx)
  return rows[0]?.often ?? false
}

/** Of one customer: what prevents entry anywhere, and until when the declaration is valid. */
export async function entryOf(
  ctx: Ctx,
  customerId: string,
): Promise<{ name: string; refusals: Refusal[]; healthUntil: string | null; needsHealth: boolean }> {
  const [one] = await standings(ctx, sql`w.id = ${customerId}`, null, 1)
  if (!one) throw fail('kit.notFound')
  return {
    name: one.name,
    refusals: refusalsOf(ctx, one),
    healthUntil: healthUntil(one),
    needsHealth: one.needs,
  }
}

const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

export async function listEntries(
  ctx: Ctx,
  { q, only }: { q?: string | undefined; only?: 'all' | 'refused' | 'ending' | undefined },
): Promise<{ rows: EntryView[] }> {
  const digits = (q ?? '').replace(/\D/g, '')
  const about = q
    ? sql`w.archived_at is null
        and (w.custom_key = ${q.trim()} or w.folded like ${part(fold(q))} or w.name ilike ${part(q)}
        or (${digits.length >= 4}
        and regexp_replace(coalesce(w.mobile, '') || ' ' || coalesce(w.phone, ''), '[^0-9 ]', '', 'g') like
        ${part(digits)}))`
    : sql`(exists (select 1 from pass_people x join passes p on p.company_id = x.company_id
        and p.id = x.pass_id where x.company_id = w.company_id and x.customer_id = w.id
        and (p.ended_at is null or p.ended_at > now() - interval '60 days'))
        or exists (select 1 from class_bookings b where b.company_id = w.company_id and b.customer_id = w.id
        and b.created_at > now() - interval '60 days'))`
  const people = await standings(ctx, about, null, q ? 30 : 300)
  const sums = !ctx.caller.hideTotalPrices
  const passes = people.length
    ? await passesWhere(
        ctx,
        sql`p.ended_at is null and ${lastDay} >= ${ctx.today}::date
            and exists (select 1 from pass_people x where x.company_id = p.company_id and x.pass_id = p.id
            and x.customer_id = any (${people.map(({ id }) => id)}::uuid[]))`,
        2000,
      )
    : []
  // A customer whose charge failed has no pass for a reason the desk can explain.
  const failing = people.length
    ? await renewalsWhere(
        ctx,
        sql`(o.state in ('failing', 'held') or ${waitsForCard(ctx)})
            and (r.customer_id = any (${people.map(({ id }) => id)}::uuid[])
            or r.people && ${people.map(({ id }) => id)}::uuid[])`,
        2000,
      )
    : []
  const rows = people.map((one): EntryView => {
    const his = passes.filter(
      (pass) => pass.customerId === one.id || pass.people.some(({ id }) => id === one.id),
    )
    const running = his.filter(({ state }) => state === 'active')
    const refusals = refusalsOf(ctx, one)
    const fails = failing.some(
      (order) => order.customerId === one.id || order.people.some(({ id }) => id === one.id),
    )
    if (!running.length)
      refusals.push(his.some(({ state }) => state === 'frozen') ? 'frozen' : fails ? 'renewal' : 'noPass')
    return {
      customerId: one.id,
      customerName: one.name,
      phone: one.phone,
      may: refusals.length === 0,
      refusals,
      passes: his,
      debtAgorot: sums ? one.debt : null,
      healthUntil: healthUntil(one),
      needsLetter: one.letter && !one.letterUntil,
      ban: one.ban,
      nextClass: one.nextClass,
    }
  })
  const soon = addDays(ctx.today, 14)
  return {
    rows: rows.filter((one) =>
      only === 'refused'
        ? !one.may
        : only === 'ending'
          ? one.passes.some(
              (pass) =>
                pass.state === 'active' && (pass.toDay <= soon || (pass.left !== null && pass.left <= 2)),
            )
          : true,
    ),
  }
}

async function customer(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${id}
        and role = 'customer'`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
}

export async function banPerson(
  ctx: Ctx,
  { customerId, why }: { customerId: string; why: string },
): Promise<{ done: true }> {
  await customer(ctx, customerId)
  await sql`insert into entry_bans (company_id, customer_id, why, by_user)
    values (${ctx.companyId}, ${customerId}, ${why}, ${ctx.caller.userId}) on conflict do nothing`.execute(
    ctx.tx,
  )
  await ctx.audit('entry.ban', 'customers', customerId, undefined, { why })
  return { done: true }
}

export async function unbanPerson(ctx: Ctx, { customerId }: { customerId: string }): Promise<{ done: true }> {
  await customer(ctx, customerId)
  await sql`delete from entry_bans where company_id = ${ctx.companyId}
      and customer_id = ${customerId}`.execute(ctx.tx)
  await ctx.audit('entry.unban', 'customers', customerId)
  return { done: true }
}
