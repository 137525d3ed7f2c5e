import { RotateCcw } from 'lucide-react'
import { formatMoment } from '#domain/format.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { getDelivery } from '../endpoints.ts'
import { Code } from './EventsField.tsx'
import { answerText, DeliveryState } from './says.tsx'

/** One event at one address: what was sent, and each try with its answer. */
export function DeliverySheet({
  id,
  eventId,
  onAgain,
  onClose,
}: {
  id: string
  eventId: string
  onAgain?: () => Promise<void>
  onClose: () => void
}) {
  const t = useWords()
  const { data, error, refetch } = useCall(
    getDelivery,
    { id, eventId },
    { staleTime: 0, refetchInterval: 4000 },
  )
  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      title={data?.name ?? t('webhooks.log')}
      {...(onAgain
        ? {
            actions: (
              <Button icon={RotateCcw} onPress={() => void onAgain().then(() => refetch())}>
                {t('webhooks.again')}
              </Button>
            ),
          }
        : {})}
    >
      {error ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : !data ? (
        <Skeleton lines={6} />
      ) : (
        <div className="wh-form">
          <dl className="wh-facts">
            <div>
              <dt>{t('webhooks.fields.state')}</dt>
              <dd>
                <DeliveryState of={data} />
              </dd>
            </div>
            <div>
              <dt>{t('webhooks.fields.at')}</dt>
              <dd>
                <Num>{formatMoment(new Date(data.at))}</Num>
              </dd>
            </div>
            {data.nextAt && (
              <div>
                <dt>{t('webhooks.fields.nextAt')}</dt>
                <dd>
                  <Num>{formatMoment(new Date(data.nextAt))}</Num>
                </dd>
              </div>
            )}
            <div className="whole">
              <dt>webhook-id</dt>
              <dd>
                <Num>{data.eventId}</Num>
              </dd>
            </div>
            {data.state === 'skipped' && (
              <div>
                <dt>{t('webhooks.fields.why')}</dt>
                <dd>{answerText(t, data)}</dd>
              </div>
            )}
          </dl>
          {data.body && (
            <section aria-label={t('webhooks.sentBody')}>
              <h3>{t('webhooks.sentBody')}</h3>
              <Code label={t('webhooks.sentBody')} text={pretty(data.body)} />
            </section>
          )}
          {data.log.length > 0 && (
            <section aria-label={t('webhooks.tries')}>
              <h3>{t('webhooks.tries')}</h3>
              <ol className="wh-tries">
                {data.log.map((one) => (
                  <li key={one.no}>
                    <p>
                      <Num>{one.no}</Num> · <Num>{formatMoment(new Date(one.at))}</Num> ·{' '}
                      <bdi>{answerText(t, one)}</bdi> · <bdi>{t('webhooks.took', { ms: one.ms })}</bdi>
                    </p>
                    {one.answer && <Code label={t('webhooks.fields.answer')} text={one.answer} />}
                  </li>
                ))}
              </ol>
            </section>
          )}
        </div>
      )}
    </SideSheet>
  )
}

/** JSON with a line for each value; a form, as notices of payments are, with a line for each field. */
function pretty(body: string): string {
  if (!body.startsWith('{'))
    return [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).join('\n')
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
