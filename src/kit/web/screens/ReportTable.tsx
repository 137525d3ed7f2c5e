import { CircleCheck, FileText } from 'lucide-react'
import { useContext, useMemo } from 'react'
import { Link } from 'react-aria-components/Link'
import type { ReportAnswer, ReportColumn } from '#kit/describe/report.ts'
import { isLedger, type ReportView } from '#kit/describe/reportView.ts'
import { isAmount } from '#kit/fields/field.ts'
import { formatMoney } from '#domain/format.ts'
import { MoneyCell } from '../fields/cells.tsx'
import { cellViews, type ViewKind } from '../fields/cellViews.tsx'
import { Note } from '../parts/Banner.tsx'
import { Button } from '../parts/Button.tsx'
import { DataTable, type Column, type Density } from '../parts/DataTable.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Icon } from '../parts/Icon.tsx'
import { PlainCells } from '../parts/plainCells.ts'
import { usePhone } from '../parts/useMedia.ts'
import { go } from '../routes/place.ts'
import { useSession } from '../session/session.ts'
import { useWords, wordIfAny, type Words } from '../words/words.tsx'
import { hidesFigures } from './columns.tsx'
import { useKept } from './kept.ts'
import { linesOf, longest, type Line } from './reportLines.ts'

/** Text columns up to so many letters shrink to their content. */
const SHORT = 16
const textKinds = new Set(['text', 'longText', 'ref', 'choice'])

/** The address of what tells a check's failure line by line, for the same days. */
const explanation = (path: string, { from, to }: ReportAnswer['filters']): string =>
  `${path}${path.includes('?') ? '&' : '?'}from=${String(from)}&to=${String(to)}`

const noWidths: Readonly<Record<string, number>> = {}

/** The rows of a report with subtotals and totals; a row that leads somewhere opens it. */
export function ReportTable({
  answer,
  density,
  heading,
  main,
  said,
  view = {},
  onView,
}: {
  answer: ReportAnswer
  density: Density
  heading: string
  main: boolean
  /** Checks that stand elsewhere on the page. */
  said: readonly string[]
  view?: ReportView
  /** Sorting by a column's head; absent where the order is not the reader's. */
  onView?: ((change: Pick<ReportView, 'order'>) => void) | undefined
}) {
  const t = useWords()
  const isPhone = usePhone()
  const lines = useMemo(() => {
    const all = linesOf(answer)
    const figure = figureOf(answer.shape)
    // A card shows one figure: a subtotal without that one would say nothing.
    return isPhone && figure ? all.filter(({ sumOf, row }) => sumOf === undefined || figure in row) : all
  }, [answer, isPhone])
  const session = useSession()
  const [widths, setWidths] = useKept(`widths:report:${answer.shape.name}`, noWidths)
  const onWidth = (key: string, width: number | undefined) => {
    const { [key]: _, ...others } = widths
    setWidths(width === undefined ? others : { ...others, [key]: width })
  }
  const sorts = onView !== undefined && !isLedger(answer)
  const columns = useMemo(
    () =>
      columnsOf(answer, t, view.cols !== undefined)
        .filter(({ key }) => !hidesFigures(answer.shape.columns[key]!, session))
        .map((column) => (sorts ? { ...column, sort: true as const } : column)),
    [answer, t, session, view.cols, sorts],
  )
  const checks = answer.checks.filter(({ name }) => !said.includes(name))
  const strong = useMemo(() => strongOf(answer), [answer])
  const opens = answer.rows.some(({ open }) => open)
  const hrefOf = ({ row }: Line) => (typeof row.open === 'string' ? row.open : undefined)
  // Where no line is what everybody wishes for, the report says so itself; no other period is to be chosen
  // where none is.
  const hasPeriod = Object.values(answer.shape.filters).some((field) => field.kind === 'day')
  const own = (name: 'empty' | 'emptyText', kit: string) =>
    wordIfAny(t, `${answer.shape.words}.${name}`) ?? t(kit)
  if (answer.rows.length === 0)
    return (
      <>
        <EmptyState
          bare={!view?.find}
          icon={FileText}
          title={own('empty', hasPeriod ? 'kit.reports.empty' : 'kit.reports.never')}
        >
          {own('emptyText', hasPeriod ? 'kit.reports.emptyText' : 'kit.reports.neverText')}
        </EmptyState>
        {/* Nothing to show and something amiss: the books know what no paper says. */}
        <Checks answer={answer} checks={checks.filter(({ ok }) => !ok)} />
      </>
    )
  return (
    <>
      {answer.cut !== undefined && <Note tone="wait">{t('kit.reports.cut', { count: answer.cut })}</Note>}
      <DataTable
        label={heading}
        main={main}
        columns={columns}
        rows={lines}
        rowKey={({ key }) => key}
        rowName={({ row }) => String(row[strong] ?? '')}
        widths={{ of: widths, onWidth }}
        density={density}
        {...(sorts
          ? {
              sort: view.order
                ? {
                    key: view.order.column,
                    direction: view.order.descending ? ('desc' as const) : ('asc' as const),
                  }
                : null,
              onSort: ({ key, direction }: { key: string; direction: 'asc' | 'desc' }) =>
                onView({ order: { column: key, descending: direction === 'desc' } }),
            }
          : {})}
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
        <span role="status">{t('kit.reports.count', { count: answer.of ?? answer.rows.length })}</span>
        <Checks answer={answer} checks={checks} />
      </div>
    </>
  )
}

