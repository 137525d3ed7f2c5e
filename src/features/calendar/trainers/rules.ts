import { defineErrors } from '#kit/describe/errors.ts'
import '#features/calendar/timetable/rules.ts'

defineErrors({
  'trainers.none': 409,
  'trainers.notYours': 403,
  'trainers.swapOpen': 409,
  'trainers.swapDecided': 409,
  'trainers.sheetMade': 409,
  'trainers.needsSupplier': 422,
  'trainers.monthOpen': 409,
  'trainers.nothingDue': 409,
})
