import { sql } from 'kysely'
import { numberKey } from '#domain/vat/bills.ts'
import { paperNames } from '#domain/vat/shares.ts'
import { fold } from '#domain/fold.ts'
import { can } from '#kit/describe/session.ts'
import { Failure, type FieldError } from '#kit/describe/errors.ts'
import { defineResource } from '#kit/describe/resource.ts'
import { choice, currency, day, money, taxId, text } from '#kit/fields/field.ts'
import { parse } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { registerGroupedImport, type GivenValues } from '#kit/server/described/groupedImports.ts'
import { languages, say } from '#kit/server/words.ts'
import { expenseInput } from '../endpoints.ts'
import { expenses, means } from '../expenses.ts'
import { cancelExpense, createExpense, deleteExpense } from './enter.ts'
import { load } from './load.ts'
import { ensureTypes, typeName } from './types.ts'

/**
 * A row of a file of expenses: one line of a bill, with the values of its head. Rows of one supplier and number are
 * one bill.
 */
export const expenseRows = defineResource({
  name: expenses.name,
  table: expenses.table,
  title: 'supplierName',
  fields: {
    day: day({ need: true }),
    supplierName: text({ need: true, max: 200 }),
    supplierTaxId: taxId(),
    supplierNumber: text({ need: true, max: 40 }),
    paper: choice(paperNames),
    typeName: text({ need: true, max: 120 }),
    lineDetails: text({ max: 200 }),
    // Two of the three say the third.
    netAgorot: money(),
    vatAgorot: money(),
    totalAgorot: money(),
    currency: currency(),
    rate: text({ max: 20 }),
    means: choice(means),
    paidDay: day(),
    dueDay: day(),
    allocationNumber: text({ max: 30 }),
    project: text({ max: 200 }),
    details: text({ max: 200 }),
  },
  list: {
    columns: ['day', 'supplierName', 'supplierNumber', 'typeName', 'totalAgorot'],
    filters: [],
    sort: ['day', 'desc'],
  },
  form: [
    {
      section: 'main',
      fields: [
        'day',
        'supplierName',
        'supplierTaxId',
        'supplierNumber',
        'typeName',
        'lineDetails',
        'netAgorot',
        'vatAgorot',
        'totalAgorot',
        'paper',
        'means',
        'paidDay',
        'dueDay',
        'allocationNumber',
        'currency',
        'rate',
        'project',
        'details',
      ],
    },
  ],
  allow: { see: 'expenses.enter', change: 'expenses.enter' },
  screens: expenses.screens,
})

/** The values a bill has once, whatever the number of its lines. */
const heads = [
  'day',
  'supplierTaxId',
  'paper',
  'currency',
  'rate',
  'means',
  'paidDay',
  'dueDay',
  'allocationNumber',
  'details',
] as const

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const refused = (errors: FieldError[]) => new Failure('kit.badInput', {}, errors)

/** What a line comes to before VAT, and its VAT: of net, VAT and total any two are enough. */
function sumsOf(row: GivenValues): { netAgorot: number; vatAgorot: number } | undefined {
  const [net, vat, total] = [row.netAgorot, row.vatAgorot, row.totalAgorot] as (number | undefined)[]
  if (net !== undefined && total !== undefined && vat !== undefined && net + vat !== total) return undefined
  if (net !== undefined) return { netAgorot: net, vatAgorot: vat ?? (total === undefined ? 0 : total - net) }
  return total !== undefined && vat !== undefined ? { netAgorot: total - vat, vatAgorot: vat } : undefined
}

/**
 * Kinds of expense by every name they have: the business's own, the template's in all languages, the number
 * of the account where it is one kind's.
 */
async function kinds(ctx: Ctx): Promise<Map<string, string | null>> {
  await ensureTypes(ctx)
  const { rows } = await sql<{ id: string; key: string | null; name: string; number: string }>`
    select t.id, t.key, ${typeName(ctx.caller.language)} as name, a.number from expense_types t
    join accounts a on a.company_id = t.company_id and a.id = t.account_id
    where t.company_id = ${ctx.companyId} and t.archived_at is null`.execute(ctx.tx)
  const found = new Map<string, string | null>()
  const add = (word: string, id: string) => {
    const known = fold(word) || word
    // A word of two kinds is the name of none.
    found.set(known, found.has(known) && found.get(known) !== id ? null : id)
  }
  for (const { id, key, name, number } of rows)
    for (const word of new Set([
      name,
      number,
      ...(key ? languages.map((language) => say(language, `expenses.types.${key}`)) : []),
    ]))
      add(word, id)
  for (const { id, name } of rows) found.set(fold(name) || name, id)
  return found
}

