import { show } from '#kit/web/parts/shown.ts'
import type { DocumentAnswer } from '#features/sales/documents/endpoints.ts'
import { Recovery } from './Recovery.tsx'
import { WriteOff } from './WriteOff.tsx'

export const openWriteOff = (document: DocumentAnswer): void =>
  show((close) => <WriteOff document={document} onClose={close} />)
export const openRecovery = (document: DocumentAnswer): void =>
  show((close) => <Recovery document={document} onClose={close} />)
