import { defineErrors } from '#kit/describe/errors.ts'
import '#features/calendar/timetable/rules.ts'

defineErrors({
  'passes.noneLeft': 409,
  'passes.isEnded': 409,
  'passes.notHis': 422,
  'passes.frozenVisit': 409,
  'passes.freezeTooLong': 409,
  'passes.tooMany': 422,
  'passes.trialOnce': 409,
  'passes.notRenewed': 422,
  'passes.renewsAlready': 409,
})
