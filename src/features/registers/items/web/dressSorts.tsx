import { FolderTree, Landmark } from 'lucide-react'
import { dress } from '#kit/web/screens/dress.ts'
import { categories, type Category } from '../categories.ts'
import { incomeKinds } from '../incomeKinds.ts'
import { IncomeAccountInput } from './inputs.tsx'
import './items.css'

/** A category under its parent, as far in as it is deep. */
function PathCell({ row }: { row: Category }) {
  return (
    <span className="it-branch" style={{ '--depth': row.depth ?? 0 } as React.CSSProperties}>
      <bdi className="cut" title={row.name}>
        {row.name}
      </bdi>
    </span>
  )
}

dress(categories, {
  icon: FolderTree,
  cells: { path: PathCell },
  columns: { path: { width: 'trim', strong: true, phone: 'title' }, itemCount: { width: 'fit', phone: 'amount' } },
})

dress(incomeKinds, {
  icon: Landmark,
  inputs: { accountId: IncomeAccountInput },
  href: () => undefined,
})
