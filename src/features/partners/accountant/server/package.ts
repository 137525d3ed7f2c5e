import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { addMonths, endOfMonth, type Day, type Period } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { isAsked, registerOrders, sendingSight, sightOf } from '#kit/server/rights/authority.ts'
import { asCaller, newId, type Caller, type Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { deliverQueued, type Mail } from '#kit/server/outside/mail.ts'
import { freeRow, type Schedule } from '#kit/server/work/schedules.ts'
import { allReports, reportAs } from '#kit/server/described/serveReports.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, vatPeriodsOf } from '#features/base/companies/server/index.ts'
import { callerOfPerson } from '#features/base/session/server/index.ts'
import { documentFileName, freeName, sealedPaper } from '#features/sales/documents/server/index.ts'
import { picturesWithin } from '#features/purchases/expensesBackup/server/index.ts'
import { uniformOf } from '#features/tax/uniform/server/index.ts'
import type { Accountant, Content } from '../accountants.ts'
import { packageKind, planMonth, sentOn } from './plan.ts'
import { oneAccountant, refuseContents, seesContents } from './accountants.ts'

/** The report behind each part of the package. */
const reportFor: Partial<Record<Content, string>> = {
  income: 'income',
  expenses: 'expenseList',
  vat: 'vat',
  trialBalance: 'trialBalance',
  generalLedger: 'generalLedger',
  profitLoss: 'profitLoss',
  debts: 'ageing',
  suppliers: 'supplierBalances',
}

/** Separate files that are not reports. */
const files: readonly Content[] = ['documents', 'bills', 'uniform']

/** What can be sent: a report that is not served cannot. */
export const offered = (content: Content): boolean =>
  files.includes(content) || allReports().some(({ name }) => name === reportFor[content])

/** More than this no mail server takes; what does not fit is named in the letter. */
const mostBytes = 12_000_000
const mostDocuments = 300

interface Planned {
  plan: number
  sendDay: number
  month: Day
}

/** The plan of an accountant, locked; nothing once the accountant or the day is gone. */
async function planned(ctx: Ctx, id: string): Promise<Planned | undefined> {
  const { rows } = await sql<Planned>`select plan, send_day as "sendDay", next_month as month from accountants
      where company_id = ${ctx.companyId} and id = ${id}
    and archived_at is null and send_day is not null and next_month is not null for update`.execute(ctx.tx)
  return rows[0]
}

/** Wakes the package of a month on its morning. Run twice it finds the next month planned. */
export const packageJob: Job = async (ctx, payload) => {
  const one = await planned(ctx, String(payload.id))
  if (one && one.plan === payload.plan && one.month === payload.month)
    await packageOf(ctx, String(payload.id), one)
}

/**
 * Accountants whose morning has come and who got nothing, whatever became of the job that should have seen to
 * it.
 */
export const duePackages: Schedule = {
  table: 'accountants',
  key: 'id',
  alive: sql`t.archived_at is null and not ${isAsked(packageKind)}`,
  at: sql`((t.next_month + interval '1 month')::date + t.send_day - 1 + time '05:00') at time zone 'UTC'`,
  serve: async (ctx, id) => {
    const one = await planned(ctx, id)
    if (!one || sentOn(one.month, one.sendDay) > ctx.now) return false
    return packageOf(ctx, id, one)
  },
}

/**
 * The package of a month, and the plan of the next. The month is written down in the same transaction as the
 * letter. Answers false where who ordered it may no longer send it: it waits for approval.
 */
async function packageOf(ctx: Ctx, id: string, { plan, sendDay, month }: Planned): Promise<boolean> {
  const known =
    await sql`select 1 from accountant_packages where company_id = ${ctx.companyId} and accountant_id = ${id}
        and month = ${month}`.execute(ctx.tx)
  const accountant = await oneAccountant(ctx, id)
  // A person whose access is blocked gets nothing by email either; the plan goes on for the day access is restored.
  if (
    !known.rows.length &&
    accountant.contents.length &&
    accountant.state !== 'blocked' &&
    accountant.state !== 'gone'
  ) {
    const { contents } = accountant
    if (!(await sendingSight(ctx, packageKind, id, (sight) => seesContents(sight, contents)))) return false
    const messageId = await queue(ctx, accountant, month)
    await sql`insert into accountant_packages (company_id, accountant_id, month, message_id)
      values (${ctx.companyId}, ${accountant.id}, ${month}, ${messageId})`.execute(ctx.tx)
  }
  // The month after this one; counted from the month itself, so that a late run skips none.
  await planMonth(ctx, id, addMonths(month, 1), { plan, sendDay })
  return true
}

/** The package of a month that somebody wants now. */
export async function sendPackage(
  ctx: Ctx,
  { id, month }: { id: string; month: string },
): Promise<{ messageId: string }> {
  const accountant = await oneAccountant(ctx, id)
  if (accountant.archivedAt || accountant.state === 'gone') throw fail('accountant.gone')
  if (accountant.state === 'blocked') throw fail('accountant.blocked')
  const first = `${month}-01`
  if (first > ctx.today || !accountant.contents.length) throw fail('accountant.noMonth')
  refuseContents(ctx, accountant.contents)
  const messageId = await queue(ctx, accountant, first, ctx.caller.userId)
  await ctx.audit('accountants.send', 'accountants', id, undefined, { name: accountant.name, month })
  return { messageId }
}

async function queue(
  ctx: Ctx,
  { id, name, email, language, contents }: Accountant,
  month: Day,
  by?: string,
): Promise<string> {
  const company = await companyOf(ctx)
  const parts = contents.filter(offered)
  const list = parts.map((one) => `• ${say(language, `accountant.contents.${one}`)}`).join('\n')
  const params = { name, business: company.name, month: `${month.slice(5, 7)}/${month.slice(0, 4)}` }
  const messageId = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body)
    values (${ctx.companyId}, ${messageId}, 'accountant', 'mail', ${email},
      ${say(language, 'accountant.mail.subject', params)},
      ${say(language, 'accountant.mail.text', { ...params, list })})`.execute(ctx.tx)
  await ctx.later('accountant.mail', { messageId, id, month, contents: parts, ...(by ? { by } : {}) })
  return messageId
}

/** In whose sight a package is made: of the person who sends it now, or of who ordered the monthly one. */
const sightFor = (ctx: Ctx, { id, by }: Record<string, unknown>): Promise<Caller | undefined> =>
  by === undefined
    ? sightOf(ctx, packageKind, String(id))
    : callerOfPerson(ctx.app, ctx.companyId, String(by))

/**
 * Makes the files and sends the letter. Rights are asked again: since the package was queued they may have been taken
 * away.
 */
export const mailJob: Job = (ctx, payload, isLast) =>
  deliverQueued(ctx, String(payload.messageId), isLast, async ({ body }) => {
    const { language } = await oneAccountant(ctx, String(payload.id))
    const company = await companyOf(ctx)
    const contents = payload.contents as Content[]
    const sight = await sightFor(ctx, payload)
    if (!sight || !seesContents(sight, contents)) {
      await sql`update messages set state = 'failed', error = ${say('en', 'approvals.why.noRight')},
          updated_at = now()
        where company_id = ${ctx.companyId} and id = ${String(payload.messageId)}`.execute(ctx.tx)
      return undefined
    }
    const month = String(payload.month)
    const vatPeriodOn = await vatPeriodsOf(ctx)
    const { attachments, left } = await asCaller(ctx.app, { ...sight, language }, '', (inside) =>
      filesOf(inside, contents, month, vatPeriodOn),
    )
    const note = left
      ? `\n\n${say(language, 'accountant.mail.left', { link: `${siteOf(ctx.app)}/invoice/documents` })}`
      : ''
    const text = body + note
    await sql`update messages set body = ${text} where company_id = ${ctx.companyId}
        and id = ${String(payload.messageId)}`.execute(ctx.tx)
    return { from: company, attachments, text }
  })

type Attachments = NonNullable<Mail['attachments']>

async function filesOf(
  ctx: Ctx,
  contents: Content[],
  month: Day,
  vatPeriodOn: (day: Day) => Period,
): Promise<{ attachments: Attachments; left: boolean }> {
  const to = endOfMonth(month)
  const attachments: Attachments = []
  for (const content of contents.filter(offered)) {
    const name = reportFor[content]
    if (!name) continue
    // VAT is reported by its period: of two months in one, the first is a part of it.
    const from = content === 'vat' ? vatPeriodOn(month).from : month
    // What is owed is owed on a day, and what suppliers are owed is so today.
    const asked = content === 'debts' ? { day: to } : content === 'suppliers' ? {} : { from, to }
    for (const format of ['pdf', 'xlsx'] as const) {
      const { bytes, mime } = await reportAs(ctx, name, format, asked)
      attachments.push({
        filename: `${name}-${month.slice(0, 7)}.${format}`,
        content: Buffer.from(bytes),
        contentType: mime,
      })
    }
  }
  let size = attachments.reduce((sum, { content }) => sum + content.length, 0)
  let left = false
  const attach = (filename: string, bytes: Uint8Array): void => {
    if (size + bytes.length > mostBytes) left = true
    else {
      size += bytes.length
      attachments.push({ filename, content: Buffer.from(bytes), contentType: 'application/zip' })
    }
  }
  // PDF and pictures are pressed already; the zip only holds them together.
  const together = (papers: Record<string, Uint8Array>): Uint8Array => zipSync(papers, { level: 0 })
  if (contents.includes('uniform')) {
    // One that is too long for a letter, or that the books must first be mended for, is made on its own page.
    const made = await uniformOf(ctx, { from: month, to })
    if (made) attach(made.name, made.bytes)
    else left = true
  }
  if (contents.includes('documents')) {
    const { rows } = await sql<{
      id: string
    }>`select id from documents where company_id = ${ctx.companyId} and ${isIssued()}
        and series not like '%#opening' and day between ${month} and ${to} order by day, id
        limit ${mostDocuments + 1}`.execute(ctx.tx)
    const papers: Record<string, Uint8Array> = {}
    let there = size
    if (rows.length > mostDocuments) left = true
    for (const { id } of rows.slice(0, mostDocuments)) {
      const { bytes, document } = await sealedPaper(ctx, id, 'copy')
      there += bytes.length
      if (there > mostBytes) {
        left = true
        break
      }
      papers[freeName(documentFileName(document), (name) => name in papers)] = bytes
    }
    if (Object.keys(papers).length) attach(`documents-${month.slice(0, 7)}.zip`, together(papers))
  }
  if (contents.includes('bills')) {
    const bills = await picturesWithin(ctx, { from: month, to }, mostBytes - size)
    if (bills.left) left = true
    if (Object.keys(bills.files).length) attach(`bills-${month.slice(0, 7)}.zip`, together(bills.files))
  }
  return { attachments, left }
}

registerOrders(packageKind, {
  rule: 'accountant.change',
  entity: 'accountants',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string }>`select id, name as title from accountants
      where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title }) => ({ id, title, href: '/invoice/cpauser' }))
  },
  next: async (ctx, ids) => {
    const { rows } = await sql<{ id: string }>`select id from accountants where company_id = ${ctx.companyId}
      and id = any (${ids}::uuid[]) and archived_at is null and send_day is not null`.execute(ctx.tx)
    return rows.map(({ id }) => ({ id, does: [{ effect: 'send', agorot: 0 }] }))
  },
  goOn: (ctx, id) => freeRow(ctx, duePackages, id),
  stop: async (ctx, id) =>
    void (await sql`update accountants set send_day = null, next_month = null, plan = plan + 1,
      updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)),
})
