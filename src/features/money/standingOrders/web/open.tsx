import { show } from '#kit/web/parts/shown.ts'
import { RaiseDialog } from './RaiseDialog.tsx'

export const openRaise = (ids: readonly string[]): void =>
  show((close) => <RaiseDialog ids={ids} onClose={close} />)
