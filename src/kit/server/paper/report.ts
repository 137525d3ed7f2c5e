import path from 'node:path'
import { isolate, isolateRuns } from '#domain/bidi.ts'
import { momentInJerusalem } from '#domain/day.ts'
import type { LanguageCode } from '#domain/languages.ts'
import {
  formatDay,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPrice,
  formatQuantity,
} from '#domain/format.ts'
import { accentOf } from './accent.ts'
import { renderPdf } from './engine.ts'
import { makePrintable, textWidth } from './fonts.ts'
import { paperRoot } from '../root.ts'

/**
 * How a value of a column is read and aligned: money in agorot, quantities and prices in ten-thousandths, rates in
 * hundredths of a per cent, days as 'YYYY-MM-DD', codes (account numbers, document numbers) left to right.
 */
export type ReportKind = 'text' | 'code' | 'money' | 'quantity' | 'price' | 'number' | 'percent' | 'day'

export interface ReportColumn {
  readonly label: string
  readonly kind: ReportKind
  /** Neighbouring columns of one band stand under a common heading: opening, movement, closing. */
  readonly band?: string
  /** A zero is an empty cell unless it means something here. */
  readonly showZero?: boolean
  /** Grey: a code nobody reads first. */
  readonly quiet?: boolean
}

export type ReportCell = string | number | null

export type ReportRow =
  | { readonly kind: 'group'; readonly code?: string; readonly label: string }
  | { readonly kind: 'row' | 'subtotal' | 'total'; readonly cells: readonly ReportCell[] }

export interface ReportData {
  readonly language: LanguageCode
  readonly title: string
  /**
   * Period and filters in words, joined by dots: the first piece (the period) is repeated at the head of
   * later pages.
   */
  readonly subtitle: readonly string[]
  readonly business: { readonly name: string; readonly lines: readonly string[] }
  readonly columns: readonly ReportColumn[]
  readonly rows: readonly ReportRow[]
  /** What holds: 'debit equals credit'. Printed with a tick. */
  readonly checks?: readonly string[]
  /** What should hold and does not. Printed before the rows. */
  readonly faults?: readonly string[]
  /** Who made it and when, in words, and 'made with Pinkas'. */
  readonly footer: readonly string[]
  /**
   * 'Page [page] of [pages]' in the report's language: words of a sentence keep braces for what is put into
   * them.
   */
  readonly pageWords: string
  /** What to say when there are no rows. */
  readonly emptyWords?: string
  /** Goes into the file; the same report of the same moment is the same file. */
  readonly madeAt: Date
  /** '#rrggbb' as the business chose it. */
  readonly accent?: string
}

const pointsPerMillimetre = 72 / 25.4
const edge = 18
const landscapeFrom = 7
const widestOnA4 = 12

/**
 * Above so many rows a file is mailed and looked through, not listened to: the screen and the workbook have
 * them for readers too.
 */
const mostTaggedRows = 1000

/** A report as a PDF/A file: portrait up to six columns, landscape from seven, A3 from thirteen. */
export function reportPdf(report: ReportData): Promise<Uint8Array> {
  return renderPdf({
    template: path.join(paperRoot, 'report.typ'),
    data: reportPaper(report),
    standard: 'a-2b',
    tagged: report.rows.length <= mostTaggedRows,
  })
}

/** What the template reads. Exported for the tests. */
export function reportPaper(report: ReportData) {
  const direction = report.language === 'he' || report.language === 'ar' ? ('rtl' as const) : ('ltr' as const)
  const free = (text: string) => isolateRuns(makePrintable(text), direction)
  const rows = report.rows.map((row) =>
    row.kind === 'group'
      ? { kind: row.kind, code: row.code ?? '', label: free(row.label) }
      : {
          kind: row.kind,
          cells: report.columns.map((column, at) =>
            cellText(row.cells[at] ?? null, column, report.language, free),
          ),
        },
  )
  const page = pageFor(report.columns.length)
  const shape =
    [8.5, 8, 7.5].map((size) => shapeAt(report, rows, size, page.width)).find((tried) => tried.fits) ??
    shapeAt(report, rows, 7.5, page.width)
  const made = momentInJerusalem(report.madeAt)
  const bands = report.columns.some((column) => column.band) ? bandsOf(report.columns) : null
  return {
    direction,
    language: report.language,
    accent: accentOf(report.accent),
    fileTitle: report.title,
    author: report.business.name,
    madeAt: [...made.day.split('-'), ...made.time.split(':'), '0'].map(Number),
    page,
    bodySize: shape.size,
    rowPad: 3.3,
    tableEdge: 0,
    title: report.title,
    subtitle: report.subtitle.map(free),
    running: free(report.subtitle[0] ?? ''),
    business: { name: free(report.business.name), lines: report.business.lines.map(free) },
    bands,
    columns: shape.columns,
    rows,
    zebra: !report.rows.some((row) => row.kind === 'group') && report.columns.length > 4,
    checks: (report.checks ?? []).map(free),
    faults: (report.faults ?? []).map(free),
    empty: report.emptyWords ?? null,
    footer: {
      pieces: report.footer.map(free),
      page: report.pageWords.replace('[page]', '{page}').replace('[pages]', '{pages}'),
    },
  }
}

