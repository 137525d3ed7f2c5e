import { Mail } from 'lucide-react'
import { useState } from 'react'
import { MomentCell } from '../../../kit/web/fields/cells.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { SideSheet } from '../../../kit/web/parts/Dialog.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { StatusPill, type StatusTone } from '../../../kit/web/parts/Status.tsx'
import { dress } from '../../../kit/web/screens/dress.ts'
import { ListScreen } from '../../../kit/web/screens/ListScreen.tsx'
import { cardPath, resourceNamed, type AnyRow } from '../../../kit/web/screens/resources.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { messages } from '../messages.ts'

const tones: Record<string, StatusTone> = { sent: 'done', queued: 'info', kept: 'plain', failed: 'wait' }

function State({ value }: { value: string }) {
  const t = useWords()
  return <StatusPill tone={tones[value] ?? 'plain'}>{t(`messages.state.${value}`)}</StatusPill>
}

/** A mail address or a phone: one island, cut at its end when the column is narrow. */
const Recipient = ({ value }: { value: string }) => (
  <span className="cut" title={value}>
    <Num>{value}</Num>
  </span>
)

dress(messages, {
  icon: Mail,
  cells: { state: State, recipient: Recipient },
  columns: { recipient: { width: '26%', phone: 'line' }, createdAt: { phone: 'line' }, state: { phone: 'state' }, openedAt: {} },
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

function Letter({ of, onClose }: { of: AnyRow; onClose: () => void }) {
  const t = useWords()
  const documents = resourceNamed('documents')
  const href = documents && typeof of.documentId === 'string' ? cardPath(documents, of.documentId) : undefined
  const facts: [string, React.ReactNode][] = [
    ['recipient', <Num key="r">{String(of.recipient)}</Num>],
    ['channel', t(`messages.channel.${String(of.channel)}`)],
    ['state', <State key="s" value={String(of.state)} />],
    ['createdAt', <MomentCell key="c" value={of.createdAt} />],
    ...(of.sentAt ? [['sentAt', <MomentCell key="t" value={of.sentAt as string} />] as [string, React.ReactNode]] : []),
    ...(of.openedAt ? [['openedAt', <MomentCell key="o" value={of.openedAt as string} />] as [string, React.ReactNode]] : []),
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
          {href && <Button href={href}>{t('messages.openDocument')}</Button>}
        </>
      }
    >
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
    </SideSheet>
  )
}
