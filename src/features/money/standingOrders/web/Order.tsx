import {
  BadgeAlert,
  BellRing,
  Check,
  CircleAlert,
  CirclePlay,
  CircleX,
  CreditCard,
  Dot,
  Eye,
  FileText,
  Hourglass,
  Landmark,
  Link2,
  Mail,
  Pause,
  Pencil,
  RefreshCw,
  SkipForward,
  Tag,
  Zap,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay, formatMoment, formatPercent } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useTitle } from '#kit/web/routes/router.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { Mandates } from '#features/money/masav/web/index.tsx'
import { brandWord } from '#features/base/companies/means.ts'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { typeWord } from '#features/sales/documents/web/index.tsx'
import { documentNoun } from '#features/sales/documents/web/nouns.ts'
import {
  chargeNow,
  decideMissed,
  getOrder,
  giveUpTurn,
  resumeOrder,
  retryTurn,
  type OrderAnswer,
} from '../endpoints.ts'
import { standingOrders } from '../standingOrders.ts'
import { CancelDialog, PauseDialog, PricesDialog, SkipDialog } from './Dialogs.tsx'
import './orders.css'
import { openAsk } from './open.tsx'
import { comingNotes, everyWords, OrderStatePill, PeriodPill, refreshOrders } from './words.tsx'

const marks: Record<string, [LucideIcon, ('done' | 'late')?]> = {
  created: [CirclePlay],
  billed: [FileText, 'done'],
  charged: [Check, 'done'],
  paid: [Check, 'done'],
  sent: [Mail],
  told: [Mail],
  invited: [Mail],
  notice: [BellRing],
  noticeNoAddress: [BadgeAlert, 'late'],
  noAddress: [BadgeAlert, 'late'],
  failed: [CircleAlert, 'late'],
  noCard: [CreditCard, 'late'],
  cardRemoved: [CreditCard, 'late'],
  cardLost: [CreditCard, 'late'],
  inDoubt: [Hourglass, 'late'],
  retried: [RefreshCw],
  nextFile: [Landmark],
  givenUp: [CircleX, 'late'],
  held: [Hourglass, 'late'],
  paused: [Pause],
  resumed: [CirclePlay],
  skipped: [SkipForward],
  prices: [Tag],
  cardChanged: [CreditCard, 'done'],
  pageSeen: [Eye],
  cancelled: [CircleX],
  byHand: [Zap],
}

type Step = OrderAnswer['steps'][number]

/** One line of what happened, in words. */
function stepWords(t: Words, { kind, details }: Step): { title: string; more: string[] } {
  const more: string[] = []
  const text = (name: string) => (typeof details[name] === 'string' ? String(details[name]) : '')
  if (kind === 'billed' || kind === 'charged') {
    const paper = details.type
      ? documentNoun(t, Number(details.type), details.number ? Number(details.number) : null)
      : ''
    return {
      title: t(`standingOrders.step.${kind}`, { paper }),
      more: text('last4') ? [`•••• ${text('last4')}`] : [],
    }
  }
  if (kind === 'failed')
    more.push(
      t(`standingOrders.failure.${text('class') || 'soft'}`),
      text('code').includes('.') ? t(`errors.${text('code')}`) : text('code'),
      details.try ? t('standingOrders.step.try', { count: Number(details.try) }) : '',
    )
  if (kind === 'held') more.push(t(`errors.${text('why')}`))
  if (kind === 'skipped' || kind === 'givenUp') more.push(t(`standingOrders.why.${text('reason')}`))
  if (kind === 'notice' || kind === 'noticeNoAddress') more.push(t(`standingOrders.notice.${text('what')}`))
  if (kind === 'prices') more.push(`${t('standingOrders.prices.fromDay')} ${formatDay(text('fromDay'))}`)
  if (kind === 'paused' && text('until'))
    more.push(`${t('standingOrders.until')} ${formatDay(text('until'))}`)
  if (kind === 'willEnd') more.push(formatDay(text('day')))
  if (kind === 'cardChanged' && text('last4')) more.push(`•••• ${text('last4')}`)
  if (text('to')) more.push(text('to'))
  if (text('words')) more.push(text('words'))
  return { title: t(`standingOrders.step.${kind}`), more: more.filter(Boolean) }
}

