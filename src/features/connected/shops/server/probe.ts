import { sql } from 'kysely'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import type { ShopCheck } from '../endpoints.ts'
import { Away, Refused } from './doors/call.ts'
import { doorOf } from './doors/door.ts'
import type { Probed } from './doors/shopDoor.ts'
import { shopOf } from './engine/rows.ts'

interface Seen {
  state: 'on' | 'off' | 'gone'
  heardAt: string | null
  waiting: number
}

/**
 * Whether a shop and its business reach one another: the shop is asked, what it should tell and does not is
 * asked for again, and what stops documents on our side is named. Nothing is issued and no order is touched.
 */
export async function probeShop(app: App, companyId: string, id: string): Promise<ShopCheck[]> {
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) => asCaller(app, systemCaller(companyId), '', work)
  const shop = await inside((ctx) => shopOf(ctx, id))
  const reached = await ask(() => doorOf(app, shop)?.probe())
  const seen = await inside(async (ctx) => {
    // The page of the shop says the same as this answer.
    if (reached.error !== undefined)
      await sql`update shops set last_error = ${reached.error.slice(0, 200)} where company_id = ${companyId}
          and id = ${id}`.execute(ctx.tx)
    const { rows } = await sql<Seen>`select s.state,
        (select max(n.at) from shop_notices n where n.company_id = s.company_id and n.shop_id = s.id
        and n.topic not in ('asked', 'sweep')) as "heardAt",
        (select count(*)::int from shop_orders o where o.company_id = s.company_id and o.shop_id = s.id
        and (o.state = 'trouble'
          or exists (select 1 from shop_refunds r where r.company_id = o.company_id and r.order_id = o.id
          and r.state = 'trouble'))) as waiting
      from shops s where s.company_id = ${companyId} and s.id = ${id}`.execute(ctx.tx)
    return rows[0]!
  })
  const one = (
    what: ShopCheck['what'],
    is: ShopCheck['is'],
    ok: boolean,
    more: Partial<ShopCheck> = {},
  ): ShopCheck => ({
    what,
    is,
    ok,
    count: null,
    at: null,
    ...more,
  })
  return [
    one('reach', reached.is, reached.is === 'ok'),
    // Of a shop that cannot be reached nobody knows what it tells.
    ...(reached.is !== 'ok'
      ? []
      : reached.tells === 'unasked'
        ? [seen.heardAt ? one('told', 'heard', true, { at: seen.heardAt }) : one('told', 'never', true)]
        : [one('told', reached.tells, reached.tells !== 'bad')]),
    one('issues', seen.state === 'on' ? 'ok' : seen.state, seen.state === 'on'),
    seen.waiting ? one('orders', 'waiting', false, { count: seen.waiting }) : one('orders', 'ok', true),
  ]
}

type Reached = { is: 'ok'; tells: Probed; error: '' } | { is: 'away' | 'refused' | 'noToken'; error?: string }

async function ask(probe: () => Promise<Probed> | undefined): Promise<Reached> {
  try {
    const tells = await probe()
    return tells === undefined ? { is: 'noToken' } : { is: 'ok', tells, error: '' }
  } catch (e) {
    if (e instanceof Refused) return { is: 'refused', error: e.message }
    if (e instanceof Away) return { is: 'away', error: e.message }
    throw e
  }
}
