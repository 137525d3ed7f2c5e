import { sql } from 'kysely'
import { areasOff, type AreaChoice } from '#kit/describe/area.ts'
import {
  implement,
  implementOpen,
  implementOpenOutside,
  implementOutside,
} from '#kit/server/contract/implement.ts'
import { serveResource, withExpanded } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import { registerHoldings } from '#features/money/paymentLinks/server/index.ts'
import { makeDefault, registerKeeping, removeCard } from '#features/money/acquirers/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { bringCard } from './bring.ts'
import { chargeSaved } from './charge.ts'
import { cardList, showCard } from './list.ts'
import {
  beginCard,
  cancelRequest,
  cardLogo,
  cardPage,
  checkCard,
  makeRequest,
  sendRequest,
} from './requests.ts'

export { start, warnOfEnds } from './keepUp.ts'
export { addSavedCards } from './demo.ts'
export { makeRequest as askForCard } from './requests.ts'

// Customers are offered to have their card kept where the business uses this part of the product.
registerKeeping(async (ctx) => {
  const { rows } = await sql<AreaChoice>`select trades, areas_switched as switched from companies
      where id = ${ctx.companyId}`.execute(ctx.tx)
  return !areasOff(rows[0]!).includes('savedCards')
})

registerHoldings(async (ctx, customerId) => {
  const { rows } = await sql<{ title: string; when: string }>`select trim(brand || ' ' || last4) as title,
      substr(expiry, 6, 2) || '/' || substr(expiry, 3, 2) as when
    from cards where company_id = ${ctx.companyId} and customer_id = ${customerId} and state = 'active'
    order by is_default desc, created_at desc limit 10`.execute(ctx.tx)
  return rows.map((row) => ({ kind: 'card' as const, ...row, agorot: null, url: '' }))
})

// A merged customer's cards are those of the one who stays, whose default stays too.
registerFollower('customer', async (ctx, keepId, gone) => {
  const ids = sql`any(${[...gone]}::uuid[])`
  await sql`update cards set customer_id = ${keepId}, is_default = false, updated_at = now()
    where company_id = ${ctx.companyId} and customer_id = ${ids}`.execute(ctx.tx)
  await sql`update card_requests set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = ${ids}`.execute(ctx.tx)
})

export const implementations = [
  ...serveResource({ ...cardList, verbs: ['list', 'export'] }),
  implement(calls.getCard, async (ctx, { id, expand }) =>
    withExpanded(ctx, 'savedCards', expand, await showCard(ctx, id)),
  ),
  implement(calls.setDefault, async (ctx, { id }) => {
    await makeDefault(ctx, id)
    return showCard(ctx, id)
  }),
  implement(calls.removeCard, async (ctx, { id }) => {
    await removeCard(ctx, id)
    return { done: true as const }
  }),
  implementOutside(calls.chargeCard, chargeSaved),
  implementOutside(calls.bringCard, bringCard),
  implement(calls.askCard, makeRequest),
  implement(calls.sendRequest, sendRequest),
  implement(calls.cancelRequest, (ctx, { id }) => cancelRequest(ctx, id)),
  implementOpen(calls.cardPage, cardPage),
  implementOpen(calls.cardLogo, cardLogo),
  implementOpenOutside(calls.beginCard, beginCard),
  implementOpenOutside(calls.checkCard, checkCard),
]

export const machines: Machines = {
  'timer keepUp.ts': { completes: 'asks a customer to replace a card they gave; nothing is charged' },
}
