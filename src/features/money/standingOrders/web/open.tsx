import { AskDialog } from './Ask.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { RaiseDialog } from './RaiseDialog.tsx'

/** Offers the customer's page of an order: to copy its link, or to send it. */
export const openAsk = (id: string): void => show((close) => <AskDialog id={id} onClose={close} />)
export const openRaise = (ids: readonly string[]): void =>
  show((close) => <RaiseDialog ids={ids} onClose={close} />)
