import { lazy } from 'react'
import { show } from '#kit/web/parts/shown.ts'
import type { DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'

const ElectronicDialog = lazy(() =>
  fetchPart(() => import('./ElectronicDialog.tsx')).then((m) => ({ default: m.ElectronicDialog })),
)

export const openElectronicInvoice = (document: DocumentAnswer): void =>
  show((close) => <ElectronicDialog document={document} onClose={close} />)
