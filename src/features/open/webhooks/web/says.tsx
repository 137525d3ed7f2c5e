import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import type { Delivery, Webhook } from '../endpoints.ts'

const tones: Record<Webhook['state'], StatusTone> = { on: 'done', failing: 'wait', off: 'plain' }

export function WebhookState({ of: { state } }: { of: Webhook }) {
  const t = useWords()
  return <StatusPill tone={tones[state]}>{t(`webhooks.state.${state}`)}</StatusPill>
}

const deliveryTones: Record<Delivery['state'], StatusTone> = {
  waiting: 'info',
  sent: 'done',
  failed: 'late',
  skipped: 'plain',
}

export function DeliveryState({ of: { state, tries } }: { of: Pick<Delivery, 'state' | 'tries'> }) {
  const t = useWords()
  const isAgain = state === 'waiting' && tries > 0
  return (
    <StatusPill tone={isAgain ? 'wait' : deliveryTones[state]}>
      {t(`webhooks.delivery.${isAgain ? 'again' : state}`)}
    </StatusPill>
  )
}

/** What was answered, or why nothing was: '200', '500', 'no answer in time'. */
export const answerText = (
  t: Words,
  { statusCode, outcome }: Pick<Delivery, 'statusCode' | 'outcome'>,
): string =>
  statusCode !== null && (outcome === '' || outcome === 'status')
    ? String(statusCode)
    : outcome === ''
      ? ''
      : [...(statusCode === null ? [] : [String(statusCode)]), t(`webhooks.outcomes.${outcome}`)].join(' · ')

/** What it hears of, in a line. */
export const eventsText = (t: Words, { events }: Pick<Webhook, 'events'>): string =>
  events.includes('*')
    ? t('webhooks.everything')
    : events.length > 2
      ? t('webhooks.someEvents', { count: events.length })
      : events.join(', ')
