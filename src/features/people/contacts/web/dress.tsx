import {
  Mail,
  MessageCircle,
  MessageSquare,
  MessagesSquare,
  Phone,
  StickyNote,
  TextCursorInput,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { interactions, type Channel } from '../contacts.ts'

export const channelIcons: Record<Channel, LucideIcon> = {
  call: Phone,
  mail: Mail,
  meeting: Users,
  whatsApp: MessageCircle,
  sms: MessageSquare,
  form: TextCursorInput,
  note: StickyNote,
}

function ChannelCell({ value }: { value: Channel }) {
  const t = useWords()
  return (
    <span className="inline-flex items-center gap-1">
      <Icon of={channelIcons[value]} size="s" />
      {t(`interactions.channel.${value}`)}
    </span>
  )
}

dress(interactions, {
  icon: MessagesSquare,
  cells: { channel: ChannelCell },
  columns: { text: { width: 'trim' } },
  rowName: (row, t) =>
    `${t(`interactions.channel.${String(row.channel)}`)} ${String(row.customerIdName ?? row.leadIdName ?? row.sender ?? '')}`,
  views: (t): BuiltView[] => [
    { key: 'next', label: t('interactions.views.next'), query: { 'nextDay.empty': 'false' } },
    {
      key: 'unfiled',
      label: t('interactions.views.unfiled'),
      query: { 'customerId.empty': 'true', 'leadId.empty': 'true' },
    },
  ],
})
