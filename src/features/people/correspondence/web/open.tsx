import { lazy } from 'react'
import { show } from '#kit/web/parts/shown.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'

const StatementSheet = lazy(() =>
  fetchPart(() => import('./StatementSheet.tsx')).then((m) => ({ default: m.StatementSheet })),
)
const LetterDialog = lazy(() =>
  fetchPart(() => import('./LetterDialog.tsx')).then((m) => ({ default: m.LetterDialog })),
)

export interface Addressee {
  id: string
  name: string
  email: string | null
}

export const openStatement = (to: readonly Addressee[]): void =>
  show((close) => <StatementSheet to={to} onClose={close} />)
export const openLetter = (to: readonly Addressee[]): void =>
  show((close) => <LetterDialog to={to} onClose={close} />)
