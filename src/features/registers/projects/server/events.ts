import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'project',
  { entity: 'projects', see: 'projects.get' },
  {
    created: { on: 'projects.create', keep: ['name'] },
    changed: { on: 'projects.change', keep: ['name'] },
    archived: { on: 'projects.archive' },
    restored: { on: 'projects.restore' },
  },
)
