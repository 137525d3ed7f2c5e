import { sql } from 'kysely'
import type { z } from 'zod'
import { divideRounded, toSafeNumber } from '#domain/money.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { OrderLine, raiseMany } from '../endpoints.ts'
import { keepPrices, versionFor } from './actions.ts'
import { isOver, orderOf, versionOn, versionsOf } from './order.ts'

type Given = z.output<typeof raiseMany.input>

/** A price by so much more, rounded half up to the agora, to tenths or to whole shekels. */
export function raisedPrice(price: string, by: Given['by'], round: Given['round']): string {
  // Decimals of four places; an agora is a hundred of them.
  const now = BigInt(parseDecimal4(price) ?? 0)
  const raised =
    'agorot' in by
      ? now + BigInt(by.agorot) * 100n
      : divideRounded(now * BigInt(10_000 + by.basisPoints), 10_000n)
  const to = round === 'whole' ? 10_000n : round === 'tenths' ? 1_000n : 100n
  return toText(toSafeNumber(divideRounded(raised, to) * to))
}

/**
 * Other prices for many orders at once: shown first, then saved, each order separately and all of them or none that
 * can be.
 */
export async function raise(ctx: Ctx, given: Given): Promise<z.output<typeof raiseMany.output>> {
  const ids = [...new Set(given.ids)]
  const { rows: known } = await sql<{
    id: string
    customer: string
  }>`select o.id, p.name as customer from standing_orders o
    join parties p on p.company_id = o.company_id and p.id = o.customer_id
    where o.company_id = ${ctx.companyId} and o.id = any(${ids}::uuid[]) order by p.name, o.number`.execute(
    ctx.tx,
  )
  if (known.length < ids.length) throw fail('kit.notFound')
  const rows: z.output<typeof raiseMany.output>['rows'] = []
  let changed = 0
  for (const { id, customer } of known) {
    const order = await orderOf(ctx, id, !given.look)
    const versions = await versionsOf(ctx, id)
    const lines: OrderLine[] = versionOn(versions, given.fromDay).lines.map((line) => ({
      ...line,
      unitPrice: raisedPrice(line.unitPrice, given.by, given.round),
    }))
    const found = isOver(order)
      ? undefined
      : await versionFor(ctx, order, versions, {
          fromDay: given.fromDay,
          lines,
          why: given.why,
          notify: given.notify,
        })
    const hindrance = found ? found.hindrance : 'standingOrders.over'
    if (found && !hindrance && !given.look) {
      await keepPrices(ctx, order, versions, found.version, found, given.notify)
      changed++
    }
    rows.push({
      id,
      title: order.title,
      customer,
      beforeAgorot: found?.before ?? 0,
      afterAgorot: found?.after ?? 0,
      firstDay: found?.first?.day ?? null,
      hindrance,
    })
  }
  return { rows, changed }
}
