import { FileUp } from 'lucide-react'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { outsideDocuments } from '../outsideDocuments.ts'

const tones: Record<string, StatusTone> = { uploaded: 'draft', sent: 'info', opened: 'done', failed: 'wait' }

const signTones: Record<string, StatusTone> = {
  waiting: 'info',
  signed: 'done',
  declined: 'late',
  ended: 'plain',
}

function SignState({ value }: { value: string | null }) {
  const t = useWords()
  return (
    value && (
      <StatusPill tone={signTones[value] ?? 'plain'}>{t(`outsideDocuments.signState.${value}`)}</StatusPill>
    )
  )
}

export function OutsideState({ value }: { value: string }) {
  const t = useWords()
  return <StatusPill tone={tones[value] ?? 'plain'}>{t(`outsideDocuments.state.${value}`)}</StatusPill>
}

dress(outsideDocuments, {
  icon: FileUp,
  cells: { state: OutsideState, signState: SignState },
  columns: {
    name: { strong: true, phone: 'title' },
    customerId: { phone: 'line' },
    createdAt: { phone: 'line' },
    state: { phone: 'state' },
    signState: { phone: 'state' },
  },
  views: (t): BuiltView[] => [
    { key: 'uploaded', label: t('outsideDocuments.views.uploaded'), query: { state: 'uploaded' } },
    { key: 'unopened', label: t('outsideDocuments.views.unopened'), query: { state: 'sent' } },
    ...(mayDo(session(), 'signing.see')
      ? [
          { key: 'toSign', label: t('outsideDocuments.views.toSign'), query: { signState: 'waiting' } },
          { key: 'signed', label: t('outsideDocuments.views.signed'), query: { signState: 'signed' } },
        ]
      : []),
    { key: 'failed', label: t('outsideDocuments.views.failed'), query: { state: 'failed' } },
  ],
})
