import { sql } from 'kysely'
import { addDays, dayInJerusalem, momentAt, type Day } from '#domain/day.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { App } from '../context.ts'
import { asSystem, type Tx } from '../data/db.ts'
import { registerSweep } from '../work/housekeeping.ts'
import { Postponed } from '../work/postponed.ts'

/** What is known of a business that sends mail. */
export interface Sender {
  /** Somebody in it proved their address. */
  isVerified: boolean
  ageDays: number
  /** It paid for a plan of the product. */
  isPaying: boolean
}

export interface MailLimit {
  /** People outside the business in a day. */
  recipients: number
  /** Messages to one of them in a day. */
  toOne: number
}

/** What a business may send in a day; it grows with what is known of it. */
export function mailLimitOf({ isVerified, ageDays, isPaying }: Sender): MailLimit {
  if (!isVerified) return { recipients: 5, toOne: 10 }
  const toOne = ageDays < 30 ? 50 : 1000
  if (isPaying) return { recipients: ageDays < 30 ? 2000 : ageDays < 365 ? 5000 : 10_000, toOne: 1000 }
  return { recipients: ageDays < 7 ? 30 : ageDays < 30 ? 200 : ageDays < 365 ? 1000 : 2000, toOne }
}

/** What is over the limit leaves at this hour of the next day. */
const nextHour = 7

type Pays = (app: App, companyId: string) => Promise<boolean>
let pays: Pays = () => Promise.resolve(false)
/** How it is known that a business paid for a plan. */
export const registerPaying = (how: Pays): void => void (pays = how)
export const paysForPlan: Pays = (app, companyId) => pays(app, companyId)

type Reached = (app: App, companyId: string, limit: MailLimit) => Promise<void>
let reached: Reached = () => Promise.resolve()
/** Who learns, once a day, that mail of a business waits. */
export const registerMailLimitReached = (tell: Reached): void => void (reached = tell)

registerSweep((db) => sql`delete from mail_days where day < current_date - 7`.execute(db))

/** Each address of a field `to`, which a mail program would write to separately. */
const addressesIn = (to: string): string[] => [
  ...new Set(
    to
      .split(/[,;]/)
      .map((one) => (/<([^>]*)>/.exec(one)?.[1] ?? one).trim().toLowerCase())
      .filter(Boolean),
  ),
]

interface Room {
  isFree: boolean
  limit: MailLimit
}

/**
 * Looks whether a message may leave today, and counts it unless `looksOnly`. The row of the day is locked, so that
 * messages that leave at once do not exceed the limit together.
 */
async function room(
  tx: Tx,
  app: App,
  companyId: string,
  day: Day,
  emails: readonly string[],
  { isPaying, looksOnly }: { isPaying: boolean; looksOnly: boolean },
): Promise<Room> {
  if (!looksOnly)
    await sql`insert into mail_days as d (company_id, day) values (${companyId}, ${day})
      on conflict (company_id, day) do update set recipients = d.recipients`.execute(tx)
  const { rows } = await sql<{
    created: string
    isVerified: boolean
    recipients: number
    outside: { email: string; messages: number | null }[]
  }>`select c.created_at as created,
      coalesce((select d.recipients from mail_days d where d.company_id = c.id and d.day = ${day}), 0) as
      recipients,
      exists (select 1 from memberships m join users u on u.id = m.user_id where m.company_id = c.id
        and m.removed_at is null and m.blocked_at is null and u.email_verified_at is not null) as
        "isVerified",
      -- People of the business itself do not count.
      coalesce((select jsonb_agg(jsonb_build_object('email', e.email, 'messages', r.messages))
        from unnest(${emails}::text[]) e(email)
          left join mail_recipients r on r.company_id = c.id and r.day = ${day} and r.email = e.email
        where not exists (select 1 from memberships m join users u on u.id = m.user_id
          where m.company_id = c.id and m.removed_at is null and m.blocked_at is null and u.email = e.email)),
        '[]') as outside
    from companies c where c.id = ${companyId}`.execute(tx)
  const { created, isVerified, recipients, outside } = rows[0]!
  const ageDays = (app.now().getTime() - Date.parse(created)) / 86_400_000
  const limit = mailLimitOf({ isVerified, ageDays, isPaying })
  const fresh = outside.filter(({ messages }) => messages === null)
  const isFree =
    (fresh.length === 0 || recipients + fresh.length <= limit.recipients) &&
    outside.every(({ messages }) => (messages ?? 0) < limit.toOne)
  if (isFree && !looksOnly && outside.length) {
    await sql`insert into mail_recipients as r (company_id, day, email, messages)
      select ${companyId}, ${day}, email, 1 from unnest(${outside.map(({ email }) => email)}::text[]) e(email)
      on conflict (company_id, day, email) do update set messages = r.messages + 1`.execute(tx)
    if (fresh.length)
      await sql`update mail_days set recipients = recipients + ${fresh.length}
        where company_id = ${companyId} and day = ${day}`.execute(tx)
  }
  return { isFree, limit }
}

/**
 * Takes room for one message of a business among those of today. Throws `Postponed` when there is none, and answers how
 * to return it when the message did not leave. The count is kept apart from the caller's transaction: mail that left
 * counts whatever becomes of the rest.
 */
export async function takeRoom(
  app: App,
  companyId: string,
  to: string,
  { looksOnly = false }: { looksOnly?: boolean } = {},
): Promise<() => Promise<void>> {
  // The operator of the installation writes to all its customers.
  if (companyId === app.settings.billingCompany) return () => Promise.resolve()
  const day = dayInJerusalem(app.now())
  const emails = addressesIn(to)
  const look = (isPaying: boolean) =>
    asSystem(app.db, (tx) => room(tx, app, companyId, day, emails, { isPaying, looksOnly }))
  let found = await look(false)
  if (!found.isFree && (await pays(app, companyId))) found = await look(true)
  if (!found.isFree) {
    await tellOnce(app, companyId, day, found.limit)
    throw new Postponed(momentAt(addDays(day, 1), nextHour), 'the daily limit of recipients is reached')
  }
  return async () => {
    await sql`update mail_recipients set messages = messages - 1 where company_id = ${companyId}
        and day = ${day}
      and email = any (${emails}::text[]) and messages > 0`.execute(app.db.kysely)
  }
}

/**
 * For a message that is worthless tomorrow, such as a code: refuses at once with kit.tooMany where the daily limit would
 * delay it.
 */
export async function refuseWhereDelayed(app: App, companyId: string, to: string): Promise<void> {
  try {
    await takeRoom(app, companyId, to, { looksOnly: true })
  } catch (e) {
    if (!(e instanceof Postponed)) throw e
    const seconds = Math.ceil((e.until.getTime() - app.now().getTime()) / 1000)
    throw new Failure('kit.tooMany', { minutes: Math.ceil(seconds / 60) }, [], seconds)
  }
}

async function tellOnce(app: App, companyId: string, day: Day, limit: MailLimit): Promise<void> {
  const { rows } = await sql`update mail_days set told = true
    where company_id = ${companyId} and day = ${day} and not told returning 1`.execute(app.db.kysely)
  if (!rows.length) return
  try {
    await reached(app, companyId, limit)
  } catch (e) {
    app.log.warn({ err: (e as Error).message }, 'the owners did not learn of the daily limit of mail')
  }
}
