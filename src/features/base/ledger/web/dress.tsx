import { BookOpen, CalendarClock, FolderTree, Hash, Layers, Percent, Signpost } from 'lucide-react'
import { call } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { dress, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import { accounts } from '../accounts.ts'
import { balanceCodes, cardKinds, sortCodes, vatAccounts, vatCodes, vatCodeTerms } from '../codes.ts'

/** A sort code is kept as it is written; it is chosen among those there are. */
function SortCodeInput({ value, onChange, refName: _refName, search: _search, ...props }: DressedInputProps) {
  const code = typeof value === 'string' ? value : ''
  return (
    <RefField
      {...props}
      clearable
      value={code === '' ? null : { key: code, label: code }}
      onChange={(option) => onChange(option?.key ?? '')}
      search={async (query, signal) =>
        (await call(callsOf(sortCodes).list, { size: 20, q: query || undefined }, { signal })).rows.map(
          (row) => ({
            key: String(row.code),
            label: `${String(row.code)} ${String(row.name)}`,
          }),
        )
      }
    />
  )
}

// The number is what bookkeepers look for, and where the row opens; the name takes the room.
dress(accounts, {
  icon: BookOpen,
  density: 'dense',
  inputs: { sortCode: SortCodeInput },
  columns: { number: { width: 'fit', phone: 'line' }, name: { width: 'trim' } },
  rowName: (row) => `${row.number} ${row.name}`,
})

dress(cardKinds, { icon: Layers, density: 'dense' })
dress(sortCodes, {
  icon: FolderTree,
  density: 'dense',
  // Of another code only its number is shown here: the names keep the room.
  columns: {
    code: { width: 'fit', phone: 'line' },
    name: { width: 'trim', phone: 'title' },
    parentId: { width: 'fit', phone: undefined },
    balanceCodeId: { width: 'fit' },
  } as never,
})
dress(balanceCodes, {
  icon: Signpost,
  density: 'dense',
  columns: {
    code: { width: 'fit', phone: 'line' },
    name: { width: 'trim', phone: 'title' },
    parentId: { width: 'fit', phone: undefined },
  } as never,
})
dress(vatCodes, { icon: Percent, density: 'dense', columns: { code: { width: 'fit' } } })
dress(vatCodeTerms, {
  icon: CalendarClock,
  density: 'dense',
  columns: { vatCodeId: { width: 'trim', phone: 'title' } },
})
dress(vatAccounts, { icon: Hash, density: 'dense', columns: { code: { width: 'fit' } } })
