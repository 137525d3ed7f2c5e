import { CircleDot, FolderTree, RadioTower, Shapes, UserRoundPlus } from 'lucide-react'
import { useCall } from '#kit/web/calls/call.ts'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { FieldMessage } from '#kit/web/fields/Field.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { inventedText, InventedInput } from '#kit/web/fields/InventedInput.tsx'
import { PathCell } from '#features/registers/items/web/index.tsx'
import { leadCategories } from '../categories.ts'
import { listKinds } from '../endpoints.ts'
import { leadKinds, leads, leadSources, leadStages, type Outcome } from '../leads.ts'
import './leads.css'

type Values = Record<string, string | number | boolean | null>

export function useKinds() {
  return useCall(listKinds, {}, { staleTime: 30_000 }).data?.rows ?? []
}

/** The fields of the kind that is chosen in the same form. */
function OwnInput({ values, value, onChange, error }: DressedInputProps) {
  const kinds = useKinds()
  const fields = kinds.find(({ id }) => id === values.kindId)?.fields ?? []
  const now = (value ?? {}) as Values
  if (fields.length === 0) return null
  return (
    <div className="ld-own" role="group">
      {fields.map((field) => (
        <InventedInput
          key={field.id}
          field={field}
          value={now[field.id] ?? null}
          onChange={(next) => onChange({ ...now, [field.id]: next === '' ? null : next })}
        />
      ))}
      {error && <FieldMessage error={error} />}
    </div>
  )
}

function OwnCell({ value }: { value: Values | null }) {
  const t = useWords()
  const fields = useKinds().flatMap((kind) => kind.fields)
  const said = fields
    .filter(({ id }) => value?.[id] !== undefined && value[id] !== null)
    .map((field) => `${field.name}: ${inventedText(t, field, value![field.id] ?? null)}`)
  return said.length ? <TextCell value={said.join(' · ')} /> : null
}

/** Hours and minutes: '1:12'. */
export const clockText = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

export function Dot({ color, name }: { color: string; name: string }) {
  return (
    <span className="ld-dot">
      <span style={{ background: color }} aria-hidden />
      <bdi>{name}</bdi>
    </span>
  )
}

export function OutcomePill({ outcome }: { outcome: Outcome }) {
  const t = useWords()
  return (
    <StatusPill tone={outcome === 'won' ? 'done' : outcome === 'lost' ? 'plain' : 'info'}>
      {t(`leads.outcome.${outcome}`)}
    </StatusPill>
  )
}

dress(leads, {
  icon: UserRoundPlus,
  inputs: { own: OwnInput },
  cells: {
    own: OwnCell,
    outcome: ({ value }: { value: Outcome }) => <OutcomePill outcome={value} />,
    isStale: ({ value }: { value: boolean }) => <Stale is={value} />,
  },
  columns: { name: { width: 'trim' } },
  isOff: (row) => row.outcome === 'lost',
  views: (t): BuiltView[] => [
    { key: 'open', label: t('leads.views.open'), query: { 'outcome.in': 'open' } },
    { key: 'stale', label: t('leads.views.stale'), query: { isStale: 'true' } },
    { key: 'won', label: t('leads.views.won'), query: { 'outcome.in': 'won' } },
    { key: 'lost', label: t('leads.views.lost'), query: { 'outcome.in': 'lost' } },
  ],
})
dress(leadStages, { icon: CircleDot })
dress(leadKinds, { icon: Shapes })
dress(leadCategories, {
  icon: FolderTree,
  cells: { path: PathCell },
  columns: {
    path: { width: 'trim', strong: true, phone: 'title' },
    leads: { width: 'fit', phone: 'amount' },
  },
})
dress(leadSources, { icon: RadioTower })

function Stale({ is }: { is: boolean }) {
  const t = useWords()
  return is ? <StatusPill tone="wait">{t('leads.stale')}</StatusPill> : null
}
