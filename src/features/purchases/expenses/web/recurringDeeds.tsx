import { lazy } from 'react'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { show } from '#kit/web/parts/shown.ts'

const SkipDialog = lazy(() =>
  fetchPart(() => import('./RecurringPast.tsx')).then((m) => ({ default: m.SkipDialog })),
)
const PastSheet = lazy(() =>
  fetchPart(() => import('./RecurringPast.tsx')).then((m) => ({ default: m.PastSheet })),
)

export const openSkip = (id: string, name: string, day: string): void =>
  show((close) => <SkipDialog id={id} name={name} day={day} onClose={close} />)
export const openPast = (id: string, name: string): void =>
  show((close) => <PastSheet id={id} name={name} onClose={close} />)
