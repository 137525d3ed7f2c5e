import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { donationsReportedFrom } from '#domain/law/terms.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { AuthorityAway } from '#features/tax/allocation/server/index.ts'
import { loadDocument, onlyAllowed, type StoredDocument } from '#features/sales/documents/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import type { reportStates } from '../donations.ts'
import type { DonationRow } from '../endpoints.ts'
import type { Answer } from './authority.ts'
import { link } from './link.ts'

interface Report {
  document_id: string
  cancels_id: string | null
  state: (typeof reportStates)[number]
  tries: number
  next_at: string | null
}

interface Outcome {
  state: Report['state']
  number: string | null
  reason: string
  message: string
}

const donationType = typeId('donationReceipt')

/**
 * The report of a receipt, made when it is first asked about, and locked; undefined while somebody else is
 * asking.
 */
async function reportFor(ctx: Ctx, d: StoredDocument, wait = false): Promise<Report | undefined> {
  const cancelsId = d.total_agorot < 0 ? d.source_id : null
  await sql`insert into donation_reports (company_id, document_id, cancels_id, anonymous)
    values (${ctx.companyId}, ${d.id}, ${cancelsId}, ${!d.customer.taxId}) on conflict do nothing`.execute(
    ctx.tx,
  )
  const { rows } =
    await sql<Report>`select document_id, cancels_id, state, tries, next_at from donation_reports
    where company_id = ${ctx.companyId} and document_id = ${d.id} for
    update ${wait ? sql`` : sql`skip locked`}`.execute(ctx.tx)
  return rows[0]
}

const set = (ctx: Ctx, id: string, values: Record<string, unknown>) =>
  sql`update donation_reports
    set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
      updated_at = now()
    where company_id = ${ctx.companyId} and document_id = ${id}`.execute(ctx.tx)

const isOpen = (state: string) => state === 'waiting' || state === 'away'

/**
 * Reports one receipt, or its cancellation, and records the answer. The receipt's id is the key: repeated after a
 * crash, or by another process, it brings the same number. `byPerson`: at once, a refused one too, and an obstacle
 * is a refusal in words.
 */
export async function report(ctx: Ctx, documentId: string, byPerson = false): Promise<Outcome | undefined> {
  const d = await loadDocument(ctx, documentId)
  if (d.type !== donationType || statusFacts(d.status).isDraft) throw fail('kit.notFound')
  const row = await reportFor(ctx, d)
  if (!row) {
    if (byPerson) throw fail('donations.beingAsked')
    return undefined
  }
  if (!isOpen(row.state) && !(byPerson && row.state === 'refused')) {
    if (byPerson) throw fail('donations.notWaiting')
    return undefined
  }
  const said = (state: Report['state'], more: Partial<Outcome> = {}): Outcome => ({
    state,
    number: null,
    reason: '',
    message: '',
    ...more,
  })
  const cancels = row.cancels_id ? await loadDocument(ctx, row.cancels_id) : undefined
  if (cancels && !cancels.donation_number) {
    const { rows } = await sql<{
      state: string
    }>`select state from donation_reports where company_id = ${ctx.companyId}
        and document_id = ${cancels.id}`.execute(ctx.tx)
    // What was never to be reported is not cancelled there either.
    if (cancels.day < donationsReportedFrom || rows[0]?.state === 'notNeeded') {
      await set(ctx, d.id, { state: 'notNeeded', next_at: null, reason: '' })
      return said('notNeeded')
    }
    // The number of the donation comes first; it starts this one when it comes.
    await set(ctx, d.id, { reason: 'first', next_at: null })
    return said(row.state, { reason: 'first' })
  }
  if (!cancels && d.day < donationsReportedFrom) {
    await set(ctx, d.id, { state: 'notNeeded', next_at: null, reason: '' })
    return said('notNeeded')
  }
  if (!byPerson) {
    if (row.next_at && new Date(row.next_at).getTime() > ctx.now.getTime() + 2000) return undefined
    const known = await link.linkOf(ctx)
    // While nothing answers, one call finds out for all.
    if (known?.away_until && new Date(known.away_until) > ctx.now)
      return silent(ctx, d.id, row, new Date(known.away_until))
  }

  const common = {
    key: d.id,
    institution: d.business.taxId,
    day: d.day,
    receiptNumber: d.number!,
    agorot: Math.abs(d.ils_total_agorot),
  }
  let answer: Answer
  try {
    const authority = await link.authority(ctx)
    const asked = await link.withToken(ctx.app, ctx.companyId, (access) =>
      cancels
        ? authority.cancel(access, { ...common, cancels: cancels.donation_number! })
        : authority.report(access, {
            ...common,
            donorId: d.customer.taxId ?? '',
            donorName: d.customer.name ?? '',
          }),
    )
    if ('missing' in asked) {
      // Nothing to retry automatically: connecting starts it.
      await set(ctx, d.id, { reason: asked.missing, next_at: null })
      if (byPerson) throw fail(`donations.${asked.missing}`)
      return said(row.state, { reason: asked.missing })
    }
    answer = asked.done
  } catch (e) {
    if (!(e instanceof AuthorityAway)) throw e
    const { until } = await link.isAway(ctx)
    return silent(ctx, d.id, { ...row, tries: row.tries + 1 }, until)
  }
  await link.isBack(ctx)
  const asked = { tries: row.tries + 1, asked_at: ctx.now, next_at: null }
  if (answer.state === 'refused') {
    await set(ctx, d.id, {
      ...asked,
      state: 'refused',
      reason: answer.code,
      message: answer.message.slice(0, 500),
    })
    await ctx.audit('donations.refused', 'documents', d.id, undefined, { code: answer.code })
    return said('refused', { reason: answer.code, message: answer.message })
  }
  await set(ctx, d.id, { ...asked, state: 'granted', reason: '', message: '' })
  await sql`update documents set donation_number = ${answer.number}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${d.id} and donation_number is null`.execute(ctx.tx)
  await ctx.audit('donations.granted', 'documents', d.id, undefined, { number: answer.number })
  const { rows: waiting } = await sql<{ id: string }>`select document_id as id from donation_reports
    where company_id = ${ctx.companyId} and cancels_id = ${d.id} and state in ('waiting', 'away')`.execute(
    ctx.tx,
  )
  for (const { id } of waiting) await ctx.later('donations.report', { documentId: id })
  return said('granted', { number: answer.number })
}

