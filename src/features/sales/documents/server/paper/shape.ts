import { textWidth, type Weight } from '#kit/server/paper/fonts.ts'
import type { ColumnKey, DocumentPaper, PaperLine, PaperSum, PaperTable } from './paper.ts'

/*
 * Where things stand on A4. Widths are measured from the real values with the font's own tables, so that the
 * typesetter has nothing to guess and the last rows, set apart with the totals, fall exactly under the first.
 * All widths in points.
 */

const pointsPerMillimetre = 72 / 25.4
const leastDescription = 45 * pointsPerMillimetre
const figureKeys: ReadonlySet<ColumnKey> = new Set(['n', 'quantity', 'ordered', 'left', 'price', 'total'])

interface ShapedColumn {
  key: ColumnKey
  label: string
  width: number
  padStart: number
  padEnd: number
}

export interface PaperShape {
  readonly bodySize: number
  readonly rowPad: number
  readonly tableEdge: number
  readonly totalsWidth: number
  readonly totalColumn: number
  readonly anyTexts: boolean
  readonly columns: readonly ShapedColumn[]
  readonly lines: readonly (PaperLine & Record<string, unknown>)[]
  readonly totals: readonly (PaperSum & { pad: string })[]
  readonly settled: readonly (PaperSum & { pad: string })[]
  readonly carryOn: boolean
  readonly vatTable: ShapedTable | null
  readonly currencyTable: ShapedTable | null
  readonly sold: ShapedTable | null
  readonly paid: ShapedTable | null
}

type ShapedTable = Omit<PaperTable, 'columns'> & {
  readonly columns: readonly (PaperTable['columns'][number] & { width: number | null })[]
}

/** Chooses widths, hidden figures and the size of the body. Pure. */
export function shapeOf(paper: DocumentPaper): PaperShape {
  const compact = paper.layout === 'compact'
  const firstSize = compact ? 8 : 9
  const asked = shapeAt(
    paper,
    firstSize,
    paper.columns.some((column) => column.key === 'sku'),
  )
  if (roomy(asked)) return asked
  // First the SKU leaves its column, then the body falls to 8 points.
  const narrower = shapeAt(paper, firstSize, false)
  return roomy(narrower) ? narrower : shapeAt(paper, Math.min(firstSize, 8), false)
}

const roomy = (shape: PaperShape) =>
  (shape.columns.find((column) => column.key === 'description')?.width ?? Infinity) >= leastDescription

function shapeAt(paper: DocumentPaper, bodySize: number, skuColumn: boolean): PaperShape {
  const compact = paper.layout === 'compact'
  const tableEdge = paper.layout === 'modern' ? 7 : compact ? 5 : 0
  const gap = compact ? 5 : 10.5
  const textWidthOfPage = (210 - 2 * (compact ? 14 : 18)) * pointsPerMillimetre

  const pads = new Map<ColumnKey, string[]>()
  for (const key of ['quantity', 'ordered', 'left', 'price'] as const)
    pads.set(key, alignOnPoint(paper.lines.map((line) => line[key])))
  // One suffix for the whole column of amounts, totals included: their figures are aligned.
  const sums = [
    ...paper.lines.filter((line) => !line.option).map((line) => line.total),
    ...paper.totals.filter((row) => row.rank !== 'grand').map((row) => row.value),
    ...paper.settled.map((row) => row.value),
    ...paper.lines.map((line) => line.carried),
  ]
  const tail = sums.some((value) => value?.endsWith('-)')) ? '-)' : ''
  const padOf = (value: string | undefined) =>
    value === undefined || value === '' || value.endsWith(tail) ? '' : tail
  pads.set(
    'total',
    paper.lines.map((line) => (line.option ? '' : padOf(line.total))),
  )

  const lines = paper.lines.map((line, at) => {
    const shaped: PaperLine & Record<string, unknown> = { ...line }
    for (const [key, values] of pads) if (values[at]) shaped[`${key}Pad`] = values[at]
    if (!skuColumn && line.sku) shaped.skuBelow = line.sku
    shaped.long = (line.text?.length ?? 0) + line.name.length > 420
    return shaped
  })

  const widest = (key: ColumnKey): number =>
    Math.max(
      0,
      ...lines.map((line) => {
        const value = line[key as 'total']
        if (!value) return 0
        return figureKeys.has(key) && !line.option
          ? textWidth(value + ((line[`${key}Pad`] as string | undefined) ?? ''), bodySize, 'regular', true)
          : textWidth(value, bodySize)
      }),
    )
  const sumWidth = (rows: readonly PaperSum[], weight: Weight) =>
    Math.max(
      0,
      ...rows
        .filter((row) => row.rank !== 'grand')
        .map((row) => textWidth(row.value + padOf(row.value), bodySize, weight, true)),
    )

  // The payments are under the totals of the lines.
  const came = Math.max(
    sumWidth(paper.settled, 'semibold'),
    ...(paper.payments?.rows ?? []).map((row) => textWidth(row.sum, bodySize, 'regular', true)),
    ...[paper.sold, paper.paid].flatMap((table) =>
      table && table.columns.at(-1)!.kind === 'number'
        ? [
            textWidth(table.columns.at(-1)!.label, 8),
            ...table.rows.map((row) => textWidth(row.cells.at(-1) ?? '', bodySize, 'regular', true)),
          ]
        : [],
    ),
  )

  const shown = paper.columns.filter((column) => column.key !== 'sku' || skuColumn)
  const columns: ShapedColumn[] = shown.map((column, at) => {
    const label =
      column.key === 'unit' || column.key === 'quantity' ? 0 : textWidth(column.label, 8, 'semibold')
    let content = Math.max(label, widest(column.key))
    if (column.key === 'total') {
      const carried =
        paper.lines.length >= carryFrom
          ? Math.max(
              0,
              ...lines.slice(-1).map((line) => textWidth(line.carried + tail, bodySize, 'semibold', true)),
            )
          : 0
      content = Math.max(content, sumWidth(paper.totals, 'regular'), came, carried)
    }
    const first = at === 0
    const last = at === shown.length - 1
    return {
      key: column.key,
      label: column.label,
      width: content + 0.6,
      padStart: compact ? gap : first ? tableEdge : 0,
      padEnd: compact
        ? gap
        : last
          ? tableEdge
          : column.key === 'quantity' && shown[at + 1]?.key === 'unit'
            ? 8
            : gap,
    }
  })
  // One heading covers quantity and unit, and must fit over both.
  const quantity = columns.find((column) => column.key === 'quantity')
  const unit = columns.find((column) => column.key === 'unit')
  if (quantity)
    quantity.width = Math.max(
      quantity.width,
      textWidth(quantity.label, 8, 'semibold') + 0.6 - (unit ? unit.width + quantity.padEnd : 0),
    )
  const totalContent =
    columns.find((column) => column.key === 'total')?.width ??
    Math.max(40, sumWidth(paper.totals, 'regular'), came) + 0.6
  for (const column of columns) column.width += column.padStart + column.padEnd
  const description = columns.find((column) => column.key === 'description')
  if (description)
    description.width =
      textWidthOfPage - columns.reduce((sum, column) => sum + (column === description ? 0 : column.width), 0)

  const totalsWidth = totalsWidthOf(paper, bodySize, totalContent)
  const besideTotals = textWidthOfPage - (totalsWidth + 9) * pointsPerMillimetre
  return {
    bodySize,
    rowPad: paper.dense ? 3.6 : 5.4,
    tableEdge,
    totalsWidth,
    totalColumn: totalContent,
    anyTexts: paper.lines.some((line) => line.text),
    columns,
    lines,
    totals: paper.totals.map((row) => ({ ...row, pad: row.rank === 'grand' ? '' : padOf(row.value) })),
    settled: paper.settled.map((row) => ({ ...row, pad: padOf(row.value) })),
    vatTable: tableShape(paper.vatTable, besideTotals, bodySize),
    currencyTable: tableShape(paper.currencyTable, besideTotals, bodySize),
    sold: tableShape(paper.sold, textWidthOfPage, bodySize, totalContent),
    paid: tableShape(paper.paid, textWidthOfPage, bodySize, totalContent),
    carryOn: paper.lines.length >= carryFrom && columns.some((column) => column.key === 'total'),
  }
}

