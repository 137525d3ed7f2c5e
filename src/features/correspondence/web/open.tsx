import { lazy } from 'react'
import { show } from '../../../kit/web/parts/shown.ts'

const StatementSheet = lazy(() => import('./StatementSheet.tsx').then((m) => ({ default: m.StatementSheet })))
const LetterDialog = lazy(() => import('./LetterDialog.tsx').then((m) => ({ default: m.LetterDialog })))

export interface Addressee {
  id: string
  name: string
  email: string | null
}

export const openStatement = (to: readonly Addressee[]): void => show((close) => <StatementSheet to={to} onClose={close} />)
export const openLetter = (to: readonly Addressee[]): void => show((close) => <LetterDialog to={to} onClose={close} />)
