import { CircleAlert, CircleCheck, Clock3, FolderClock, MessageCircle, type LucideIcon } from 'lucide-react'
import { labelOf } from '#domain/documents/kinds.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Rows } from '#kit/web/parts/Card.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { historyOfDocument, type DocumentAnswer } from '../../endpoints.ts'
import { documentName } from '../words.ts'

type Outcome = 'opened' | 'queued' | 'sent' | 'kept' | 'keptSms' | 'refused' | 'postponed'

const looks: Record<Outcome, { icon: LucideIcon; tone?: 'done' | 'late' | 'wait' }> = {
  opened: { icon: MessageCircle },
  queued: { icon: Clock3 },
  sent: { icon: CircleCheck, tone: 'done' },
  kept: { icon: FolderClock, tone: 'wait' },
  keptSms: { icon: FolderClock, tone: 'wait' },
  refused: { icon: CircleAlert, tone: 'late' },
  postponed: { icon: Clock3, tone: 'wait' },
}

/** What is known of a message: WhatsApp was only opened, and what no provider took was only kept. */
export function outcomeOf({ channel, state }: { channel: string; state: string }): Outcome {
  if (channel === 'whatsapp') return 'opened'
  if (state === 'kept') return channel === 'sms' ? 'keptSms' : 'kept'
  if (state === 'bounced' || state === 'failed') return 'refused'
  return state === 'sent' || state === 'postponed' ? state : 'queued'
}

/** What became of the messages a document just left in, from the server and not from the press of a button. */
export function SentDialog({
  document,
  ids,
  onClose,
  onAgain,
}: {
  document: DocumentAnswer
  ids: readonly string[]
  onClose: () => void
  /** Leads back to the ways of sending. */
  onAgain: () => void
}) {
  const t = useWords()
  const may = useCan()
  const { data } = useCall(
    historyOfDocument,
    { id: document.id },
    {
      staleTime: 0,
      refetchInterval: ({ state }) =>
        !state.data || state.data.messages.some((one) => ids.includes(one.id) && one.state === 'queued')
          ? 1000
          : false,
    },
  )
  const messages = data?.messages.filter(({ id }) => ids.includes(id)) ?? []
  const outcomes = messages.map((message) => ({ ...message, outcome: outcomeOf(message) }))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('documents.page.sendTitle', {
        name: documentName(t, document.type, document.number, labelOf(document)),
      })}
      actions={
        <>
          <Button kind="quiet" onPress={onAgain}>
            {t('documents.sending.otherWay')}
          </Button>
          <Button kind="primary" onPress={onClose}>
            {t('kit.actions.close')}
          </Button>
        </>
      }
    >
      <div role="status" aria-live="polite" className="grid gap-4">
        {outcomes.length === 0 ? (
          <p className="sub">{t('documents.sending.outcome.queued')}</p>
        ) : (
          <Rows>
            {outcomes.map(({ id, outcome, channel, recipient, error }) => (
              <div key={id}>
                <span className="k-tile" data-tone={looks[outcome].tone}>
                  <Icon of={looks[outcome].icon} />
                </span>
                <span className="grow">
                  <b className="t">{t(`documents.sending.outcome.${outcome}`)}</b>
                  <span className="s">
                    {channel === 'whatsapp' ? <bdi>{recipient}</bdi> : <Num>{recipient}</Num>}
                  </span>
                  {outcome === 'refused' && error && (
                    <span className="s" dir="auto">
                      {error}
                    </span>
                  )}
                </span>
                {outcome === 'keptSms' && may('companies.change') && (
                  <Button size="s" kind="quiet" href="/invoice/smssettings">
                    {t('screens.smsSettings')}
                  </Button>
                )}
              </div>
            ))}
          </Rows>
        )}
      </div>
    </Dialog>
  )
}
