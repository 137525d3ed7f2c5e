import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'item',
  { entity: 'items', see: 'items.get' },
  {
    created: { on: 'items.create', keep: ['name', 'sku'] },
    changed: { on: 'items.change', keep: ['name', 'sku'] },
    archived: { on: 'items.archive' },
    restored: { on: 'items.restore' },
  },
)
