import { sql } from 'kysely'
import { statusFacts } from '#domain/documents/facts.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { incomeNet } from '#kit/server/data/documentFacts.ts'
import { startJob, type LongJob } from '#kit/server/work/progress.ts'
import { thresholdsFor } from '#features/registers/rates/server/index.ts'
import { loadDocument, onlyAllowed } from '#features/sales/documents/server/index.ts'
import { typeById } from '#features/sales/documents/types/index.ts'
import type { MissingRow } from '../endpoints.ts'
import { lastNine, typesWithReverse } from '../numbers.ts'
import { ask, changeRequest, requestFor, setState } from './ask.ts'
import { needConnection } from './link.ts'
import { reportLater, takeFromStock } from './stock.ts'

const mostListed = 500

const groups = {
  open: sql`(d.allocation_state in ('waiting', 'away')
      or (d.allocation_state = 'refused' and coalesce(r.decision, '') in ('', 'objection')))`,
  refused: sql`(d.allocation_state = 'refused' and coalesce(r.decision, '') = '')`,
  decided: sql`(d.allocation_state = 'refused' and coalesce(r.decision, '') not in ('', 'objection'))`,
}

const from = (ctx: Ctx) => sql`from documents d left join allocation_requests r on r.company_id = d.company_id
    and r.document_id = d.id
  where d.company_id = ${ctx.companyId}
    and d.allocation_state in ('waiting', 'away', 'refused')${onlyAllowed(ctx, 'd.type')}`

export async function listMissing(ctx: Ctx, { state }: { state: keyof typeof groups }) {
  const { rows } =
    await sql<MissingRow>`select d.id, d.type, d.number, d.day, coalesce(d.customer->>'name', '') as customer,
      ${incomeNet('d')} as "netAgorot", d.allocation_state as state,
      coalesce(r.reason, '') as reason, coalesce(r.message, '') as message, coalesce(r.tries, 0) as tries,
      r.asked_at as "askedAt", r.next_at as "nextAt",
      coalesce(r.decision, '') as decision, d.type = any(${typesWithReverse}::int[]) as "canReverse"
    ${from(ctx)} and ${groups[state]} order by (d.allocation_state = 'refused') desc, d.day desc,
    d.number desc limit ${mostListed}`.execute(ctx.tx)
  const { rows: counts } = await sql<{
    open: number
    refused: number
    decided: number
  }>`select count(*) filter (where ${groups.open})::int as open,
    count(*) filter (where ${groups.refused})::int as refused, count(*) filter (where ${groups.decided})::int
    as decided ${from(ctx)}`.execute(ctx.tx)
  const { rows: jobs } = await sql<{
    id: string
  }>`select id from jobs where company_id = ${ctx.companyId} and created_by = ${ctx.caller.userId}
    and kind = 'allocation.askAll' and ended_at is null order by created_at desc limit 1`.execute(ctx.tx)
  return {
    rows,
    counts: counts[0]!,
    threshold: (await thresholdsFor(ctx))(ctx.today) ?? null,
    jobId: jobs[0]?.id ?? null,
  }
}

/** The document and its request, both locked, while it still has no number. */
async function withoutNumber(ctx: Ctx, id: string) {
  const request = await requestFor(ctx, id, true)
  const d = await loadDocument(ctx, id, true)
  if (
    !request ||
    !['waiting', 'away', 'refused'].includes(d.allocation_state) ||
    statusFacts(d.status).isCancelled
  )
    throw fail('allocation.notWaiting')
  return d
}

export async function askNow(ctx: Ctx, { id }: { id: string }) {
  await loadDocument(ctx, id)
  return (await ask(ctx, id, true))!
}

export async function markNotNeeded(
  ctx: Ctx,
  { id, reason }: { id: string; reason: string },
): Promise<{ done: true }> {
  await withoutNumber(ctx, id)
  await setState(ctx, id, 'notNeeded')
  await changeRequest(ctx, id, { next_at: null, reason: '' })
  await ctx.audit('allocation.notNeeded', 'documents', id, undefined, { reason })
  return { done: true }
}

/**
 * A customer who was not known as a dealer when the invoice was issued may need its number later; the authority is
 * asked as about any other and decides.
 */
