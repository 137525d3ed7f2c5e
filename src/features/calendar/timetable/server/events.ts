import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'class',
  { entity: 'classes', see: 'classes.get' },
  {
    created: { on: 'classes.create', keep: ['day', 'at'] },
    moved: { on: 'classes.move', keep: ['day', 'at'] },
    changed: { on: 'classes.change', keep: ['classes'] },
    cancelled: { on: 'classes.cancel', keep: ['reason', 'classes'] },
  },
)
