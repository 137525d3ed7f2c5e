import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'signature',
  { entity: 'signRequests', see: 'signRequests.get' },
  {
    sent: { on: 'signRequests.send', keep: ['name', 'signers'] },
    opened: { on: 'signRequests.opened', keep: ['signerId'] },
    signed: { on: 'signRequests.signed', keep: ['signerId', 'name'] },
    declined: { on: 'signRequests.declined', keep: ['signerId', 'name', 'reason'] },
    delegated: { on: 'signRequests.delegated', keep: ['signerId', 'to'] },
    recalled: { on: 'signRequests.recall', keep: ['name', 'reason'] },
    expired: { on: 'signRequests.expired', keep: ['name'] },
    done: { on: 'signRequests.done', keep: ['name'] },
  },
)
