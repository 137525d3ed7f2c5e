import { show } from '#kit/web/parts/shown.ts'
import { SendDialog } from './SendDialog.tsx'

export const openSend = (id: string): void => show((close) => <SendDialog id={id} onClose={close} />)
