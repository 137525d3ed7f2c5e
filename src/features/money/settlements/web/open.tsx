import { show } from '#kit/web/parts/shown.ts'
import { BookDialog, DepositDialog, ExplainDialog, TakeDialog } from './Dialogs.tsx'

export const openExplain = (id: string): void => show((close) => <ExplainDialog id={id} onClose={close} />)
export const openBook = (id: string, netAgorot: number): void =>
  show((close) => <BookDialog id={id} netAgorot={netAgorot} onClose={close} />)
export const openTake = (): void => show((close) => <TakeDialog onClose={close} />)
export const openDeposit = (): void => show((close) => <DepositDialog onClose={close} />)