/**
 * What should hold and whether it does; of what does not, where it is shown line by line or where what it lacks is
 * entered.
 */
function Checks({
  answer: { shape, filters },
  checks,
}: {
  answer: ReportAnswer
  checks: ReportAnswer['checks']
}) {
  const t = useWords()
  if (!checks.length) return null
  const explained = Object.entries(shape.explained ?? {}).map(([name, path]) => [
    name,
    { href: explanation(path, filters), label: t('kit.reports.explained') },
  ])
  const entered = Object.entries(shape.entered ?? {}).map(([name, { path, word }]) => [
    name,
    { href: path, label: t(word) },
  ])
  const steps = Object.fromEntries([...explained, ...entered]) as Record<
    string,
    { href: string; label: string }
  >
  return (
    <ul className="d-checks" aria-label={t('kit.reports.checks')}>
      {checks.map(({ name, ok, apartAgorot }) => (
        <li key={name}>
          {ok ? (
            <span className="d-holds">
              <Icon of={CircleCheck} size="s" label={t('kit.reports.checkHolds')} />{' '}
              {t(`${shape.words}.checks.${name}`)}
            </span>
          ) : (
            <Note
              tone="late"
              {...(steps[name]
                ? {
                    action: (
                      <Button size="s" href={steps[name].href}>
                        {steps[name].label}
                      </Button>
                    ),
                  }
                : {})}
            >
              {typeof apartAgorot === 'number'
                ? t('kit.reports.checkFailsBy', {
                    check: t(`${shape.words}.checks.${name}`),
                    sum: formatMoney(apartAgorot),
                  })
                : t('kit.reports.checkFails', { check: t(`${shape.words}.checks.${name}`) })}
            </Note>
          )}
        </li>
      ))}
    </ul>
  )
}

/**
 * The column that names a row and carries its link: the one that the report marks (`names`), else the first free text
 * that is not the group, else the first that is no figure. One that is empty somewhere (a bill without a number) would
 * leave that row without a name, so the full ones come first.
 */
function strongOf({ shape, rows }: Pick<ReportAnswer, 'shape' | 'rows'>): string {
  const marked = Object.keys(shape.columns).find((name) => shape.columns[name]!.names)
  if (marked) return marked
  const names = Object.keys(shape.columns).filter(
    (name) => name !== shape.group && !isAmount(shape.columns[name]!),
  )
  const texts = names.filter((name) => shape.columns[name]!.kind === 'text')
  const isFull = isFullIn(rows)
  return texts.find(isFull) ?? names.find(isFull) ?? texts[0] ?? names[0] ?? Object.keys(shape.columns)[0]!
}

const isFullIn = (rows: ReportAnswer['rows']) => (name: string) =>
  rows.every((row) => row.sum || (row[name] ?? '') !== '')

/** 'YYYY-MM' in a subtotal is a month, a choice has its words, anything else is the group's own word. */
function groupWords(text: string, { group, columns, words }: ReportAnswer['shape'], t: Words): string {
  const field = group === undefined ? undefined : columns[group]
  if (field?.kind === 'choice' && text !== '') return t(`${field.words ?? `${words}.${group}`}.${text}`)
  return /^\d{4}-\d{2}$/.test(text) ? `${text.slice(5)}/${text.slice(0, 4)}` : text
}

