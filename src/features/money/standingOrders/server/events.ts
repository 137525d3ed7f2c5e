import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'standingOrder',
  { entity: 'standingOrders', see: 'standingOrders.get' },
  {
    created: { on: 'standingOrders.create', keep: ['means', 'customerId'] },
    changed: { on: 'standingOrders.change' },
    pricesChanged: { on: 'standingOrders.prices', keep: ['fromDay'] },
    billed: { on: 'standingOrders.bill', keep: ['number', 'from'] },
    charged: { on: 'standingOrders.charge', keep: ['from'] },
    failing: { on: 'standingOrders.fail', keep: ['code', 'class', 'from', 'try'] },
    needsCard: { on: 'standingOrders.needsCard', keep: ['why'] },
    held: { on: 'standingOrders.hold', keep: ['why'] },
    paused: { on: 'standingOrders.pause' },
    resumed: { on: 'standingOrders.resume' },
    cancelled: { on: 'standingOrders.cancel' },
    ended: { on: 'standingOrders.end' },
  },
)