export async function wantNumber(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  await requestFor(ctx, id, true)
  const d = await loadDocument(ctx, id, true)
  const mayHave = typeById(d.type)?.mayNeedAllocation && d.ils_vat_agorot > 0
  if (!mayHave || d.allocation_state !== 'notNeeded' || !statusFacts(d.status).isLive)
    throw fail('allocation.notWanted')
  await changeRequest(ctx, id, { next_at: null, reason: '', message: '' })
  await setState(ctx, id, 'waiting')
  await ctx.audit('allocation.want', 'documents', id)
  await ctx.later('allocation.ask', { documentId: id })
  return { done: true }
}

export async function enterNumber(
  ctx: Ctx,
  { id, number }: { id: string; number: string },
): Promise<{ done: true }> {
  await withoutNumber(ctx, id)
  const { rows } = await sql`select 1 from documents where company_id = ${ctx.companyId}
        and allocation_number = ${lastNine(number)} limit 1`.execute(ctx.tx)
  if (rows.length) throw fail('allocation.numberUsed')
  await changeRequest(ctx, id, { next_at: null, reason: '', message: '', confirmation_number: number })
  await setState(ctx, id, 'manual', number)
  await ctx.audit('allocation.enter', 'documents', id, undefined, { number: lastNine(number) })
  return { done: true }
}

export async function fromStock(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  const d = await withoutNumber(ctx, id)
  // A refusal is an answer: the stock is for silence only.
  if (d.allocation_state === 'refused') throw fail('allocation.notWaiting')
  const number = await takeFromStock(ctx, id)
  if (!number) throw fail('allocation.stockEmpty')
  await changeRequest(ctx, id, { next_at: null, reason: '', message: '', confirmation_number: number })
  await setState(ctx, id, 'granted', number)
  await reportLater(ctx, ctx.now)
  return { done: true }
}

const waitingIds = async (ctx: Ctx): Promise<string[]> =>
  (
    await sql<{
      id: string
    }>`select d.id ${from(ctx)} and d.allocation_state in ('waiting', 'away') order by d.day, d.id
      limit 5000`.execute(ctx.tx)
  ).rows.map((r) => r.id)

export async function askAll(ctx: Ctx): Promise<{ jobId: string }> {
  await needConnection(ctx)
  const ids = await waitingIds(ctx)
  if (!ids.length) throw fail('allocation.nothingToAsk')
  // A person who asks does not wait for the pause.
  await sql`update authority_links set away_until = null where company_id = ${ctx.companyId}
      and away_until is not null`.execute(ctx.tx)
  return {
    jobId: await startJob(
      ctx,
      'allocation.askAll',
      { ids },
      { count: ids.length, href: '/invoice/missingisraeltax' },
    ),
  }
}

/** One document a step: what was answered stays answered when the work is stopped or killed. */
export const askingAll: LongJob = {
  rule: 'allocation.change',
  work: async (run) => {
    const ids = run.payload.ids as string[]
    const start = (run.position as { at: number; granted: number; refused: number } | undefined) ?? {
      at: 0,
      granted: 0,
      refused: 0,
    }
    let { granted, refused } = start
    for (let at = start.at; at < ids.length; at++) {
      const outcome = await run.step(
        // What was answered or cancelled meanwhile, or is being asked by another, is passed over.
        async (ctx) => {
          await sql`update allocation_requests set next_at = null where company_id = ${ctx.companyId}
              and document_id = ${ids[at]!} and next_at is not null`.execute(ctx.tx)
          return ask(ctx, ids[at]!)
        },
        (made) => ({
          position: {
            at: at + 1,
            granted: granted + (made?.state === 'granted' ? 1 : 0),
            refused: refused + (made?.state === 'refused' ? 1 : 0),
          },
          done: at + 1,
          total: ids.length,
        }),
      )
      if (outcome?.state === 'granted') granted++
      if (outcome?.state === 'refused') refused++
      // Without an answer to one there is none to the others; they are retried automatically.
      if (outcome?.reason === 'away') return { granted, refused, away: true }
      if (outcome && ['off', 'notConnected', 'ended'].includes(outcome.reason))
        throw fail(`allocation.${outcome.reason}`)
    }
    return { granted, refused, away: false }
  },
}
