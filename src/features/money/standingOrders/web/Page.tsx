import { Link } from 'react-aria-components/Link'
import { CreditCard, Link2Off, Pause } from 'lucide-react'
import { useState } from 'react'
import type { Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { Unanswered } from '#kit/web/public/Unanswered.tsx'
import { useReturn } from '#kit/web/public/useReturn.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { brandWord } from '#features/base/companies/means.ts'
import { typeWord } from '#features/sales/documents/web/index.tsx'
import {
  cancelByKey,
  checkByKey,
  orderPageLogo,
  pauseByKey,
  payByKey,
  renewByKey,
  resumeByKey,
  showOrderPage,
  type OrderPage,
} from '../endpoints.ts'
import { PausedUntilField, ReasonField } from './fields.tsx'
import './orders.css'
import { everyWords, OrderStatePill } from './words.tsx'

/**
 * A customer's own page of a standing order: what runs, the next charge, papers; to pay what failed, give
 * another card, pause or cancel.
 */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(showOrderPage, { key })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={orderPageLogo}
      title={(data) => data.title}
      missing={{
        icon: Link2Off,
        title: t('standingOrders.page.notFound'),
        text: t('standingOrders.page.notFoundText'),
      }}
    >
      {(data) => <Mine data={data} pageKey={key} />}
    </BusinessPage>
  )
}

