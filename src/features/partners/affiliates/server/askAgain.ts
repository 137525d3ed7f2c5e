import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { isUnlimited } from '#kit/describe/session.ts'
import { forgetBrands } from '#kit/server/outside/brands.ts'
import { newId, type App, type Ctx, type Language } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { say } from '#kit/server/words.ts'
import { registerBell, ring } from '#features/people/bell/server/index.ts'
import { operatorOf } from './operator.ts'
import { hostOf, look, recordOf, type Proving } from './prove.ts'
import {
  afterAsking,
  askNext,
  endOf,
  mailOf,
  siteOf,
  standingColumns,
  type StandingChange,
  type StoredStandings,
} from './standing.ts'

/** So many are asked at a time, and side by side. */
const atOnce = 20
/** The lease of a brand that is being checked ends after this time, in case its process dies. */
const leaseMs = 3_600_000
const nobody = '00000000-0000-0000-0000-000000000000'

for (const kind of ['brand.lost', 'brand.ended', 'brand.back']) registerBell(kind, 'affiliates.own')

/** The report of one check: whose domain, how it was proved, and until or since when. */
interface Told {
  change: StandingChange
  side: 'site' | 'mail'
  host: string
  day: string
  record: string
}

/**
 * Checks proved brands again, daily and automatically. What cannot be confirmed any more stays in use for three
 * days, in which its dealer and the operator are notified, and is out of use after them; it is restored when it is
 * confirmed again. Each is taken by one process at a time, and checked while nothing is locked. @returns how many
 * were checked
 */
export async function askBrandsAgain(app: App): Promise<number> {
  const now = app.now()
  const { rows } = await asSystem(app.db, (tx) =>
    sql<Proving>`update brands set ask_next = ${new Date(now.getTime() + leaseMs)}
      where domain in (select domain from brands
        where is_dealer and ask_next <= ${now} order by ask_next, domain limit ${atOnce} for
        update skip locked)
      returning domain, proof, mail_from as "mailFrom"`.execute(tx),
  )
  const asked = await Promise.allSettled(
    rows.map(async (brand) => settle(app, brand, await look(app, brand), now)),
  )
  // Asked again after its lease.
  for (const one of asked)
    if (one.status === 'rejected')
      app.log.warn({ err: (one.reason as Error).message }, 'a brand could not be asked again')
  if (rows.length) forgetBrands(app)
  return rows.length
}

async function settle(
  app: App,
  asked: Proving,
  found: { site: boolean; mail: boolean },
  now: Date,
): Promise<void> {
  const { domain, mailFrom } = asked
  const told = await asSystem(app.db, async (tx) => {
    const { rows } = await sql<
      StoredStandings & { dealer: string | null; mailFrom: string }
    >`select dealer_company as dealer, mail_from as "mailFrom", ${standingColumns}
      from brands where domain = ${domain} for update`.execute(tx)
    const [row] = rows
    // A sender that was changed while the old one was asked about is asked about next time.
    if (!row || row.mailFrom !== mailFrom) return []
    const site = afterAsking(siteOf(row), found.site, now)
    const mail = afterAsking(mailOf(row), found.mail, now)
    await sql`update brands set asked_at = ${now}, ask_next = ${askNext([site.is, mail.is], now)},
        site_proved_at = ${site.is.provedAt}, site_lost_at = ${site.is.lostAt},
        site_ended_at = ${site.is.endedAt},
        mail_proved_at = ${mail.is.provedAt}, mail_lost_at = ${mail.is.lostAt},
        mail_ended_at = ${mail.is.endedAt} where domain = ${domain}`.execute(tx)
    const changes: Told[] = []
    for (const [side, { told: change, is }] of Object.entries({ site, mail }) as [
      'site' | 'mail',
      typeof site,
    ][])
      if (change)
        changes.push({
          change,
          side,
          host: side === 'site' ? domain : hostOf(mailFrom),
          day: dayInJerusalem(endOf(is) ?? now),
          record: recordOf(asked.proof),
        })
    for (const one of changes) await tell(app, tx, row.dealer, one)
    return changes
  })
  for (const { change, side, host } of told)
    app.log.warn({ domain: host, side, change }, 'the proof of a brand changed')
  if (told.length) setImmediate(app.nudge)
}

/**
 * Rings for the dealer and for the operator's owners, writes to the dealer, and leaves a line in the
 * operator's log.
 */
async function tell(app: App, tx: Tx, dealer: string | null, told: Told): Promise<void> {
  const kind = `brand.${told.change}`
  const params = { domain: told.host, day: told.day }
  if (dealer) {
    const { rows } = await sql<{
      id: string
    }>`select user_id as id from affiliates where affiliate_id = ${dealer}`.execute(tx)
    await ring(
      { tx, companyId: dealer },
      kind,
      { entity: 'affiliates', id: dealer },
      params,
      rows.map(({ id }) => id),
    )
    for (const { id: userId } of rows)
      await sql`insert into outbox (id, company_id, name, payload)
        values (${newId()}, ${dealer}, 'affiliates.brandMail',
          ${JSON.stringify({ ...told, userId })})`.execute(tx)
  }
  const operatorId = operatorOf(app)
  if (!operatorId) return
  const { rows: owners } = await sql<{
    id: string
    rules: number[]
  }>`select user_id as id, rules from memberships
    where company_id = ${operatorId} and removed_at is null and blocked_at is null`.execute(tx)
  const people = owners.filter(({ rules }) => isUnlimited(rules)).map(({ id }) => id)
  await ring(
    { tx, companyId: operatorId },
    kind,
    { entity: 'affiliates', id: dealer ?? operatorId },
    params,
    people,
  )
  await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
    values (${operatorId}, ${newId()}, ${nobody}, '',
    ${`affiliates.brand${told.change[0]!.toUpperCase()}${told.change.slice(1)}`}, 'affiliates', ${dealer},
    ${JSON.stringify({ domain: told.host, of: told.side })})`.execute(tx)
}

/**
 * From the installation's own address and linking to its own page: the reported domain may be the very one that
 * fails.
 */
const mail: Job = async (ctx: Ctx, payload) => {
  const { change, side, host, day, record, userId } = payload as unknown as Told & { userId: string }
  const { rows } = await sql<{
    email: string
    language: Language
  }>`select email, language from users where id = ${userId}`.execute(ctx.tx)
  if (!rows[0]) return
  const { email, language } = rows[0]
  const said = { domain: host, day: formatDay(day), record }
  const text = say(language, 'affiliates.brandMail.text', {
    note: say(language, `affiliates.brand.note.${side}.${change}`, said),
    link: `${ctx.app.publicUrl()}/invoice/main`,
  })
  const subject = say(language, `affiliates.brandMail.${change}`, said)
  mailAfterCommit(ctx, { to: email, subject, text }, 'installation')
}

export const jobs: Record<string, Job> = { 'affiliates.brandMail': mail }
