import { CreditCard, RefreshCw, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getCard, removeCard, setDefault, type CardAnswer } from '../endpoints.ts'
import { ChargeDialog } from './ChargeDialog.tsx'
import { CardName, CardState, endless, monthYear, refreshCards } from './says.tsx'
import './savedCards.css'

/**
 * One card: whose, how long it runs, what its owner agreed to, what is charged to it, and what can be done.
 */
export function CardSheet({
  id,
  onRenew,
  onClose,
}: {
  id: string
  onRenew: (card: CardAnswer) => void
  onClose: () => void
}) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { data, error, refetch } = useCall(getCard, { id }, { staleTime: 0 })
  const [open, setOpen] = useState<'charge' | 'remove'>()
  const deed = async (work: () => Promise<unknown>, said: string) => {
    try {
      await work()
      await refreshCards()
      banner.success(said)
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  const lives = data && data.state !== 'removed' && data.state !== 'replaced'
  const charges = lives && data.state !== 'askAgain' && data.state !== 'expired'
  return (
    <>
      <SideSheet
        isOpen
        onClose={onClose}
        title={data ? <CardName brand={data.brand} last4={data.last4} /> : t('savedCards.one')}
        actions={
          data && (
            <>
              {charges && may('savedCards.charge') && !hides && (
                <Button kind="primary" icon={CreditCard} onPress={() => setOpen('charge')}>
                  {t('savedCards.charge')}
                </Button>
              )}
              {lives && may('savedCards.change') && (
                <>
                  <Button
                    icon={RefreshCw}
                    onPress={() => {
                      onClose()
                      onRenew(data)
                    }}
                  >
                    {t('savedCards.renew')}
                  </Button>
                  {!data.isDefault && data.state !== 'askAgain' && (
                    <Button
                      kind="quiet"
                      icon={Star}
                      onPress={() =>
                        void deed(() => call(setDefault, { id: data.id }), t('savedCards.madeDefault'))
                      }
                    >
                      {t('savedCards.makeDefault')}
                    </Button>
                  )}
                  <Button kind="quiet" icon={Trash2} onPress={() => setOpen('remove')}>
                    {t('savedCards.remove')}
                  </Button>
                </>
              )}
            </>
          )
        }
      >
        {error && !data ? (
          <Failed error={error} onRetry={refetch} />
        ) : data ? (
          <Facts of={data} hides={hides} />
        ) : (
          <Skeleton lines={8} />
        )}
      </SideSheet>
      {open === 'charge' && data && <ChargeDialog of={data} onClose={() => setOpen(undefined)} />}
      <Question
        isOpen={open === 'remove'}
        onClose={() => setOpen(undefined)}
        title={t('savedCards.removeAsk')}
        verb={t('savedCards.remove')}
        danger
        onConfirm={async () => {
          await deed(() => call(removeCard, { id }), t('savedCards.removed'))
          onClose()
        }}
      >
        {data && data.uses.length > 0
          ? t('savedCards.removeUsed', { names: data.uses.map(({ name }) => name).join(', ') })
          : t('savedCards.removeText')}
      </Question>
    </>
  )
}

function Facts({ of, hides }: { of: CardAnswer; hides: boolean }) {
  const t = useWords()
  const facts: [string, React.ReactNode][] = [
    [
      t('savedCards.fields.customerId'),
      <Link key="c" className="link aim" href={`/invoice/invoiceCustomer/${of.customerId}/cards`}>
        <bdi>{of.customerName}</bdi>
      </Link>,
    ],
    ...(endless(of.expiry)
      ? []
      : [
          [t('savedCards.fields.expiry'), <Num key="e">{monthYear(of.expiry)}</Num>] as [
            string,
            React.ReactNode,
          ],
        ]),
    ...(of.lastDay.startsWith(of.expiry)
      ? []
      : [[t('savedCards.lastDay'), <Num key="l">{formatDay(of.lastDay)}</Num>] as [string, React.ReactNode]]),
    [t('savedCards.fields.terminal'), of.terminal || t(`cardCharges.acquirer.${of.gateway}`)],
    [t('savedCards.fields.createdAt'), <Num key="m">{formatMoment(new Date(of.createdAt))}</Num>],
  ]
  return (
    <div className="sc-stack">
      <p className="sc-line">
        <CardState of={of.state} /> {of.isDefault && <StatusPill>{t('savedCards.isDefault')}</StatusPill>}
      </p>
      {of.gateway === 'test' && <Note>{t('acquirers.testHint')}</Note>}
      {of.state === 'askAgain' && <Note tone="wait">{t('errors.savedCards.askAgain')}</Note>}
      <dl className="sc-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {of.uses.length > 0 && (
        <section>
          <h3>{t('savedCards.usedBy')}</h3>
          <ul className="sc-list">
            {of.uses.map(({ name, href }) => (
              <li key={href}>
                <Link className="link aim" href={href}>
                  <bdi>{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>{t('savedCards.consent')}</h3>
        <p>
          <bdi>{of.consent}</bdi>
        </p>
        <p className="hint">
          <Num>{formatMoment(new Date(of.consentAt))}</Num>
        </p>
      </section>
      <section>
        <h3>{t('savedCards.charges')}</h3>
        {of.charges.length === 0 ? (
          <p className="hint">{t('savedCards.noCharges')}</p>
        ) : (
          <ul className="sc-list">
            {of.charges.map((charge) => (
              <li key={charge.id} className="sc-charge">
                <Link className="link aim" href={`/invoice/historypayments/${charge.id}`}>
                  <bdi>{charge.description || t('cardCharges.one')}</bdi>
                </Link>
                {!hides && <Money amount={charge.sumAgorot} />}
                <span className="hint">
                  <Num>{formatMoment(new Date(charge.at))}</Num> · {t(`cardCharges.state.${charge.state}`)}
                  {charge.declineClass && ` · ${t(`cardCharges.decline.${charge.declineClass}`)}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
