import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'lead',
  { entity: 'leads', see: 'leads.get' },
  {
    created: { on: 'leads.create', keep: ['name'] },
    changed: { on: 'leads.change', keep: ['name'] },
    moved: { on: 'leads.move', keep: ['stageId'] },
    won: { on: 'leads.win', keep: ['customerId'] },
    lost: { on: 'leads.lose', keep: ['reason'] },
    handedOver: { on: 'leads.handOver', keep: ['to'] },
    archived: { on: 'leads.archive' },
    restored: { on: 'leads.restore' },
  },
)
