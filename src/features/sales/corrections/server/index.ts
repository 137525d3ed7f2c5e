import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { effectOf, goodsOf } from '#domain/documents/correction.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isCredit } from '#kit/server/data/documentFacts.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { accountIds } from '#features/base/ledger/server/index.ts'
import { typeById, typeId } from '#features/sales/documents/types/index.ts'
import { correctDocument, planCorrectionCall, type Given, type PlanAnswer } from '../endpoints.ts'
import '../rules.ts'
import { carryOut } from './correct.ts'
import { read, type Read } from './read.ts'

interface Made {
  id: string
  type: number
  number: number
  currency: string
  total: number
  vat: number
  customer: string | null
  allocation: string
}

const nothingDone: PlanAnswer['effect'] = { vat: [], accounts: [], customers: [], goods: [] }

/**
 * What would happen, told by doing it: the correction is carried out as it would be and rolled back, so that
 * what is shown is what will be issued and posted, and whatever would be refused is refused here.
 */
async function plan(ctx: Ctx, given: Given): Promise<PlanAnswer> {
  await sql`savepoint correction`.execute(ctx.tx)
  let found: Read | undefined
  try {
    const beginning = newId()
    found = await read(ctx, given)
    if (found.plan.refusals.length) return answerOf(found, [], nothingDone)
    await carryOut(ctx, found, '-')
    return answerOf(found, await madeSince(ctx, beginning), await effectSince(ctx, beginning, found))
  } catch (e) {
    const failure = failureOf(e)
    // What the law or the books refuse is the plan's answer; the rest is about the call.
    if (
      !found ||
      failure.status >= 500 ||
      failure.retryAfter ||
      /^(session|kit)\.(?!badInput)/.test(failure.code)
    )
      throw e
    const refusals = failure.errors.length
      ? failure.errors
      : [{ path: '', code: failure.code, params: failure.params }]
    return answerOf(
      found,
      [],
      nothingDone,
      refusals.map((one) => ({ path: one.path, code: one.code, params: one.params ?? {} })),
    )
  } finally {
    await sql`rollback to savepoint correction`.execute(ctx.tx)
  }
}

async function correct(
  ctx: Ctx,
  { reason, mark, ...given }: Given & { reason: string; mark?: string | undefined },
) {
  const beginning = newId()
  const found = await read(ctx, given)
  const [refusal] = found.plan.refusals
  if (refusal?.code.startsWith('documents.date'))
    throw new Failure('kit.badInput', {}, [
      { path: 'date', code: refusal.code, params: { ...refusal.params } },
    ])
  if (refusal) throw fail(refusal.code, { ...refusal.params })
  await carryOut(ctx, found, reason)
  const made = await madeSince(ctx, beginning)
  if (mark && mark !== answerOf(found, made, await effectSince(ctx, beginning, found)).mark)
    throw fail('corrections.changed')
  return { documents: made.map(({ id, type, number }) => ({ id, type, number })) }
}

function answerOf(
  { plan: { chain, steps, remarks, refusals } }: Read,
  made: Made[],
  effect: PlanAnswer['effect'],
  refused: PlanAnswer['refusals'] = [],
): PlanAnswer {
  // The papers come in the order of the steps that issue them.
  const papers = [...made]
  const told = steps.map((step): PlanAnswer['steps'][number] => {
    const paper = step.type ? papers.shift() : undefined
    return {
      kind: step.kind,
      type: step.type ? typeId(step.type) : null,
      date: step.day,
      currency: paper?.currency ?? null,
      totalAgorot: paper?.total ?? null,
      vatAgorot: paper?.vat ?? null,
      customer: paper?.customer ?? null,
      asksAllocation: paper?.allocation === 'waiting',
    }
  })
  // Balances move for other reasons too; only what this correction does is its mark.
  const does = { ...effect, customers: effect.customers.map((c) => [c.id, c.afterAgorot - c.beforeAgorot]) }
  return {
    chain,
    steps: told,
    remarks: [...remarks],
    refusals: [
      ...refusals.map(({ code, params }) => ({
        code,
        params: { ...params },
        path: code.startsWith('documents.date') ? 'date' : '',
      })),
      ...refused,
    ],
    effect,
    mark: createHash('sha256')
      .update(JSON.stringify([chain, told, does]))
      .digest('base64url')
      .slice(0, 22),
  }
}

