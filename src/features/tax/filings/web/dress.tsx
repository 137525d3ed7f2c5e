import { Tags } from 'lucide-react'
import { dress } from '#kit/web/screens/dress.ts'
import { withholdingCodes } from '../withholdingCodes.ts'

dress(withholdingCodes, {
  icon: Tags,
  density: 'dense',
  columns: {
    code: { strong: true, width: 'fit', phone: 'line' },
    name: { width: 'trim', phone: 'title' },
    rateBp: { phone: 'amount' },
    kind856: { width: 'fit', phone: undefined },
    suppliers: { phone: undefined },
  } as never,
  rowName: (row) => `${row.code} ${row.name ?? ''}`,
})
