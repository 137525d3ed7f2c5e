import { FileSignature, PenLine, Users } from 'lucide-react'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { signGroups, signRequests, signTemplates } from '../signing.ts'
import { lastDay } from './lastDay.ts'

const tones: Record<string, StatusTone> = {
  sent: 'info',
  inProgress: 'info',
  sealing: 'info',
  done: 'done',
  declined: 'late',
  expired: 'wait',
  recalled: 'plain',
}

export function RequestState({ value }: { value: string }) {
  const t = useWords()
  return <StatusPill tone={tones[value] ?? 'plain'}>{t(`signRequests.state.${value}`)}</StatusPill>
}

const LastDay = ({ value }: { value: string }) => <Num>{lastDay(value)}</Num>

dress(signTemplates, {
  icon: PenLine,
  columns: {
    name: { strong: true, phone: 'title' },
    sent: { phone: 'line' },
    signed: { phone: 'line' },
    isOpen: { phone: 'state' },
  },
})

dress(signRequests, {
  icon: FileSignature,
  cells: { state: RequestState, expiresAt: LastDay },
  columns: {
    name: { strong: true, phone: 'title' },
    signers: { phone: 'line' },
    sentAt: { phone: 'line' },
    state: { phone: 'state' },
  },
  views: (t): BuiltView[] => [
    { key: 'waiting', label: t('signRequests.views.waiting'), query: { 'state.in': 'sent,inProgress' } },
    { key: 'done', label: t('signRequests.state.done'), query: { state: 'done' } },
    { key: 'declined', label: t('signRequests.state.declined'), query: { state: 'declined' } },
  ],
})

dress(signGroups, {
  icon: Users,
  columns: { name: { strong: true, phone: 'title' }, members: { phone: 'line' }, count: { phone: 'state' } },
})
