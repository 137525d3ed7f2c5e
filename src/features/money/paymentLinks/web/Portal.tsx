import { Check, CreditCard, MessageSquare, Repeat2, CalendarCheck, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoment, withCurrency } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, keyOf, queryClient, useSend } from '#kit/web/calls/call.ts'
import { LongText } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { Unanswered } from '#kit/web/public/Unanswered.tsx'
import { useReturn } from '#kit/web/public/useReturn.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  answerQuote,
  checkOnCustomerPage,
  customerHistory,
  payOnCustomerPage,
  type Holding,
  type OpenDocument,
  type Quote,
} from '../endpoints.ts'
import { isInDoubt, Paid, Trouble } from './Outcome.tsx'
import { PhonePayment } from './PayLink.tsx'
import './paymentLinks.css'

type Page = OutputOf<typeof customerHistory>
interface PartProps {
  data: Page
  pageKey: string
}

const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(customerHistory) })

/** What is paid at first: all that is overdue, else what is due next. */
function proposed(open: readonly OpenDocument[]): ReadonlySet<string> {
  const [first] = open
  if (!first) return new Set()
  const late = open.filter(({ isLate, together }) => isLate && together === first.together)
  return new Set((late.length ? late : [first]).map(({ key }) => key))
}

/** What the customer owes, each document with a tick, and one payment for all that are ticked. */
export function ToPay({ data, pageKey: key }: PartProps) {
  const t = useWords()
  const { lang } = useLanguage()
  const { open } = data
  const [chosen, setChosen] = useState(() => proposed(open))
  const { outcome, failure, isChecking, again } = useReturn(
    (input) => call(checkOnCustomerPage, input),
    key,
    { isInDoubt, onKnown: () => void refresh() },
  )
  const begin = useSend(payOnCustomerPage, {
    onSuccess: ({ url }) => void (location.href = url),
    onError: (e) => void banner.error(failureText(t, e)),
  })
  const picked = open.filter((one) => chosen.has(one.key))
  const kind = picked[0]?.together
  const sum = picked.reduce((total, { dueAgorot }) => total + dueAgorot, 0)
  const whole = open.reduce((total, { dueAgorot }) => total + dueAgorot, 0)
  const late = open.filter(({ isLate }) => isLate).reduce((total, { dueAgorot }) => total + dueAgorot, 0)
  const isOver = outcome?.state === 'paid' || outcome?.state === 'surplus'
  const toggle = (one: OpenDocument) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(one.key)) next.add(one.key)
      return next
    })
  const ofKind = open.filter((one) => one.together === (kind ?? open[0]?.together))
  const isApart = open.some(({ together }) => together !== open[0]!.together)
  return (
    <>
      {(isOver || isChecking || failure || (outcome && isInDoubt(outcome))) && (
        <Lead label={t('paymentLinks.pay.title')}>
          {isOver ? (
            <Paid paper={outcome.paper} thanks={data.thanks} surplus={outcome.state === 'surplus'} />
          ) : isChecking ? (
            <p role="status">{t('paymentLinks.pay.checking')}</p>
          ) : failure ? (
            <Unanswered failure={failure} again={again} />
          ) : (
            <Unanswered again={again}>{t('paymentLinks.pay.inDoubt')}</Unanswered>
          )}
        </Lead>
      )}
      <Lead
        label={t('screens.customerHistory')}
        title={
          <>
            {t('customerPages.title')} <bdi>{data.customer}</bdi>
          </>
        }
        sum={<Money amount={open.length ? whole : Math.abs(Math.min(0, data.openAgorot))} />}
      >
        {late > 0 ? (
          <p className="sub pl-late">
            <Money amount={late} /> {t('customerPages.late')}
          </p>
        ) : (
          <p className="sub">
            {t(
              open.length
                ? 'customerPages.owes'
                : data.openAgorot < 0
                  ? 'customerPages.credit'
                  : data.openAgorot === 0
                    ? 'customerPages.even'
                    : 'customerPages.nothingOpen',
            )}
          </p>
        )}
      </Lead>
      <Trouble outcome={outcome} />
      {open.length > 0 && (
        <Card
          title={t('customerPages.open')}
          flush
          end={
            data.online &&
            ofKind.length > 1 && (
              <Button kind="quiet" size="s" onPress={() => setChosen(new Set(ofKind.map((one) => one.key)))}>
                {t('customerPages.chooseAll')}
              </Button>
            )
          }
        >
          <ul className="pl-open">
            {open.map((one) => {
              const isOff = !data.online || (kind !== undefined && one.together !== kind)
              const facts = (
                <>
                  <span className="grow">
                    <span className="t">
                      <bdi>{one.name}</bdi>
                    </span>
                    {one.subject && (
                      <span className="s">
                        <bdi>{one.subject}</bdi>
                      </span>
                    )}
                    {one.dueDate && (
                      <span className={one.isLate ? 's pl-late' : 's'}>
                        {t('customerPages.dueOn')} <Num>{formatDay(one.dueDate)}</Num>
                        {one.isLate && ` · ${t('customerPages.late')}`}
                      </span>
                    )}
                  </span>
                  <b className="sum">
                    <Money amount={one.dueAgorot} />
                  </b>
                </>
              )
              return (
                <li key={one.key}>
                  {data.online ? (
                    <label data-off={isOff ? '' : undefined}>
                      <input
                        type="checkbox"
                        checked={chosen.has(one.key)}
                        disabled={isOff}
                        onChange={() => toggle(one)}
                        aria-label={t('customerPages.choose', { name: one.name })}
                      />
                      {facts}
                    </label>
                  ) : (
                    <Link href={`/paymentdoc/${one.key}`}>{facts}</Link>
                  )}
                </li>
              )
            })}
          </ul>
        </Card>
      )}
      {isApart && data.online && <p className="hint">{t('customerPages.apart')}</p>}
      {data.test && <Note tone="wait">{t('paymentLinks.pay.test')}</Note>}
      {open.length > 0 && data.online && !isChecking && (
        <div className="pl-paybar">
          <span aria-live="polite">
            <span className="s">{t('customerPages.chosen', { count: picked.length })}</span>
            <b>
              <Money amount={sum} />
            </b>
          </span>
          <Button
            kind="primary"
            size="l"
            icon={CreditCard}
            busy={begin.isPending}
            {...(picked.length === 0 ? { blocked: t('customerPages.chosen', { count: 0 }) } : {})}
            onPress={() => begin.mutate({ key, documents: picked.map((one) => one.key) })}
          >
            {t('customerPages.paySum', { sum: withCurrency(sum, 'ILS', lang) })}
          </Button>
        </div>
      )}
      {open.length > 0 && <PhonePayment to={data.phonePayment} />}
    </>
  )
}

