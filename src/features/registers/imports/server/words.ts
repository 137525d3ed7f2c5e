import { sql } from 'kysely'
import { forbidden } from '#kit/describe/errors.ts'
import { number, text, longText, type Fields } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import type { ExportTable } from '#kit/server/described/exports/table.ts'
import { Later, type FileAnswer } from '#kit/server/contract/implement.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { say } from '#kit/server/words.ts'
import type { Outcome } from '../endpoints.ts'
import { targetsOf, type Target } from './fields.ts'
import type { Fault } from './plan.ts'
import type { StoredImport } from './store.ts'

interface Row {
  row_no: number
  outcome: Outcome
  given: Record<string, unknown> | null
  faults: Fault[] | null
  raw: string[] | null
  target_id: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  undone: string | null
}

const pageSize = 100

/** The rows of an import by their outcome; 'refused' are those that could not be undone. */
export async function rowsOf(
  ctx: Ctx,
  one: StoredImport,
  outcome: Outcome | 'refused',
  after: number,
  most = pageSize,
): Promise<{ rows: Row[]; next: number | null }> {
  const which =
    outcome === 'refused' ? sql`undone not in ('archived', 'restored')` : sql`outcome = ${outcome}`
  const { rows } = await sql<Row>`select row_no, outcome, given, faults, raw, target_id, before, after, undone
      from import_rows
    where company_id = ${ctx.companyId} and import_id = ${one.id} and ${which} and row_no > ${after}
    order by row_no limit ${most + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, most)
  return { rows: shown, next: rows.length > most ? shown.at(-1)!.row_no : null }
}

const isFigure = ({ kind }: { kind: string }): boolean => kind === 'money' || kind === 'price'

/**
 * The content of a column without a field is unknown, so it is hidden from people who may not see amounts.
 */
const isHidden = (ctx: Ctx, target: Target | undefined): boolean =>
  ctx.caller.hideTotalPrices && (!target || isFigure(target.field))

/** Values of a record without its figures, for the person who may not see them. */
const shownOf = (
  ctx: Ctx,
  { resource }: ServedResource,
  values: Record<string, unknown>,
): Record<string, unknown> => {
  if (!ctx.caller.hideTotalPrices) return values
  const fields = resource.fields as Fields
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => fields[name] && !isFigure(fields[name])),
  )
}

/** The headings of a file with sample values, without amounts for people who may not see them. */
export const headOf = (ctx: Ctx, one: StoredImport, targets: Target[]): StoredImport['head'] => ({
  ...one.head,
  columns: one.head.columns.map((column, at) =>
    isHidden(
      ctx,
      targets.find(({ name }) => name === one.mapping[at]),
    )
      ? { ...column, samples: [] }
      : column,
  ),
})

/** A fault in words, with its column. */
function inWords(ctx: Ctx, one: StoredImport, targets: Target[], row: Row, fault: Fault) {
  const column = fault.column ?? (fault.field === null ? -1 : one.mapping.indexOf(fault.field))
  const target = targets.find(({ name }) => name === fault.field)
  const hidden = isHidden(ctx, target)
  const params = hidden
    ? Object.fromEntries(Object.keys(fault.params ?? {}).map((name) => [name, '…']))
    : (fault.params ?? {})
  return {
    column: column >= 0 ? column : null,
    title: target?.title ?? (one.head.columns[column]?.title || ''),
    value: column >= 0 && !hidden ? (row.raw?.[column] ?? '').slice(0, 200) : '',
    field: fault.field,
    code: fault.code,
    params,
    text: say(ctx.caller.language, `errors.${fault.code}`, params),
  }
}

export async function rowsInWords(
  ctx: Ctx,
  source: ServedResource,
  one: StoredImport,
  outcome: Outcome | 'refused',
  after: number,
) {
  const targets = await targetsOf(ctx, source)
  const { rows, next } = await rowsOf(ctx, one, outcome, after)
  const title = source.resource.title as string
  const titleColumn = one.mapping.indexOf(title)
  return {
    rows: rows.map((row) => ({
      row: row.row_no,
      outcome: row.outcome,
      title: String(row.given?.[title] ?? row.raw?.[titleColumn] ?? '').slice(0, 200),
      targetId: row.target_id,
      faults: (row.faults ?? []).map((fault) => inWords(ctx, one, targets, row, fault)),
      before: shownOf(ctx, source, row.before ?? {}),
      after: shownOf(ctx, source, row.after ?? (row.outcome === 'create' ? (row.given ?? {}) : {})),
      undone: row.undone,
    })),
    next,
  }
}

const mostInFile = 20_000

/**
 * The faulty rows as they stood in the file, their faults first: mended there, the same workbook can be
 * brought in again.
 */
export async function faultsFile(
  ctx: Ctx,
  source: ServedResource,
  one: StoredImport,
): Promise<Later<FileAnswer>> {
  // The rows stand there as they were brought, figures and all.
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const targets = await targetsOf(ctx, source)
  const { rows } = await rowsOf(ctx, one, 'faulty', 0, mostInFile)
  const table: ExportTable = {
    format: 'xlsx',
    language: ctx.caller.language,
    name: `${one.name.replace(/\.\w+$/, '')}-${say(ctx.caller.language, 'imports.faultsFile')}`,
    title: 'imports.faultsFile',
    columns: [
      { name: 'row', field: number(), title: 'imports.rowNumber', words: '' },
      { name: 'faults', field: longText(), title: 'imports.whatIsWrong', words: '' },
      ...one.head.columns.map((column, at) => ({
        name: `c${at}`,
        field: text(),
        // Without a heading in the file, that of its field, so that the corrected file is recognized again.
        title: column.title || targets.find(({ name }) => name === one.mapping[at])?.title || String(at + 1),
        words: '',
      })),
    ],
    rows: rows.map((row) => ({
      row: row.row_no,
      faults: (row.faults ?? [])
        .map((fault) => inWords(ctx, one, targets, row, fault))
        .map(({ title, text: what }) => (title ? `${title}: ${what}` : what))
        .join('\n'),
      ...Object.fromEntries((row.raw ?? []).map((cell, at) => [`c${at}`, cell])),
    })),
  }
  return new Later(() => exportTable(table))
}

/** An empty workbook with the heads of a register. */
export async function template(ctx: Ctx, source: ServedResource): Promise<FileAnswer> {
  const targets = await targetsOf(ctx, source)
  return exportTable({
    format: 'xlsx',
    language: ctx.caller.language,
    name: source.resource.name,
    title: `${source.resource.name}.title`,
    columns: targets.map(({ name, title }) => ({ name, field: text(), title, words: '' })),
    rows: [],
  })
}
