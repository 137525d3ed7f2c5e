import { sql } from 'kysely'
import { documentTypes, mayIssue, type BusinessKind } from '#domain/documents/kinds.ts'
import { forbidden, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { parse } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { neededByCard } from '#features/sales/documents/server/index.ts'
import { cardsOf, terminalFor } from '#features/money/acquirers/server/index.ts'
import { createOrder } from '#features/money/standingOrders/endpoints.ts'
import { createStandingOrder } from '#features/money/standingOrders/server/index.ts'
import type { PassRenewal } from '../endpoints.ts'
import type { renewals } from '../passes.ts'
import { written } from './actions.ts'
import { renewalsWhere } from './read.ts'

const rhythms: Record<
  Exclude<(typeof renewals)[number], 'once'>,
  { everyN: number; unit: 'week' | 'month' | 'year' }
> = {
  week: { everyN: 1, unit: 'week' },
  month: { everyN: 1, unit: 'month' },
  quarter: { everyN: 3, unit: 'month' },
  year: { everyN: 1, unit: 'year' },
}

/**
 * Begins a standing order whose every paid charge brings the pass of its days (the trigger
 * `pass_follows_turn`). Nothing is had before the first was paid; by card where the business charges cards,
 * else each period is billed and its pass comes with the money.
 */
export async function renew(
  ctx: Ctx,
  given: {
    kindId: string
    customerId: string
    fromDay?: string | undefined
    priceAgorot?: number | undefined
    people: string[]
    cardId?: string | null | undefined
  },
): Promise<PassRenewal> {
  if (!can(ctx.caller, 'standingOrders.change')) throw forbidden({ rule: 'standingOrders.change' })
  const { rows } = await sql<{
    name: string
    price: number
    people: number
    renews: (typeof renewals)[number]
    item: string | null
  }>`select name, price_agorot as price, people, renews, item_id as item from pass_kinds
    where company_id = ${ctx.companyId} and id = ${given.kindId} and archived_at is null`.execute(ctx.tx)
  const [kind] = rows
  if (!kind) throw failField('kindId', 'fields.ref')
  if (kind.renews === 'once') throw failField('kindId', 'passes.notRenewed')
  const others = [...new Set(given.people)].filter((id) => id !== given.customerId)
  const { rows: known } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId}
      and id = any (${[given.customerId, ...others]}::uuid[]) and role = 'customer' and archived_at is null
    for no key update`.execute(ctx.tx)
  if (!known.some(({ id }) => id === given.customerId)) throw failField('customerId', 'fields.ref')
  if (known.length < others.length + 1) throw failField('people', 'fields.ref')
  if (others.length + 1 > kind.people) throw failField('people', 'passes.tooMany', { count: kind.people })
  // Held by the customer's row: of two who begin the same the second finds it.
  const there = await renewalsWhere(
    ctx,
    sql`r.customer_id = ${given.customerId} and r.kind_id = ${given.kindId}`,
    1,
  )
  if (there.length) throw failField('kindId', 'passes.renewsAlready')
  const price = given.priceAgorot ?? kind.price
  if (price <= 0) throw failField('priceAgorot', 'fields.range')
  const company = await companyOf(ctx)
  const charges = Boolean(await terminalFor(ctx))
  const paper = (name: keyof typeof documentTypes) => documentTypes[name].id
  const may = (name: keyof typeof documentTypes) => mayIssue(company.kind as BusinessKind, name)
  const usual =
    charges && given.cardId === undefined
      ? (await cardsOf(ctx, given.customerId)).find((card) => card.state === 'active' && card.is_default)
      : undefined
  const order = parse(createOrder.input, {
    title: kind.name,
    customerId: given.customerId,
    startDay: given.fromDay ?? ctx.today,
    ...rhythms[kind.renews],
    means: charges ? 'card' : 'bill',
    ...(charges ? { cardId: given.cardId ?? usual?.id ?? null } : {}),
    documentType: charges
      ? paper(await neededByCard(ctx, { for: 'sale', pays: 'nothing' }))
      : may('taxInvoice')
        ? paper('taxInvoice')
        : paper('paymentRequest'),
    // A price of a studio is what is paid: its VAT is in it.
    lines: [
      {
        description: `${kind.name} {from}-{to}`.slice(0, 500),
        unitPrice: written(price),
        vatKind: 2,
        ...(kind.item ? { itemId: kind.item } : {}),
      },
    ],
  })
  const orderId = await createStandingOrder(ctx, order)
  await sql`insert into pass_renewals (company_id, order_id, kind_id, customer_id, people, created_by)
    values (${ctx.companyId}, ${orderId}, ${given.kindId}, ${given.customerId}, ${others}::uuid[],
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('passes.renew', 'passes', null, undefined, {
    kindId: given.kindId,
    customerId: given.customerId,
    orderId,
  })
  return (await renewalsWhere(ctx, sql`r.order_id = ${orderId}`, 1))[0]!
}
