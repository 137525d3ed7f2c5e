import { defineErrors } from '#kit/describe/errors.ts'
import '#features/calendar/timetable/rules.ts'

defineErrors({
  'bookingPage.wrongCode': 422,
  'bookingPage.codeEnded': 409,
  'bookingPage.logInAgain': 403,
  'bookingPage.unknown': 403,
  'bookingPage.notOnline': 409,
  'bookingPage.slotGone': 409,
})
