import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'uniform.export': 63, 'uniform.import': 64 })

defineErrors({
  'uniform.range': 422,
  'uniform.tooLarge': 422,
  'uniform.gone': 410,
  'uniform.notUniform': 422,
  'uniform.archive': 422,
  'uniform.onlyIni': 422,
  'uniform.unpacksLarge': 422,
  'uniform.notEmpty': 409,
  'uniform.wrongState': 409,
  'uniform.otherDealer': 422,
  'uniform.faulty': 409,
})
