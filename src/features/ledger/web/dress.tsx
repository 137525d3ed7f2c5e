import { BookOpen } from 'lucide-react'
import { dress } from '../../../kit/web/screens/dress.ts'
import { accounts } from '../accounts.ts'

// The number is what bookkeepers look for, and where the row opens; the name takes the room.
dress(accounts, {
  icon: BookOpen,
  density: 'dense',
  columns: { number: { width: 'fit', phone: 'line' } },
  rowName: (row) => `${row.number} ${row.name}`,
})
