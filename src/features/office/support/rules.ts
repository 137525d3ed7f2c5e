import { defineErrors } from '#kit/describe/errors.ts'

defineErrors({
  'support.nobody': 409,
  'support.notDesk': 403,
  'support.notPicture': 422,
  'support.pictureTooLarge': 422,
  'support.isClosed': 409,
  'support.badFile': 422,
  'support.tooManyFiles': 409,
  'support.notAhead': 422,
})
