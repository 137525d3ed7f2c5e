import { formatDay, formatPercent } from '#domain/format.ts'
import { queryClient } from '#kit/web/calls/call.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { refreshResource, type AnyRow } from '#kit/web/screens/resources.ts'
import {
  openDoublesOf,
  openMergeOf,
  type MergeKind,
  type Whole,
} from '#features/registers/parties/web/index.tsx'
import { findSupplierDoubles, mergeSuppliers } from '../endpoints.ts'
import { suppliers, type Supplier } from '../suppliers.ts'

/** The certificates of one supplier hold afterwards; those of the others are put away. */
const certificates: Whole = {
  name: 'certificates',
  has: (row) => (row as AnyRow & Supplier).withholdingState !== 'none',
  mark: (row) => `${row.id}:${String(row.withholdingState)}`,
  cell: (row, t) => {
    const { withholdingBp, withholdingTo, withholdingState } = row as AnyRow & Supplier
    return withholdingBp !== null && withholdingTo ? (
      <>
        <Num>{formatPercent(withholdingBp)}</Num> · <Num>{formatDay(withholdingTo)}</Num>
      </>
    ) : (
      t(`suppliers.withholdingState.${withholdingState ?? 'none'}`)
    )
  },
}

/** Whatever shows suppliers or what is owed to them is asked again. */
const refresh = () =>
  Promise.all([
    refreshResource(suppliers),
    ...[
      'suppliers.doubles',
      'suppliers.activity',
      'suppliers.withholding',
      'withholdingCertificates.list',
      'expenses.list',
      'supplierpayments.due',
      'supplierpayments.openBills',
      'supplierpayments.list',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  ])

const merging: MergeKind = {
  resource: suppliers,
  merge: mergeSuppliers,
  doubles: findSupplierDoubles,
  wholes: [certificates],
  refresh,
}

export const openMerge = (ids: readonly string[]): void => openMergeOf(merging, ids)
export const openDoubles = (): void => openDoublesOf(merging)