/**
 * What a line that is no record is called: by its kind, else by what its first choice says ('By the bank').
 */
function kindWords(
  row: ReportAnswer['rows'][number],
  { columns, words }: ReportAnswer['shape'],
  t: Words,
): string {
  if (typeof row.kind === 'string') return t(`${columns.kind?.words ?? `${words}.kind`}.${row.kind}`)
  const said = Object.keys(columns).find(
    (name) => columns[name]!.kind === 'choice' && typeof row[name] === 'string',
  )
  return said ? t(`${columns[said]!.words ?? `${words}.${said}`}.${String(row[said])}`) : ''
}

/** The figure on a phone's card. */
function figureOf({ columns }: ReportAnswer['shape'], names = Object.keys(columns)): string | undefined {
  const amounts = names.filter((name) => isAmount(columns[name]!))
  return amounts.find((name) => columns[name]!.main) ?? amounts.at(-1)
}

/** The two sides of what moved, beside a balance: two columns of figures of which every line fills one. */
function sidesOf(
  { columns }: ReportAnswer['shape'],
  rows: ReportAnswer['rows'],
  figure: string | undefined,
  amounts: readonly string[],
): string[] {
  const moved = rows.filter((row) => !row.sum)
  const isFilled = (row: ReportAnswer['rows'][number], name: string) =>
    row[name] !== null && row[name] !== undefined
  const [one, other] = amounts.filter((name) => name !== figure && !columns[name]!.band)
  if (!one || !other || moved.length === 0) return []
  return moved.every((row) => isFilled(row, one) !== isFilled(row, other)) ? [one, other] : []
}

/** So many figures beside each other leave a page room for words. */
const MOST_AMOUNTS = 8

