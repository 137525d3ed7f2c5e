import { fold } from '#domain/fold.ts'
import { timesFraction } from '#domain/money.ts'
import { isAmount, percent as percentField } from '#kit/fields/field.ts'
import type { ReportAnswer, ReportColumn, ReportRow, ReportShape } from './report.ts'

/**
 * What a person makes of a report besides its filters: it says nothing new, it is another sight of the same
 * rows.
 */
export interface ReportView {
  /** The columns that are shown, in their order; those of the report when absent. */
  cols?: readonly string[]
  /** The column whose values the rows are gathered by, with a subtotal of each. */
  group?: string
  order?: { column: string; descending: boolean }
  /** Only rows in which these words stand. */
  find?: string
  /** Beside the period before, the same of last year, or the budget. */
  vs?: Versus
}

export const versus = ['previousPeriod', 'previousYear', 'budget'] as const
export type Versus = (typeof versus)[number]

/** The names of a view in the address and in the query of a call. No report has a filter of these names. */
export const viewParams = ['cols', 'group', 'order', 'find', 'vs'] as const

/** Reads a view out of a query; what makes no sense there is left out, as in an address that somebody cut. */
export function viewFrom(query: Readonly<Record<string, unknown>>): ReportView {
  const text = (name: (typeof viewParams)[number]) => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? value.slice(0, 1000) : undefined
  }
  const [cols, group, order, find, vs] = viewParams.map(text)
  return {
    ...(cols ? { cols: cols.split(',').filter(Boolean) } : {}),
    ...(group ? { group } : {}),
    ...(order ? { order: { column: order.replace(/^-/, ''), descending: order.startsWith('-') } } : {}),
    ...(find ? { find } : {}),
    ...(versus.some((one) => one === vs) ? { vs: vs as Versus } : {}),
  }
}

/** The same as parameters; what is not asked for is undefined, so that it leaves the address. */
export const paramsOf = ({
  cols,
  group,
  order,
  find,
  vs,
}: ReportView): Record<(typeof viewParams)[number], string | undefined> => ({
  cols: cols?.join(','),
  group,
  order: order && `${order.descending ? '-' : ''}${order.column}`,
  find: find || undefined,
  vs,
})

/** Whether rows may be gathered by a column: it says the same word of many. */
export const canGroup = (field: ReportColumn): boolean =>
  ['text', 'choice', 'ref', 'flag', 'currency'].includes(field.kind)

/**
 * A ledger keeps its order: opening balances, running balances and totals between rows stand where they
 * stand.
 */
export const isLedger = ({ rows }: Pick<ReportAnswer, 'rows'>): boolean => rows.some((row) => row.sum)

/**
 * A report under a view. Rows that are left keep their order but for what was asked; totals are those of the
 * rows that are shown, and where not all of them are, what must hold of the whole is left out, because it
 * says nothing of a part.
 */
export function arranged(answer: ReportAnswer, { cols, group, order, find }: ReportView): ReportAnswer {
  const { shape } = answer
  const has = (name: string | undefined): name is string => name !== undefined && name in shape.columns
  const keepsOrder = isLedger(answer)
  const by = !keepsOrder && has(group) && canGroup(shape.columns[group]!) ? group : shape.group
  let rows: readonly ReportRow[] = find
    ? answer.rows.filter((row) => !row.sum && says(shape, row, find))
    : answer.rows
  if (!keepsOrder && order && has(order.column)) rows = sorted(rows, order.column, order.descending)
  // Collected in the order in which each group first occurs, so that sorting is kept.
  if (!keepsOrder && by !== undefined && (by !== shape.group || order)) rows = gathered(rows, by)
  const columns = cols?.some(has)
    ? Object.fromEntries(cols.filter(has).map((name) => [name, shape.columns[name]!]))
    : shape.columns
  const names =
    cols?.some(has) && by !== undefined && !(by in columns)
      ? { [by]: shape.columns[by]!, ...columns }
      : columns
  const isPart = rows.length !== answer.rows.length
  return {
    ...answer,
    shape: {
      ...shape,
      columns: names,
      totals: shape.totals.filter((name) => name in names),
      ...(by === undefined ? {} : { group: by }),
    },
    rows: [...rows],
    totals: isPart && Object.keys(answer.totals).length > 0 ? totalsOf(shape.totals, rows) : answer.totals,
    checks: isPart ? [] : answer.checks,
  }
}

export const totalsOf = (names: readonly string[], rows: readonly ReportRow[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)]))

/** Every word that was typed begins a word of the row. */
function says({ columns }: ReportShape, row: ReportRow, find: string): boolean {
  const text = ` ${fold(
    Object.keys(columns)
      .map((name) =>
        isAmount(columns[name]!) && columns[name]!.kind !== 'number' ? '' : String(row[name] ?? ''),
      )
      .join(' '),
  )}`
  return fold(find)
    .split(' ')
    .every((word) => word === '' || text.includes(` ${word}`) || (word.length > 2 && text.includes(word)))
}

const words = new Intl.Collator('he', { numeric: true })

function sorted(rows: readonly ReportRow[], column: string, descending: boolean): ReportRow[] {
  const sign = descending ? -1 : 1
  // Empty values are last, in either direction.
  return rows.toSorted((a, b) => {
    const [one, other] = [a[column] ?? '', b[column] ?? '']
    if (one === '' || other === '') return Number(one === '') - Number(other === '')
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
    return sign * words.compare(String(one), String(other))
  })
}

