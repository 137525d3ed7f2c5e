import { sql } from 'kysely'
import { formatMoney } from '#domain/format.ts'
import type { Effect } from '#kit/describe/effects.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import { can, canDocument } from '#kit/describe/session.ts'
import { beyond, limitsToday, ordered, orderKinds } from '#kit/server/rights/authority.ts'
import type { Caller, Ctx } from '#kit/server/context.ts'
import { momentCursor } from '#kit/server/data/cursors.ts'
import { implement, type Implementation } from '#kit/server/contract/implement.ts'
import type { SystemJob } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import type { Approval } from '../endpoints.ts'
import '../rules.ts'
import { upgradeJob } from './upgrade.ts'

const page = 50

interface Row extends Omit<Approval, 'title' | 'href'> {
  subject: string
}

const columns = sql`a.id, a.kind, a.subject_id as subject, coalesce(u.full_name, '') as by,
    k.name as "keyName",
  k.prefix as "keyPrefix", a.effect, a.why, a.amount_agorot as "amountAgorot",
  a.limit_agorot as "limitAgorot", a.document_type as "documentType", a.state, a.asked_at as "askedAt",
  a.decided_at as "decidedAt", d.full_name as "decidedBy", a.reason
  from approvals a left join users u on u.id = a.user_id left join users d on d.id = a.decided_by
  left join api_keys k on k.company_id = a.company_id and k.id = a.key_id`

/** The kinds that a person may decide about: those whose right they have. */
const kindsFor = (caller: Caller): string[] =>
  [...orderKinds()].filter(([, { rule }]) => can(caller, rule)).map(([kind]) => kind)

const isSeen = ({ caller }: Ctx, { documentType }: Row): boolean =>
  documentType === null ? caller.docsAllow.length === 0 : canDocument(caller, documentType)

async function answers(ctx: Ctx, rows: readonly Row[]): Promise<Approval[]> {
  const said = new Map<string, { title: string; href: string }>()
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const ids = rows.filter((row) => row.kind === kind).map((row) => row.subject)
    for (const { id, title, href } of await orderKinds().get(kind)!.describe(ctx, ids))
      said.set(`${kind} ${id}`, { title, href })
  }
  const isHidden = ctx.caller.hideTotalPrices
  return rows.map(({ subject, ...row }) => ({
    ...row,
    // What only sends, or comes to an amount that nobody knows yet, has none to show.
    amountAgorot: isHidden || row.amountAgorot === 0 ? null : row.amountAgorot,
    title: '',
    href: '',
    ...said.get(`${row.kind} ${subject}`),
  }))
}

