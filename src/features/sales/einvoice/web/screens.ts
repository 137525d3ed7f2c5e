import type { Screen } from '#kit/describe/screen.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { registerFileForm } from '#features/sales/documents/fileForms.ts'
import { electronicTypes } from '../rules.ts'
import { openElectronicInvoice } from './open.tsx'

export const screens: Screen[] = []

registerFileForm({
  key: 'einvoice',
  word: 'einvoice.title',
  offered: ({ type, urls }) => urls.page !== '' && electronicTypes.includes(documentTypeById(type) ?? ''),
  open: openElectronicInvoice,
})
