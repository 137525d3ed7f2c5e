import { defineEvents } from '#kit/describe/event.ts'

// Issuing is announced by the statement that issues, and closing, opening and cancelling by the database: many commands
// do these.
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
