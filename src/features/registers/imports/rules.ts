import { defineErrors } from '#kit/describe/errors.ts'
import { defineRules } from '#kit/describe/session.ts'

defineRules({ 'imports.run': 55 })

defineErrors({
  'imports.notImportable': 404,
  'imports.badType': 422,
  'imports.oldExcel': 422,
  'imports.page': 422,
  'imports.broken': 422,
  'imports.locked': 422,
  'imports.bomb': 422,
  'imports.notText': 422,
  'imports.unclosed': 422,
  'imports.tooWide': 422,
  'imports.tooManyColumns': 422,
  'imports.tooManyRows': 422,
  'imports.empty': 422,
  'imports.noSheet': 422,
  'imports.twiceMapped': 422,
  'imports.unmapped': 422,
  'imports.wrongState': 409,
  'imports.hasFaults': 422,
  'imports.nothingToDo': 422,
  'imports.changedSince': 409,
  'imports.gone': 410,
  'imports.otherRow': 422,
})
