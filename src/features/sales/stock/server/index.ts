import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import type { App } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Report } from '#kit/server/described/reports.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as countCalls from '../counts.ts'
import * as calls from '../endpoints.ts'
import * as serialCalls from '../serials.ts'
import { stockPlaces } from '../places.ts'
import '../rules.ts'
import './events.ts'
import { adjust, close, keepParts, keepUnits, landed, produce, saveSettings, valueAt } from './commands.ts'
import * as counts from './counts.ts'
import { stockOfItem } from './figures.ts'
import { settingsOf } from './move.ts'
import { order, proposed } from './orders.ts'
import { startNights } from './low.ts'
import { followStock } from './papers.ts'
import { stockCountList } from './reports/countList.ts'
import { stockExpiry } from './reports/expiry.ts'
import { stockMovements } from './reports/movements.ts'
import { stockOnHand } from './reports/onHand.ts'
import { serialsCustomers, serialsInStock, serialsMissing } from './reports/serialReports.ts'
import { stockSlow } from './reports/slow.ts'
import * as serials from './serials.ts'
import { arrive, list, make } from './transfers.ts'

export { ledgerMoves, moves } from './goods.ts'
export { lookForLow } from './low.ts'
export { seesCost } from './figures.ts'
export { showStock } from './demo.ts'

followStock()

export const implementations = [
  ...serveResource({
    resource: stockPlaces,
    refNames: {
      parentId: sql`(select p.name from stock_places p where p.company_id = t.company_id
          and p.id = t.parent_id)`,
    },
    compute: {
      itemCount: sql`(select count(distinct h.item_id) from stock_on_hand h where h.company_id = t.company_id
          and h.place_id = t.id and h.quantity <> 0)::int`,
    },
    beforeSave: async (ctx, values, before) => {
      const kind = values.kind ?? before?.kind
      // What is on the way is the product's own place.
      if (kind === 'transit' || before?.kind === 'transit') throw failField('kind', 'fields.choice')
      if (before?.isMain && kind !== 'store') throw failField('kind', 'fields.choice')
      const parentId = values.parentId === undefined ? before?.parentId : values.parentId
      if (kind === 'shelf' && !parentId) throw failField('parentId', 'fields.need')
      if (kind !== 'shelf' && parentId) throw failField('parentId', 'fields.choice')
      if (parentId) {
        const { rows } =
          await sql`select 1 from stock_places where company_id = ${ctx.companyId} and id = ${parentId}
              and kind = 'store' and archived_at is null and id is distinct
              from ${before?.id ?? null}::uuid`.execute(ctx.tx)
        if (!rows.length) throw failField('parentId', 'fields.ref')
      }
      if (before && before.kind === 'store' && kind !== 'store') {
        const { rows } = await sql`select 1 from stock_places where company_id = ${ctx.companyId}
              and parent_id = ${before.id} limit 1`.execute(ctx.tx)
        if (rows.length) throw failField('kind', 'stock.placeInUse')
      }
      return values
    },
    beforeMove: async (ctx, row, to) => {
      if (to === 'restore') return
      const { rows } =
        await sql`select 1 from stock_on_hand where company_id = ${ctx.companyId} and place_id = ${row.id}
            and quantity <> 0 limit 1`.execute(ctx.tx)
      if (row.isMain || row.kind === 'transit' || rows.length) throw fail('stock.placeInUse')
    },
    refuses: ['stock.placeInUse'],
  }),
  implement(calls.stockSettings, settingsOf),
  implement(calls.saveStockSettings, saveSettings),
  implement(calls.stockOf, (ctx, { id }) => stockOfItem(ctx, id)),
  implement(calls.adjustStock, adjust),
  implement(calls.revalueStock, landed),
  implement(calls.produceStock, produce),
  implement(calls.saveParts, keepParts),
  implement(calls.saveUnits, keepUnits),
  implement(calls.listTransfers, list),
  implement(calls.makeTransfer, make),
  implement(calls.arriveTransfer, arrive),
  implement(calls.proposedOrders, proposed),
  implement(calls.orderStock, order),
  implement(calls.closeStock, close),
  implement(calls.stockValue, valueAt),
  implement(serialCalls.findSerials, serials.find),
  implement(serialCalls.serialLife, serials.life),
  implement(serialCalls.receiveSerials, serials.receive),
  implement(serialCalls.issueSerials, serials.issue),
  implement(serialCalls.moveSerials, serials.move),
  implement(serialCalls.listCounters, serials.counters),
  implement(serialCalls.takeNumbers, serials.takeNumbers),
  implement(countCalls.listCounts, counts.list),
  implement(countCalls.beginCount, counts.begin),
  implement(countCalls.getCount, counts.get),
  implement(countCalls.countEntries, counts.enter),
  implement(countCalls.wantSecond, counts.second),
  implement(countCalls.approveCount, counts.approve),
  implement(countCalls.dropCount, counts.drop),
  implement(countCalls.answerLate, counts.answer),
]

export const start = (app: App): Promise<() => Promise<void>> => Promise.resolve(startNights(app))

export const reports: Report[] = [
  stockOnHand,
  stockMovements,
  stockSlow,
  stockExpiry,
  stockCountList,
  serialsInStock,
  serialsCustomers,
  serialsMissing,
]

export const machines: Machines = {
  'timer low.ts': { inside: 'notifies the business of items below their minimum' },
}
