import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'task',
  { entity: 'tasks', see: 'tasks.get' },
  {
    created: { on: 'tasks.create', keep: ['title'] },
    changed: { on: ['tasks.change', 'tasks.items', 'tasks.watch'], keep: ['title'] },
    moved: { on: 'tasks.move', keep: ['columnId'] },
    done: { on: 'tasks.done', keep: ['title'] },
    reopened: { on: 'tasks.reopen', keep: ['title'] },
    commented: { on: 'tasks.comment' },
    archived: { on: 'tasks.archive' },
    restored: { on: 'tasks.restore' },
  },
)