function gathered(rows: readonly ReportRow[], by: string): ReportRow[] {
  const groups = new Map<string, ReportRow[]>()
  for (const row of rows) {
    const name = String(row[by] ?? '')
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return [...groups.values()].flat()
}

/** The figure a report is about: what a comparison compares and a chart draws. */
export function mainFigure({ columns, totals }: Pick<ReportShape, 'columns' | 'totals'>): string | undefined {
  const figures = Object.keys(columns).filter((name) => columns[name]!.kind === 'money')
  return (
    figures.find((name) => columns[name]!.main) ??
    figures.filter((name) => totals.includes(name)).at(-1) ??
    figures.at(-1)
  )
}

/**
 * The names of the columns a comparison adds; the last is the change in hundredths of a percent of what was,
 * and empty where nothing was.
 */
export const comparedColumns = { before: 'vsBefore', change: 'vsChange', percent: 'vsPercent' } as const

const besideRow = (row: ReportRow, was: number, change: number): ReportRow => ({
  ...row,
  [comparedColumns.before]: was,
  [comparedColumns.change]: change,
  [comparedColumns.percent]:
    was === 0 ? null : timesFraction(10_000, change, Math.abs(was), 'halfAwayFromZero'),
})

/**
 * The rows of a period beside those of another, joined by the columns that identify a row; rows of the other period
 * only are at the end, with nothing now.
 */
export function compared(
  answer: ReportAnswer,
  then: ReportAnswer,
  key: readonly string[],
  headings: Headings,
): ReportAnswer {
  const figure = mainFigure(answer.shape)
  if (!figure) return answer
  const nameOf = (row: ReportRow) => JSON.stringify(key.map((name) => row[name] ?? null))
  const before = new Map<string, number>()
  for (const row of then.rows)
    if (!row.sum) before.set(nameOf(row), (before.get(nameOf(row)) ?? 0) + Number(row[figure] ?? 0))
  const seen = new Set<string>()
  const beside = (row: ReportRow): ReportRow => {
    const name = nameOf(row)
    // Of several rows of one name the first stands for what was: it is counted once.
    const was = seen.has(name) ? 0 : (before.get(name) ?? 0)
    seen.add(name)
    return besideRow(row, was, Number(row[figure] ?? 0) - was)
  }
  const now = answer.rows.map((row) => (row.sum ? row : beside(row)))
  // One line of each name, however many it had.
  const only = new Map(
    then.rows.filter((row) => !row.sum && !seen.has(nameOf(row))).map((row) => [nameOf(row), row]),
  )
  const gone = [...only.values()].map((row) =>
    beside({
      ...Object.fromEntries(key.map((name) => [name, row[name] ?? null])),
      [figure]: 0,
      open: row.open ?? null,
    }),
  )
  return withBeside(answer, figure, [...now, ...gone], headings)
}

/**
 * The rows of a report beside the budget of their accounts. Several rows may share an account (kinds of
 * expense that are booked alike): the first carries its budget and the change of all of them, the others say
 * nothing, so that nothing is invented and the columns add up. `missing` are rows of budgeted accounts in
 * which nothing moved.
 */
export function againstBudget(
  answer: ReportAnswer,
  {
    account,
    budget,
    missing,
  }: { account: string; budget: ReadonlyMap<string, number>; missing: readonly ReportRow[] },
  headings: Headings,
): ReportAnswer {
  const figure = mainFigure(answer.shape)
  if (!figure) return answer
  const rows = [...answer.rows, ...missing.map((row) => ({ ...row, [figure]: 0 }))]
  const idOf = (row: ReportRow) => (row.sum ? '' : String(row[account] ?? ''))
  const moved = new Map<string, number>()
  for (const row of rows) moved.set(idOf(row), (moved.get(idOf(row)) ?? 0) + Number(row[figure] ?? 0))
  const seen = new Set([''])
  const beside = (row: ReportRow): ReportRow => {
    const id = idOf(row)
    if (seen.has(id)) return row
    seen.add(id)
    const meant = budget.get(id) ?? 0
    return besideRow(row, meant, moved.get(id)! - meant)
  }
  return withBeside(answer, figure, rows.map(beside), headings)
}

interface Headings {
  before: string
  change: string
}

/** The columns of a comparison behind the others, and what they come to. */
function withBeside(
  answer: ReportAnswer,
  figure: string,
  rows: ReportRow[],
  headings: Headings,
): ReportAnswer {
  const field = answer.shape.columns[figure]!
  const { band: _, main: __, ...plain } = field
  const totals = answer.shape.totals.includes(figure)
    ? [...answer.shape.totals, comparedColumns.before, comparedColumns.change]
    : answer.shape.totals
  return {
    ...answer,
    shape: {
      ...answer.shape,
      columns: {
        ...answer.shape.columns,
        [figure]: { ...field, main: true },
        [comparedColumns.before]: { ...plain, heading: headings.before },
        [comparedColumns.change]: { ...plain, heading: headings.change },
        [comparedColumns.percent]: { ...percentField(), heading: '%' },
      },
      totals,
    },
    rows,
    totals:
      Object.keys(answer.totals).length > 0
        ? {
            ...answer.totals,
            ...totalsOf(
              totals.filter((name) => !(name in answer.totals)),
              rows,
            ),
          }
        : answer.totals,
  }
}
