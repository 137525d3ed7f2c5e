import { FileUp } from 'lucide-react'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words.tsx'
import { outsideDocuments } from '../outsideDocuments.ts'

const tones: Record<string, StatusTone> = { uploaded: 'draft', sent: 'info', opened: 'done', failed: 'wait' }

export function OutsideState({ value }: { value: string }) {
  const t = useWords()
  return <StatusPill tone={tones[value] ?? 'plain'}>{t(`outsideDocuments.state.${value}`)}</StatusPill>
}

dress(outsideDocuments, {
  icon: FileUp,
  cells: { state: OutsideState },
  columns: {
    name: { strong: true, phone: 'title' },
    customerId: { phone: 'line' },
    createdAt: { phone: 'line' },
    state: { phone: 'state' },
  },
  views: (t): BuiltView[] => [
    { key: 'uploaded', label: t('outsideDocuments.views.uploaded'), query: { state: 'uploaded' } },
    { key: 'unopened', label: t('outsideDocuments.views.unopened'), query: { state: 'sent' } },
    { key: 'failed', label: t('outsideDocuments.views.failed'), query: { state: 'failed' } },
  ],
})
