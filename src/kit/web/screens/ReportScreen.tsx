import { CircleCheck, CloudOff, Download, FileSpreadsheet, FileText, Printer, SearchX } from 'lucide-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, type ComponentType, type ReactNode } from 'react'
import { dayInJerusalem, type Period } from '../../../domain/day.ts'
import { formatMoment } from '../../../domain/format.ts'
import type { ReportAnswer, ReportColumn, ReportShape } from '../../describe/report.ts'
import { isAmount, type Field, type Fields } from '../../fields/field.ts'
import { callFile, failureText, useCall } from '../call.ts'
import { MoneyCell } from '../fields/cells.tsx'
import { fieldViews, type ViewKind } from '../fields/fieldViews.tsx'
import { RefField } from '../fields/RefField.tsx'
import { Note } from '../parts/Banner.tsx'
import { Button } from '../parts/Button.tsx'
import { DataTable, type Column, type Density } from '../parts/DataTable.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { FilterBar, type Filter } from '../parts/FilterBar.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Menu } from '../parts/Menu.tsx'
import { Num } from '../parts/Num.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { DensityMenu } from '../parts/TableTools.tsx'
import { go, usePlace } from '../place.ts'
import { useSession } from '../session.ts'
import { banner } from '../shell/banner.ts'
import { useWords, type Words } from '../words.tsx'
import { hidesFigures } from './columns.tsx'
import { useKept } from './kept.ts'
import { PeriodChoice, PeriodWords } from './PeriodChoice.tsx'
import { periodIn } from './periods.ts'
import { exportReport, listReports, runReport } from './reportCalls.ts'
import { linesOf, longest, type Line } from './reportLines.ts'
import { resourceNamed, searchIn } from './resources.ts'
import { useRefNames } from './useList.ts'
import type { Query } from './filters.ts'
import './screens.css'

/** Where all reports stand. */
export const hubPath = '/invoice/allreport'

export interface ReportScreenProps {
  /** The report's name at the server. */
  name: string
  /** Filters that always hold and are not shown: the account whose card this is. */
  fixed?: Query
  /** Inside another page: no header. The period stays in the address. */
  bare?: boolean
  /** Instead of the report's own title. */
  title?: ReactNode
}

/** A screen of nothing but a name: `load: () => import('…/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen('income') }))`. */
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
 * Any report of the server: its filters, its table with groups and totals, what must be true of it, and the ways out to files and paper.
 * The report describes itself in its answer, so nothing here knows one from another.
 */
