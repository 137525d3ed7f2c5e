import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { chargeOf, registerPurpose, type Charge } from '#features/money/acquirers/server/index.ts'
import type { Outcome } from '../endpoints.ts'
import { issueFor } from './paper.ts'
import { payableOf, type Link, type Payable } from './payable.ts'

export const linkOf = async (ctx: Ctx, id: string, lock = false): Promise<Link> => {
  const { rows } = await sql<Link>`select * from payment_links where company_id = ${ctx.companyId}
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

const linkOfCharge = async (ctx: Ctx, { link_id: id }: Charge): Promise<Link | undefined> =>
  id ? linkOf(ctx, id) : undefined

/** Money that came late is taken; money for what is paid or cancelled by now is not ours. */
async function isStillDue(ctx: Ctx, charge: Charge): Promise<boolean> {
  const link = await linkOfCharge(ctx, charge)
  if (link && link.state !== 'open') return false
  if (!charge.document_id) return true
  return (await payableOf(ctx, charge.document_id, true)).openAgorot > 0
}

// Links and documents are paid alike: a document's charge has no link.
for (const purpose of ['link', 'document'])
  registerPurpose(purpose, {
    lock: async (ctx, charge) => {
      if (charge.link_id) await linkOf(ctx, charge.link_id, true)
      if (charge.document_id) await payableOf(ctx, charge.document_id, true)
    },
    isDue: isStillDue,
    issue: async (ctx, charge) => issueFor(ctx, charge, await linkOfCharge(ctx, charge)),
    paid: async (ctx, { id, link_id: linkId }) => {
      if (linkId)
        await sql`update payment_links set state = 'paid', paid_at = ${ctx.now}, charge_id = ${id},
            updated_at = now()
          where company_id = ${ctx.companyId} and id = ${linkId}`.execute(ctx.tx)
    },
  })

const outcomes = {
  begun: 'open',
  declined: 'declined',
  unknown: 'inDoubt',
  needsPerson: 'inDoubt',
  paid: 'paid',
  held: 'paid',
  saved: 'paid',
  released: 'lapsed',
  lapsed: 'lapsed',
} as const

/** The message to the payer. */
export async function outcomeOf(ctx: Ctx, id: string): Promise<Outcome> {
  const charge = await chargeOf(ctx, id)
  const { rows } = charge.paper_id
    ? await sql<{
        key: string
        type: number
        number: number
      }>`select page_key as key, type, number from documents
        where company_id = ${ctx.companyId} and id = ${charge.paper_id}`.execute(ctx.tx)
    : { rows: [] }
  return {
    state: charge.surplus ? 'surplus' : outcomes[charge.state],
    code: charge.decline_code,
    paper: rows[0] ?? null,
  }
}

/** Refuses what a link may not be for. */
export async function checkPayable(ctx: Ctx, documentId: string): Promise<Payable> {
  const payable = await payableOf(ctx, documentId).catch(() => {
    throw failField('documentId', 'fields.ref')
  })
  if (payable.currency !== 'ILS') throw fail('paymentLinks.onlyShekels')
  if (payable.dueAgorot <= 0) throw fail('paymentLinks.nothingDue')
  return payable
}