/** Quotes with their answer, or the three things that can be said of one. */
export function Quotes({ data, pageKey: key }: PartProps) {
  const t = useWords()
  const { lang } = useLanguage()
  const [asks, setAsks] = useState<Quote>()
  const [writes, setWrites] = useState<Quote>()
  const [text, setText] = useState('')
  if (!data.quotes.length) return null
  const say = async (quote: Quote, answer: 'accepted' | 'declined' | 'comment', comment = '') => {
    await call(answerQuote, { key, document: quote.key, answer, comment })
    await refresh()
  }
  const decline = (quote: Quote) =>
    say(quote, 'declined').catch((e: unknown) => void banner.error(failureText(t, e)))
  return (
    <>
      {data.quotes.map((quote) => (
        <section
          key={quote.key}
          className="pl-quote"
          aria-label={t('customerPages.quote', { number: String(quote.number) })}
        >
          <div className="pl-quote-head">
            <span>
              <Link className="link t" href={`/paymentdoc/${quote.key}`}>
                {t('customerPages.quote', { number: String(quote.number) })}
              </Link>
              {quote.subject && (
                <span className="s">
                  <bdi>{quote.subject}</bdi>
                </span>
              )}
              {quote.validUntil && (
                <span className={quote.isOver ? 's pl-late' : 's'}>
                  {t('customerPages.validTo')} <Num>{formatDay(quote.validUntil)}</Num>
                  {quote.isOver && ` · ${t('customerPages.over')}`}
                </span>
              )}
            </span>
            <b>
              <Money amount={quote.totalAgorot} currency={quote.currency} />
            </b>
          </div>
          {quote.answer ? (
            <p className="pl-line" role="status">
              <Icon of={quote.answer === 'accepted' ? Check : X} size="s" />{' '}
              {t(`customerPages.answered.${quote.answer}`)}
            </p>
          ) : (
            <div className="pl-acts">
              {!quote.isOver && (
                <Button kind="primary" icon={Check} onPress={() => setAsks(quote)}>
                  {t('customerPages.accept')}
                </Button>
              )}
              <Button icon={MessageSquare} onPress={() => setWrites(quote)}>
                {t('customerPages.comment')}
              </Button>
              {!quote.isOver && (
                <Button kind="quiet" onPress={() => void decline(quote)}>
                  {t('customerPages.decline')}
                </Button>
              )}
            </div>
          )}
        </section>
      ))}
      <Question
        isOpen={asks !== undefined}
        onClose={() => setAsks(undefined)}
        title={t('customerPages.acceptAsk')}
        verb={t('customerPages.accept')}
        onConfirm={() => say(asks!, 'accepted')}
      >
        {asks && t('customerPages.acceptText', { sum: withCurrency(asks.totalAgorot, asks.currency, lang) })}
      </Question>
      {writes && (
        <FormDialog
          title={t('customerPages.comment')}
          verb={t('customerPages.commentSend')}
          names={['comment']}
          onClose={() => setWrites(undefined)}
          onSubmit={async () => {
            await say(writes, 'comment', text)
            setText('')
            setWrites(undefined)
            banner.success(t('customerPages.commentSent'))
          }}
        >
          {(error) => (
            <LongText
              label={t('customerPages.comment')}
              value={text}
              onChange={setText}
              rows={4}
              max={2000}
              {...error('comment', text)}
            />
          )}
        </FormDialog>
      )}
    </>
  )
}