export function ReportScreen({ name, fixed = {}, bare = false, title }: ReportScreenProps) {
  const t = useWords()
  const session = useSession()
  const { query, setQuery } = usePlace()
  const listing = useCall(listReports, {}, { staleTime: 10 * 60_000 })
  const entry = listing.data?.rows.find((one) => one.name === name)
  const filters = entry?.filters ?? {}
  const asked = askedOfReport(filters, query, fixed, dayInJerusalem(new Date()))
  const missing = Object.keys(filters).filter((one) => filters[one]!.need && asked[one] === undefined)
  const report = useCall(
    runReport,
    { name, ...asked },
    { enabled: entry !== undefined && missing.length === 0, placeholderData: keepPreviousData },
  )
  const refNames = useRefNames(filters, asked)
  const [density, setDensity] = useKept<Density>('density:reports', entry?.group === 'bookkeeping' || bare ? 'dense' : 'compact')
  const words = entry?.words ?? ''
  const heading = title ?? (words ? t(`${words}.title`) : ' ')
  const failure = listing.data && !entry ? undefined : (listing.error ?? (report.data ? null : report.error))
  const period: Period | undefined = hasPeriod(filters) ? { from: asked.from!, to: asked.to! } : undefined

  const file = (format: 'csv' | 'xlsx' | 'pdf') =>
    void callFile(exportReport, { file: `${name}.${format}`, ...asked }, { open: format === 'pdf' }).catch((e: unknown) =>
      banner.error(failureText(t, e)),
    )
  const exports = report.data && (
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
      {!bare && <PageHeader title={heading} crumbs={[{ label: t('kit.reports.toHub'), href: hubPath }]} actions={exports} />}
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
              kind === 'ref' && asked[one] ? ` · ${t(`${words}.filters.${one}`)}: ${refNames.get(asked[one]) ?? ''}` : '',
            )}
            {' · '}
            <Num>{formatMoment(new Date())}</Num>
          </div>
        </div>
      )}
      {entry && (
        <div className="d-asks" data-screen-only>
          {period && <PeriodChoice value={period} onChange={({ from, to }) => setQuery({ from, to })} />}
          <ReportFilters
            words={words}
            filters={Object.fromEntries(
              Object.entries(filters).filter(([one]) => fixed[one] === undefined && !(period && (one === 'from' || one === 'to'))),
            )}
            asked={asked}
            refNames={refNames}
            setQuery={setQuery}
            end={
              <>
                <span className="d-tools">
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
            <Button kind="soft" onPress={() => void (listing.error ? listing : report).refetch()}>
              {t('kit.actions.retry')}
            </Button>
          }
        >
          {failureText(t, failure)}
        </EmptyState>
      ) : listing.data && !entry ? (
        <EmptyState icon={SearchX} title={t('kit.reports.failed')} actions={<Button href={hubPath}>{t('kit.reports.toHub')}</Button>}>
          {t('errors.session.forbidden')}
        </EmptyState>
      ) : missing.length > 0 && entry ? (
        <EmptyState icon={FileText} title={t('kit.reports.choose', { field: t(`${words}.filters.${missing[0]}`) })}>
          {t('kit.reports.chooseText')}
        </EmptyState>
      ) : report.data ? (
        <div data-stale={report.isPlaceholderData ? '' : undefined} className="d-rows">
          <ReportTable
            answer={report.data}
            density={density}
            heading={typeof heading === 'string' ? heading : t(`${words}.title`)}
            main={!bare}
          />
        </div>
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

interface ReportFiltersProps {
  words: string
  filters: Fields
  asked: Query
  refNames: ReadonlyMap<string, string>
  setQuery: (change: Record<string, string | undefined>) => void
  end: ReactNode
}

/** Needed references stand open, the rest are chips. */
function ReportFilters({ words, filters, asked, refNames, setQuery, end }: ReportFiltersProps) {
  const t = useWords()
  const needed = Object.entries(filters).filter(([, field]) => field.kind === 'ref' && field.need)
  const chips: Filter[] = Object.entries(filters)
    .filter(([name]) => !needed.some(([other]) => other === name))
    .map(([name, field]) => {
      const label = t(`${words}.filters.${name}`)
      const value = asked[name]
      const put = (next: unknown) => setQuery({ [name]: next === null || next === undefined || next === '' ? undefined : String(next) })
      return {
        key: name,
        label,
        onClear: () => put(undefined),
        value: value === undefined ? undefined : valueWords(field, value, words, name, refNames, t),
        edit: (close) => (
          <AskOne
            field={field}
            label={label}
            words={`${words}.${name}`}
            value={value}
            name={value && refNames.get(value)}
            put={put}
            close={close}
          />
        ),
      }
    })
  return (
    <>
      {needed.map(([name, field]) => {
        const target = resourceNamed(field.to)
        const id = asked[name]
        const label = t(`${words}.filters.${name}`)
        return (
          target && (
            <div key={name} className="d-ask-ref">
              <RefField
                label={label}
                hideLabel
                placeholder={label}
                value={id ? { key: id, label: refNames.get(id) ?? '…' } : null}
                autoFocus={!id}
                onChange={(option) => setQuery({ [name]: option?.key })}
                search={searchIn(target)}
              />
            </div>
          )
        )
      })}
      <FilterBar filters={chips} end={end} />
    </>
  )
}

function valueWords(field: Field, value: string, words: string, name: string, refNames: ReadonlyMap<string, string>, t: Words): ReactNode {
  if (field.kind === 'ref') return refNames.get(value) ?? '…'
  if (field.kind === 'choice') return t(`${field.words ?? `${words}.${name}`}.${value}`)
  if (field.kind === 'flag') return t(value === 'true' ? 'kit.flag.yes' : 'kit.flag.no')
  return <Num>{value}</Num>
}

/** The control of one optional filter: one value, as the report's call takes it. */
function AskOne({
  field,
  label,
  words,
  value,
  name,
  put,
  close,
}: {
  field: Field
  label: string
  words: string
  value: string | undefined
  name: string | undefined
  put: (next: unknown) => void
  close: () => void
}) {
  const t = useWords()
  const { Input } = fieldViews[field.kind as ViewKind]
  const target = field.kind === 'ref' ? resourceNamed(field.to) : undefined
  const read =
    value === undefined
      ? null
      : field.kind === 'flag'
        ? value === 'true'
        : field.kind === 'number' || field.kind === 'money'
          ? Number(value)
          : value
  return (
    <Input
      label={label}
      value={read}
      autoFocus
      optional={false}
      {...(name ? { refName: name } : {})}
      {...(target ? { search: searchIn(target) } : {})}
      {...(field.of ? { choices: field.of.map((one) => ({ value: one, label: t(`${field.words ?? words}.${one}`) })) } : {})}
      onChange={(next) => {
        put(next)
        if (['ref', 'choice', 'flag'].includes(field.kind)) close()
      }}
    />
  )
}

/** Text columns up to so many letters shrink to their content. */
const SHORT = 16
const textKinds = new Set(['text', 'longText', 'ref', 'choice'])

/** The rows of a report with subtotals and totals; a row that leads somewhere opens it. */
function ReportTable({ answer, density, heading, main }: { answer: ReportAnswer; density: Density; heading: string; main: boolean }) {
  const t = useWords()
  const lines = useMemo(() => linesOf(answer), [answer])
  const session = useSession()
  const columns = useMemo(
    () => columnsOf(answer, t).filter(({ key }) => !hidesFigures(answer.shape.columns[key]!, session)),
    [answer, t, session],
  )
  const { shape, checks } = answer
  const opens = answer.rows.some(({ open }) => open)
  const hrefOf = ({ row }: Line) => (typeof row.open === 'string' ? row.open : undefined)
  if (answer.rows.length === 0)
    return (
      <EmptyState icon={FileText} title={t('kit.reports.empty')}>
        {t('kit.reports.emptyText')}
      </EmptyState>
    )
  return (
    <>
      <DataTable
        label={heading}
        main={main}
        columns={columns}
        rows={lines}
        rowKey={({ key }) => key}
        rowName={({ row }) => String(row[strongOf(shape)] ?? '')}
        density={density}
        isSum={({ row, sumOf }) => sumOf !== undefined || row.sum === true}
        {...(opens
          ? {
              rowHref: hrefOf,
              onOpen: (line: Line) => {
                const href = hrefOf(line)
                if (href) go(href)
              },
            }
          : {})}
      />
      <div className="k-under d-under">
        <span role="status">{t('kit.reports.count', { count: answer.rows.length })}</span>
        {checks.length > 0 && (
          <ul className="d-checks" aria-label={t('kit.reports.checks')}>
            {checks.map(({ name, ok }) => (
              <li key={name}>
                {ok ? (
                  <span className="d-holds">
                    <Icon of={CircleCheck} size="s" label={t('kit.reports.checkHolds')} /> {t(`${shape.words}.checks.${name}`)}
                  </span>
                ) : (
                  <Note tone="late">{t('kit.reports.checkFails', { check: t(`${shape.words}.checks.${name}`) })}</Note>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

/** The column that names a row: the first free text that is not the group, else the first that is no figure. */
function strongOf(shape: ReportShape): string {
  const names = Object.keys(shape.columns).filter((name) => name !== shape.group)
  return names.find((name) => shape.columns[name]!.kind === 'text') ?? names.find((name) => !isAmount(shape.columns[name]!)) ?? names[0]!
}

/** 'YYYY-MM' in a subtotal is a month, anything else the group's own word. */
const groupWords = (text: string): string => (/^\d{4}-\d{2}$/.test(text) ? `${text.slice(5)}/${text.slice(0, 4)}` : text)

function columnsOf({ shape, rows, totals }: ReportAnswer, t: Words): Column<Line>[] {
  const days = Object.keys(shape.columns).filter((name) => shape.columns[name]!.kind === 'day')
  // A second day that never differs from the first tells nothing; the files keep it.
  const names = Object.keys(shape.columns).filter(
    (name) => !days.includes(name) || name === days[0] || rows.some((row) => row[name] !== row[days[0]!]),
  )
  const strong = strongOf(shape)
  const texts = names.filter((name) => textKinds.has(shape.columns[name]!.kind))
  const wide = texts.filter((name) => longest(rows, name) > SHORT && shape.columns[name]!.kind !== 'choice')
  // One column must take what the others leave: the wordiest.
  const rest = wide.length > 0 ? wide : [[...texts].sort((a, b) => longest(rows, b) - longest(rows, a))[0] ?? names[0]!]
  const amounts = names.filter((name) => isAmount(shape.columns[name]!))
  const wordy = rest[0]!
  const phoneLine = names.filter((name) => name !== wordy && !amounts.includes(name)).slice(0, 2)
  return names.map((name): Column<Line> => {
    const field = shape.columns[name]!
    const isFigure = amounts.includes(name)
    const phone = name === wordy ? 'title' : name === amounts.at(-1) ? 'amount' : phoneLine.includes(name) ? 'line' : undefined
    const total = totals[name]
    return {
      key: name,
      title: t(`${shape.words}.columns.${name}`),
      ...(field.band ? { band: t(`${shape.words}.bands.${field.band}`) } : {}),
      ...(isFigure ? { align: 'amount' as const } : { width: rest.includes(name) ? ('trim' as const) : ('fit' as const) }),
      strong: name === strong,
      cell: (line) => (
        <LineCell
          line={line}
          name={name}
          field={field}
          isLabel={name === wordy}
          isGroup={name === shape.group}
          words={shape.words}
          kindWords={shape.columns.kind?.words ?? `${shape.words}.kind`}
          t={t}
        />
      ),
      ...(phone ? { phone } : {}),
      ...(total !== undefined
        ? { foot: <FigureCell field={field} value={total} zero="show" /> }
        : name === wordy && shape.totals.length > 0 && Object.keys(totals).length > 0
          ? { foot: t('kit.reports.total') }
          : {}),
    }
  })
}

function FigureCell({ field, value, zero }: { field: ReportColumn; value: unknown; zero?: 'show' }) {
  if (field.kind === 'money') return <MoneyCell value={value as number | null} {...(zero ? { zero } : {})} />
  const { Cell } = fieldViews[field.kind as ViewKind]
  return <Cell value={value} />
}

interface LineCellProps {
  line: Line
  name: string
  field: ReportColumn
  /** Here stands what a subtotal or an opening balance is called. */
  isLabel: boolean
  isGroup: boolean
  words: string
  /** Where the words of kinds of lines are. */
  kindWords: string
  t: Words
}

function LineCell({ line, name, field, isLabel, isGroup, words, kindWords, t }: LineCellProps) {
  const { row, sumOf, opensGroup } = line
  const value = row[name]
  if (sumOf !== undefined && isLabel) return <bdi>{t('kit.reports.subtotalOf', { group: groupWords(sumOf) })}</bdi>
  // A line that is no record is called by its kind, where names stand.
  if (row.sum && !isAmount(field)) return isLabel && typeof row.kind === 'string' ? <>{t(`${kindWords}.${row.kind}`)}</> : null
  // A group is named once, at its beginning.
  if (isGroup && !opensGroup) return null
  // The empty side of a ledger stays empty.
  if (value === null || value === undefined || value === '') return null
  if (isAmount(field))
    return <FigureCell field={field} value={value} {...(sumOf !== undefined || row.sum ? { zero: 'show' as const } : {})} />
  if (field.kind === 'choice') return <>{t(`${field.words ?? `${words}.${name}`}.${String(value)}`)}</>
  if (field.kind === 'ref' || field.kind === 'text') return <fieldViews.text.Cell value={value} />
  const { Cell } = fieldViews[field.kind as ViewKind]
  return <Cell value={value} />
}