function Mine({ data, pageKey: key }: { data: OrderPage; pageKey: string }) {
  const t = useWords()
  const [dialog, setDialog] = useState<'pause' | 'cancel'>()
  const [busy, setBusy] = useState('')
  const put = (page: OrderPage) => putAnswer(showOrderPage, { key }, page)
  const form = async (name: string, work: () => Promise<{ url: string }>) => {
    setBusy(name)
    try {
      location.assign((await work()).url)
    } catch (e) {
      banner.error(failureText(t, e))
      setBusy('')
    }
  }
  const { failure, isChecking, again } = useReturn((input) => call(checkByKey, input), key, { onKnown: put })
  // The outcome of a form may already be what its buttons ask for.
  const isUnknown = isChecking || failure !== undefined
  const over = data.state === 'ended' || data.state === 'cancelled'
  return (
    <>
      <Lead
        label={data.title}
        title={<bdi>{data.title}</bdi>}
        sum={
          data.nextAgorot === null ? undefined : <Money amount={data.nextAgorot} currency={data.currency} />
        }
      >
        <p>
          <OrderStatePill state={data.state} />
        </p>
        <p className="sub">
          <bdi>{data.customer}</bdi> · {everyWords(t, data)}
        </p>
        {data.nextDay && (
          <p className="sub">
            {t('standingOrders.fields.nextDay')} <Num>{formatDay(data.nextDay)}</Num>
          </p>
        )}
        {data.state === 'paused' && data.pausedUntil && (
          <p className="sub">
            {t('standingOrders.pausedUntil')} <Num>{formatDay(data.pausedUntil)}</Num>
          </p>
        )}
        {data.endDay && (
          <p className="sub">
            {t(over ? 'standingOrders.page.endedOn' : 'standingOrders.page.endsOn')}{' '}
            <Num>{formatDay(data.endDay)}</Num>
          </p>
        )}
        {isChecking && <p role="status">{t('standingOrders.page.checking')}</p>}
        {failure ? <Unanswered failure={failure} again={again} /> : null}
        {data.failed.map((one) => (
          <Note
            key={one.start}
            tone="late"
            action={
              isUnknown ? undefined : one.payKey ? (
                <Button size="s" kind="primary" href={`/paymentdoc/${one.payKey}`}>
                  {t('standingOrders.page.pay')}
                </Button>
              ) : data.means === 'card' ? (
                <Button
                  size="s"
                  kind="primary"
                  icon={CreditCard}
                  busy={busy === one.start}
                  onPress={() => void form(one.start, () => call(payByKey, { key, start: one.start }))}
                >
                  {t('standingOrders.page.pay')}
                </Button>
              ) : undefined
            }
          >
            {t('standingOrders.page.failed')} <Num>{formatDay(one.day)}</Num> ·{' '}
            <Money amount={one.totalAgorot} currency={data.currency} />
          </Note>
        ))}
        {data.means === 'card' && !over && (
          <p>
            {data.card ? (
              <>
                {brandWord(data.card.brand, t)} <Num>{data.card.last4}</Num> ·{' '}
                {t('standingOrders.page.until')} <Num>{formatDay(data.card.expires)}</Num>
              </>
            ) : (
              t('standingOrders.page.noCard')
            )}
          </p>
        )}
        <div className="so-acts">
          {data.mayRenew && !isUnknown && (
            <Button
              kind={data.card ? 'plain' : 'primary'}
              icon={CreditCard}
              busy={busy === 'card'}
              onPress={() => void form('card', () => call(renewByKey, { key }))}
            >
              {t(data.card ? 'standingOrders.page.renew' : 'standingOrders.page.addCard')}
            </Button>
          )}
          {data.mayPause && (
            <Button icon={Pause} onPress={() => setDialog('pause')}>
              {t('standingOrders.deeds.pause')}
            </Button>
          )}
          {data.state === 'paused' && !over && (
            <Button
              kind="primary"
              onPress={() =>
                void call(resumeByKey, { key })
                  .then(put)
                  .catch((e: unknown) => banner.error(failureText(t, e)))
              }
            >
              {t('standingOrders.deeds.resume')}
            </Button>
          )}
          {data.mayCancel && (
            <Button kind="quiet" onPress={() => setDialog('cancel')}>
              {t('standingOrders.deeds.cancel')}
            </Button>
          )}
        </div>
        {data.mayRenew && <p className="sub">{t('standingOrders.page.safe')}</p>}
        {data.cancelDays !== null && (
          <p className="sub">{t('standingOrders.page.law', { count: data.cancelDays })}</p>
        )}
      </Lead>
      {data.coming.length > 1 && (
        <section className="pub-lead" aria-label={t('standingOrders.comingTitle')}>
          <h2>{t('standingOrders.comingTitle')}</h2>
          <ol className="so-coming">
            {data.coming.map((one) => (
              <li key={one.day}>
                <Num>{formatDay(one.day)}</Num>
                <Money amount={one.totalAgorot} currency={data.currency} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {data.papers.length > 0 && (
        <section className="pub-lead" aria-label={t('standingOrders.page.papers')}>
          <h2>{t('standingOrders.page.papers')}</h2>
          <ul className="so-coming">
            {data.papers.map((one) => (
              <li key={one.key}>
                <Link href={`/paymentdoc/${one.key}`} className="aim">
                  {typeWord(t, one.type)} <Num>{one.number}</Num>
                </Link>
                <span>
                  <span className="so-small">
                    <Num>{formatDay(one.day)}</Num> {one.isOpen && t('standingOrders.page.isOpen')}{' '}
                  </span>
                  <Money amount={one.totalAgorot} currency={data.currency} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {dialog === 'pause' && <PauseMine pageKey={key} put={put} onClose={() => setDialog(undefined)} />}
      {dialog === 'cancel' && <CancelMine pageKey={key} put={put} onClose={() => setDialog(undefined)} />}
    </>
  )
}

interface MineProps {
  pageKey: string
  put: (page: OrderPage) => void
  onClose: () => void
}

function PauseMine({ pageKey: key, put, onClose }: MineProps) {
  const t = useWords()
  const [until, setUntil] = useState<Day | null>(null)
  return (
    <FormDialog
      title={t('standingOrders.deeds.pause')}
      verb={t('standingOrders.deeds.pause')}
      names={['until']}
      onClose={onClose}
      onSubmit={async () => put(await call(pauseByKey, { key, until: until ?? '' }))}
    >
      {(error) => <PausedUntilField value={until} onChange={setUntil} {...error('until', until)} />}
    </FormDialog>
  )
}

function CancelMine({ pageKey: key, put, onClose }: MineProps) {
  const t = useWords()
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={t('standingOrders.cancel.title')}
      verb={t('standingOrders.cancel.verb')}
      danger
      names={['reason']}
      onClose={onClose}
      onSubmit={async () => put(await call(cancelByKey, { key, reason }))}
    >
      {(error) => (
        <>
          <p>{t('standingOrders.page.cancelText')}</p>
          <ReasonField optional value={reason} onChange={setReason} {...error('reason', reason)} />
        </>
      )}
    </FormDialog>
  )
}
