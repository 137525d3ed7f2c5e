import { lazy } from 'react'
import { show } from '#kit/web/parts/shown.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'

const DeedDialog = lazy(() =>
  fetchPart(() => import('./DeedDialog.tsx')).then((m) => ({ default: m.DeedDialog })),
)

export type Deed = 'issue' | 'send' | 'bundle' | 'each'

/** Asks how, starts the work and shows how far it is. */
export const openDeed = (deed: Deed, ids: readonly string[]): void =>
  show((close) => <DeedDialog deed={deed} ids={[...ids]} onClose={close} />)
