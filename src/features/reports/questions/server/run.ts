import { sql } from 'kysely'
import { toSafeNumber } from '#domain/money.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import {
  dimensionNamed,
  faultsOf,
  periodOf,
  type DimensionName,
  type Question,
} from '#domain/questions/model.ts'
import { tableOf, type Group } from '#domain/questions/table.ts'
import { fail, forbidden, Failure } from '#kit/describe/errors.ts'
import { can, isOff } from '#kit/describe/session.ts'
import { areaOf } from '#kit/describe/area.ts'
import type { Ctx } from '#kit/server/context.ts'
import { factNamed } from '#domain/questions/model.ts'
import type { Answer, CellLine } from '../endpoints.ts'
import { isHiddenFrom, mayAskAbout } from '../rights.ts'
import { countedIn, linesOf, namesOf, othersKey, pivotOf, type Cell } from './compile.ts'

/** Longer than anybody waits for a table, shorter than what would keep others from theirs. */
const mostSeconds = 8

/** Refuses a question that does not fit together or that its asker may not ask. */
export function checkQuestion(ctx: Ctx, question: Question): void {
  const faults = faultsOf(question)
  if (faults.length)
    throw new Failure(
      'kit.badInput',
      {},
      faults.map(({ path, code }) => ({ path: `question.${path}`, code: `questions.${code}` })),
    )
  const { rule } = factNamed(question.fact)
  const area = areaOf(rule)
  if (area && isOff(ctx.caller, area)) throw fail('kit.areaOff', { area })
  if (!mayAskAbout(ctx.caller, question.fact))
    throw forbidden(can(ctx.caller, rule) ? { sight: 'whole' } : { rule })
  // Also where amounts are only filtered by: repeated questions would reveal them.
  if (isHiddenFrom(ctx.caller, question)) throw fail('questions.hidden')
}

/**
 * Runs a query that people make up: one that takes too long is ended and said to be, so that nobody else
 * waits for it.
 */
async function bounded<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  // A year by customer and month is too much for the room a statement commonly has, and would go by way of
  // the disk; compiling costs more than it spares.
  await sql
    .raw(`set local statement_timeout = '${mostSeconds}s'; set local work_mem = '32MB'; set local jit = off`)
    .execute(ctx.tx)
  try {
    const done = await work()
    await sql
      .raw('set local statement_timeout to default; set local work_mem to default; set local jit to default')
      .execute(ctx.tx)
    return done
  } catch (e) {
    if ((e as { code?: string }).code === '57014') throw fail('questions.tooSlow', { seconds: mostSeconds })
    throw e
  }
}

const whole = (figure: number | string | null): number | null =>
  figure === null ? null : toSafeNumber(BigInt(figure))

export async function run(ctx: Ctx, question: Question): Promise<Answer> {
  checkQuestion(ctx, question)
  const { rows } = await bounded(ctx, () => pivotOf(question, ctx).execute(ctx.tx))
  const groups = rows.map((one): Group => ({
    ...one,
    at: one.at === null ? null : Number(one.at),
    many: one.many === null ? null : Number(one.many),
    figures: one.figures.map(whole),
  }))
  const period = question.filters.find((one) => one.kind === 'period')
  return {
    ...tableOf(groups, question, ctx.caller.language, othersKey),
    period: period ? periodOf(period.period, ctx.today) : null,
    names: await filterNames(ctx, question),
  }
}

/** What the records are called that filters name by their ids; one of another business is called nothing. */
export async function filterNames(ctx: Ctx, question: Question): Promise<Record<string, string>> {
  const names: Record<string, string> = {}
  for (const filter of question.filters) {
    if (filter.kind !== 'is' || dimensionNamed(filter.dimension).kind !== 'record') continue
    const ids = filter.values.filter((value) => value !== '')
    const { rows } = await (
      namesOf(filter.dimension, ids, ctx) as ReturnType<typeof sql<{ id: string; name: string | null }>>
    ).execute(ctx.tx)
    for (const { id, name } of rows) if (name) names[id] = name
  }
  return names
}

const page = 100

export async function cellLines(
  ctx: Ctx,
  question: Question,
  cell: Cell,
  after: number,
): Promise<{ rows: CellLine[]; more: boolean }> {
  checkQuestion(ctx, question)
  const fits =
    cell.rows.length <= question.rows.length &&
    (cell.column === null || question.column !== null) &&
    cell.rows.every((key, n) => isKeyOf(question.rows[n]!, key)) &&
    (cell.column === null || isKeyOf(question.column!, cell.column)) &&
    (!cell.others || (question.top !== null && cell.rows.length === 0))
  if (!fits) throw fail('kit.notFound')
  const { rows } = await bounded(ctx, () => linesOf(question, ctx, cell, page, after).execute(ctx.tx))
  const found = (
    rows as (Omit<CellLine, 'type' | 'figure'> & { typeId: number | null; figure: string | number | null })[]
  ).map(({ typeId, figure, ...line }): CellLine => ({
    ...line,
    type: typeId === null ? null : (documentTypeById(typeId) ?? null),
    figure:
      ctx.caller.hideTotalPrices &&
      countedIn(question).some((name) => factNamed(question.fact).measures[name]!.kind === 'money')
        ? null
        : whole(figure),
  }))
  return { rows: found.slice(0, page), more: found.length > page }
}

const isKeyOf = (name: DimensionName, key: string): boolean =>
  dimensionNamed(name).kind !== 'record' ||
  key === '' ||
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)
