import { show } from '#kit/web/parts/shown.ts'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { RemindDialog, SendDialog } from './SendDialog.tsx'
import { VisitDialog } from './VisitDialog.tsx'

export const openSend = (id: string): void => show((close) => <SendDialog id={id} onClose={close} />)
export const openRemind = (id: string): void => show((close) => <RemindDialog id={id} onClose={close} />)
export const openVisit = (site: AnyRow): void => show((close) => <VisitDialog site={site} onClose={close} />)
