import { Tags } from 'lucide-react'
import { dress } from '../../../kit/web/screens/dress.ts'
import { withholdingCodes } from '../withholdingCodes.ts'

dress(withholdingCodes, {
  icon: Tags,
  density: 'dense',
  columns: {
    code: { strong: true, width: 'fit', phone: 'title' },
    name: { width: 'trim', phone: 'line' },
    rateBp: { phone: 'amount' },
    kind856: { width: 'fit' },
  } as never,
  rowName: (row) => `${row.code} ${row.name ?? ''}`,
})
