import { defineErrors } from '#kit/describe/errors.ts'
import '#features/calendar/timetable/rules.ts'

defineErrors({
  'bookings.full': 409,
  'bookings.tooManyUnpaid': 409,
  'bookings.twice': 409,
  'bookings.closed': 409,
  'bookings.tooEarly': 409,
  'bookings.isOver': 409,
  'bookings.kept': 409,
  // What prevents an entry, in `reasons`.
  'bookings.refused': 409,
  'bookings.lateNow': 409,
  'bookings.notOffered': 409,
  'bookings.nothingToPay': 409,
  'bookings.noDeclaration': 409,
  'bookings.unknownCode': 422,
  'bookings.oldCode': 409,
  'bookings.gapUnknown': 422,
  'bookings.gapMissing': 422,
})
