import type { BoardProps } from '#kit/web/screens/boards.ts'
import { LeadBoard } from './LeadBoard.tsx'
import { LeadSheets } from './LeadSheets.tsx'
import './dress.tsx'
import './leads.css'

/** The board of leads among the other boards. */
export function Board({ chooser, actions }: BoardProps) {
  return (
    <>
      <LeadBoard chooser={chooser} actions={actions} />
      <LeadSheets />
    </>
  )
}
