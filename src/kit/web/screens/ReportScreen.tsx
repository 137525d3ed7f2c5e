import { CloudOff, Download, FileSpreadsheet, FileText, Printer, SearchX } from 'lucide-react'
import { lazy, Suspense, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import type { Period } from '#domain/day.ts'
import { formatMoment } from '#domain/format.ts'
import { paramsOf, viewFrom, type ReportView } from '#kit/describe/reportView.ts'
import { type Fields } from '#kit/fields/field.ts'
import { failureText, useCall } from '../calls/call.ts'
import { useToday, useNow } from '../hooks/clock.ts'
import { fetchPart } from '../calls/fetchPart.ts'
import { Button } from '../parts/Button.tsx'
import { type Density } from '../parts/DataTable.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { mayHelp } from '../parts/Failed.tsx'
import { Menu } from '../parts/Menu.tsx'
import { Num } from '../parts/Num.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { DensityMenu } from '../parts/TableTools.tsx'
import { usePlace } from '../routes/place.ts'
import { useScreen } from '../routes/screenNow.ts'
import { useCan, useSession } from '../session/session.ts'
import { useFile } from '../calls/useFile.ts'
import { useWords } from '../words/words.tsx'
import { useWordsHere } from '../words/wording.ts'
import { useKept } from './kept.ts'
import { PeriodChoice, PeriodWords } from './PeriodChoice.tsx'
import { periodIn } from './periods.ts'
import { reportActions, type ReportActionProps } from './reportActions.ts'
import { ReportFilters } from './ReportFilters.tsx'
import { ReportTable } from './ReportTable.tsx'
import { ReportColumns, ReportTools, type ViewChange } from './ReportTools.tsx'
import { canKeep, keptOf, ReportViews } from './ReportViews.tsx'
import { exportReport, listReports } from './reportCalls.ts'
import { useRefNames } from './useList.ts'
import { useReport } from './useReport.ts'
import { useSearchText } from './useSearchText.ts'
import { useSavedViews } from './views.ts'
import type { Query } from './filters.ts'
import './screens.css'

const NameView = lazy(() =>
  fetchPart(() => import('./NameView.tsx')).then((part) => ({ default: part.NameView })),
)
const ReportChart = lazy(() =>
  fetchPart(() => import('./ReportChart.tsx')).then((part) => ({ default: part.ReportChart })),
)

/** Where all reports stand. */
export const hubPath = '/invoice/allreport'

/** Apart from the report, so that the report is not drawn every minute. */
const PrintedAt = () => <Num>{formatMoment(useNow())}</Num>

export interface ReportScreenProps {
  /** The report's name at the server. */
  name: string
  /** Filters that always hold and are not shown: the account whose card this is. */
  fixed?: Query
  /** Inside another page: no header. The period stays in the address. */
  bare?: boolean
  /** Whether the arrow keys of the page go to its rows; of a report inside a page only where it is said. */
  main?: boolean
  /** Checks that the page around it shows itself, by name. */
  said?: readonly string[]
  /** Instead of the report's own title. */
  title?: ReactNode
}

/**
 * A screen of nothing but a name: `load: () => import('…/ReportScreen.tsx').then(({ reportScreen }) => ({
 * Screen: reportScreen('income') }))`.
 */
export const reportScreen = (name: string): ComponentType =>
  function DescribedReport() {
    return <ReportScreen name={name} />
  }

const hasPeriod = (filters: Fields): boolean => filters.from?.kind === 'day' && filters.to?.kind === 'day'

/** What the address asks of a report, the period always filled in. */
export function askedOfReport(filters: Fields, query: Query, fixed: Query, today: string): Query {
  const asked: Query = {}
  for (const name of Object.keys(filters)) if (query[name]) asked[name] = query[name]
  return { ...asked, ...(hasPeriod(filters) ? periodIn(query, today) : {}), ...fixed }
}

/**
 * Any report of the server: its filters, its table with groups and totals, what must be true of it, and the
 * ways out to files and paper. The report describes itself in its answer, so nothing here knows one from
 * another.
 */
export function ReportScreen({
  name,
  fixed = {},
  bare = false,
  main = !bare,
  said = [],
  title,
}: ReportScreenProps) {
  const t = useWords()
  const fetchFile = useFile()
  const session = useSession()
  const screen = useScreen()
  const { query, setQuery } = usePlace()
  const listing = useCall(listReports, {}, { staleTime: 10 * 60_000 })
  const listed = listing.data?.rows.find((one) => one.name === name)
  const asks = listed?.filters ?? {}
  const asked = askedOfReport(asks, query, fixed, useToday())
  const missing = Object.keys(asks).filter((one) => asks[one]!.need && asked[one] === undefined)
  const view = useMemo<ReportView>(() => (bare ? {} : viewFrom(query)), [bare, query])
  const onView = (change: ViewChange) => setQuery(paramsOf({ ...view, ...change } as ReportView))
  const params = paramsOf(view)
  const {
    report,
    shown: answered,
    isPart,
  } = useReport(name, asked, view, listed !== undefined && missing.length === 0)
  // Choices may be said in the words of other features. What cannot be said yet is not there yet; the heading
  // stays in the meantime.
  const choices = [...Object.values(asks), ...Object.values(report.data?.shape.columns ?? {})].flatMap(
    (field) => field.words ?? [],
  )
  const isTold = useWordsHere(listed?.words ?? '', ...choices)
  const entry = isTold ? listed : undefined
  const filters = entry?.filters ?? {}
  const [data, shown] = isTold ? [report.data, answered] : []
  const refNames = useRefNames(asks, asked)
  const saved = useSavedViews(`report:${name}`, !bare)
  const may = useCan()
  const [doing, setDoing] = useState<{ Deed: ComponentType<ReportActionProps> }>()
  const deeds = bare || !data ? [] : reportActions().filter(({ rule }) => may(rule))
  const begin = async (key: string) => {
    const Deed = await deeds.find((one) => one.key === key)!.load()
    setDoing({ Deed })
  }
  const [naming, setNaming] = useState(false)
  const [find, setFind] = useSearchText(view.find ?? '', (text) => onView({ find: text }))
  const [chart, setChart] = useKept(`chart:${name}`, false)
  const [density, setDensity] = useKept<Density>(
    'density:reports',
    entry?.group === 'books' || bare ? 'dense' : 'compact',
  )
  const words = entry?.words ?? ''
  // Until the report says what it is called, the screen does.
  const heading = title ?? (words ? t(`${words}.title`) : t(`screens.${screen?.name ?? 'allReports'}`))
  const failure = listing.data && !listed ? undefined : (listing.error ?? (report.data ? null : report.error))
  const period: Period | undefined = hasPeriod(filters) ? { from: asked.from!, to: asked.to! } : undefined

  const file = (format: 'csv' | 'xlsx' | 'pdf') =>
    void fetchFile(
      exportReport,
      { file: `${name}.${format}`, ...asked, ...params },
      { open: format === 'pdf' },
    )
  const exports = data && (
    <>
      {!bare && (
        <Button kind="quiet" icon={Printer} className="d-wide" onPress={() => print()}>
          {t('kit.reports.print')}
        </Button>
      )}
      <Menu
        label={t('kit.lists.export')}
        items={[
          { key: 'pdf', label: t('kit.reports.pdf'), icon: FileText, onPress: () => file('pdf') },
          { key: 'xlsx', label: t('kit.lists.xlsx'), icon: FileSpreadsheet, onPress: () => file('xlsx') },
          { key: 'csv', label: t('kit.lists.csv'), icon: Download, onPress: () => file('csv') },
        ]}
        trigger={
          <Button kind={bare ? 'quiet' : 'plain'} {...(bare ? { size: 's' as const } : {})} icon={Download}>
            {t('kit.lists.export')}
          </Button>
        }
      />
    </>
  )

  return (
    <div className="d-report">
      {!bare && (
        <PageHeader
          title={heading}
          crumbs={[{ label: t('kit.reports.toHub'), href: hubPath }]}
          actions={exports}
          {...(deeds.length > 0
            ? {
                more: deeds.map(({ key, word, icon }) => ({
                  key,
                  label: t(word),
                  icon,
                  onPress: () => void begin(key),
                })),
              }
            : {})}
        >
          <ReportViews filters={filters} query={query} setQuery={setQuery} saved={saved} />
        </PageHeader>
      )}
      {entry && (
        <div data-print-only className="d-print-head">
          <b>{session?.Name}</b>
          <div>
            {heading}
            {period && (
              <>
                {' · '}
                <PeriodWords period={period} />
              </>
            )}
            {Object.entries(filters).map(([one, { kind }]) =>
              kind === 'ref' && asked[one]
                ? ` · ${t(`${words}.filters.${one}`)}: ${refNames.get(asked[one]) ?? ''}`
                : '',
            )}
            {' · '}
            <PrintedAt />
          </div>
        </div>
      )}
      {entry && (
        <div className="d-asks" data-screen-only>
          {period && fixed.from === undefined && (
            <PeriodChoice value={period} onChange={({ from, to }) => setQuery({ from, to })} />
          )}
          <ReportFilters
            words={words}
            filters={Object.fromEntries(
              Object.entries(filters).filter(
                ([one]) => fixed[one] === undefined && !(period && (one === 'from' || one === 'to')),
              ),
            )}
            asked={asked}
            refNames={refNames}
            setQuery={setQuery}
            {...(bare ? {} : { search: { text: find, onText: setFind } })}
            end={
              <>
                {!bare && saved.canSave && canKeep(filters, query, saved.views) && (
                  <Button kind="quiet" size="s" onPress={() => setNaming(true)}>
                    {t('kit.filters.save')}
                  </Button>
                )}
                {!bare && data && (
                  <ReportTools answer={data} view={view} onView={onView} chart={chart} onChart={setChart} />
                )}
                <span className="d-tools">
                  {!bare && data && <ReportColumns answer={data} view={view} onView={onView} />}
                  <DensityMenu value={density} onChange={setDensity} />
                </span>
                {bare && exports}
              </>
            }
          />
        </div>
      )}
      {failure ? (
        <EmptyState
          icon={CloudOff}
          title={t('kit.reports.failed')}
          actions={
            mayHelp(failure) && (
              <Button kind="soft" onPress={() => void (listing.error ? listing : report).refetch()}>
                {t('kit.actions.retry')}
              </Button>
            )
          }
        >
          {failureText(t, failure)}
        </EmptyState>
      ) : listing.data && !listed ? (
        <EmptyState
          icon={SearchX}
          title={t('kit.reports.failed')}
          actions={<Button href={hubPath}>{t('kit.reports.toHub')}</Button>}
        >
          {t('errors.session.forbidden')}
        </EmptyState>
      ) : missing.length > 0 && entry ? (
        <EmptyState
          icon={FileText}
          title={t('kit.reports.choose', { field: t(`${words}.filters.${missing[0]}`) })}
        >
          {t('kit.reports.chooseText')}
        </EmptyState>
      ) : shown ? (
        <div data-stale={report.isPlaceholderData ? '' : undefined} className="d-rows">
          {chart && !bare && !isPart && shown.rows.length > 0 && (
            <Suspense>
              <ReportChart
                answer={shown}
                heading={typeof heading === 'string' ? heading : t(`${words}.title`)}
              />
            </Suspense>
          )}
          <ReportTable
            answer={shown}
            {...(bare ? {} : { view, onView })}
            density={density}
            heading={typeof heading === 'string' ? heading : t(`${words}.title`)}
            main={main}
            said={said}
          />
        </div>
      ) : (
        // Another one once the filters stand above it: the first does not move down for them.
        <Skeleton key={entry ? 'rows' : 'whole'} lines={8} />
      )}
      {doing && (
        <doing.Deed
          report={name}
          query={Object.fromEntries(
            Object.entries({ ...asked, ...params }).flatMap(([one, value]) => (value ? [[one, value]] : [])),
          )}
          title={typeof heading === 'string' ? heading : t(`${words}.title`)}
          onClose={() => setDoing(undefined)}
        />
      )}
      {naming && (
        <Suspense>
          <NameView
            canShare={saved.canShare}
            onClose={() => setNaming(false)}
            onName={async (called, isShared) => {
              const made = await saved.save(called, keptOf(filters, query), isShared)
              setNaming(false)
              setQuery({ view: made.id })
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