function pageFor(columns: number): { width: number; height: number } {
  if (columns < landscapeFrom) return { width: 210, height: 297 }
  return columns <= widestOnA4 ? { width: 297, height: 210 } : { width: 420, height: 297 }
}

function bandsOf(columns: readonly ReportColumn[]): { label: string; span: number }[] {
  const bands: { label: string; span: number }[] = []
  for (const { band = '' } of columns) {
    const last = bands.at(-1)
    if (last && last.label === band) last.span++
    else bands.push({ label: band, span: 1 })
  }
  return bands
}

const figureKinds: ReadonlySet<ReportKind> = new Set([
  'money',
  'quantity',
  'price',
  'number',
  'percent',
  'day',
])

function cellText(
  value: ReportCell,
  column: ReportColumn,
  language: LanguageCode,
  free: (text: string) => string,
): string {
  if (value === null || value === '') return ''
  if (typeof value === 'string') {
    if (column.kind === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDay(value)
    // A word in a column of figures, the 'total' of a subtotal row among them.
    return figureKinds.has(column.kind) || column.kind === 'code' ? makePrintable(value) : free(value)
  }
  if (value === 0 && !column.showZero) return ''
  switch (column.kind) {
    case 'money':
      return formatMoney(value)
    case 'quantity':
      return formatQuantity(value)
    case 'price':
      return formatPrice(value)
    case 'percent':
      return formatPercent(value, language)
    case 'number':
      return formatNumber(value)
    default:
      return isolate(String(value))
  }
}

type PreparedRow =
  | { kind: 'group'; code: string; label: string }
  | { kind: 'row' | 'subtotal' | 'total'; cells: string[] }

function shapeAt(report: ReportData, rows: readonly PreparedRow[], size: number, pageWidth: number) {
  const whole = (pageWidth - 2 * edge) * pointsPerMillimetre
  const last = report.columns.length - 1
  const columns = report.columns.map((column, at) => {
    const isFigure = figureKinds.has(column.kind)
    const values = rows.map((row) => (row.kind === 'group' ? '' : row.cells[at]!))
    const bracket = isFigure && values.some((value) => value.endsWith('-)'))
    const pads = values.map((value) => (bracket && value !== '' && !value.endsWith('-)') ? '-)' : ''))
    const heading = Math.max(
      0,
      ...column.label.split('\n').map((line) => textWidth(line, Math.min(8, size), 'semibold')),
    )
    const widest = Math.max(
      heading,
      ...values.map((value, row) =>
        Math.max(
          0,
          ...value
            .split('\n')
            .map((line) =>
              textWidth(
                line + pads[row]!,
                size,
                rows[row]!.kind === 'row' ? 'regular' : 'semibold',
                isFigure,
              ),
            ),
        ),
      ),
    )
    const gap = at === last ? 0 : isFigure ? 9 : 12
    return {
      label: column.label,
      kind: isFigure ? 'number' : column.kind,
      quiet: column.quiet ?? false,
      pads,
      gap,
      wanted: widest + 0.8 + gap,
      heading: heading + 0.8 + gap,
      width: 0,
    }
  })
  // Figures and codes take what they need; texts share the rest by what they would like, none less than its
  // heading or 20 mm.
  const fixed = columns.filter((column) => column.kind !== 'text')
  const texts = columns.filter((column) => column.kind === 'text')
  for (const column of fixed) column.width = column.wanted
  let rest = whole - fixed.reduce((sum, column) => sum + column.width, 0)
  const least = texts.reduce(
    (sum, column) => sum + Math.min(column.wanted, Math.max(column.heading, 20 * pointsPerMillimetre)),
    0,
  )
  const fits = rest >= least && columns.every((column) => column.wanted > 0)
  const wanted = texts.reduce((sum, column) => sum + column.wanted, 0)
  for (const column of texts)
    column.width =
      wanted <= rest
        ? column.wanted
        : Math.max(Math.min(column.wanted, column.heading), (rest * column.wanted) / wanted)
  rest = whole - columns.reduce((sum, column) => sum + column.width, 0)
  // Room left over: to the texts (halved when there is plenty), the remainder evenly between the figures.
  const stretch = texts.length > 0 ? texts : columns
  if (rest > 0) {
    const toFigures = texts.length > 0 && fixed.length > 0 ? rest * Math.min(0.6, 0.12 * fixed.length) : 0
    for (const column of fixed) column.width += toFigures / Math.max(1, fixed.length)
    for (const column of stretch) column.width += (rest - toFigures) / stretch.length
  }
  return { size, fits, columns: columns.map(({ wanted: _wanted, heading: _heading, ...column }) => column) }
}