/** Carried totals cost a second layout pass; on a page or so nobody misses them. */
const carryFrom = 18

/** Figures get an even share of the room, more where they need it; the first column has what is left. */
function tableShape(table: PaperTable | null, room: number, size: number, last?: number): ShapedTable | null {
  if (!table) return null
  const share = room / (table.columns.length + 0.5)
  const columns = table.columns.map((column, at) => {
    const needed =
      Math.max(
        textWidth(column.label, 8),
        ...table.rows.map((row) =>
          textWidth(row.cells[at] ?? '', size, row.strong ? 'semibold' : 'regular', true),
        ),
      ) + 11
    const width =
      column.kind === 'text'
        ? null
        : at === table.columns.length - 1 && last !== undefined
          ? Math.max(last, needed)
          : Math.max(share * 0.86, needed)
    return { ...column, width }
  })
  return { ...table, columns }
}

/** In millimetres: wide enough for the longest label beside its sum. */
function totalsWidthOf(paper: DocumentPaper, bodySize: number, totalColumn: number): number {
  const rows = [...paper.totals.filter((row) => row.rank !== 'grand'), ...paper.settled]
  const widest = Math.max(
    0,
    ...rows.map(
      (row) =>
        textWidth(row.label, bodySize, row.rank === 'strong' ? 'semibold' : 'regular') + 8 + totalColumn,
    ),
  )
  const grand = Math.max(
    0,
    ...paper.totals
      .filter((row) => row.rank === 'grand')
      .map((row) => textWidth(row.label, 11, 'semibold') + 24 + textWidth(row.value, 14, 'bold')),
  )
  const [least, most] = paper.layout === 'compact' ? [62, 72] : [68, 76]
  return Math.min(most, Math.max(least, Math.ceil(Math.max(widest, grand) / pointsPerMillimetre + 3)))
}

/**
 * The figures that have to follow each value, unseen, so that the points of a column stand under each other:
 * 12.3475, 86.5 and 24 get '', '000' and '.0000'. A value in brackets ends in '-)', which the others get as
 * well.
 */
export function alignOnPoint(values: readonly (string | undefined)[]): string[] {
  const tails = values.map((value) => (value === undefined ? '' : /(\.\d*)?(-\))?$/.exec(value)![0]))
  const decimals = tails.map((value) => /^\.(\d*)/.exec(value)?.[1]?.length ?? -1)
  const most = Math.max(-1, ...decimals)
  const bracket = tails.some((value) => value.endsWith('-)'))
  return values.map((value, at) => {
    if (value === undefined) return ''
    const missing =
      decimals[at]! < 0 ? (most >= 0 ? '.' + '0'.repeat(most) : '') : '0'.repeat(most - decimals[at]!)
    return missing + (bracket && !value.endsWith('-)') ? '-)' : '')
  })
}
