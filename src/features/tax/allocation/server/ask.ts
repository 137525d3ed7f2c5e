import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { loadDocument, type StoredDocument } from '#features/sales/documents/server/index.ts'
import type { Decision } from '../endpoints.ts'
import { lastNine } from '../numbers.ts'
import { AuthorityAway, type Answer } from './authority.ts'
import { authority, isAway, isBack, linkOf, withToken } from './link.ts'
import { requestOf } from './request.ts'
import { reportLater, takeFromStock } from './stock.ts'

export interface AllocationRow {
  document_id: string
  invoice_key: string
  action: number | null
  tries: number
  asked_at: string | null
  next_at: string | null
  reason: string
  message: string
  decision: '' | Decision
  told_at: string | null
  confirmation_number: string | null
}

export interface Outcome {
  state: string
  number: string | null
  reason: string
  message: string
}

/** After so many silences in a row a number of the stock is used. */
const silencesBeforeStock = 3
/** A hearing takes days; the answer is looked for once a day. */
const hearingMs = 86_400_000

/**
 * The request of a document, made when it is first asked about, and locked; undefined when somebody is asking
 * right now.
 */
export async function requestFor(
  ctx: Ctx,
  documentId: string,
  wait = false,
): Promise<AllocationRow | undefined> {
  await sql`insert into allocation_requests (company_id, document_id, invoice_key)
    select company_id, id, id::text from documents where company_id = ${ctx.companyId} and id = ${documentId}
    on conflict do nothing`.execute(ctx.tx)
  const { rows } =
    await sql<AllocationRow>`select * from allocation_requests where company_id = ${ctx.companyId}
        and document_id = ${documentId}
    for update ${wait ? sql`` : sql`skip locked`}`.execute(ctx.tx)
  return rows[0]
}

const change = (ctx: Ctx, documentId: string, values: Record<string, unknown>) =>
  sql`update allocation_requests
    set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
      updated_at = now()
    where company_id = ${ctx.companyId} and document_id = ${documentId}`.execute(ctx.tx)
export { change as changeRequest }

/** The one place where a document's state at the authority changes. */
export async function setState(
  ctx: Ctx,
  documentId: string,
  state: string,
  number: string | null = null,
): Promise<void> {
  await sql`update documents set allocation_state = ${state},
      allocation_number = ${number === null ? null : lastNine(number)}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${documentId}
      and allocation_state not in ('granted', 'manual')`.execute(ctx.tx)
}

const stillOpen: ReadonlySet<string> = new Set(['waiting', 'away'])

/**
 * Asks the authority about one document and records its answer. The key of the request stays the same, so a second
 * request after a crash, or by another process, brings the same number and never a second one. `byPerson`: at once
 * whatever was planned, and an obstacle is a refusal in words.
 */
