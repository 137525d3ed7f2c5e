import type { FilterProps } from '../fields/fieldViews.tsx'
import type { ViewKind } from '../fields/cellViews.tsx'
import { fieldViews } from '../fields/fieldViews.tsx'

/**
 * What sets a filter of a kind. Fetched when the first filter is opened: a list is read far more often than
 * it is narrowed.
 */
export function FilterControl({ kind, ...props }: FilterProps & { kind: ViewKind }) {
  const Control = fieldViews[kind].Filter
  return Control ? <Control {...props} /> : null
}
