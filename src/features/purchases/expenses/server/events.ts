import { defineEvents } from '#kit/describe/event.ts'

const said = ['number', 'state', 'totalAgorot', 'supplierId', 'date']

defineEvents(
  'expense',
  { entity: 'expenses', see: 'expenses.get' },
  {
    created: { on: 'expenses.create', keep: said },
    changed: { on: 'expenses.change', keep: said },
    approved: { on: 'expenses.approve', keep: ['totalAgorot'] },
    rejected: { on: 'expenses.reject' },
    cancelled: { on: 'expenses.cancel' },
    deleted: { on: 'expenses.delete' },
    paid: { on: 'expenses.pay', keep: ['amountAgorot', 'date'] },
    paymentCancelled: { on: 'expenses.cancelPayment' },
  },
)