/** The papers this transaction issued since. Ids run with time, so that nothing older is looked at. */
async function madeSince(ctx: Ctx, beginning: string): Promise<Made[]> {
  const { rows } =
    await sql<Made>`select id, type, number, currency, total_agorot as total, vat_agorot as vat,
        customer->>'name' as customer,
      allocation_state as allocation
    from documents where company_id = ${ctx.companyId} and id > ${beginning} and issued_at = now()
    order by id`.execute(ctx.tx)
  return rows
}

async function effectSince(
  ctx: Ctx,
  beginning: string,
  { vatPeriodOn, original, plan: { steps } }: Read,
): Promise<PlanAnswer['effect']> {
  const goods = await goodsSince(
    ctx,
    beginning,
    steps.some((step) => step.kind === 'mark') ? original.id : null,
  )
  const { rows: moved } = await sql<{ account: string; day: string; amount: number; party: string | null }>`
    select p.account_id as account, p.day, p.amount_agorot as amount, p.party_id as party
    from entries e join postings p on p.company_id = e.company_id and p.entry_id = e.id
    where e.company_id = ${ctx.companyId} and e.id > ${beginning} and e.created_at = now()
    order by e.id, p.line`.execute(ctx.tx)
  if (!moved.length) return { ...nothingDone, goods }
  const accounts = await accountIds(ctx)
  const outputVat = accounts.byNumber('2100')
  const effect = effectOf(
    moved.map((row) => ({ ...row, party: row.party ?? undefined })),
    (account) => account === outputVat,
    vatPeriodOn,
  )
  const { rows: named } = await sql<{
    id: string
    number: string
    name: string
  }>`select id, number, name from accounts
    where company_id = ${ctx.companyId} and id = any(${effect.accounts.map((a) => a.account)}::uuid[])
    order by number`.execute(ctx.tx)
  const { rows: customers } = await sql<{ id: string; name: string; after: number }>`select p.id, p.name,
      coalesce((select sum(m.debit_agorot - m.credit_agorot) from party_months m
      where m.company_id = p.company_id and m.party_id = p.id), 0)::bigint as after
    from parties p where p.company_id = ${ctx.companyId}
      and p.id = any(${effect.parties.map((p) => p.party)}::uuid[]) order by p.name, p.id`.execute(ctx.tx)
  return {
    vat: effect.vat.map(({ period, amount }) => ({ from: period.from, to: period.to, amountAgorot: amount })),
    accounts: named.map((a) => ({
      ...a,
      amountAgorot: effect.accounts.find((one) => one.account === a.id)!.amount,
    })),
    customers: customers.map(({ id, name, after }) => ({
      id,
      name,
      beforeAgorot: after - effect.parties.find((one) => one.party === id)!.amount,
      afterAgorot: after,
    })),
    goods,
  }
}

/**
 * What of the catalogue the new papers bring back and send out; a paper that is only marked brings back what
 * it sent.
 */
async function goodsSince(
  ctx: Ctx,
  beginning: string,
  markedId: string | null,
): Promise<PlanAnswer['effect']['goods']> {
  // A credit brings back what it takes of its invoice's quantities; one of a sum alone takes none.
  const { rows } = await sql<{
    item: string
    name: string
    type: number
    quantity: string
    isUndone: boolean
  }>`
    select l.item_id as item, i.name, d.type, d.id is not distinct from ${markedId}::uuid as "isUndone",
      (case when ${isCredit('d')} and l.source_document_id is not null then l.takes else l.quantity end)::text
      as
      quantity
    from documents d join document_lines l on l.company_id = d.company_id and l.document_id = d.id
      join items i on i.company_id = l.company_id and i.id = l.item_id
    where d.company_id = ${ctx.companyId}
      and (d.id = ${markedId}::uuid or (d.id > ${beginning} and d.issued_at = now()))
      order by d.id, l.line`.execute(ctx.tx)
  const lines = rows.flatMap((row) => {
    const type = typeById(row.type)?.name
    return type
      ? [{ item: row.item, type, quantity: parseDecimal4(row.quantity) ?? 0, isUndone: row.isUndone }]
      : []
  })
  return goodsOf(lines).map(({ item, back, out }) => ({
    itemId: item,
    name: rows.find((row) => row.item === item)!.name,
    back: toText(back),
    out: toText(out),
    change: toText(back - out),
  }))
}

export const implementations = [implement(planCorrectionCall, plan), implement(correctDocument, correct)]
