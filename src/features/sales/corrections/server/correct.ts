import { sql } from 'kysely'
import { isDiscountAbove, lineAmount, type DocumentTotals } from '#domain/documents/arithmetic.ts'
import { differenceInIls } from '#domain/documents/correction.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  cancelDocument,
  fixedBy,
  issuePrepared,
  loadDocument,
  openAgain,
  prepareDocument,
  rateAnew,
  settleDocuments,
  type Content,
  type Fixed,
  type StandingSettlement,
} from '#features/sales/documents/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import type { Read } from './read.ts'

/**
 * Carries the plan out, step by step, in the caller's transaction: all of it or nothing. The papers are those
 * a person would issue one by one, by the same commands.
 */
export async function carryOut(ctx: Ctx, read: Read, reason: string): Promise<void> {
  if (!can(ctx.caller, 'documents.issue')) throw forbidden({ rule: 'documents.issue' })
  const { original, plan } = read
  // What the paper closed is asked before it is turned round.
  const closes = read.newCustomer ? [] : await closesOf(ctx, read)
  let released: StandingSettlement[] = []
  let rightId: string | undefined
  for (const step of plan.steps) {
    if (step.kind === 'creditDifference') await creditDifference(ctx, read, reason)
    else if (step.kind === 'release') released = await openAgain(ctx, original.id)
    else if (step.kind === 'reissue') rightId = await reissue(ctx, read, step.day, closes)
    else if (step.kind === 'use') await useAgain(ctx, original.id, rightId!, released)
    // One command reverses an invoice with receipt: its credit and the money after it.
    else if (step.kind !== 'giveBack' || plan.chain === 'reverseAndReissue')
      await cancelDocument(ctx, { id: original.id, reason })
  }
  await ctx.audit('corrections.correct', 'documents', original.id, undefined, {
    chain: plan.chain,
    reason,
    rightId: rightId ?? null,
  })
  if (rightId)
    await ctx.audit('corrections.corrects', 'documents', rightId, undefined, { wrongId: original.id })
}

/** A credit of what the paper was above what it should have been, line by line. */
async function creditDifference(
  ctx: Ctx,
  { original, wrong, content, right, difference, untaxed }: Read,
  reason: string,
): Promise<void> {
  const whole = difference!
  const places = whole.lines.flatMap((l, i) => (l.gross ? [i] : []))
  const totals: DocumentTotals = { ...whole, lines: places.map((i) => whole.lines[i]!) }
  const prepared = await prepareDocument(
    ctx,
    {
      ...wrong,
      type: typeId('creditInvoice'),
      sourceId: original.id,
      date: ctx.today,
      dueDate: null,
      payments: [],
      discount: null,
      rounding: 'none',
      lines: places.map((i) => ({
        ...lineOfDifference(wrong.lines[i]!, content.lines[i]!, whole.lines[i]!.amount),
        source: { documentId: original.id, line: i + 1, quantity: fewer(wrong.lines[i]!, content.lines[i]!) },
      })),
    },
    fixedBy(original),
  )
  const ils =
    original.currency === 'ILS'
      ? totals
      : differenceInIls(totals, {
          total: original.ils_total_agorot - right!.ils.total,
          vat: original.ils_vat_agorot - right!.ils.vat,
          rounding:
            original.ils_total_agorot -
            original.ils_net_agorot -
            original.ils_vat_agorot -
            right!.ils.rounding,
          untaxed: untaxed - right!.ils.netExempt - right!.ils.netZero,
        })
  await issuePrepared(ctx, { ...prepared, totals, ils }, undefined, { reason })
}

type Line = Content['lines'][number]
const decimal = (text: string) => parseDecimal4(text) ?? 0

/** How much less of it was supplied. */
const fewer = (was: Line, right: Line): string =>
  toText(Math.max(0, decimal(was.quantity) - decimal(right.quantity)))

/** As so many pieces less, or so much less for each, where that comes to the sum exactly; else as the sum. */
function lineOfDifference(was: Line, right: Line, amount: number): Line {
  const quantity = decimal(was.quantity) - decimal(right.quantity)
  const unitPrice = decimal(was.unitPrice) - decimal(right.unitPrice)
  const less = discountLess(was, right)
  const says = (one: { quantity: number; unitPrice: number }) =>
    one.quantity > 0 &&
    one.unitPrice > 0 &&
    !isDiscountAbove({ ...one, ...less }) &&
    lineAmount({ ...one, ...less }) === amount
  const pieces = { quantity, unitPrice: decimal(was.unitPrice) }
  if (unitPrice === 0 && says(pieces))
    return { ...was, discount: undefined, ...less, quantity: toText(quantity) }
  const each = { quantity: decimal(was.quantity), unitPrice }
  if (quantity === 0 && says(each))
    return { ...was, discount: undefined, ...less, unitPrice: toText(unitPrice) }
  return { ...was, quantity: '1', unitPrice: toText(amount * 100), discount: undefined }
}

