import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'stock',
  { entity: 'items', see: 'stock.one' },
  { low: { on: 'stock.low', keep: ['name', 'quantity'] } },
)
