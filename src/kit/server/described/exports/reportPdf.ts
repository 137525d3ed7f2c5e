import { formatDay, formatMoment, formatPeriod } from '#domain/format.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import type { ReportAnswer, ReportRow as Row } from '#kit/describe/report.ts'
import type { Ctx } from '../../context.ts'
import type { FileAnswer } from '../../contract/implement.ts'
import { oneRow } from '../../data/lists.ts'
import {
  reportPdf,
  type ReportCell,
  type ReportColumn,
  type ReportData,
  type ReportKind,
  type ReportRow,
} from '../../paper/report.ts'
import { columnsOf, faultsOf, type Report } from '../reports.ts'
import { servedFor } from '../resources.ts'
import { say } from '../../words.ts'
import { cellText, headOf, type ExportColumn } from './table.ts'

/** The subject of the report, opposite the title. */
export type Letterhead = (ctx: Ctx) => Promise<{ name: string; lines: string[]; accent: string }>

const kinds: Partial<Record<string, ReportKind>> = {
  money: 'money',
  quantity: 'quantity',
  price: 'price',
  number: 'number',
  percent: 'percent',
  day: 'day',
  taxId: 'code',
  phone: 'code',
}

const cellOf = (ctx: Ctx, column: ExportColumn, row: Row): ReportCell => {
  const value = row[column.name]
  if (value === null || value === undefined) return null
  const kind = column.field.kind
  if (kind === 'quantity' || kind === 'price') return parseDecimal4(String(value)) ?? null
  if (kind in kinds) return value as ReportCell
  return cellText(ctx.caller.language, column, row)
}

/**
 * What was asked of a report beside its period, in words: whose card it is, of which bank, on what day. On
 * paper nobody sees the filters, so without them it would not say what it is of.
 */
async function askedOf(
  ctx: Ctx,
  report: Report,
  words: string,
  asked: Record<string, unknown>,
): Promise<string[]> {
  const told: string[] = []
  for (const [name, field] of Object.entries(report.filters)) {
    const value = asked[name]
    if (value === undefined || value === null || value === '' || value === false) continue
    const label = say(ctx.caller.language, `${words}.filters.${name}`)
    if (field.kind === 'ref') {
      const source = servedFor(ctx, field.to ?? '')
      if (!source) continue
      const { title, hint } = source.resource
      const row = await oneRow<Record<string, unknown>>(ctx, source, String(value)).catch(() => undefined)
      // An account is known by its number as much as by its name.
      if (row)
        told.push(
          `${label}: ${hint === 'number' && row.number ? `${String(row.number)} ` : ''}${String(row[title] ?? '')}`,
        )
    } else if (field.kind === 'day') {
      if (!(name === 'from' && asked.to) && !(name === 'to' && asked.from))
        told.push(`${label}: ${formatDay(String(value))}`)
    } else {
      const column = { name, field, title: '', words: `${words}.${name}` }
      told.push(field.kind === 'flag' ? label : `${label}: ${cellText(ctx.caller.language, column, asked)}`)
    }
  }
  return told
}

/**
 * A report on paper: the same rows, totals and checks as on the screen. All is read when this is answered;
 * what is answered sets it.
 */
export async function reportPaper(
  ctx: Ctx,
  report: Report,
  { shape, filters, rows, totals, checks }: ReportAnswer,
  business: Awaited<ReturnType<Letterhead>>,
): Promise<() => Promise<FileAnswer>> {
  const { language } = ctx.caller
  const t = (key: string, params?: Record<string, string | number>) => say(language, key, params)
  const columns = columnsOf(report, shape.words)
  const shown = columns.filter((c) => c.name !== report.groupBy)
  const paper: ReportRow[] = []
  const sumRow = (kind: 'subtotal' | 'total', of: Record<string, number>): ReportRow => ({
    kind,
    cells: shown.map((c, i) =>
      c.name in of
        ? of[c.name]!
        : i === 0
          ? t(kind === 'total' ? 'kit.report.total' : 'kit.report.subtotal')
          : null,
    ),
  })
  let group: Row[] = []
  const closeGroup = () => {
    if (group.length > 1 && report.totals.length)
      paper.push(
        sumRow(
          'subtotal',
          Object.fromEntries(
            report.totals.map((name) => [name, group.reduce((sum, r) => sum + Number(r[name] ?? 0), 0)]),
          ),
        ),
      )
    group = []
  }
  const by = columns.find((c) => c.name === report.groupBy)
  for (const row of rows) {
    if (by && (!group[0] || group[0][by.name] !== row[by.name])) {
      closeGroup()
      paper.push({
        kind: 'group',
        label: [cellText(language, by, row), row.groupName].filter(Boolean).join(' '),
      })
    }
    if (by) group.push(row)
    paper.push({ kind: 'row', cells: shown.map((c) => cellOf(ctx, c, row)) })
  }
  closeGroup()
  if (report.totals.length) paper.push(sumRow('total', totals))

  const { from, to } = filters as { from?: string; to?: string }
  const data: ReportData = {
    language,
    title: shape.title ?? t(`${shape.words}.title`),
    subtitle: [
      ...(shape.told ?? (await askedOf(ctx, report, shape.words, filters))),
      ...(shape.told?.length
        ? []
        : from && to
          ? [formatPeriod({ from, to })]
          : filters.day
            ? []
            : [formatMoment(ctx.now)]),
    ],
    business,
    columns: shown.map((c): ReportColumn => {
      const band = report.columns[c.name]?.band
      return {
        label: headOf(language, c),
        kind: kinds[c.field.kind] ?? 'text',
        ...(band ? { band: t(`${shape.words}.bands.${band}`) } : {}),
      }
    }),
    rows: paper,
    faults: faultsOf(ctx, { checks, shape }),
    checks: checks.filter((c) => c.ok).map((c) => t(`${shape.words}.checks.${c.name}`)),
    footer: [t('kit.report.made', { who: ctx.caller.fullName, when: formatMoment(ctx.now) })],
    pageWords: t('kit.report.page'),
    emptyWords: t('kit.report.empty'),
    madeAt: ctx.now,
    accent: business.accent,
  }
  return async () => ({
    bytes: await reportPdf(data),
    mime: 'application/pdf',
    name: `${report.name}.pdf`,
    inline: true,
  })
}
