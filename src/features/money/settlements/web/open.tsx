import { show } from '#kit/web/parts/shown.ts'
import type { DealRow } from '../settlements.ts'
import {
  BookDialog,
  DenyDialog,
  DepositDialog,
  ExplainDialog,
  InvoiceDialog,
  TakeDialog,
} from './Dialogs.tsx'

export const openExplain = (id: string): void => show((close) => <ExplainDialog id={id} onClose={close} />)
export const openDeny = (row: DealRow): void =>
  show((close) => <DenyDialog id={row.id} agorot={-Number(row.toldAgorot ?? 0)} onClose={close} />)
export const openBook = (id: string, netAgorot: number): void =>
  show((close) => <BookDialog id={id} netAgorot={netAgorot} onClose={close} />)
export const openTake = (): void => show((close) => <TakeDialog onClose={close} />)
export const openInvoice = (): void => show((close) => <InvoiceDialog onClose={close} />)
export const openDeposit = (): void => show((close) => <DepositDialog onClose={close} />)
