import { sql } from 'kysely'
import { formatMoney } from '#domain/format.ts'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { OutsideCtx } from '#kit/server/contract/implement.ts'
import { sumLimitOf } from '#features/base/team/server/index.ts'
import {
  cardById,
  chargeNow,
  planCardCharge,
  registerPurpose,
  type CardOutcome,
} from '#features/money/acquirers/server/index.ts'
import { issueFor, payableOf } from '#features/money/paymentLinks/server/index.ts'

interface Sale {
  id: string
  card_id: string
  customer_id: string
  document_id: string | null
  description: string
}

const saleOf = async (ctx: Ctx, id: string | null): Promise<Sale> => {
  const { rows } =
    await sql<Sale>`select * from card_sales where company_id = ${ctx.companyId} and id = ${id}`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

// What a person charges a saved card for: an open document, or an amount with a description.
registerPurpose('cardSale', {
  lock: async (ctx, charge) => {
    if (charge.document_id) await payableOf(ctx, charge.document_id, true)
  },
  isDue: async (ctx, charge) =>
    !charge.document_id || (await payableOf(ctx, charge.document_id, true)).openAgorot > 0,
  issue: async (ctx, charge) => {
    const sale = await saleOf(ctx, charge.subject_id)
    return issueFor(ctx, charge, {
      description: sale.description,
      paper: 'usual',
      customer_id: sale.customer_id,
      email: null,
    })
  },
  paid: async () => {},
})

export interface ChargeInput {
  id: string
  once: string
  amountAgorot: number
  description: string
  documentId?: string | undefined
  instalments?: number | undefined
}

/** Charges a saved card now. Asked again under the same `once`, it answers what became of the first time. */
export async function chargeSaved({ app, companyId, within }: OutsideCtx, given: ChargeInput) {
  const chargeId = await within(async (ctx) => {
    // People who may not see amounts do not choose one either.
    if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
    const card = await cardById(ctx, given.id)
    const { rows: known } = await sql<{ id: string }>`select id from charges
      where company_id = ${ctx.companyId} and our_key = ${`sale:${given.once}`}`.execute(ctx.tx)
    if (known[0]) return known[0].id
    const limit = await sumLimitOf(ctx, 'charge')
    if (limit !== null && given.amountAgorot > limit)
      throw failField('amountAgorot', 'savedCards.beyondLimit', { limit: formatMoney(limit) })
    const { rows } = await sql<{ language: 'he' }>`select coalesce(language, 'he') as language from parties
      where company_id = ${ctx.companyId} and id = ${card.customer_id}`.execute(ctx.tx)
    if (given.documentId) {
      const payable = await payableOf(ctx, given.documentId, true)
      if (payable.customerId !== card.customer_id) throw failField('documentId', 'fields.ref')
      if (payable.currency !== 'ILS') throw fail('paymentLinks.onlyShekels')
      if (payable.dueAgorot <= 0) throw fail('paymentLinks.nothingDue')
      if (given.amountAgorot > payable.dueAgorot) throw failField('amountAgorot', 'fields.range')
    }
    const id = newId()
    await sql`insert into card_sales (company_id, id, card_id, customer_id, document_id, description,
        created_by)
      values (${ctx.companyId}, ${id}, ${card.id}, ${card.customer_id}, ${given.documentId ?? null},
        ${given.description}, ${ctx.caller.userId})`.execute(ctx.tx)
    const planned = await planCardCharge(ctx, {
      cardId: card.id,
      agorot: given.amountAgorot,
      description: given.description,
      purpose: 'cardSale',
      ourKey: `sale:${given.once}`,
      subjectId: id,
      documentId: given.documentId ?? null,
      instalments: given.instalments ?? 1,
      language: rows[0]?.language ?? 'he',
    })
    await ctx.audit('savedCards.charge', 'savedCards', card.id, undefined, {
      amountAgorot: given.amountAgorot,
      description: given.description,
    })
    return planned
  })
  const outcome = await chargeNow(app, companyId, chargeId)
  return { ...shown(outcome), paper: await within((ctx) => paperOf(ctx, outcome.paperId)) }
}

const shown = ({ chargeId, state, declineCode, declineClass }: CardOutcome) => ({
  chargeId,
  state,
  declineCode,
  declineClass,
})

async function paperOf(ctx: Ctx, id: string | null) {
  const { rows } = await sql<{
    id: string
    type: number
    number: number
  }>`select id, type, number from documents
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return rows[0] ?? null
}
