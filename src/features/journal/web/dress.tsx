import { Flag, Workflow } from 'lucide-react'
import { MoneyCell } from '../../../kit/web/fields/cells.tsx'
import { dress } from '../../../kit/web/screens/dress.ts'
import { journalLines, movementKinds, openingCustomers, openingSuppliers } from '../journal.ts'

dress(movementKinds, { icon: Workflow, density: 'dense', columns: { code: { width: 'fit' } } })
dress(journalLines, { icon: Workflow, density: 'dense' })

/** Shekels, whatever the currency of its row. */
const Shekels = ({ value }: { value: number | null }) => <MoneyCell value={value} />

for (const register of [openingCustomers, openingSuppliers])
  dress(register, {
    icon: Flag,
    density: 'dense',
    cells: { ilsAgorot: Shekels },
    columns: {
      partyId: { strong: true, phone: 'title' },
      number: { width: 'fit', strong: false, phone: 'line' },
      day: { phone: 'line' },
      amountAgorot: { phone: 'amount' },
      currency: { width: 'fit' },
    },
  })