export async function ask(ctx: Ctx, documentId: string, byPerson = false): Promise<Outcome | undefined> {
  const request = await requestFor(ctx, documentId)
  if (!request) {
    if (byPerson) throw fail('allocation.beingAsked')
    return undefined
  }
  // Read behind the lock: what another process has just written is seen.
  const d = await loadDocument(ctx, documentId)
  const again =
    d.allocation_state === 'refused' &&
    (byPerson ? ['', 'objection'] : ['objection']).includes(request.decision)
  if (!stillOpen.has(d.allocation_state) && !again) {
    if (byPerson) throw fail('allocation.notWaiting')
    return undefined
  }
  if (statusFacts(d.status).isCancelled) {
    await setState(ctx, documentId, 'notNeeded')
    return { state: 'notNeeded', number: null, reason: '', message: '' }
  }
  if (!byPerson) {
    if (request.next_at && new Date(request.next_at).getTime() > ctx.now.getTime() + 2000) return undefined
    const link = await linkOf(ctx)
    // While nothing answers, one call finds out for all.
    if (link?.away_until && new Date(link.away_until) > ctx.now)
      return silent(ctx, d, request, new Date(link.away_until), link.away_tries)
  }

  let answer: Answer
  try {
    const asked = await withToken(ctx.app, ctx.companyId, async (access) =>
      (await authority(ctx)).ask(access, await requestOf(ctx, d, request.invoice_key, request.action)),
    )
    if ('missing' in asked) {
      // Nothing to retry automatically: connecting starts it.
      await change(ctx, documentId, { reason: asked.missing, next_at: null })
      if (byPerson) throw fail(`allocation.${asked.missing}`)
      return { state: d.allocation_state, number: null, reason: asked.missing, message: '' }
    }
    answer = asked.done
  } catch (e) {
    if (!(e instanceof AuthorityAway)) throw e
    const { until, silences } = await isAway(ctx)
    return silent(ctx, d, { ...request, tries: request.tries + 1 }, until, silences)
  }

  await isBack(ctx)
  const asked = { tries: request.tries + 1, asked_at: ctx.now }
  if (answer.state === 'granted') {
    await change(ctx, documentId, {
      ...asked,
      next_at: null,
      reason: '',
      message: '',
      confirmation_number: answer.number,
    })
    await setState(ctx, documentId, 'granted', answer.number)
    await ctx.audit('allocation.granted', 'documents', documentId, undefined, {
      number: lastNine(answer.number),
    })
    return { state: 'granted', number: lastNine(answer.number), reason: '', message: '' }
  }
  const hearing = request.decision === 'objection'
  const next = hearing ? new Date(ctx.now.getTime() + hearingMs) : null
  await change(ctx, documentId, {
    ...asked,
    next_at: next,
    reason: answer.code,
    message: answer.message.slice(0, 500),
  })
  await setState(ctx, documentId, 'refused')
  if (next) await ctx.later('allocation.ask', { documentId }, next)
  else await ctx.audit('allocation.refused', 'documents', documentId, undefined, { code: answer.code })
  return { state: 'refused', number: null, reason: answer.code, message: answer.message }
}

/** No answer: a number of the stock when the silence lasts, else another try later. */
async function silent(
  ctx: Ctx,
  d: StoredDocument,
  request: AllocationRow,
  until: Date,
  silences: number,
): Promise<Outcome> {
  const tries = { tries: request.tries, asked_at: ctx.now }
  const number =
    silences >= silencesBeforeStock && request.action === null ? await takeFromStock(ctx, d.id) : undefined
  if (number) {
    await change(ctx, d.id, { ...tries, next_at: null, reason: '', message: '', confirmation_number: number })
    await setState(ctx, d.id, 'granted', number)
    await reportLater(ctx, until)
    return { state: 'granted', number: lastNine(number), reason: '', message: '' }
  }
  // Not all in the same second when it comes back.
  const next = new Date(until.getTime() + 1000 + Math.floor(Math.random() * 5000))
  await change(ctx, d.id, { ...tries, next_at: next, reason: 'away' })
  if (d.allocation_state === 'waiting') await setState(ctx, d.id, 'away')
  await ctx.later('allocation.ask', { documentId: d.id }, next)
  return {
    state: d.allocation_state === 'waiting' ? 'away' : d.allocation_state,
    number: null,
    reason: 'away',
    message: '',
  }
}

export const askJob: Job = async (ctx, { documentId }) => void (await ask(ctx, String(documentId)))

/** Everything that waits is asked now: after a connection was made, or the authority came back. */
export const askWaiting: Job = async (ctx) => {
  const { rows } = await sql<{
    id: string
  }>`select id from documents where company_id = ${ctx.companyId} and allocation_state in ('waiting', 'away')
    order by day, id limit 5000`.execute(ctx.tx)
  await sql`update allocation_requests set next_at = null where company_id = ${ctx.companyId}
      and next_at is not null
    and document_id = any(${rows.map((r) => r.id)}::uuid[])`.execute(ctx.tx)
  for (const { id } of rows) await ctx.later('allocation.ask', { documentId: id })
}