/** `isChosen`: the columns were chosen explicitly, and all of them are shown. */
function columnsOf({ shape, rows, totals }: ReportAnswer, t: Words, isChosen = false): Column<Line>[] {
  const days = Object.keys(shape.columns).filter((name) => shape.columns[name]!.kind === 'day')
  const strong = strongOf({ shape, rows })
  // A second day that never differs from the first tells nothing, nor do words that are nowhere, nor, where
  // figures would push each other off the page, one of a band that nobody has; the files keep them.
  const isCrowded = Object.values(shape.columns).filter(isAmount).length > MOST_AMOUNTS
  const names = Object.keys(shape.columns).filter((name) =>
    isChosen
      ? true
      : days.includes(name)
        ? name === days[0] || rows.some((row) => (row[name] ?? '') !== '' && row[name] !== row[days[0]!])
        : isCrowded && shape.columns[name]!.band
          ? rows.some((row) => Number(row[name] ?? 0) !== 0)
          : name === strong ||
            !textKinds.has(shape.columns[name]!.kind) ||
            rows.some((row) => (row[name] ?? '') !== ''),
  )
  const texts = names.filter((name) => textKinds.has(shape.columns[name]!.kind))
  const wide = texts.filter((name) => longest(rows, name) > SHORT && shape.columns[name]!.kind !== 'choice')
  // One column must take what the others leave: the wordiest.
  const rest =
    wide.length > 0 ? wide : [[...texts].sort((a, b) => longest(rows, b) - longest(rows, a))[0] ?? names[0]!]
  const amounts = names.filter((name) => isAmount(shape.columns[name]!))
  // A year's months are wider than a page: the table is moved sideways, and its words keep their room.
  const isBroad = amounts.length > MOST_AMOUNTS
  // It names the card on a phone and the subtotals: one that is empty somewhere would leave a card without a
  // name. A group is written only at its beginning, so it names no card.
  const own = rest.filter((name) => name !== shape.group)
  const wordy = own.find(isFullIn(rows)) ?? own[0] ?? rest[0]!
  const figure = figureOf(shape, names)
  const sides = sidesOf(shape, rows, figure, amounts)
  const others = names.filter((name) => name !== wordy && !amounts.includes(name))
  // Beside what moved there is room for the day, and for the group where a line is all it has. A requested comparison
  // is on a phone's card under what it is compared with; a report that is itself a comparison shows both parts.
  const asked = amounts.filter((name) => name !== figure && shape.columns[name]!.whenFilled)
  const parts =
    sides.length > 0
      ? []
      : asked.length > 0
        ? asked
        : others.length > 0
          ? []
          : amounts.filter((name) => name !== figure).slice(-2)
  const told = [...sides, ...parts]
  const phoneLine =
    parts.length > 0
      ? parts
      : sides.length > 0
        ? [...others.filter((name) => name === days[0] || name === shape.group), ...sides]
        : others.slice(0, 2)
  return names.map((name): Column<Line> => {
    const field = shape.columns[name]!
    const isFigure = amounts.includes(name)
    const phone =
      name === wordy ? 'title' : name === figure ? 'amount' : phoneLine.includes(name) ? 'line' : undefined
    const total = totals[name]
    return {
      key: name,
      title: field.heading ?? t(`${shape.words}.columns.${name}`),
      ...(field.band ? { band: t(`${shape.words}.bands.${field.band}`) } : {}),
      // Where every word is short none is cut: what a subtotal is called may be the longest of its column.
      ...(isFigure
        ? { align: 'amount' as const }
        : rest.includes(name) && !isBroad
          ? wide.length > 0 && { width: 'trim' as const }
          : { width: 'fit' as const }),
      strong: name === strong,
      cell: (line) => (
        <LineCell
          line={line}
          name={name}
          field={field}
          isLabel={name === wordy}
          isGroup={name === shape.group}
          words={shape.words}
          kindWords={line.row.sum ? kindWords(line.row, shape, t) : ''}
          sumWords={
            line.sumOf === undefined
              ? ''
              : [groupWords(line.sumOf, shape, t), line.row.groupName].filter(Boolean).join(' ')
          }
          t={t}
        />
      ),
      ...(phone ? { phone } : {}),
      ...(told.includes(name) || (name === figure && field.kind === 'number')
        ? { named: ({ row }: Line) => row[name] !== null && row[name] !== undefined }
        : {}),
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
  const Cell = cellViews[field.kind as ViewKind]
  return <Cell value={value} />
}

interface LineCellProps {
  line: Line
  name: string
  field: ReportColumn
  /** The name of a subtotal or an opening balance. */
  isLabel: boolean
  isGroup: boolean
  words: string
  /** What a line that is no record is called. */
  kindWords: string
  /** What a subtotal is of. */
  sumWords: string
  t: Words
}

function LineCell({ line, name, field, isLabel, isGroup, words, kindWords, sumWords, t }: LineCellProps) {
  const { row, sumOf, opensGroup } = line
  const isCard = useContext(PlainCells)
  const value = row[name]
  if (sumOf !== undefined && isLabel) {
    const said = t('kit.reports.subtotalOf', { group: sumWords })
    return <bdi title={said}>{said}</bdi>
  }
  // A line that is no record is called by its kind, where names stand.
  if (row.sum && !isAmount(field)) {
    // One that begins a group says whose it is: '1000 Cash · Opening balance'.
    const whose = isGroup && opensGroup && row.kind === 'opening' && value
    const what = isLabel && kindWords
    return <cellViews.text value={[whose, what].filter(Boolean).join(' · ')} />
  }
  // A group is named once, at its beginning; a card has no neighbours.
  if (isGroup && !opensGroup && !isCard) return null
  // The empty side of a ledger stays empty.
  if (value === null || value === undefined || value === '') return null
  const href = field.opens === undefined ? undefined : row[field.opens]
  if (isAmount(field)) {
    const figure = (
      <FigureCell
        field={field}
        value={value}
        {...(sumOf !== undefined || row.sum ? { zero: 'show' as const } : {})}
      />
    )
    return typeof href === 'string' && !isCard ? (
      <Link className="aim hover:underline" href={href}>
        {figure}
      </Link>
    ) : (
      figure
    )
  }
  if (field.kind === 'choice') return <>{t(`${field.words ?? `${words}.${name}`}.${String(value)}`)}</>
  if (typeof href === 'string') return <cellViews.ref value={null} refName={String(value)} href={href} />
  if (field.kind === 'ref' || field.kind === 'text') return <cellViews.text value={value} />
  const Cell = cellViews[field.kind as ViewKind]
  return <Cell value={value} />
}
