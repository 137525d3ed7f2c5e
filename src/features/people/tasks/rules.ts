import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

// A person who sees tasks sees their own: assigned to them, given or watched by them; with the next two rules those of
// their teams, and everybody's.
defineRules({
  'tasks.see': 200,
  'tasks.team': 201,
  'tasks.all': 202,
  'tasks.change': 203,
  'tasks.boards': 204,
})

defineErrors({
  // With the card as it is now.
  'tasks.moved': 409,
  'tasks.columnFull': 409,
  'tasks.columnNotEmpty': 409,
  'tasks.needsDone': 422,
  'tasks.circle': 422,
  'tasks.mainBoard': 409,
  'tasks.badRepeat': 422,
})
