import { FolderTree, Landmark } from 'lucide-react'
import { dress } from '#kit/web/screens/dress.ts'
import { categories } from '../categories.ts'
import { incomeKinds } from '../incomeKinds.ts'
import { IncomeAccountInput } from './inputs.tsx'
import { PathCell } from './PathCell.tsx'
import './items.css'

dress(categories, {
  icon: FolderTree,
  cells: { path: PathCell },
  columns: {
    path: { width: 'trim', strong: true, phone: 'title' },
    itemCount: { width: 'fit', phone: 'amount' },
  },
})

dress(incomeKinds, {
  icon: Landmark,
  inputs: { accountId: IncomeAccountInput },
  href: () => undefined,
})
