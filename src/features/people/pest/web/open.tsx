import { show } from '#kit/web/parts/shown.ts'
import { RemindDialog, SendDialog } from './SendDialog.tsx'

export const openSend = (id: string): void => show((close) => <SendDialog id={id} onClose={close} />)
export const openRemind = (id: string): void => show((close) => <RemindDialog id={id} onClose={close} />)
