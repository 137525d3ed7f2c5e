import { defineEvents } from '#kit/describe/event.ts'

// Issued is told by the statement that issues, and what closes, opens and cancels a paper by the database:
// many commands do.
defineEvents(
  'document',
  { entity: 'documents', see: 'documents.get' },
  {
    issued: {},
    sent: { on: 'documents.send' },
    partlyClosed: {},
    closed: {},
    reopened: {},
    cancelled: {},
    allocated: { on: 'allocation.granted' },
    notAllocated: { on: 'allocation.refused', keep: ['code'] },
  },
)