/** No answer: another try once it may answer again, and not all in the same second. */
async function silent(ctx: Ctx, id: string, row: Report, until: Date): Promise<Outcome> {
  const next = new Date(until.getTime() + 1000 + Math.floor(Math.random() * 5000))
  await set(ctx, id, { state: 'away', tries: row.tries, asked_at: ctx.now, next_at: next, reason: 'away' })
  await ctx.later('donations.report', { documentId: id }, next)
  return { state: 'away', number: null, reason: 'away', message: '' }
}

export const reportJob: Job = async (ctx, { documentId }) => void (await report(ctx, String(documentId)))

/** Everything that waits is reported now: after a connection was made, or the authority came back. */
export const askWaiting: Job = async (ctx) => {
  await sql`update donation_reports set next_at = null where company_id = ${ctx.companyId}
      and next_at is not null`.execute(ctx.tx)
  for (const id of await waitingIds(ctx)) await ctx.later('donations.report', { documentId: id })
}

const waitingIds = async (ctx: Ctx): Promise<string[]> =>
  (
    await sql<{
      id: string
    }>`select document_id as id from donation_reports where company_id = ${ctx.companyId}
        and state in ('waiting', 'away')
      order by cancels_id nulls first, created_at limit 5000`.execute(ctx.tx)
  ).rows.map((r) => r.id)

export async function askAll(ctx: Ctx): Promise<{ asked: number }> {
  await link.needConnection(ctx)
  const ids = await waitingIds(ctx)
  if (!ids.length) throw fail('donations.nothingToAsk')
  // A person who asks does not wait for the pause.
  await sql`update authority_links set away_until = null where company_id = ${ctx.companyId}
      and service = 'donations' and away_until is not null`.execute(ctx.tx)
  await askWaiting(ctx, {}, false)
  return { asked: ids.length }
}

const mostListed = 500
const state = sql`coalesce(r.state, 'waiting')`
const views = {
  open: sql`${state} in ('waiting', 'away', 'refused')`,
  refused: sql`${state} = 'refused'`,
  all: sql`true`,
}

export async function listDonations(ctx: Ctx, { view }: { view: keyof typeof views }) {
  const from = sql`from documents d left join donation_reports r on r.company_id = d.company_id
      and r.document_id = d.id
    where d.company_id = ${ctx.companyId} and d.type = ${donationType} and ${isIssued('d')}
      and (d.day >= ${donationsReportedFrom} or r.document_id is not null)${onlyAllowed(ctx, 'd.type')}`
  const { rows } =
    await sql<DonationRow>`select d.id, d.number, d.day, coalesce(d.customer->>'name', '') as donor,
        d.ils_total_agorot as "sumAgorot",
      d.ils_total_agorot < 0 as cancels, coalesce(d.customer->>'taxId', '') = '' as anonymous,
      ${state} as state, coalesce(r.reason, '') as reason,
      coalesce(r.message, '') as message, coalesce(r.tries, 0) as tries, r.next_at as "nextAt",
      d.donation_number as "reportNumber"
    ${from} and ${views[view]} order by (${state} = 'refused') desc, d.day desc, d.number desc
    limit ${mostListed}`.execute(ctx.tx)
  const { rows: counts } = await sql<{
    open: number
    refused: number
    all: number
  }>`select count(*) filter (where ${views.open})::int as open,
    count(*) filter (where ${views.refused})::int as refused, count(*)::int as all ${from}`.execute(ctx.tx)
  return { rows, counts: counts[0]! }
}

export async function markNotNeeded(
  ctx: Ctx,
  { id, reason }: { id: string; reason: string },
): Promise<{ done: true }> {
  const d = await loadDocument(ctx, id)
  if (d.type !== donationType || statusFacts(d.status).isDraft) throw fail('kit.notFound')
  const row = await reportFor(ctx, d, true)
  if (!row || row.state === 'granted' || row.state === 'notNeeded') throw fail('donations.notWaiting')
  await set(ctx, id, { state: 'notNeeded', next_at: null, reason: '', message: '' })
  await ctx.audit('donations.notNeeded', 'documents', id, undefined, { reason })
  return { done: true }
}
