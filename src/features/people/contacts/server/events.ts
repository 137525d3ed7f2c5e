import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'contact',
  { entity: 'interactions', see: 'interactions.get' },
  {
    created: { on: 'interactions.create', keep: ['channel'] },
    changed: { on: 'interactions.change' },
    archived: { on: 'interactions.archive' },
    restored: { on: 'interactions.restore' },
  },
)
