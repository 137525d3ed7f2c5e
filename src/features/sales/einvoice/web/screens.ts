import type { Screen } from '#kit/describe/screen.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { registerFileForm } from '#features/sales/documents/fileForms.ts'
import { openElectronicInvoice } from './open.tsx'

export const screens: Screen[] = []

registerFileForm({
  key: 'einvoice',
  word: 'einvoice.title',
  offered: ({ type, urls }) => urls.page !== '' && typeFacts(type).isVatDocument,
  open: openElectronicInvoice,
})
