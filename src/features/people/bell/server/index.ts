import { sql } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { failAt } from '#kit/describe/errors.ts'
import { seesEverything } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { servedNamed } from '#kit/server/described/resources.ts'
import { letterLink } from '#features/base/session/server/index.ts'
import { say } from '#kit/server/words.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import * as calls from '../endpoints.ts'
import type { Notification } from '../endpoints.ts'
import '../rules.ts'
import { hasOwnLetter, isOwnKind, kindsFor, mayHear, registerBell, usualWay } from './kinds.ts'

export { mayHear, registerBell }

const page = 30
/** Read or not, after so many days nobody looks for it here. */
const keptDays = 180

registerSweep((db) =>
  sql`delete from notifications where at < now() - ${keptDays} * interval '1 day'`.execute(db),
)

/**
 * Notifies people of this business by name, each through the channels they chose; never the person who acts. Runs in
 * the transaction of the action: what is rolled back notifies nobody. `params` go into the words
 * `bell.kinds.<kind>`.
 */
export async function ring(
  ctx: Pick<Ctx, 'tx' | 'companyId'>,
  kind: string,
  of: { entity: string; id: string },
  params: Record<string, string | number>,
  people: readonly (string | null | undefined)[],
): Promise<void> {
  const wanted = [...new Set(people.filter((one): one is string => Boolean(one)))]
  if (wanted.length)
    await sql`select ring(${ctx.companyId}, ${kind}, ${of.entity}, ${of.id}, ${JSON.stringify(params)}::jsonb,
        ${wanted}::uuid[])`.execute(ctx.tx)
}

