import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import { reverse } from '#domain/ledger/entry.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isCancelled, isIssued, isLive } from '#kit/server/data/documentFacts.ts'
import { post, postingsOf } from '#features/base/ledger/server/index.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'

/**
 * The state a payment shows: that of its money, unless its paper was reversed. `t` is the payment, `d` its
 * paper.
 */
export const stateOf: RawBuilder<string> = sql`case when ${isCancelled('d')} then 'cancelled'
    when t.amount_agorot < 0 then 'paidBack' else t.state end`

/** A cheque that lies in the drawer. `t` is the payment, `d` its paper. */
export const inHand: RawBuilder<boolean> = sql`t.means = 2 and t.state = 'received' and t.amount_agorot > 0
    and ${isLive('d')}`

/** A payment with what its paper says of it. */
export interface StoredPayment {
  id: string
  document_id: string
  means: number
  day: string
  due_day: string
  amount_agorot: number
  ils_agorot: number
  account_id: string | null
  state: string
  deposit_id: string | null
  document_type: number
  document_status: string
  document_number: number
  customer_id: string | null
}

/**
 * A payment of an issued paper, locked until the transaction ends; refused to the person who may not see its paper.
 */
export async function loadPayment(ctx: Ctx, id: string): Promise<StoredPayment> {
  const { rows } =
    await sql<StoredPayment>`select t.id, t.document_id, t.means, t.day, t.due_day, t.amount_agorot,
        t.ils_agorot, t.account_id, t.state, t.deposit_id,
      d.type as document_type, d.status as document_status, d.number as document_number, d.customer_id
    from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
    where t.company_id = ${ctx.companyId} and t.id = ${id}
      and ${isIssued('d')}${onlyAllowed(ctx, 'd.type')} for update of t`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export const setState = (ctx: Ctx, id: string, state: string, depositId: string | null) =>
  sql`update document_payments set state = ${state}, deposit_id = ${depositId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

/** The day of an action: today when not given, never tomorrow, never before what it acts on. */
export function dayOfDeed(ctx: Ctx, given: string | undefined, notBefore: string): string {
  const day = given ?? (ctx.today < notBefore ? notBefore : ctx.today)
  if (day > ctx.today) throw failField('date', 'payments.dateInFuture')
  if (day < notBefore) throw failField('date', 'fields.dayOrder')
  return day
}

/** Posts the storno of an entry: on its own day while the books are open there, else today. */
export async function postStorno(ctx: Ctx, entryId: string, on?: Day): Promise<string> {
  const { rows } = await sql<{
    day: string
    reference: string
    details: string
    document_id: string | null
    closed: boolean
  }>`select e.day, e.reference, e.details, e.document_id,
      exists (select 1 from locked_periods l where l.company_id = e.company_id and l.reopened_at is null
      and l.kind in ('month', 'year') and e.day between l.from_day and l.to_day) as closed
    from entries e where e.company_id = ${ctx.companyId} and e.id = ${entryId}`.execute(ctx.tx)
  const { day, reference, details, document_id: documentId, closed } = rows[0]!
  return post(ctx, {
    day: on ?? (closed ? ctx.today : day),
    kind: 'reversal',
    reference,
    details,
    ...(documentId ? { documentId } : {}),
    reversesId: entryId,
    postings: reverse(await postingsOf(ctx, entryId)),
  })
}
