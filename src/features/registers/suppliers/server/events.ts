import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'supplier',
  { entity: 'suppliers', see: 'suppliers.get' },
  {
    created: { on: 'suppliers.create', keep: ['name'] },
    changed: { on: 'suppliers.change', keep: ['name'] },
    archived: { on: 'suppliers.archive' },
    restored: { on: 'suppliers.restore' },
    merged: { on: 'suppliers.merge' },
    // Those it took in, which are no more.
    mergedInto: { on: 'suppliers.mergedInto' },
    bankChanged: { on: 'suppliers.bank' },
  },
)