async function unread(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from notifications
    where company_id = ${ctx.companyId} and user_id = ${ctx.caller.userId} and read_at is null`.execute(
    ctx.tx,
  )
  return rows[0]!.n
}

async function list(
  ctx: Ctx,
  { cursor, unread: only }: { cursor?: string | undefined; unread?: string | undefined },
) {
  const [at, last] = momentCursor(cursor)
  const { rows } = await sql<Notification>`select n.id, n.kind, n.entity, n.entity_id as "entityId", n.params,
        u.full_name as by, n.at, n.read_at as "readAt"
    from notifications n left join users u on u.id = n.by_user
    where n.company_id = ${ctx.companyId} and n.user_id = ${ctx.caller.userId}
      and (n.at, n.id) < (${at}::timestamptz, ${last}::uuid)
      and (${only !== 'true'} or n.read_at is null)
    order by n.at desc, n.id desc limit ${page + 1}`.execute(ctx.tx)
  const end = rows.slice(0, page).at(-1)
  return {
    // Rights that ended since take what they showed with them.
    rows: rows.slice(0, page).filter(({ kind }) => mayHear(ctx.caller, kind)),
    nextCursor: rows.length > page && end ? `${end.at}|${end.id}` : null,
    unread: await unread(ctx),
  }
}

/**
 * The channels a person of this business chose for a kind. The choice is hidden from everybody else, so the system
 * reads it.
 */
export async function wayOf(
  ctx: Pick<Ctx, 'app' | 'companyId'>,
  userId: string,
  kind: string,
): Promise<(typeof calls.ways)[number]> {
  const { rows } = await sql<{ way: (typeof calls.ways)[number] }>`select way from notification_choices
    where company_id = ${ctx.companyId} and user_id = ${userId} and kind = ${kind}`.execute(ctx.app.db.kysely)
  return rows[0]?.way ?? usualWay(kind)
}

async function waysOf(ctx: Ctx): Promise<Map<string, (typeof calls.ways)[number]>> {
  const { rows } = await sql<{
    kind: string
    way: (typeof calls.ways)[number]
  }>`select kind, way from notification_choices
    where company_id = ${ctx.companyId} and user_id = ${ctx.caller.userId}`.execute(ctx.tx)
  return new Map(rows.map(({ kind, way }) => [kind, way]))
}

// Rung by the kit (authority.ts).
registerBell('approvals.asked')

export const implementations = [
  implement(calls.countNotifications, async (ctx) => ({ unread: await unread(ctx) })),
  implement(calls.bellSettings, async (ctx) => {
    const ways = await waysOf(ctx)
    const isOwner = ctx.caller.typeId === 4 && seesEverything(ctx.caller)
    return {
      rows: kindsFor(ctx.caller).map(({ kind, isOwn }) => ({
        kind,
        thing: kind.split('.')[0]!,
        way: ways.get(kind) ?? usualWay(kind, isOwner),
        isOwn,
      })),
    }
  }),
  implement(calls.setBell, async (ctx, { kind, way }) => {
    if (!mayHear(ctx.caller, kind)) throw failAt('kind', 'bell.unknownKind')
    await sql`insert into notification_choices (company_id, user_id, kind, way)
      values (${ctx.companyId}, ${ctx.caller.userId}, ${kind}, ${way})
      on conflict (company_id, kind, user_id) do update set way = excluded.way`.execute(ctx.tx)
    return { kind, way }
  }),
  implement(calls.listNotifications, list),
  implement(calls.readNotifications, async (ctx, { ids, read }) => {
    await sql`update notifications set read_at = ${read ? ctx.now.toISOString() : null}
      where company_id = ${ctx.companyId}
      and user_id = ${ctx.caller.userId} and (read_at is null) = ${read}
      and (${ids === undefined} or id = any(${ids ?? []}::uuid[]))`.execute(ctx.tx)
    return { unread: await unread(ctx) }
  }),
]

/** Where a letter about a thing leads: its card, as the bell itself does; the main page where it has none. */
const pageOf = (entity: string, id: string | null): string =>
  (id !== null && servedNamed(entity)?.resource.screens.card?.replace('$id', id)) || '/invoice/main'

/** The text of one notification in an email: its sentence and its link. */
const mail: Job = async (ctx, { userId, id }) => {
  const { rows } = await sql<{
    kind: string
    entity: string
    entityId: string | null
    params: Record<string, string | number>
    by: string | null
    email: string
    language: Language
    read: boolean
    rules: number[]
    docs_allow: number[]
    own: boolean
  }>`select n.kind, n.params, n.entity, n.entity_id as "entityId", b.full_name as by, u.email, u.language,
      n.read_at is not null as read, m.rules, m.docs_allow, m.own_customers_only as own
    from notifications n join users u on u.id = n.user_id left join users b on b.id = n.by_user
      join memberships m on m.company_id = n.company_id and m.user_id = n.user_id and m.removed_at is null
        and m.blocked_at is null
    where n.company_id = ${ctx.companyId} and n.user_id = ${String(userId)} and n.id = ${String(id)}`.execute(
    ctx.app.db.kysely,
  )
  const [of] = rows
  if (
    !of ||
    of.read ||
    hasOwnLetter(of.kind) ||
    !mayHear({ rules: of.rules, docsAllow: of.docs_allow, ownCustomersOnly: of.own }, of.kind)
  )
    return
  const [thing, what] = of.kind.split('.') as [string, string]
  const { day } = of.params
  const said = {
    ...of.params,
    by: of.by ?? say(of.language, 'companies.log.system'),
    ...(typeof day === 'string' ? { day: formatDay(day) } : {}),
  }
  const sentence = isOwnKind(of.kind)
    ? say(of.language, `bell.kinds.${of.kind}`, said)
    : `${say(of.language, `webhooks.things.${thing}`)}: ${say(of.language, `webhooks.events.${thing}.${what}`)}`
  const business = (await companyOf(ctx)).name
  const path = pageOf(of.entity, of.entityId)
  // Straight to the thing, for its person alone, once.
  const way = await letterLink(ctx.app, { userId: String(userId), companyId: ctx.companyId, path })
  mailAfterCommit(ctx, {
    to: of.email,
    subject: `${business}: ${sentence}`.slice(0, 200),
    text: say(of.language, 'bell.mail', { sentence, business, link: way ?? `${siteOf(ctx.app)}${path}` }),
  })
}

export const jobs: Record<string, Job> = { 'bell.mail': mail }

export const machines: Machines = {
  'bell.mail': { inside: 'a notice to a person of the business' },
}
