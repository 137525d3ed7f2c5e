import { lazy } from 'react'
import { show } from '../../../kit/web/parts/shown.ts'
import type { MergeKind } from './mergeKind.ts'

const MergeSheet = lazy(() => import('./MergeSheet.tsx').then((m) => ({ default: m.MergeSheet })))
const DoublesSheet = lazy(() => import('./DoublesSheet.tsx').then((m) => ({ default: m.DoublesSheet })))

/** Opens the merge of some records over the page. */
export const openMergeOf = (kind: MergeKind, ids: readonly string[]): void =>
  show((close) => <MergeSheet kind={kind} ids={ids} onClose={close} />)

/** Opens what looks like one and stands twice. */
export const openDoublesOf = (kind: MergeKind): void => show((close) => <DoublesSheet kind={kind} onClose={close} />)
