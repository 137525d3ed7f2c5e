import { Monitor } from 'lucide-react'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { fixedAssets, type AssetRow } from '../assets.ts'

function State({ row }: { row: AssetRow }) {
  const t = useWords()
  if (!row.state || row.state === 'inUse') return null
  return <StatusPill tone="plain">{t(`fixedassets.state.${row.state}`)}</StatusPill>
}

dress(fixedAssets, {
  icon: Monitor,
  cells: { state: State } as never,
  columns: {
    name: { strong: true, width: '20%', phone: 'title' },
    kind: { width: 'trim', phone: 'line' },
    leftAgorot: { phone: 'amount' },
    startDay: { phone: 'line' },
    state: { phone: 'state', width: 'fit' },
  } as never,
  href: (row) => `/invoice/fixedassets/${row.id}`,
  isOff: (row) => row.state === 'sold' || row.state === 'scrapped',
})
