import {
  Banknote,
  Building2,
  CalendarDays,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  FilePen,
  FilePlus2,
  FileText,
  Hash,
  ImageUp,
  Landmark,
  LayoutGrid,
  ListTodo,
  MailX,
  PackageOpen,
  Plus,
  ReceiptText,
  Repeat,
  Scale,
  ShieldAlert,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react'
import { lazy, startTransition, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { addDays, daysBetween, endOfMonth, momentInJerusalem, startOfMonth, type Day } from '#domain/day.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import { formatDay, formatNumber, formatPeriod } from '#domain/format.ts'
import { toWholeShekels } from '#domain/money.ts'
import { trades, type Trade } from '#kit/describe/area.ts'
import { canDocument } from '#kit/describe/session.ts'
import { logOut } from '#kit/web/session/account.ts'
import { call, failureText, useCall, changeAnswer } from '#kit/web/calls/call.ts'
import { useNow } from '#kit/web/hooks/clock.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { AgeBar } from '#kit/web/parts/AgeBar.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { BarChart } from '#kit/web/parts/BarChart.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Count } from '#kit/web/parts/Status.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go, writeQuery } from '#kit/web/routes/place.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { useKept } from '#kit/web/screens/kept.ts'
import { usePlaced } from '#kit/web/screens/places.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { getCompany, type Company } from '#features/base/companies/endpoints.ts'
import { discardDemo } from '#features/office/demo/endpoints.ts'
import { listAreas } from '#features/base/modules/endpoints.ts'
import { choose, TradeChoice } from '#features/base/modules/web/index.tsx'
import { begins, typeId } from '#features/sales/documents/types/index.ts'
import { documentName, stateOf, typeWord } from '#features/sales/documents/web/index.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { homePage, keepTiles } from '../endpoints.ts'
import type { Tile, TileName } from '../tiles.ts'
import { Yours } from './Yours.tsx'
import './home.css'
import { hebrewDate } from './hebrewDate.ts'
import { changeOf, greetingAt } from './hour.ts'

const Shorter = lazy(() =>
  fetchPart(() => import('./Shorter.tsx')).then(({ Shorter }) => ({ default: Shorter })),
)
const Arrange = lazy(() =>
  fetchPart(() => import('./Arrange.tsx')).then((part) => ({ default: part.Arrange })),
)

type Page = OutputOf<typeof homePage>
type Home = NonNullable<Page['documents']>

const income = (from: Day, to: Day) => `/invoice/reportincome${writeQuery({ from, to })}`
const ageing = '/invoice/reportgiol'
const lateList = (today: Day) =>
  `/invoice/documents${writeQuery({ view: 'late', 'openAgorot.gte': '1', 'dueDay.lte': addDays(today, -1), sort: 'dueDay' })}`

const AffiliateHome = lazy(() =>
  fetchPart(() => import('#features/partners/affiliates/web/index.tsx')).then((part) => ({
    default: part.AffiliateHome,
  })),
)

/** The home page of the session: that of an affiliate, or that of a business. */
export function Screen() {
  const session = useSession()
  return session?.TypeID === 2 ? (
    <Suspense fallback={<Waiting />}>
      <AffiliateHome />
    </Suspense>
  ) : (
    <BusinessHome />
  )
}

/** What came in, what is owed, what is ahead, what waits. Every figure opens. */
function BusinessHome() {
  const t = useWords()
  const session = useSession()
  const may = useCan()
  const { lang } = useLanguage()
  const company = useCall(getCompany, {})
  const sees = may('documents.see')
  const { data: page, error, refetch } = useCall(homePage, {})
  const data = page?.documents ?? undefined
  const [arranges, setArranges] = useState(false)
  const [hebrew, setHebrew] = useKept('hebrewDate', lang === 'he')
  const now = momentInJerusalem(useNow())
  const kinds = company.data
    ? begins(company.data.kind, 'sales').filter(
        (type) => may('documents.draft') && canDocument(session, typeId(type.name)),
      )
    : []
  const newPath = kinds[0] && `/invoice/InvoiceDocument?type=${typeId(kinds[0].name)}`
  // Pressed before the business is known: the editor determines the type to begin with.
  const pressed =
    newPath ?? (!company.data && may('documents.draft') ? '/invoice/InvoiceDocument' : undefined)
  useKeys(pressed ? { n: () => go(pressed) } : {})
  const spelled = new Intl.DateTimeFormat(lang === 'ar' ? 'ar-IL-u-nu-latn' : lang, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${now.day}T12:00:00Z`))
  const first = (session?.FullName ?? '').trim().split(/\s+/)[0] ?? ''
  const isNew = data !== undefined && data.last.length === 0 && data.incomeYearAgorot === 0
  // Asked before the first look at a new business, so that the question pushes nothing aside.
  const areas = useCall(listAreas, {}, { enabled: isNew && may('modules') })
  const { parts, waits } = usePlaced(isNew ? 'firstSteps' : undefined, '')
  const keep = async (tiles: Tile[]) => {
    await call(keepTiles, { tiles })
    changeAnswer(homePage, {}, (now) => ({ ...now, tiles }))
  }
  // The kind of the business decides what is above the figures: shown before it is known, everything would move.
  if (company.isLoading) return <Waiting />
  return (
    <>
      {company.data?.demo &&
        (company.data.test ? <TestStrip /> : <DemoStrip mayDiscard={may('companies.change')} />)}
      <PageHeader
        title={
          first
            ? t(`home.greeting.${greetingAt(Number(now.time.slice(0, 2)))}`, { name: first })
            : t('home.title')
        }
        sub={
          <>
            {spelled}
            {hebrew && (
              <>
                {' · '}
                <bdi>{hebrewDate(now.day, lang)}</bdi>
              </>
            )}
          </>
        }
        actions={
          newPath && (
            <>
              {may('customers.change') && (
                <Button href="/invoice/InvoiceEditCustomers">{t('home.newCustomer')}</Button>
              )}
              <Button kind="primary" icon={Plus} keys="N" onPress={() => go(newPath)}>
                {t(`documents.newType.${kinds[0]!.name}`)}
              </Button>
            </>
          )
        }
        more={[
          ...(sees
            ? [
                {
                  key: 'arrange',
                  label: t('home.arrange.action'),
                  icon: LayoutGrid,
                  onPress: () => setArranges(true),
                },
              ]
            : []),
          {
            key: 'hebrew',
            label: t('home.hebrewDate'),
            icon: CalendarDays,
            checked: hebrew,
            onPress: () => setHebrew(!hebrew),
          },
        ]}
      />
      {!sees ? (
        <EmptyState icon={PackageOpen} title={t('home.nothingTitle')}>
          {t('home.nothingText')}
        </EmptyState>
      ) : error && !page ? (
        <EmptyState
          icon={CircleAlert}
          title={t('home.failed')}
          actions={
            <Button kind="soft" onPress={() => void refetch()}>
              {t('kit.actions.retry')}
            </Button>
          }
        >
          {failureText(t, error)}
        </EmptyState>
      ) : !page || !data || !company.data || areas.isLoading || waits ? (
        <Waiting />
      ) : (
        // The page waits for the card that is above all others: nothing moves down when its code arrives.
        <Suspense fallback={<Waiting />}>
          <div className="home-grid">
            {areas.data?.trades === null && <Trades />}
            {session?.menuTold === false && may('modules') && <Shorter />}
            {isNew && (
              <FirstSteps
                company={company.data}
                parts={parts}
                newPath={newPath}
                newWord={kinds[0] ? t(`documents.newType.${kinds[0].name}`) : ''}
              />
            )}
            <Body page={page} home={data} hides={session?.HideTotalPrices ?? false} isNew={isNew} />
          </div>
        </Suspense>
      )}
      {page && arranges && (
        <Suspense>
          <Arrange tiles={page.tiles} onClose={() => setArranges(false)} keep={keep} />
        </Suspense>
      )}
    </>
  )
}

/** The size of what comes. */
const Waiting = () => (
  <div className="home-grid">
    <div className="k-card home-wait">
      <Skeleton lines={2} />
    </div>
    <div className="home-two">
      <div className="k-card home-wait" data-tall="">
        <Skeleton lines={5} />
      </div>
      <div className="k-card home-wait" data-tall="">
        <Skeleton lines={5} />
      </div>
    </div>
  </div>
)

const tilesInSight = 2
/** Whether home has not been shown yet in this visit. */
let isBeginning = true

/**
 * A phone that has just opened the application shows what is in sight, and what lies further down a moment
 * later.
 */
function useWhole(): boolean {
  const [whole, setWhole] = useState(() => !isBeginning || !matchMedia('(width < 60rem)').matches)
  useEffect(() => {
    isBeginning = false
    if (!whole) requestAnimationFrame(() => setTimeout(() => startTransition(() => setWhole(true))))
  }, [whole])
  return whole
}

const statementNames = {
  exemptStatement: 'law.duty.exemptStatement',
  smallStatement: 'law.duty.smallStatement',
} as const

/** How much of the exempt dealer's ceiling the year has used, from its first day on. */
function Ceiling({ turnoverAgorot, limitAgorot }: NonNullable<Page['ceiling']>) {
  const share = Math.min(100, Math.max(0, Math.round((turnoverAgorot / limitAgorot) * 100)))
  return (
    <span className="home-ceiling" data-tone={share >= 80 ? 'late' : undefined}>
      <span className="bar" aria-hidden>
        <span style={{ inlineSize: `${share}%` }} />
      </span>
      <Num>₪{formatNumber(toWholeShekels(turnoverAgorot))}</Num> /{' '}
      <Num>₪{formatNumber(toWholeShekels(limitAgorot))}</Num>
    </span>
  )
}

function Body({ page, home, hides, isNew }: { page: Page; home: Home; hides: boolean; isNew: boolean }) {
  const t = useWords()
  const { lang } = useLanguage()
  const names = useMemo(() => {
    const of = (month: 'long' | 'short') =>
      new Intl.DateTimeFormat(lang === 'ar' ? 'ar-IL-u-nu-latn' : lang, { month, timeZone: 'UTC' })
    return { long: of('long'), short: of('short') }
  }, [lang])
  const month = (day: Day, width: 'long' | 'short') => names[width].format(new Date(`${day}T00:00:00Z`))
  const { today } = home
  const thisMonth = startOfMonth(today)
  const percent = hides ? undefined : changeOf(home.incomeMonthAgorot, home.incomeLastMonthAgorot)
  const months = home.months
  // To a business that charges no VAT nothing is said of it.
  const hasVat = chargesVat(page.kind)
  const beforeVat = hasVat ? t('home.beforeVat') : undefined
  const hasExpenses = months.some((one) => one.expensesAgorot !== 0)
  // The period that waits for its report or its payment, else the running one.
  const vat = page.vat ?? home.vat
  const vatDays = vat ? daysBetween(today, vat.dueDay) : 0
  const ahead = page.vatAheadAgorot
  const comesBack = (ahead ?? 0) < 0
  const { expenses } = page
  const tiles: Record<TileName, ReactNode> = {
    figures: !hides && (
      <Figures label={t('home.figures')}>
        <Figure
          label={t('home.incomeIn', { month: month(thisMonth, 'long') })}
          amount={home.incomeMonthAgorot}
          href={income(thisMonth, endOfMonth(today))}
          {...(percent === undefined
            ? { note: beforeVat }
            : {
                change: {
                  percent,
                  ...(percent >= 0 ? { good: true } : {}),
                  against: t('home.against', { month: month(addDays(thisMonth, -1), 'long') }),
                },
              })}
        />
        {expenses && (
          <Figure
            label={t('home.expensesIn', { month: month(thisMonth, 'long') })}
            amount={expenses.monthAgorot}
            href={`/invoice/Expenses${writeQuery({ view: 'month', 'day.gte': thisMonth, 'day.lte': endOfMonth(today) })}`}
            note={
              expenses.openAgorot > 0
                ? t('home.owed', { sum: `₪${formatNumber(toWholeShekels(expenses.openAgorot))}` })
                : hasVat && t('home.withoutVat')
            }
          />
        )}
        <Figure
          label={t('home.open')}
          amount={home.openAgorot}
          href={ageing}
          {...(home.lateAgorot > 0
            ? {
                note: t('home.late', { sum: `₪${formatNumber(toWholeShekels(home.lateAgorot))}` }),
                noteTone: 'late' as const,
              }
            : { note: home.openAgorot === 0 ? t('home.noDebts') : t('home.noneLate') })}
        />
        {vat && (
          <Figure
            label={t(comesBack ? 'home.vatBack' : 'home.vat', { period: formatPeriod(vat) })}
            {...(ahead === null ? { value: '\u00a0' } : { amount: Math.abs(ahead) })}
            href={`/invoice/reportvat${writeQuery({ period: vat.to.slice(0, 7) })}`}
            note={
              <>
                {t(comesBack ? 'home.vatBackDue' : 'home.vatDue')} <Num>{formatDay(vat.dueDay)}</Num>
                {vatDays <= 30 && <InDays days={vatDays} />}
              </>
            }
          />
        )}
        <Figure
          label={t('home.year', { year: today.slice(0, 4) })}
          amount={home.incomeYearAgorot}
          href={income(`${today.slice(0, 4)}-01-01`, `${today.slice(0, 4)}-12-31`)}
          note={page.ceiling ? <Ceiling {...page.ceiling} /> : beforeVat}
        />
      </Figures>
    ),
    chart: !hides && !isNew && (
      <BarChart
        title={t(hasExpenses ? 'home.chart' : 'home.chartIncome')}
        hint={[t('home.chartHint'), beforeVat].filter(Boolean).join(' · ')}
        months={months.map((one) => month(one.month, 'short'))}
        series={[
          { name: t('home.income'), color: 1, values: months.map((one) => one.incomeAgorot) },
          ...(hasExpenses
            ? [
                {
                  name: t('home.expenses'),
                  color: 2 as const,
                  values: months.map((one) => one.expensesAgorot),
                },
              ]
            : []),
        ]}
        onOpen={(i) => go(income(months[i]!.month, endOfMonth(months[i]!.month)))}
      />
    ),
    waits: <WaitingForYou page={page} home={home} hides={hides} />,
    yours: page.yours && !isNew && <Yours yours={page.yours} />,
    signing: page.signing && <Signing signing={page.signing} today={today} />,
    ages: !hides && !isNew && (
      <Card title={t('home.ages')}>
        {home.openAgorot > 0 ? (
          <AgeBar
            label={t('home.ages')}
            ages={home.ages.map((one) => ({
              label: t(`home.age.${one.age}`),
              amount: one.amountAgorot,
              href: ageing,
            }))}
          />
        ) : (
          <p className="hint">{t('home.noDebtsLong')}</p>
        )}
      </Card>
    ),
    last: !isNew && <Last home={home} hides={hides} />,
  }
  const whole = useWhole()
  return (
    <div className="home-tiles">
      {page.tiles
        .filter(({ name, shown }) => shown && tiles[name])
        .slice(0, whole ? undefined : tilesInSight)
        .map(({ name }) => (
          <div key={name} className="home-tile" data-tile={name}>
            {tiles[name]}
          </div>
        ))}
    </div>
  )
}

/** What was sent to be signed: each figure opens its papers in the report. */
function Signing({
  signing: { waiting, late, done },
  today,
}: {
  signing: NonNullable<Page['signing']>
  today: Day
}) {
  const t = useWords()
  const papers = (what: Record<string, string>) =>
    `/invoice/reportsign${writeQuery({ from: addDays(today, -365), to: today, show: 'paper', ...what })}`
  return (
    <Card title={t('home.tile.signing')}>
      <ul className="home-parts">
        {(
          [
            ['waiting', waiting, papers({ state: 'waiting' })],
            ['late', late, papers({ state: 'late' })],
            ['done', done, papers({ state: 'signed', counts: 'ended', from: addDays(today, -6) })],
          ] as const
        ).map(([key, count, href]) => (
          <li key={key}>
            <Link href={href}>
              <span>{t(`home.signing.${key}`)}</span>
              <Num>{formatNumber(count)}</Num>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** How far away a day is; nothing once it has passed, which the date beside it says. */
function InDays({ days }: { days: number }) {
  const t = useWords()
  return days < 0 ? null : <> · {t('home.inDays', { days })}</>
}

function WaitingForYou({ page, home, hides }: { page: Page; home: Home; hides: boolean }) {
  const t = useWords()
  const may = useCan()
  const { expenses, gate, cheques } = page
  const { today } = home
  const vat = page.vat ?? home.vat
  const vatMonth = vat?.to.slice(0, 7)
  const vatDays = vat ? daysBetween(today, vat.dueDay) : undefined
  const rows: {
    key: string
    icon: LucideIcon
    tone?: 'late' | 'wait' | 'info'
    title: ReactNode
    text: ReactNode
    count?: number
    href: string
  }[] = [
    ...(home.lateCount > 0
      ? [
          {
            key: 'late',
            icon: CircleAlert,
            tone: 'late' as const,
            title: t('home.waits.late'),
            text: t('home.waits.customers', { count: home.lateCustomers }),
            count: home.lateCount,
            href: lateList(today),
          },
        ]
      : []),
    ...(home.waitingAllocation > 0
      ? [
          {
            key: 'allocation',
            icon: Hash,
            tone: 'info' as const,
            title: t('home.waits.allocation'),
            text: t('home.waits.allocationText'),
            count: home.waitingAllocation,
            href: may('allocation.see')
              ? '/invoice/missingisraeltax'
              : '/invoice/documents?view=allocation&allocationState.in=waiting,away',
          },
        ]
      : []),
    ...page.turnover.map((one) => ({
      key: `turnover-${one.duty}`,
      icon: Scale,
      tone: one.state === 'passed' ? ('late' as const) : ('wait' as const),
      title:
        one.state === 'unknown'
          ? t('home.turnover.unknown', { year: String(one.year) })
          : // The ceiling of a small business is that of an exempt dealer; what it means is on its page.
            t(`home.turnover.${one.duty === 'smallCeiling' ? 'exemptCeiling' : one.duty}.${one.state}`),
      text: (
        <>
          {one.duty !== 'smallCeiling' && <>{t(`home.turnover.${one.duty}.do`)} </>}
          <Num>
            ₪{formatNumber(toWholeShekels(one.turnoverAgorot))} / ₪
            {formatNumber(toWholeShekels(one.limitAgorot))}
          </Num>
        </>
      ),
      href: one.open,
    })),
    ...(page.statement
      ? [
          {
            key: 'statement',
            icon: Landmark,
            tone: 'wait' as const,
            title: `${t(statementNames[page.statement.duty])} ${page.statement.year}`,
            text: (
              <>
                {t('home.waits.until')} <Num>{formatDay(page.statement.dueDay)}</Num>
                <InDays days={daysBetween(today, page.statement.dueDay)} />
              </>
            ),
            href:
              page.statement.duty === 'smallStatement'
                ? `/invoice/smallbusiness?year=${page.statement.year}`
                : income(`${page.statement.year}-01-01`, `${page.statement.year}-12-31`),
          },
        ]
      : []),
    // One record may keep a figure from being worked out; the VAT return names it.
    ...(page.unavailable.length > 0
      ? [
          {
            key: 'unavailable',
            icon: TriangleAlert,
            tone: 'late' as const,
            title: t('home.failed'),
            text: t('home.waits.vat'),
            count: page.unavailable.length,
            href: '/invoice/reportvat',
          },
        ]
      : []),
    ...(page.refusedNumbers > 0
      ? [
          {
            key: 'refused',
            icon: Hash,
            tone: 'late' as const,
            title: t('home.waits.refused'),
            text: t('home.waits.refusedText'),
            count: page.refusedNumbers,
            href: '/invoice/missingisraeltax',
          },
        ]
      : []),
    ...(page.tasks && page.tasks.due > 0
      ? [
          {
            key: 'tasks',
            icon: ListTodo,
            ...(page.tasks.late > 0 ? { tone: 'wait' as const } : {}),
            title: t('home.waits.tasks'),
            text:
              page.tasks.late > 0
                ? t('home.waits.tasksLate', { count: page.tasks.late })
                : t('home.waits.tasksToday'),
            count: page.tasks.due,
            href: '/invoice/alltasks',
          },
        ]
      : []),
    ...(page.failedMessages > 0
      ? [
          {
            key: 'messages',
            icon: MailX,
            tone: 'late' as const,
            title: t('home.waits.messages'),
            text: t('home.waits.messagesText'),
            count: page.failedMessages,
            href: '/invoice/emailreport?state.in=failed',
          },
        ]
      : []),
    ...(cheques
      ? [
          {
            key: 'cheques',
            icon: Banknote,
            ...(cheques.firstDay <= today ? { tone: 'wait' as const } : {}),
            title: t('home.waits.cheques'),
            text: hides ? (
              t('home.waits.chequesText')
            ) : (
              <Num>₪{formatNumber(toWholeShekels(cheques.sumAgorot))}</Num>
            ),
            count: cheques.count,
            href: may('payments.change') ? '/invoice/newdeposit' : '/invoice/reportchecks',
          },
        ]
      : []),
    ...(page.uninvoiced
      ? [
          {
            key: 'uninvoiced',
            icon: FilePlus2,
            tone: 'late' as const,
            title: t('screens.uninvoiced'),
            text: t('home.waits.uninvoicedText', { day: formatDay(page.uninvoiced.dueDay) }),
            count: page.uninvoiced.count,
            href: '/invoice/uninvoiced',
          },
        ]
      : []),
    ...(gate && gate.riskCount > 0 && !gate.isFiled
      ? [
          {
            key: 'vatGate',
            icon: ShieldAlert,
            tone: 'late' as const,
            title: t('home.waits.vatRisk'),
            text: hides ? (
              t('home.waits.vatRiskText')
            ) : (
              <Num>₪{formatNumber(toWholeShekels(gate.atRiskAgorot ?? 0))}</Num>
            ),
            count: gate.riskCount,
            href: `/invoice/vatgate?period=${vatMonth}`,
          },
        ]
      : []),
    ...(expenses && expenses.waiting > 0
      ? [
          {
            key: 'expenses',
            icon: ReceiptText,
            tone: 'wait' as const,
            title: t('home.waits.expenses'),
            text: t('home.waits.expensesText'),
            count: expenses.waiting,
            href: '/invoice/Expenses?view=waiting&state.in=waiting',
          },
        ]
      : []),
    ...(expenses && expenses.missing.length > 0
      ? [
          {
            key: 'missingBills',
            icon: Repeat,
            title: t('home.waits.missingBills'),
            text: (
              <bdi>
                {expenses.missing
                  .slice(0, 3)
                  .map((one) => one.name)
                  .join(' · ')}
              </bdi>
            ),
            count: expenses.missing.length,
            href: '/invoice/recurringexpenses?view=waits&waits=true',
          },
        ]
      : []),
    ...(home.drafts > 0
      ? [
          {
            key: 'drafts',
            icon: FilePen,
            title: t('home.waits.drafts'),
            text: t('home.waits.draftsText'),
            count: home.drafts,
            href: '/invoice/documents?view=drafts&status.in=draft',
          },
        ]
      : []),
    ...(vat && vatDays !== undefined && vatDays <= 60
      ? [
          {
            key: 'vat',
            icon: Landmark,
            ...(vatDays < 0 ? { tone: 'late' as const } : vatDays <= 7 ? { tone: 'wait' as const } : {}),
            title: (
              <>
                {t('home.waits.vat')} <Num>{formatPeriod(vat)}</Num>
              </>
            ),
            text: (
              <>
                {t('home.waits.until')} <Num>{formatDay(vat.dueDay)}</Num>
                <InDays days={vatDays} />
              </>
            ),
            href: `/invoice/reportvat${writeQuery({ period: vat.to.slice(0, 7) })}`,
          },
        ]
      : []),
  ]
  return (
    <Card title={t('home.waits.title')}>
      {rows.length === 0 ? (
        <p className="hint flex items-center gap-2">
          <Icon of={CircleCheck} /> {t('home.waits.nothing')}
        </p>
      ) : (
        <Rows>
          {rows.map((row) => (
            <Link key={row.key} href={row.href}>
              <span className="k-tile" data-tone={row.tone}>
                <Icon of={row.icon} />
              </span>
              <span className="grow">
                <span className="t">{row.title}</span>
                <span className="s">{row.text}</span>
              </span>
              {row.count !== undefined && (
                <Count tone={row.tone === 'late' ? 'late' : undefined}>{row.count}</Count>
              )}
              <Icon of={ChevronRight} m size="s" className="hint" />
            </Link>
          ))}
        </Rows>
      )}
    </Card>
  )
}

function Last({ home, hides }: { home: Home; hides: boolean }) {
  const t = useWords()
  return (
    <Card
      title={t('home.last')}
      end={
        <Link className="link aim text-13" href="/invoice/documents">
          {t('home.all')}
        </Link>
      }
    >
      <Rows>
        {home.last.map((row) => {
          const { tone, word } = stateOf(
            t,
            {
              status: row.status,
              openAgorot: row.openAgorot,
              dueDay: row.dueDay,
              allocationState: 'notNeeded',
              sentAt: null,
              viewedAt: null,
            },
            home.today,
          )
          return (
            <Link key={row.id} href={`/invoice/preview/${row.id}`}>
              <span className="grow">
                <span className="t cut" dir="auto" title={row.customer ?? undefined}>
                  {row.customer || typeWord(t, row.type, row.label)}
                </span>
                <span className="s">
                  {documentName(t, row.type, row.number, row.label)} ·{' '}
                  {row.day === home.today ? (
                    t('home.today')
                  ) : row.day === addDays(home.today, -1) ? (
                    t('home.yesterday')
                  ) : (
                    <Num>{formatDay(row.day)}</Num>
                  )}
                </span>
              </span>
              <span className="home-sum">
                {!hides && (
                  <MoneyCell
                    value={row.totalAgorot}
                    {...(row.currency === 'ILS' ? {} : { currency: row.currency })}
                    zero="show"
                  />
                )}
                <span className="s" data-tone={tone}>
                  {word}
                </span>
              </span>
            </Link>
          )
        })}
      </Rows>
    </Card>
  )
}

/** Asked once, while nothing has been issued: what the business does decides what its menu contains. */
function Trades() {
  const t = useWords()
  const [value, setValue] = useState<Trade[]>([])
  const [busy, setBusy] = useState(false)
  const keep = async (trades: Trade[]) => {
    setBusy(true)
    try {
      await choose({ trades })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Card title={t('home.trades.title')} hint={t('home.trades.hint')}>
      <div className="home-trades">
        <TradeChoice value={value} onChange={setValue} disabled={busy} hideTitle />
        <div className="acts">
          <Button kind="soft" busy={busy} isDisabled={value.length === 0} onPress={() => void keep(value)}>
            {t('home.trades.keep')}
          </Button>
          <Button kind="quiet" isDisabled={busy} onPress={() => void keep([...trades])}>
            {t('home.trades.all')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** A business that has issued nothing yet: a few things, in any order, none of them in the way. */
function FirstSteps({
  company,
  parts,
  newPath,
  newWord,
}: {
  company: Company
  parts: ReturnType<typeof usePlaced>['parts']
  newPath: string | undefined
  newWord: string
}) {
  const t = useWords()
  const hasDetails = Boolean(company.street && (company.phone || company.email))
  const steps: {
    key: string
    icon: LucideIcon
    done: boolean
    title: string
    text: string
    href: string
    primary?: boolean
  }[] = [
    {
      key: 'logo',
      icon: ImageUp,
      done: company.hasLogo,
      title: t('home.first.logo'),
      text: t('home.first.logoText'),
      href: '/invoice/InvoiceEditCompany',
    },
    {
      key: 'details',
      icon: Building2,
      done: hasDetails,
      title: t('home.first.details'),
      text: t('home.first.detailsText'),
      href: '/invoice/InvoiceEditCompany',
    },
    ...(newPath
      ? [
          {
            key: 'invoice',
            icon: FileText,
            done: false,
            title: newWord,
            text: t('home.first.invoiceText'),
            href: newPath,
            primary: true,
          },
        ]
      : [
          {
            key: 'design',
            icon: Banknote,
            done: false,
            title: t('home.first.design'),
            text: t('home.first.designText'),
            href: '/invoice/settingsdoc',
          },
        ]),
  ]
  return (
    <Card title={t('home.first.title')} hint={t('home.first.hint')}>
      <div className="home-steps">
        {steps.map((step) => (
          <Link key={step.key} className="home-step" href={step.href} data-done={step.done ? '' : undefined}>
            <span className="k-tile" data-tone={step.done ? 'done' : undefined}>
              <Icon of={step.done ? CircleCheck : step.icon} />
            </span>
            <span className="grow">
              <b>{step.title}</b>
              <span className="sub text-13">{step.done ? t('home.first.done') : step.text}</span>
            </span>
          </Link>
        ))}
        {parts.map((Part, i) => (
          <Suspense key={i} fallback={null}>
            <Part of="" refresh={() => undefined} />
          </Suspense>
        ))}
      </div>
    </Card>
  )
}

/** A test business says what it is, and where it is emptied. */
function TestStrip() {
  const t = useWords()
  return (
    <div className="mb-4">
      <Note
        icon={PackageOpen}
        action={
          <Button kind="quiet" size="s" href="/api/doc">
            {t('screens.apiDoc')}
          </Button>
        }
      >
        <b>{t('home.test.title')}</b> <span className="sub">{t('home.test.text')}</span>
      </Note>
    </div>
  )
}

/** A demo business says what it is, and goes on a word. */
function DemoStrip({ mayDiscard }: { mayDiscard: boolean }) {
  const t = useWords()
  const [asks, setAsks] = useState(false)
  const discard = async () => {
    try {
      await call(discardDemo, {})
      logOut()
    } catch (e) {
      banner.error(failureText(t, e))
      throw e
    }
  }
  return (
    <div className="mb-4">
      <Note
        icon={PackageOpen}
        action={
          mayDiscard && (
            <Button kind="quiet" size="s" onPress={() => setAsks(true)}>
              {t('home.demo.discard')}
            </Button>
          )
        }
      >
        <b>{t('home.demo.title')}</b> <span className="sub">{t('home.demo.text')}</span>
      </Note>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('home.demo.ask')}
        verb={t('home.demo.discard')}
        danger
        onConfirm={discard}
      >
        {t('home.demo.askText')}
      </Question>
    </div>
  )
}