/** One standing order: what it is, what comes, every charge, paper and message on one line of time. */
export function Screen() {
  const { params } = usePlace()
  const id = params.id ?? ''
  const { data, error, refetch } = useCall(
    getOrder,
    { id },
    {
      staleTime: 0,
      refetchInterval: (query) =>
        (query.state.data as OrderAnswer | undefined)?.periods.some(({ state }) => state === 'asked')
          ? 3000
          : false,
    },
  )
  useTitle(data && `${data.customer} · ${data.title}`)
  if (error && !data) return <Failed error={error} onRetry={refetch} />
  if (!data) return <Skeleton lines={10} />
  return <Page order={data} />
}

function Page({ order }: { order: OrderAnswer }) {
  const t = useWords()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const [dialog, setDialog] = useState<'pause' | 'skip' | 'cancel' | 'prices'>()
  const { id, state, currency } = order
  const alive = state !== 'ended' && state !== 'cancelled'
  const change = may('standingOrders.change')
  const runs = may('standingOrders.run')
  const failed = order.periods.filter((one) => one.state === 'failed')
  const stepAt = failed
    .map((one) => one.stepAt)
    .filter((at) => at !== null)
    .toSorted()[0]
  const run = (work: () => Promise<unknown>, said: string) =>
    void work()
      .then(() => banner.success(t(said)))
      .catch((e: unknown) => banner.error(failureText(t, e)))
      .finally(() => void refreshOrders())
  const meansWords = order.card
    ? `${brandWord(order.card.brand, t)} ${order.card.last4}`
    : order.means === 'masav' && order.mandate
      ? `${t('standingOrders.means.masav')} ${order.mandate}`
      : t(`standingOrders.means.${order.means}`)
  return (
    <div className="so-stack">
      <PageHeader
        crumbs={[{ label: t('screens.retainers'), href: standingOrders.screens.list }]}
        title={
          <>
            <bdi>{order.customer}</bdi> · <bdi>{order.title}</bdi>
          </>
        }
        status={<OrderStatePill state={state} />}
        sub={[
          everyWords(t, order),
          meansWords,
          `${t('standingOrders.since')} ${formatDay(order.startDay)}`,
        ].join(' · ')}
        actions={
          <>
            {change && alive && (
              <Button icon={Pencil} href={`/invoice/retainers/${id}/edit`}>
                {t('kit.lists.edit')}
              </Button>
            )}
            {change && !alive && (
              <Button icon={RefreshCw} href={`${standingOrders.screens.form}?from=${id}`}>
                {t('standingOrders.again')}
              </Button>
            )}
            {change && state === 'paused' && (
              <Button
                kind="primary"
                icon={CirclePlay}
                onPress={() => run(() => call(resumeOrder, { id }), 'standingOrders.said.resumed')}
              >
                {t('standingOrders.deeds.resume')}
              </Button>
            )}
            {change &&
              alive &&
              (failed.length > 0 || (order.means === 'card' && (!order.card || order.card.isGone))) && (
                <Button icon={Link2} onPress={() => openAsk(id)}>
                  {t('standingOrders.deeds.ask')}
                </Button>
              )}
            {runs && failed.length > 0 && (
              <Button
                kind="primary"
                icon={RefreshCw}
                onPress={() =>
                  run(async () => {
                    for (const { start } of failed) await call(retryTurn, { id, start })
                  }, 'standingOrders.said.retried')
                }
              >
                {t('standingOrders.deeds.retry')}
              </Button>
            )}
          </>
        }
        more={
          alive && (change || runs)
            ? [
                ...(runs && order.nextFrom && state !== 'paused' && state !== 'held'
                  ? [
                      {
                        key: 'now',
                        label: t('standingOrders.deeds.chargeNow'),
                        icon: Zap,
                        onPress: () =>
                          run(
                            () => call(chargeNow, { id, start: order.nextFrom! }),
                            'standingOrders.said.charged',
                          ),
                      },
                    ]
                  : []),
                ...(change && !hides
                  ? [
                      {
                        key: 'prices',
                        label: t('standingOrders.prices.title'),
                        icon: Tag,
                        onPress: () => setDialog('prices'),
                      },
                    ]
                  : []),
                ...(change && order.nextDay
                  ? [
                      {
                        key: 'skip',
                        label: t('standingOrders.deeds.skip'),
                        icon: SkipForward,
                        onPress: () => setDialog('skip'),
                      },
                    ]
                  : []),
                ...(change && state !== 'paused'
                  ? [
                      {
                        key: 'pause',
                        label: t('standingOrders.deeds.pause'),
                        icon: Pause,
                        onPress: () => setDialog('pause'),
                      },
                    ]
                  : []),
                ...(change
                  ? [
                      {
                        key: 'cancel',
                        label: t('standingOrders.deeds.cancel'),
                        icon: CircleX,
                        tone: 'danger' as const,
                        onPress: () => setDialog('cancel'),
                      },
                    ]
                  : []),
              ]
            : []
        }
      />
      {state === 'held' && (
        <Note
          tone="late"
          action={
            runs && (
              <span className="so-acts">
                {order.missed > 0 && order.heldWhy === 'standingOrders.missed' && (
                  <Button
                    size="s"
                    onPress={() =>
                      run(() => call(decideMissed, { id, how: 'all' }), 'standingOrders.said.decided')
                    }
                  >
                    {t('standingOrders.decide.all', { count: order.missed })}
                  </Button>
                )}
                <Button
                  size="s"
                  onPress={() =>
                    run(() => call(decideMissed, { id, how: 'last' }), 'standingOrders.said.decided')
                  }
                >
                  {t(
                    order.heldWhy === 'standingOrders.noticeMissed'
                      ? 'standingOrders.decide.tell'
                      : 'standingOrders.decide.last',
                  )}
                </Button>
                <Button
                  size="s"
                  kind="quiet"
                  onPress={() =>
                    run(() => call(decideMissed, { id, how: 'none' }), 'standingOrders.said.decided')
                  }
                >
                  {t('standingOrders.decide.none')}
                </Button>
              </span>
            )
          }
        >
          {t(`errors.${order.heldWhy}`)}
        </Note>
      )}
      {state === 'needsCard' && (
        <Note
          tone="late"
          action={
            change && (
              <Button size="s" icon={Pencil} href={`/invoice/retainers/${id}/edit`}>
                {t('standingOrders.chooseCard')}
              </Button>
            )
          }
        >
          {t(order.card ? 'standingOrders.cardGone' : 'standingOrders.cardMissing')}
        </Note>
      )}
      {state === 'paused' && order.pausedUntil && (
        <Note>
          {t('standingOrders.pausedUntil')} <Num>{formatDay(order.pausedUntil)}</Num>
        </Note>
      )}
      {order.endReason && (
        <Note>
          {t(`standingOrders.by.${order.endBy || 'business'}`)}: <bdi>{order.endReason}</bdi>
        </Note>
      )}
      <Figures label={t('standingOrders.figures')}>
        {!hides && (
          <Figure
            label={t('standingOrders.fields.broughtAgorot')}
            value={<Money amount={order.broughtAgorot} currency={currency} />}
            note={t('standingOrders.turns', { count: order.turns })}
          />
        )}
        <Figure
          label={t('standingOrders.fields.nextDay')}
          value={order.nextDay && alive && state !== 'paused' ? <Num>{formatDay(order.nextDay)}</Num> : '–'}
          note={
            !hides && order.nextDay && alive ? (
              <Money amount={order.sumAgorot} currency={currency} />
            ) : undefined
          }
        />
        {!hides && (
          <Figure
            label={t('standingOrders.open')}
            value={<Money amount={order.openAgorot} currency={currency} />}
            {...(failed.length ? { tone: 'late' as const } : {})}
          />
        )}
        <Figure
          label={t('standingOrders.nextStep')}
          value={stepAt ? <Num>{formatDay(dayInJerusalem(new Date(stepAt)))}</Num> : '–'}
          {...(failed.length
            ? { note: t('standingOrders.step.try', { count: Math.max(...failed.map(({ tries }) => tries)) }) }
            : {})}
        />
      </Figures>
      <div className="so-two">
        <div className="so-stack">
          <Card title={t('standingOrders.timeline')} hint={t('standingOrders.timelineHint')}>
            <ol className="so-line">
              {order.steps.map((step) => {
                const [icon, tone] = marks[step.kind] ?? [Dot]
                const { title, more } = stepWords(t, step)
                const documentId = step.details.documentId
                return (
                  <li key={step.id}>
                    <span className="mark" data-tone={tone}>
                      <Icon of={icon} size="s" />
                    </span>
                    <span>
                      {typeof documentId === 'string' ? (
                        <Link href={pagePath(Number(step.details.type), documentId)} className="aim">
                          <b>{title}</b>
                        </Link>
                      ) : (
                        <b>{title}</b>
                      )}
                      <span className="so-small">
                        {[...more, step.by].filter(Boolean).map((one, i) => (
                          <span key={i}>
                            {' · '}
                            <bdi>{one}</bdi>
                          </span>
                        ))}
                      </span>
                    </span>
                    <span className="end">
                      {!hides && typeof step.details.sumAgorot === 'number' && (
                        <>
                          <Money amount={step.details.sumAgorot} currency={currency} />{' '}
                        </>
                      )}
                      <time className="so-small" dateTime={step.at}>
                        <Num>{formatMoment(new Date(step.at))}</Num>
                      </time>
                    </span>
                  </li>
                )
              })}
            </ol>
          </Card>
          <Card title={t('standingOrders.periods')} flush>
            <DataTable
              label={t('standingOrders.periods')}
              rows={order.periods}
              rowKey={(one) => one.start}
              rowName={(one) => formatDay(one.start)}
              onOpen={(one) => one.document && go(pagePath(one.document.type, one.document.id))}
              isOff={(one) => one.state === 'skipped'}
              empty={<p className="so-small">{t('standingOrders.noPeriods')}</p>}
              menu={(one) =>
                one.state === 'failed' && runs
                  ? [
                      {
                        key: 'retry',
                        label: t('standingOrders.deeds.retry'),
                        icon: RefreshCw,
                        onPress: () =>
                          run(() => call(retryTurn, { id, start: one.start }), 'standingOrders.said.retried'),
                      },
                      {
                        key: 'debt',
                        label: t('standingOrders.deeds.debt'),
                        icon: FileText,
                        onPress: () =>
                          run(
                            () => call(giveUpTurn, { id, start: one.start, how: 'debt' }),
                            'standingOrders.said.debt',
                          ),
                      },
                      {
                        key: 'forgive',
                        label: t('standingOrders.deeds.forgive'),
                        icon: CircleX,
                        onPress: () =>
                          run(
                            () => call(giveUpTurn, { id, start: one.start, how: 'forgive' }),
                            'standingOrders.said.forgiven',
                          ),
                      },
                    ]
                  : []
              }
              columns={[
                {
                  key: 'no',
                  title: t('standingOrders.fields.no'),
                  width: 'fit',
                  cell: (one) => <Num>{one.no}</Num>,
                },
                {
                  key: 'days',
                  title: t('standingOrders.fields.days'),
                  strong: true,
                  phone: 'title',
                  cell: (one) => (
                    <>
                      <Num>{formatDay(one.start)}</Num>–<Num>{formatDay(one.end)}</Num>
                    </>
                  ),
                },
                {
                  key: 'paper',
                  title: t('standingOrders.fields.paper'),
                  width: 'trim',
                  phone: 'line',
                  cell: (one) =>
                    one.document
                      ? `${typeWord(t, one.document.type)} ${one.document.number}`
                      : one.reason
                        ? t(`standingOrders.why.${one.reason}`)
                        : '',
                },
                ...(hides
                  ? []
                  : [
                      {
                        key: 'sum',
                        title: t('standingOrders.fields.sumAgorot'),
                        align: 'amount' as const,
                        phone: 'amount' as const,
                        cell: (one: OrderAnswer['periods'][number]) => (
                          <Money amount={one.totalAgorot} currency={currency} />
                        ),
                      },
                    ]),
                {
                  key: 'state',
                  title: t('standingOrders.fields.state'),
                  width: 'fit',
                  phone: 'state',
                  cell: (one) => <PeriodPill state={one.state} />,
                },
              ]}
            />
          </Card>
        </div>
        <div className="so-stack">
          <Arrangement order={order} />
          {order.coming.length > 0 && !hides && (
            <Card title={t('standingOrders.comingTitle')}>
              <ol className="so-coming">
                {order.coming.map((one) => (
                  <li key={one.no}>
                    <span>
                      <Num>{formatDay(one.day)}</Num>
                      <span className="so-small"> {comingNotes(t, one).join(' · ')}</span>
                    </span>
                    <Money amount={one.totalAgorot} currency={currency} />
                  </li>
                ))}
              </ol>
            </Card>
          )}
          {order.notices.length > 0 && (
            <Card title={t('standingOrders.notices')} hint={t('standingOrders.noticesHint')}>
              <ul className="so-coming">
                {order.notices.map((one) => (
                  <li key={`${one.kind} ${one.forDay}`}>
                    <span>{t(`standingOrders.notice.${one.kind}`)}</span>
                    <span className="so-small">
                      {one.sentAt ? t('standingOrders.noticeSent') : t('standingOrders.noticeWindow')}{' '}
                      <Num>
                        {one.sentAt
                          ? formatDay(dayInJerusalem(new Date(one.sentAt)))
                          : `${formatDay(one.fromDay)}–${formatDay(one.toDay)}`}
                      </Num>
                    </span>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {/* It is loaded by a separate call: last, it moves nothing. */}
          {order.means === 'masav' && may('masav.make') && (
            <Mandates customerId={order.customerId} name={order.customer} />
          )}
        </div>
      </div>
      {dialog === 'pause' && <PauseDialog id={id} onClose={() => setDialog(undefined)} />}
      {dialog === 'skip' && <SkipDialog order={order} onClose={() => setDialog(undefined)} />}
      {dialog === 'cancel' && <CancelDialog order={order} onClose={() => setDialog(undefined)} />}
      {dialog === 'prices' && <PricesDialog order={order} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

/** What was agreed. */
function Arrangement({ order }: { order: OrderAnswer }) {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const facts: [string, React.ReactNode][] = [
    // As it was written: its marks are filled with each charge.
    [
      'standingOrders.facts.lines',
      <bdi key="l" data-code>
        {order.lines.map(({ description }) => description).join(', ')}
      </bdi>,
    ],
    ['standingOrders.facts.document', typeWord(t, order.documentType)],
    [
      'standingOrders.facts.send',
      order.send === 'none'
        ? t('standingOrders.send.none')
        : [t(`standingOrders.send.${order.send}`), order.sendTo].filter(Boolean).join(' · '),
    ],
    ...(order.firstPriceAgorot !== null && !hides
      ? ([
          [
            'standingOrders.fields.firstPriceAgorot',
            <Money key="f" amount={order.firstPriceAgorot} currency={order.currency} />,
          ],
        ] as [string, React.ReactNode][])
      : []),
    ...(order.discountBp > 0
      ? ([
          [
            'standingOrders.fields.discountBp',
            t('standingOrders.facts.discount', {
              percent: formatPercent(order.discountBp),
              count: order.discountTurns,
            }),
          ],
        ] as [string, React.ReactNode][])
      : []),
    ...(order.trialDays > 0
      ? ([
          ['standingOrders.fields.trialDays', t('standingOrders.facts.days', { count: order.trialDays })],
        ] as [string, React.ReactNode][])
      : []),
    ...(order.linked !== 'none'
      ? ([
          [
            'standingOrders.fields.linked',
            [
              t(`standingOrders.linked.${order.linked}`),
              ...order.versions.slice(-1).map(({ baseValue }) => baseValue ?? ''),
            ].join(' '),
          ],
        ] as [string, React.ReactNode][])
      : []),
    [
      'standingOrders.fields.untilDay',
      order.untilDay || order.times ? (
        <span key="u">
          {order.untilDay ? (
            <Num>{formatDay(order.untilDay)}</Num>
          ) : (
            t('standingOrders.facts.times', { count: order.times! })
          )}
          {order.monthsLeft !== null && (
            <> · {t('standingOrders.facts.monthsLeft', { count: order.monthsLeft })}</>
          )}
        </span>
      ) : (
        t('standingOrders.facts.noEnd')
      ),
    ],
    ...(order.means === 'bill'
      ? []
      : ([['standingOrders.facts.campaign', <bdi key="c">{order.campaign}</bdi>]] as [
          string,
          React.ReactNode,
        ][])),
    ...(order.notesInternal
      ? ([['standingOrders.fields.notesInternal', <bdi key="n">{order.notesInternal}</bdi>]] as [
          string,
          React.ReactNode,
        ][])
      : []),
  ]
  return (
    <Card
      title={t('standingOrders.arrangement')}
      end={
        order.pageUrl && (
          <Button size="s" kind="quiet" href={new URL(order.pageUrl).pathname}>
            {t('standingOrders.page.open')}
          </Button>
        )
      }
    >
      <dl className="so-facts">
        <div>
          <dt>{t('standingOrders.fields.customerId')}</dt>
          <dd>
            <Link href={`/invoice/invoiceCustomer/${order.customerId}/details`} className="aim">
              <bdi>{order.customer}</bdi>
            </Link>
          </dd>
        </div>
        {facts.map(([word, value]) => (
          <div key={word}>
            <dt>{t(word)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
