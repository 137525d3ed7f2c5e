import { Workflow } from 'lucide-react'
import { dress } from '../../../kit/web/screens/dress.ts'
import { journalLines, movementKinds } from '../journal.ts'

dress(movementKinds, { icon: Workflow, density: 'dense', columns: { code: { width: 'fit' } } })
dress(journalLines, { icon: Workflow, density: 'dense' })
