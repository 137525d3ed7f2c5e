import { Mail, MessageCircle, MessageSquareText, Send, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { fieldErrors, useSend } from '#kit/web/calls/call.ts'
import { MomentCell } from '#kit/web/fields/cells.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { callsOf, cardPath, resourceNamed, type AnyRow } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { resendMessage } from '../endpoints.ts'
import { lackingToRedirect, lackingToSend } from '../kinds.ts'
import { messages } from '../messages.ts'
import './messages.css'

const tones: Record<string, StatusTone> = {
  sent: 'done',
  queued: 'info',
  postponed: 'wait',
  kept: 'plain',
  bounced: 'wait',
  failed: 'wait',
}

function State({ value }: { value: string }) {
  const t = useWords()
  return <StatusPill tone={tones[value] ?? 'plain'}>{t(`messages.state.${value}`)}</StatusPill>
}

const ways: Record<string, LucideIcon> = { mail: Mail, sms: MessageSquareText, whatsapp: MessageCircle }

function Channel({ value }: { value: string }) {
  const t = useWords()
  return (
    <span className="ms-way">
      <Icon of={ways[value] ?? Mail} size="s" /> {t(`messages.channel.${value}`)}
    </span>
  )
}

/** How and to whom: a mail address or a phone is one island, cut at its end when the column is narrow. */
function Recipient({ value, row }: { value: string; row: { channel: string } }) {
  const t = useWords()
  return (
    <span className="ms-to" title={value}>
      <Icon of={ways[row.channel] ?? Mail} size="s" label={t(`messages.channel.${row.channel}`)} />
      <span className="cut" dir={row.channel === 'whatsapp' ? 'auto' : 'ltr'}>
        {row.channel === 'whatsapp' ? <bdi>{value}</bdi> : <Num>{value}</Num>}
      </span>
    </span>
  )
}

dress(messages, {
  icon: Mail,
  views: (t): BuiltView[] => [
    { key: 'bounced', label: t('messages.views.bounced'), query: { 'state.in': 'bounced,failed' } },
    {
      key: 'unopened',
      label: t('messages.views.unopened'),
      query: { state: 'sent', 'openedAt.empty': 'true' },
    },
  ],
  cells: { state: State, recipient: Recipient, channel: Channel },
  columns: {
    channel: { width: 'fit', phone: 'line' },
    recipient: { width: '26%', phone: 'line' },
    createdAt: { phone: 'line' },
    state: { phone: 'state' },
    openedAt: {},
  },
})

/** What was sent, and whether it was read. A row opens the letter beside the list. */
export function Screen() {
  const [open, setOpen] = useState<AnyRow>()
  return (
    <>
      <ListScreen resource={messages} onOpen={setOpen} />
      {open && <Letter of={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

/** Addresses in a letter open; each is one island, broken where it must be. */
const WithLinks = ({ text }: { text: string }) =>
  text.split(/(https?:\/\/\S+)/).map((piece, i) =>
    i % 2 === 1 ? (
      <a key={i} className="link d-url" href={piece} target="_blank" rel="noreferrer">
        {piece}
      </a>
    ) : (
      piece
    ),
  )

const things = { documentId: 'documents', letterId: 'letters', outsideId: 'outsideDocuments' }

function Letter({ of, onClose }: { of: AnyRow; onClose: () => void }) {
  const t = useWords()
  const may = useCan()
  const [to, setTo] = useState(String(of.recipient))
  const again = useSend(resendMessage, {
    refresh: [callsOf(messages).list],
    onSuccess: () => {
      onClose()
      banner.success(t('messages.resent'))
    },
  })
  const caller = useSession()
  const person = caller && { ...caller, hideTotalPrices: caller.HideTotalPrices }
  const kind = String(of.kind)
  const mayResend =
    !!person &&
    may(messages.allow.change) &&
    !lackingToSend(kind, person) &&
    of.channel !== 'whatsapp' &&
    of.state !== 'queued' &&
    of.state !== 'postponed'
  const refused = again.error ? fieldErrors(t, again.error, ['to']) : undefined
  // The document, the letter or the paper from elsewhere that was sent.
  const [thing] = (['documentId', 'letterId', 'outsideId'] as const).flatMap((field) => {
    const resource = resourceNamed(things[field])
    const id = of[field]
    return resource && typeof id === 'string' && may(resource.allow.see)
      ? [{ field, href: cardPath(resource, id) }]
      : []
  })
  const facts: [string, React.ReactNode][] = [
    ['recipient', <Num key="r">{String(of.recipient)}</Num>],
    ['channel', <Channel key="w" value={String(of.channel)} />],
    ['kind', t(`messages.kind.${kind}`)],
    ['state', <State key="s" value={String(of.state)} />],
    ['createdAt', <MomentCell key="c" value={of.createdAt} />],
    ...(of.sentAt
      ? [['sentAt', <MomentCell key="t" value={of.sentAt as string} />] as [string, React.ReactNode]]
      : []),
    ...(of.attachments
      ? [['attachments', <bdi key="a">{of.attachments as string}</bdi>] as [string, React.ReactNode]]
      : []),
    ...(of.error ? [['error', <bdi key="e">{of.error as string}</bdi>] as [string, React.ReactNode]] : []),
    ...(of.openedAt
      ? [['openedAt', <MomentCell key="o" value={of.openedAt as string} />] as [string, React.ReactNode]]
      : []),
  ]
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={<bdi>{String(of.subject)}</bdi>}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.close')}
          </Button>
          {thing?.href && <Button href={thing.href}>{t(`messages.open.${thing.field}`)}</Button>}
          {mayResend && (
            <Button
              kind="primary"
              icon={Send}
              m
              busy={again.isPending}
              onPress={() => again.mutate({ id: of.id, ...(to.trim() && to !== of.recipient ? { to } : {}) })}
            >
              {t('messages.resend')}
            </Button>
          )}
        </>
      }
    >
      {(of.state === 'bounced' || of.state === 'failed' || of.state === 'postponed') && (
        <Note tone="wait">{t(`messages.${String(of.state)}`)}</Note>
      )}
      <div className="d-facts">
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`messages.fields.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="d-letter" dir="auto">
        <WithLinks text={String(of.body)} />
      </p>
      {mayResend && !lackingToRedirect(kind, person) && (
        <div className="mt-5">
          <TextField
            type={of.channel === 'sms' ? 'tel' : 'email'}
            label={t('messages.resendTo')}
            value={to}
            onChange={setTo}
            {...(refused?.fields.to ? { error: refused.fields.to } : {})}
          />
        </div>
      )}
      {refused?.rest && <Note tone="late">{refused.rest}</Note>}
    </SideSheet>
  )
}