/** The discount of what it is less by: the same percent, or what is gone of a sum. */
function discountLess({ discount: was }: Line, { discount: right }: Line): Pick<Line, 'discount'> {
  if (!was || 'basisPoints' in was) return was ? { discount: was } : {}
  const agorot = was.agorot - (right && 'agorot' in right ? right.agorot : 0)
  return agorot > 0 ? { discount: { agorot } } : {}
}

/**
 * The paper as it should have been. Its rate of VAT is that of the supply, unless the day of the supply was
 * the mistake.
 */
async function reissue(
  ctx: Ctx,
  { original, content, day, newCustomer }: Read,
  on: string,
  closes: NonNullable<Content['closes']>,
): Promise<string> {
  const lines = content.lines.filter((l) => decimal(l.quantity) !== 0)
  const prepared = await prepareDocument(
    ctx,
    {
      ...content,
      date: on,
      // The day was the mistake, and with it the rate that was published for it.
      ...(day !== undefined && original.rate_source !== 'typed'
        ? { rate: await rateAnew(ctx, original) }
        : {}),
      dueDate: day === undefined ? content.dueDate : null,
      handNumber: undefined,
      // Why one customer is at zero rate says nothing of another.
      ...(newCustomer ? { zeroGround: undefined } : {}),
      closes,
      // An order of one customer is not what another one was supplied.
      ...(newCustomer ? { sourceId: null, lines: lines.map((l) => ({ ...l, source: null })) } : { lines }),
    },
    supplyOf({ original, day, newCustomer }),
  )
  return (await issuePrepared(ctx, prepared)).id
}

/**
 * How the correct document is taxed: as the supply was, unless its day was the mistake; another customer has a
 * separate treatment.
 */
function supplyOf({ original, day, newCustomer }: Pick<Read, 'original' | 'day' | 'newCustomer'>): Fixed {
  const { vatRateBp, zeroRate, zeroGround, exchange, isBadDebt = false } = fixedBy(original)
  return {
    isBadDebt,
    ...(newCustomer ? {} : { zeroRate, zeroGround: zeroGround ?? null }),
    ...(day === undefined ? { vatRateBp, ...(exchange ? { exchange } : {}) } : {}),
  }
}

/** What money of the wrong paper closed, as far as the right paper has money for it. */
async function closesOf(
  ctx: Ctx,
  { original, content, settled, plan }: Read,
): Promise<NonNullable<Content['closes']>> {
  if (!content.payments?.length || plan.chain === 'partialCredit') return []
  const { rows: asked } = await sql<{
    id: string
    agorot: number
  }>`select request_id as id, sum(agorot)::bigint as agorot from asked_payments
    where company_id = ${ctx.companyId} and document_id = ${original.id} group by request_id
    having sum(agorot) <> 0 order by min(created_at), 1`.execute(ctx.tx)
  const closed = settled
    .toReversed()
    .map((s) =>
      s.from_id === original.id
        ? { documentId: s.to_id, own: s.from_agorot, other: s.to_agorot }
        : { documentId: s.from_id, own: s.to_agorot, other: s.from_agorot },
    )
  const total = content.payments.reduce((sum, one) => sum + one.amountAgorot, 0)
  let left = Math.abs(total)
  const closes = closed.flatMap(({ documentId, own, other }) => {
    const part = Math.min(own, left)
    left -= part
    if (part <= 0 || Math.sign(total) !== Math.sign(original.total_agorot)) return []
    return [
      {
        documentId,
        amountAgorot: part === own ? other : Math.floor((other * part) / own),
        takesAgorot: part,
      },
    ]
  })
  let toAnswer = Math.max(0, total)
  const answers = asked.flatMap(({ id, agorot }) => {
    const part = Math.min(agorot, toAnswer)
    toAnswer -= part
    return part > 0 ? [{ documentId: id, amountAgorot: part }] : []
  })
  return [...closes.filter((c) => c.amountAgorot > 0), ...answers]
}

/**
 * Money that was taken off the wrong paper closes the right one, the earliest first, as far as that is open.
 */
async function useAgain(
  ctx: Ctx,
  wrongId: string,
  rightId: string,
  released: StandingSettlement[],
): Promise<void> {
  for (const s of released.toReversed()) {
    if (s.to_id !== wrongId) continue
    const open = (await loadDocument(ctx, rightId)).open_in_currency_agorot
    const toAgorot = Math.min(s.to_agorot, open)
    const fromAgorot =
      toAgorot === s.to_agorot ? s.from_agorot : Math.floor((s.from_agorot * toAgorot) / s.to_agorot)
    if (toAgorot > 0 && fromAgorot > 0)
      await settleDocuments(ctx, { fromId: s.from_id, toId: rightId, fromAgorot, toAgorot })
  }
}
