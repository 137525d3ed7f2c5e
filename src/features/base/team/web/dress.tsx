import { Users } from 'lucide-react'
import { dayInJerusalem } from '#domain/day.ts'
import { DayCell, TextCell } from '#kit/web/fields/cells.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { workers, type Worker } from '../workers.ts'
import { rulesText, typesText } from './says.ts'

const tones = { active: 'done', invited: 'info', blocked: 'draft' } as const

export function PersonState({ state }: { state: Worker['state'] }) {
  const t = useWords()
  return <StatusPill tone={tones[state]}>{t(`workers.state.${state}`)}</StatusPill>
}

function Seen({ row }: { row: Worker }) {
  const t = useWords()
  return row.seenAt ? (
    <DayCell value={dayInJerusalem(new Date(row.seenAt))} />
  ) : (
    <span className="hint">{t('team.neverSeen')}</span>
  )
}

function SetName({ row }: { row: Worker }) {
  const t = useWords()
  if (row.typeId === 4 && row.rules.length === 0) return <TextCell value={t('team.type.4')} />
  return row.setName ? <TextCell value={row.setName} /> : <TextCell value={t('team.own')} quiet />
}

const Mail = ({ value }: { value: string }) => <TextCell value={value} />
const Rules = ({ row }: { row: Worker }) => <TextCell value={rulesText(useWords(), row)} />
const Types = ({ row }: { row: Worker }) => <TextCell value={typesText(useWords(), row)} quiet />

dress(workers, {
  icon: Users,
  cells: {
    email: Mail,
    setName: SetName,
    rulesCount: Rules,
    documentTypes: Types,
    state: ({ row }: { row: Worker }) => <PersonState state={row.state} />,
    seenAt: Seen,
  },
  columns: {
    name: { width: '18%' },
    email: { phone: 'line', width: '17%' },
    setName: { phone: 'line', sort: false, width: '16%' },
    rulesCount: { sort: false },
    documentTypes: { sort: false, width: '12%' },
    state: { phone: 'state' },
  },
  choices: {
    subTypeId: (t) => ['0', '1', '2'].map((value) => ({ value, label: t(`team.subType.${value}`) })),
  },
  isOff: (row) => row.state === 'blocked',
  views: (t) =>
    (['active', 'invited', 'blocked'] as const).map((state) => ({
      key: state,
      label: t(`team.views.${state}`),
      query: { state },
    })),
})
