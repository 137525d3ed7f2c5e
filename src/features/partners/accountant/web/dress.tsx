import { Briefcase } from 'lucide-react'
import { MomentCell } from '#kit/web/fields/cells.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { accountants, type Accountant } from '../accountants.ts'

const tones = { active: 'done', invited: 'info', blocked: 'draft', gone: 'draft' } as const

export function AccountantState({ state }: { state: Accountant['state'] }) {
  const t = useWords()
  return state ? <StatusPill tone={tones[state]}>{t(`accountants.state.${state}`)}</StatusPill> : null
}

dress(accountants, {
  icon: Briefcase,
  cells: {
    state: ({ row }: { row: Accountant }) => <AccountantState state={row.state} />,
    seenAt: ({ row }: { row: Accountant }) => <MomentCell value={row.seenAt} />,
  },
  columns: {
    email: { phone: 'line' },
    office: { phone: 'line', width: '24%' },
    state: { phone: 'state', sort: false },
  },
  isOff: (row) => row.state === 'blocked' || row.state === 'gone',
})