async function list(
  ctx: Ctx,
  {
    state,
    subject,
    cursor,
  }: { state: Approval['state']; subject?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Approval[]; nextCursor: string | null; waiting: number }> {
  const [at, last] = momentCursor(cursor)
  const mine = sql`a.company_id = ${ctx.companyId} and a.kind = any (${kindsFor(ctx.caller)}::text[])`
  const { rows } = await sql<Row>`select ${columns} where ${mine} and a.state = ${state}
    and (${subject ?? null}::uuid is null or a.subject_id = ${subject ?? null}::uuid)
    and (a.asked_at, a.id) < (${at}::timestamptz, ${last}::uuid)
    order by a.asked_at desc, a.id desc limit ${page + 1}`.execute(ctx.tx)
  const end = rows.slice(0, page).at(-1)
  return {
    rows: await answers(
      ctx,
      rows.slice(0, page).filter((row) => isSeen(ctx, row)),
    ),
    nextCursor: rows.length > page && end ? `${end.askedAt}|${end.id}` : null,
    waiting: await waitingFor(ctx),
  }
}

/** How much waits of what the caller may decide about and see. */
async function waitingFor({ tx, companyId, caller }: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from approvals
    where company_id = ${companyId} and kind = any (${kindsFor(caller)}::text[]) and state = 'waiting'
      and (${caller.docsAllow.length === 0} or document_type = any (${caller.docsAllow}::int[]))`.execute(tx)
  return rows[0]!.n
}

async function rowOf(ctx: Ctx, id: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} where a.company_id = ${ctx.companyId} and a.id = ${id}
    and a.kind = any (${kindsFor(ctx.caller)}::text[])`.execute(ctx.tx)
  if (!rows[0] || !isSeen(ctx, rows[0])) throw fail('kit.notFound')
  return rows[0]
}

async function decide(ctx: Ctx, id: string, state: 'approved' | 'rejected', reason: string): Promise<Row> {
  const { numAffectedRows } = await sql`update approvals set state = ${state}, decided_at = ${ctx.now},
      decided_by = ${ctx.caller.userId}, reason = ${reason}
    where company_id = ${ctx.companyId} and id = ${id} and state = 'waiting'`.execute(ctx.tx)
  const row = await rowOf(ctx, id)
  if (!numAffectedRows) throw fail('approvals.over')
  // The history of what was approved keeps who asked for it and who approved.
  const { entity } = orderKinds().get(row.kind)!
  const [thing, of] = entity ? [entity, row.subject] : ['approvals', id]
  await ctx.audit(`approvals.${state === 'approved' ? 'approve' : 'reject'}`, thing, of, undefined, {
    kind: row.kind,
    subject: row.subject,
    by: row.by,
    key: row.keyName,
    reason,
  })
  return row
}

/** Nobody approves what they may not do themselves. */
async function refuseBeyond(ctx: Ctx, row: Row): Promise<void> {
  const { docsAllow: _docs, ...limits } = await limitsToday(ctx)
  const found = beyond(row.effect as Effect, { agorot: row.amountAgorot }, limits)
  if (found?.why === 'noRate') throw fail('approvals.noRate')
  if (found) throw fail('approvals.beyondYours', { limit: formatMoney(found.limitAgorot ?? 0) })
}

/** The order goes on under who approved it. */
async function approveOne(ctx: Ctx, id: string): Promise<Approval> {
  const found = await rowOf(ctx, id)
  await refuseBeyond(ctx, found)
  const row = await decide(ctx, id, 'approved', '')
  await ordered(ctx, row.kind, row.subject)
  await orderKinds().get(row.kind)!.goOn(ctx, row.subject)
  return (await answers(ctx, [row]))[0]!
}

async function approveAll(ctx: Ctx, kind: string): Promise<{ approved: number; left: number }> {
  const { rows } = await sql<Row>`select ${columns} where a.company_id = ${ctx.companyId} and a.kind = ${kind}
    and a.kind = any (${kindsFor(ctx.caller)}::text[]) and a.state = 'waiting'
    order by a.asked_at, a.id limit 200`.execute(ctx.tx)
  let approved = 0
  for (const row of rows) {
    // One that is refused stops no other.
    await sql`savepoint one_approval`.execute(ctx.tx)
    try {
      await approveOne(ctx, row.id)
      approved += 1
      await sql`release savepoint one_approval`.execute(ctx.tx)
    } catch (e) {
      if (!(e instanceof Failure)) throw e
      await sql`rollback to savepoint one_approval`.execute(ctx.tx)
    }
  }
  return { approved, left: rows.length - approved }
}

export const implementations: Implementation[] = [
  implement(calls.listApprovals, list),
  implement(calls.countApprovals, async (ctx) => ({ waiting: await waitingFor(ctx) })),
  implement(calls.approve, (ctx, { id }) => approveOne(ctx, id)),
  implement(calls.reject, async (ctx, { id, reason }) => {
    await rowOf(ctx, id)
    const row = await decide(ctx, id, 'rejected', reason)
    await orderKinds().get(row.kind)!.stop?.(ctx, row.subject, reason)
    return (await answers(ctx, [row]))[0]!
  }),
  implement(calls.approveAll, (ctx, { kind }) => approveAll(ctx, kind)),
]

export const systemJobs: Record<string, SystemJob> = { 'approvals.upgrade': upgradeJob }

export const machines: Machines = {
  'approvals.upgrade': { inside: 'asks about orders that could not be carried out any more' },
}
