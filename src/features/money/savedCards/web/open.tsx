import { show } from '#kit/web/parts/shown.ts'
import { AskDialog } from './AskDialog.tsx'
import { CardSheet } from './CardSheet.tsx'

export const openAsk = (customerId: string, renewsCardId?: string): void =>
  show((close) => <AskDialog customerId={customerId} renewsCardId={renewsCardId} onClose={close} />)
export const openCard = (id: string): void =>
  show((close) => <CardSheet id={id} onRenew={({ customerId }) => openAsk(customerId, id)} onClose={close} />)