async function projectOf(ctx: Ctx, word: string): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from projects where company_id = ${ctx.companyId} and archived_at is null
    and (number = ${word} or lower(name) = lower(${word})) limit 2`.execute(ctx.tx)
  return rows.map(({ id }) => id)
}

/** The bill that some rows say, as it would be typed in. */
async function contentOf(ctx: Ctx, rows: readonly GivenValues[]) {
  const errors: FieldError[] = []
  const [first = {}] = rows
  for (const [i, row] of rows.entries())
    for (const name of heads)
      // A head that is left out on the further lines is the first one's.
      if (row[name] !== undefined && row[name] !== first[name])
        errors.push({ path: `rows.${i}.${name}`, code: 'expenses.rowsDiffer' })
  const known = await kinds(ctx)
  const lines = []
  for (const [i, row] of rows.entries()) {
    const kind = textOf(row.typeName)
    const typeId = known.get(fold(kind) || kind)
    if (!typeId)
      errors.push({
        path: `rows.${i}.typeName`,
        code: typeId === null ? 'imports.refMany' : 'imports.refMissing',
        params: { text: kind.slice(0, 60) },
      })
    const sums = sumsOf(row)
    if (!sums)
      errors.push({
        path: `rows.${i}.${row.netAgorot === undefined ? 'netAgorot' : 'totalAgorot'}`,
        code: 'expenses.sumsNeeded',
      })
    const project = textOf(row.project)
    const projects = project ? await projectOf(ctx, project) : []
    if (project && projects.length !== 1)
      errors.push({
        path: `rows.${i}.project`,
        code: projects.length ? 'imports.refMany' : 'imports.refMissing',
        params: { text: project.slice(0, 60) },
      })
    lines.push({
      typeId,
      details: textOf(row.lineDetails),
      ...sums,
      ...(projects[0] ? { projectId: projects[0] } : {}),
    })
  }
  if (errors.length) throw refused(errors)
  const said = (name: string) => textOf(first[name]) || undefined
  return parse(expenseInput, {
    supplier: { name: textOf(first.supplierName), taxId: said('supplierTaxId') },
    supplierNumber: textOf(first.supplierNumber),
    paper: said('paper'),
    date: said('day'),
    dueDate: said('dueDay'),
    allocationNumber: said('allocationNumber'),
    details: said('details'),
    currency: said('currency'),
    rate: said('rate'),
    lines,
    means: said('means'),
    paidDate: said('paidDay'),
    source: 'import',
  })
}

/** The fields of a bill by the names they have in a file. */
const fieldNames: Record<string, string> = {
  supplierId: 'supplierName',
  date: 'day',
  vatDate: 'day',
  dueDate: 'dueDay',
  paidDate: 'paidDay',
  typeId: 'typeName',
  projectId: 'project',
}

/**
 * Expenses from a file: grouped by supplier and number, entered by the rights of the person who brings them (who may
 * not approve leaves them waiting), and never a second time: a bill of the same supplier, number and sum is
 * the one that is there.
 */
registerGroupedImport({
  resource: expenseRows,
  keyOf: (row) => {
    const number = numberKey(textOf(row.supplierNumber))
    const name = textOf(row.supplierName)
    return number && name ? `bill=${fold(name) || name}\t${number}` : undefined
  },
  make: async (ctx, rows) => {
    const { id } = await createExpense(ctx, await contentOf(ctx, rows))
    return { id }
  },
  twinOf: ({ code, params }) => (code === 'expenses.duplicate' ? String(params.id) : undefined),
  placeOf: (path) => {
    const [part = '', at = '', name = ''] = path.split('.')
    if (part === 'rows') return { row: Number(at), field: name }
    if (part === 'lines') return { row: Number(at) || 0, field: fieldNames[name] ?? name ?? 'netAgorot' }
    if (part === 'supplier') return { row: 0, field: at === 'taxId' ? 'supplierTaxId' : 'supplierName' }
    return { row: 0, field: fieldNames[part] ?? (part || null) }
  },
  takeBack: async (ctx, id) => {
    const e = await load(ctx, id, true)
    if (e.state === 'cancelled') return 'gone'
    if (e.state !== 'approved') {
      await deleteExpense(ctx, id)
      return 'archived'
    }
    if (!can(ctx.caller, 'expenses.approve')) return 'forbidden'
    await cancelExpense(ctx, { id, reason: say(ctx.caller.language, 'imports.undoReason') })
    return 'archived'
  },
})
