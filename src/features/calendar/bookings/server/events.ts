import { defineEvents } from '#kit/describe/event.ts'

defineEvents(
  'classBooking',
  { entity: 'classBookings', see: 'bookings.get' },
  {
    made: { on: 'bookings.make', keep: ['classId', 'customerId'] },
    waiting: { on: 'bookings.wait', keep: ['classId'] },
    offered: { on: 'bookings.offer', keep: ['until'] },
    confirmed: { on: 'bookings.confirm' },
    cancelled: { on: 'bookings.cancel', keep: ['late'] },
    marked: { on: 'bookings.mark', keep: ['state'] },
  },
)
