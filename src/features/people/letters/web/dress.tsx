import { Mail } from 'lucide-react'
import { TextCell } from '#kit/web/fields/cells.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { letters, letterTemplates } from '../letters.ts'

const tones: Record<string, StatusTone> = {
  draft: 'draft',
  queued: 'info',
  postponed: 'wait',
  sent: 'info',
  kept: 'plain',
  opened: 'done',
  printed: 'plain',
  bounced: 'wait',
  failed: 'wait',
}

export function LetterState({ value }: { value: string }) {
  const t = useWords()
  return <StatusPill tone={tones[value] ?? 'plain'}>{t(`letters.state.${value}`)}</StatusPill>
}

/** One name, or the first ones and how many more. */
function Addressees({ row }: { row: { customerIdName?: string | null; addressees?: number } }) {
  const t = useWords()
  const count = row.addressees ?? 0
  const name = row.customerIdName ?? ''
  if (name === '') return <span className="hint">{t('letters.nobodyYet')}</span>
  const more = count - name.split(', ').length
  return (
    <TextCell
      value={more > 0 && count > 3 ? t('letters.andMore', { names: name, count: count - 3 }) : name}
    />
  )
}

function Title({ value }: { value: string }) {
  const t = useWords()
  return value ? <TextCell value={value} /> : <span className="hint">{t('letters.untitled')}</span>
}

dress(letters, {
  icon: Mail,
  cells: { state: LetterState, customerId: Addressees, title: Title },
  columns: {
    title: { strong: true, phone: 'title' },
    customerId: { phone: 'line', width: '28%' },
    createdAt: { phone: 'line' },
    state: { phone: 'state' },
  },
  views: (t): BuiltView[] => [
    { key: 'drafts', label: t('letters.views.drafts'), query: { state: 'draft' } },
    {
      key: 'sent',
      label: t('letters.views.sent'),
      query: { 'state.in': 'queued,postponed,sent,kept,opened,printed' },
    },
    { key: 'unopened', label: t('letters.views.unopened'), query: { state: 'sent' } },
    { key: 'failed', label: t('letters.views.failed'), query: { 'state.in': 'bounced,failed' } },
  ],
  // A draft is written on, what was sent is looked at.
  href: (row) =>
    row.state === 'draft' ? `/invoice/InvoiceDocumentLetter/${row.id}` : `/invoice/previewle/${row.id}`,
  rowName: (row, t) => String(row.title || t('letters.untitled')),
})

dress(letterTemplates, { icon: Mail, columns: { name: { strong: true } } })
