import { lazy } from 'react'
import { show } from '#kit/web/parts/shown.ts'
import type { MergeKind } from './mergeKind.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'

const MergeSheet = lazy(() =>
  fetchPart(() => import('./MergeSheet.tsx')).then((m) => ({ default: m.MergeSheet })),
)
const DoublesSheet = lazy(() =>
  fetchPart(() => import('./DoublesSheet.tsx')).then((m) => ({ default: m.DoublesSheet })),
)

/** Opens the merge of some records over the page. */
export const openMergeOf = (kind: MergeKind, ids: readonly string[]): void =>
  show((close) => <MergeSheet kind={kind} ids={ids} onClose={close} />)

/** Opens the comparison of possible duplicates. */
export const openDoublesOf = (kind: MergeKind): void =>
  show((close) => <DoublesSheet kind={kind} onClose={close} />)
