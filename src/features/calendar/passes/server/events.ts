import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'pass',
  { entity: 'passes', see: 'passes.get' },
  {
    sold: { on: 'passes.sell', keep: ['kindId', 'customerId'] },
    frozen: { on: 'passes.freeze', keep: ['fromDay', 'toDay'] },
    ended: { on: 'passes.end' },
  },
)