const icons = { card: CreditCard, order: Repeat2, booking: CalendarCheck }
const titles = { card: 'cards', order: 'orders', booking: 'bookings' } as const

/** Saved cards, standing orders and bookings. */
export function Holdings({ data }: { data: Page }) {
  return (['card', 'order', 'booking'] as const).map((kind) => {
    const rows = data.holdings.filter((one) => one.kind === kind)
    return rows.length ? <HoldingList key={kind} kind={kind} rows={rows} /> : null
  })
}

function HoldingList({ kind, rows }: { kind: Holding['kind']; rows: readonly Holding[] }) {
  const t = useWords()
  return (
    <Card title={t(`customerPages.${titles[kind]}`)}>
      <Rows>
        {rows.map((row, i) => {
          const facts = (
            <>
              <span className="k-tile">
                <Icon of={icons[kind]} />
              </span>
              <span className="grow">
                <span className="t">
                  <bdi>{row.title}</bdi>
                </span>
                {row.when && (
                  <span className="s">
                    <When kind={kind} when={row.when} />
                  </span>
                )}
              </span>
              {row.agorot !== null && <Money amount={row.agorot} />}
            </>
          )
          return row.url ? (
            <Link key={i} href={row.url}>
              {facts}
            </Link>
          ) : (
            <div key={i}>{facts}</div>
          )
        })}
      </Rows>
    </Card>
  )
}

function When({ kind, when }: Pick<Holding, 'kind' | 'when'>) {
  const t = useWords()
  if (kind === 'card')
    return (
      <>
        {t('customerPages.cardEnds')} <Num>{when}</Num>
      </>
    )
  if (kind === 'order')
    return (
      <>
        {t('customerPages.next')} <Num>{formatDay(when)}</Num>
      </>
    )
  return <Num>{formatMoment(new Date(when))}</Num>
}
