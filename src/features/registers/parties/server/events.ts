import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'customer',
  { entity: 'customers', see: 'customers.get' },
  {
    created: { on: 'customers.create', keep: ['name'] },
    changed: { on: 'customers.change', keep: ['name'] },
    archived: { on: 'customers.archive' },
    restored: { on: 'customers.restore' },
    // The one that stays.
    merged: { on: 'customers.merge' },
    // Those it took in, which are no more.
    mergedInto: { on: 'customers.mergedInto' },
  },
)
