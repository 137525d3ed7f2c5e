import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { byOf, newId, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { memberCaller } from '#features/base/session/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'

interface Whose {
  trainerId: string | null
  placeId: string | null
  /** One's own bookings. */
  customerId?: string
}

const same = ({ trainerId, placeId, customerId }: Whose) =>
  sql`trainer_id is not distinct from ${trainerId}::uuid and place_id is not distinct
    from ${placeId}::uuid and customer_id is not distinct from ${customerId ?? null}::uuid`

/** A new address each time, so a lost one is ended by making another. */
export async function makeFeed(ctx: Ctx, whose: Whose): Promise<{ url: string }> {
  await checkRef(ctx, 'trainerId', 'class_trainers', whose.trainerId)
  await checkRef(ctx, 'placeId', 'class_places', whose.placeId)
  const key = newToken()
  await sql`delete from class_feeds where company_id = ${ctx.companyId} and ${same(whose)}`.execute(ctx.tx)
  await sql`insert into class_feeds (company_id, id, trainer_id, place_id, customer_id, key_hash,
      created_by)
    values (${ctx.companyId}, ${newId()}, ${whose.trainerId}, ${whose.placeId}, ${whose.customerId ?? null},
      ${hashToken(key)}, ${whose.customerId ? null : byOf(ctx)})`.execute(ctx.tx)
  await ctx.audit('classes.feed', 'classes', null, undefined, whose)
  return { url: `${siteOf(ctx.app)}/api2/invoice/classesfeed/${key}` }
}

export async function endFeed(ctx: Ctx, whose: Whose): Promise<{ done: true }> {
  await sql`delete from class_feeds where company_id = ${ctx.companyId} and ${same(whose)}`.execute(ctx.tx)
  await ctx.audit('classes.endFeed', 'classes', null, undefined, whose)
  return { done: true }
}

/**
 * Classes for the holder of the address, by kind and place, never by who comes; a customer's address has the classes that
 * customer booked. Any other ends when the person who made it left or may not see the calendar any more. A changed class comes
 * again with a larger SEQUENCE.
 */
export async function feedFile(ctx: OpenCtx, { key }: { key: string }) {
  const row = await rowOfKey(
    ctx,
    sql<{
      company_id: string
      trainer_id: string | null
      place_id: string | null
      customer_id: string | null
      created_by: string | null
    }>`select f.company_id, f.trainer_id, f.place_id, f.created_by, coalesce(w.merged_into, f.customer_id) as
        customer_id
      from class_feeds f left join parties w on w.company_id = f.company_id and w.id = f.customer_id
      where f. key_hash = ${hashToken(key)}`,
  )
  if (!row.customer_id) {
    const maker = row.created_by && (await memberCaller(ctx.tx, row.company_id, row.created_by))
    if (!maker || !can(maker, 'calendar.see')) throw fail('kit.notFound')
  }
  return insideOf(ctx, row.company_id, async (inside) => {
    const { rows } = await sql<{
      id: string
      name: string
      place: string | null
      startsAt: string
      endsAt: string
      version: number
      updatedAt: string
      state: string
    }>`select c.id, coalesce(nullif(c.title, ''), k.name) as name,
        concat_ws(', ', p.name, nullif(p.room, ''), nullif(p.address, '')) as place,
        c.starts_at as "startsAt", c.ends_at as "endsAt",
        c.version, c.updated_at as "updatedAt", c.state from classes c
        join class_kinds k on k.company_id = c.company_id and k.id = c.kind_id
      left join class_places p on p.company_id = c.company_id and p.id = c.place_id
      where c.company_id = ${row.company_id} and c.day > ${addDays(inside.today, -60)}
        and (${row.trainer_id}::uuid is null or c.trainer_id = ${row.trainer_id})
        and (${row.place_id}::uuid is null or c.place_id = ${row.place_id})
        and (${row.customer_id}::uuid is null
        or exists (select 1 from class_bookings b where b.company_id = c.company_id
          and b.class_id = c.id and b.customer_id = ${row.customer_id}
          and b.state in ('booked', 'held', 'offered', 'came', 'missed'))) order by c.starts_at, c.id
          limit 3000`.execute(inside.tx)
    const { name, language } = await companyOf(inside)
    const calendar = ical({
      name: `${name} · ${say(language as Language, 'timetable.feedName')}`,
      method: ICalCalendarMethod.PUBLISH,
      prodId: { company: 'Pinkas', product: 'Classes' },
      ttl: 3600,
    })
    for (const one of rows)
      calendar.createEvent({
        id: `${one.id}@pinkas`,
        sequence: one.version,
        stamp: new Date(one.updatedAt),
        start: new Date(one.startsAt),
        end: new Date(one.endsAt),
        summary: one.name,
        ...(one.place ? { location: one.place } : {}),
        status: one.state === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      })
    return {
      bytes: Buffer.from(calendar.toString()),
      mime: 'text/calendar; charset=utf-8',
      name: 'classes.ics',
      inline: true,
    }
  })
}
