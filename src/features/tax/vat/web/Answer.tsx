import {
  Banknote,
  Check,
  FileSpreadsheet,
  Files,
  GitCompareArrows,
  History,
  Receipt,
  Send,
  TableProperties,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { addDays, daysBetween } from '#domain/day.ts'
import { formatDay, formatMoment, formatMoney, formatNumber, formatPeriod } from '#domain/format.ts'
import { toWholeShekels } from '#domain/money.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { CallFailure, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill, type StatusTone } from '#kit/web/parts/Status.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { usePlace, writeQuery } from '#kit/web/routes/place.ts'
import { ReportScreen } from '#kit/web/screens/ReportScreen.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useLast } from '#kit/web/hooks/useLast.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { LawNote } from '#features/base/law/web/index.tsx'
import { vatAnswer, vatPeriodFacts } from '../endpoints.ts'
import { monthName, opensFigure } from '../period.ts'
import { Sent } from './Log.tsx'
import { FileDialog } from './Pcn.tsx'
import { PeriodStep } from './PeriodStep.tsx'
import { reportOfPeriod } from './Return.tsx'
import { Pay } from './Settlement.tsx'
import './vat.css'

type Answer = OutputOf<typeof vatAnswer>
type Facts = OutputOf<typeof vatPeriodFacts>
const month = /^\d{4}-\d{2}$/
const returnLaw = ['vatRate'] as const
/** The report alone, for the days that its address names. */
const Whole = reportOfPeriod('vat')

/**
 * How much VAT, and by when: one figure, what is left to do about it step by step, and below it the table of the return.
 * With days in the address it is the report alone.
 */
export function Screen() {
  const { query } = usePlace()
  return query.from !== undefined || query.to !== undefined ? <Whole /> : <OfPeriod />
}

function OfPeriod() {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const asked: { period?: string } = month.test(query.period ?? '') ? { period: query.period! } : {}
  const { data, error, isLoading, refetch } = useCall(vatAnswer, asked)
  const known = useLast(data)
  const whole = known ? `/invoice/reportvat${writeQuery({ ...known.period })}` : '/invoice/reportvat'
  return (
    <div className="vt-page">
      <Together waits={isLoading && !known}>
        <PageHeader
          title={t('screens.vat')}
          sub={
            known && (
              <PeriodStep
                known={known.period}
                asked={asked.period}
                onChange={(period) => setQuery({ period })}
              />
            )
          }
          more={[
            { key: 'report', label: t('vat.answer.whole'), icon: TableProperties, href: whole },
            {
              key: 'pcn',
              label: t('screens.reportPcn'),
              icon: FileSpreadsheet,
              href: `/invoice/reportpcn${known ? writeQuery({ period: monthName(known.period) }) : ''}`,
            },
            {
              key: 'papers',
              label: t('screens.vatPapers'),
              icon: Files,
              href: known ? opensFigure(null, known.period) : '/invoice/reportvatpapers',
            },
            {
              key: 'changes',
              label: t('screens.vatChanges'),
              icon: GitCompareArrows,
              href: `/invoice/reportvatchanges${known ? writeQuery({ ...known.period }) : ''}`,
            },
            { key: 'log', label: t('screens.vatReportLog'), icon: History, href: '/invoice/vatreportlog' },
          ]}
        />
        {error instanceof CallFailure && error.code === 'vat.noVat' ? (
          <EmptyState
            icon={Receipt}
            title={failureText(t, error)}
            actions={<Button href="/invoice/allreport">{t('vat.answer.otherReports')}</Button>}
          />
        ) : error && !data ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : !data || isLoading ? (
          <Skeleton lines={8} />
        ) : (
          <Body answer={data} />
        )}
      </Together>
    </div>
  )
}

function Body({ answer }: { answer: Answer }) {
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const { period } = answer
  const { data: facts, error, refetch } = useCall(vatPeriodFacts, { period: monthName(period) })
  // The steps come with the amount: what is below them does not move.
  if (!facts && !error) return <Skeleton lines={8} />
  return (
    <>
      {answer.unfiledBefore && (
        <Note tone="late">
          {t('vat.answer.unfiledBefore', { period: formatPeriod(answer.unfiledBefore) })}{' '}
          <Link
            className="link"
            href={`/invoice/reportvat${writeQuery({ period: monthName(answer.unfiledBefore) })}`}
          >
            {t('vat.answer.toPeriod')}
          </Link>
        </Note>
      )}
      <LawNote keys={returnLaw} day={period.to} />
      <div className="vt-answer">
        {!hides && <Hero answer={answer} />}
        {facts ? (
          <Steps answer={answer} facts={facts} hides={hides} />
        ) : (
          <Failed error={error} onRetry={() => void refetch()} />
        )}
      </div>
      {facts?.filing && (
        <section aria-label={t('screens.vatChanges')}>
          <h2 className="vt-head">{t('screens.vatChanges')}</h2>
          <ReportScreen name="vatChanges" bare fixed={{ from: period.from, to: period.to }} />
        </section>
      )}
      <section aria-label={t('vat.answer.table')}>
        <h2 className="vt-head">{t('vat.answer.table')}</h2>
        <ReportScreen name="vat" bare main fixed={{ from: period.from, to: period.to }} />
      </section>
    </>
  )
}

/** The amount and its day in words, and the three lines it is made of. */
function Hero({ answer }: { answer: Answer }) {
  const t = useWords()
  const today = useToday()
  const { state, toPayAgorot = 0, leftAgorot = 0, outputVatAgorot = 0, inputVatAgorot = 0, dueDay } = answer
  const isRefund = toPayAgorot < 0
  const day = formatDay(dueDay)
  const days = daysBetween(today, dueDay)
  const shown = Math.abs(state === 'toPay' || state === 'refund' ? leftAgorot : toPayAgorot)
  const label =
    state === 'done'
      ? t(isRefund ? 'vat.answer.refunded' : toPayAgorot === 0 ? 'vat.answer.nothing' : 'vat.answer.paid')
      : isRefund
        ? t('vat.answer.refund')
        : t(toPayAgorot === 0 ? 'vat.answer.zero' : 'vat.answer.pay', { day })
  const pill: { tone: StatusTone; text: string } =
    state === 'done'
      ? { tone: 'done', text: t('vat.state.filed') }
      : state === 'refund'
        ? { tone: 'info', text: t('vat.answer.onItsWay') }
        : days < 0
          ? { tone: 'late', text: t('vat.answer.passed') }
          : {
              tone: days <= 7 ? 'wait' : 'info',
              text: [
                t('vat.answer.inDays', { days }),
                ...(state === 'running' ? [t('vat.answer.open')] : []),
              ].join(' · '),
            }
  return (
    <section className="vt-hero" aria-label={label}>
      <p>{label}</p>
      <p className="vt-sum">
        <Money amount={shown} whole />
      </p>
      <StatusPill tone={pill.tone}>{pill.text}</StatusPill>
      {answer.isByRule && state !== 'done' && state !== 'refund' && (
        <p className="hint">{t('vat.answer.byRule', { day })}</p>
      )}
      <dl className="vt-made">
        <div>
          <dt>{t('vat.answer.output')}</dt>
          <dd>
            <Num>{formatMoney(outputVatAgorot)}</Num>
          </dd>
        </div>
        <div>
          <dt>{t('vat.answer.input')}</dt>
          <dd>
            <Num>{formatMoney(inputVatAgorot)}</Num>
          </dd>
        </div>
        <div data-result>
          <dt>{t(isRefund ? 'vat.answer.comesBack' : 'vat.answer.toPay')}</dt>
          <dd>
            <Num>{formatMoney(Math.abs(toPayAgorot))}</Num>
          </dd>
        </div>
      </dl>
    </section>
  )
}

interface Step {
  key: string
  title: string
  text: ReactNode
  isDone: boolean
  deed?: ReactNode
}

/** Review, report, pay, and what the authority answered: what is done, and the one thing to do now. */
function Steps({ answer, facts, hides }: { answer: Answer; facts: Facts; hides: boolean }) {
  const t = useWords()
  const may = useCan()
  const { period } = answer
  const [doing, setDoing] = useState<'file' | 'pay' | 'sent'>()
  const close = () => setDoing(undefined)
  const mayFile = may('vat.file') && !hides
  const steps = [...reviewAndReport(), ...payAndMark()]
  const at = steps.findIndex(({ isDone }) => !isDone)
  return (
    <Card title={t('vat.steps.title')}>
      <ol className="vt-steps">
        {steps.map((step, i) => (
          <li
            key={step.key}
            data-state={step.isDone ? 'done' : i === at ? 'now' : 'later'}
            {...(i === at ? { 'aria-current': 'step' as const } : {})}
          >
            <span className="vt-dot" aria-hidden="true">
              {step.isDone ? <Icon of={Check} size="s" /> : <Num>{i + 1}</Num>}
            </span>
            <div>
              <b>{step.title}</b>
              {step.isDone && <span className="vh">{t('vat.steps.done')}</span>}
              <div className="vt-text">{step.text}</div>
            </div>
            {i === at && step.deed && <div className="vt-deed">{step.deed}</div>}
          </li>
        ))}
      </ol>
      {doing === 'file' && (
        <FileDialog
          data={facts}
          stops={stops(facts)}
          usual={answer.isDetailed ? 'detailed' : 'return'}
          onClose={close}
        />
      )}
      {doing === 'pay' && <Pay left={answer.leftAgorot ?? 0} onClose={close} />}
      {doing === 'sent' && facts.filing && <Sent row={facts.filing} onClose={close} />}
    </Card>
  )

  function reviewAndReport(): Step[] {
    const found = correctionsOf(facts, answer)
    const pcn = `/invoice/reportpcn${writeQuery({ period: monthName(period) })}`
    const { filing } = facts
    return [
      {
        key: 'check',
        title: t(found.length > 0 ? 'vat.steps.correct' : 'vat.steps.check'),
        isDone: filing !== null || found.length === 0,
        text:
          filing !== null || found.length === 0 ? (
            t('vat.steps.checked', { sales: facts.counts.sales, inputs: facts.counts.inputs })
          ) : (
            <ul>
              {found.map((one) => (
                <li key={one.word}>
                  <Link className="link" href={one.href}>
                    {t(one.word, { count: one.count })}
                  </Link>
                  {one.agorot !== undefined && one.agorot !== 0 && !hides && (
                    <>
                      {' · '}
                      {t('vat.steps.takesOff', {
                        sum: `₪${formatNumber(toWholeShekels(one.agorot))}`,
                      })}
                    </>
                  )}
                </li>
              ))}
            </ul>
          ),
        ...(found[0]
          ? {
              deed: (
                <Button kind="primary" href={found[0].href}>
                  {t('vat.steps.toCorrect')}
                </Button>
              ),
            }
          : {}),
      },
      {
        key: 'report',
        title: t('vat.steps.report'),
        isDone: filing !== null,
        text: filing
          ? [formatMoment(new Date(filing.madeAt)), filing.madeBy, t(`vat.kinds.${filing.kind}`)]
              .filter(Boolean)
              .join(' · ')
          : facts.isOver
            ? t('vat.steps.reportBy', { day: formatDay(answer.dueDay) })
            : t('vat.steps.reportFrom', {
                from: formatDay(addDays(period.to, 1)),
                day: formatDay(answer.dueDay),
              }),
        deed:
          mayFile && facts.isOver ? (
            <Button kind="primary" icon={Send} onPress={() => setDoing('file')}>
              {t('vat.file')}
            </Button>
          ) : (
            <Button href={pcn}>{t('vat.steps.toDetailed')}</Button>
          ),
      },
    ]
  }

  function payAndMark(): Step[] {
    const { filing } = facts
    const toPay = answer.toPayAgorot ?? 0
    const left = answer.leftAgorot ?? 0
    const isRefund = toPay < 0
    const sum = hides ? '' : `₪${formatNumber(toWholeShekels(Math.abs(filing ? left : toPay)))}`
    return [
      ...(toPay === 0 && !hides
        ? []
        : [
            {
              key: 'pay',
              title: t(isRefund ? 'vat.steps.refund' : 'vat.steps.pay'),
              isDone: filing !== null && left === 0,
              text:
                filing !== null && left === 0
                  ? t(isRefund ? 'vat.answer.refunded' : 'vat.answer.paid')
                  : isRefund
                    ? t('vat.steps.refundText')
                    : t('vat.steps.payText', { sum, day: formatDay(answer.dueDay) }),
              ...(mayFile
                ? {
                    deed: (
                      <Button kind="primary" icon={Banknote} onPress={() => setDoing('pay')}>
                        {t(isRefund ? 'vat.pay.receive' : 'vat.pay.do')}
                      </Button>
                    ),
                  }
                : {}),
            },
          ]),
      {
        key: 'sent',
        title: t('vat.steps.mark'),
        isDone: filing?.sentDay != null,
        text: filing?.sentDay
          ? [filing.confirmation, formatDay(filing.sentDay), filing.sentBy].filter(Boolean).join(' · ')
          : t('vat.steps.markText'),
        ...(mayFile && filing
          ? {
              deed: (
                <Button kind="primary" icon={Check} onPress={() => setDoing('sent')}>
                  {t('vat.log.markSent')}
                </Button>
              ),
            }
          : {}),
      },
    ]
  }
}

/** What keeps the detailed report from leaving. */
const stops = (facts: Facts): boolean =>
  facts.negative.length > 0 || facts.faults.some(({ isWarning }) => !isWarning)

interface Correction {
  word: string
  count: number
  href: string
  agorot?: number | undefined
}

/** What is to be corrected before the period is reported, each where that is done. */
function correctionsOf(facts: Facts, { period, waiting }: Answer): Correction[] {
  const pcn = `/invoice/reportpcn${writeQuery({ period: monthName(period) })}`
  const faults = facts.faults.filter(({ isWarning }) => !isWarning).length + facts.negative.length
  return [
    { word: 'vat.steps.missing', count: facts.missingEntries, href: '/invoice/booksproof' },
    { word: 'vat.steps.differences', count: facts.differences.length, href: pcn },
    { word: 'vat.steps.faults', count: faults, href: pcn },
    {
      word: 'vat.steps.waiting',
      count: waiting.count,
      agorot: waiting.vatAgorot,
      href: `/invoice/Expenses${writeQuery({ 'state.in': 'draft,waiting', 'day.gte': period.from, 'day.lte': period.to })}`,
    },
  ].filter(({ count }) => count > 0)
}
