import { formatDay, formatMoney, formatPeriod, formatQuantity } from '#domain/format.ts'
import { factNamed, periodOf, type DimensionName, type Question } from '#domain/questions/model.ts'
import type { Figures } from '#domain/questions/table.ts'
import { toText } from '#domain/quantity.ts'
import type { ReportColumn, ReportRow } from '#kit/describe/report.ts'
import { money, number, percent, quantity, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FoundReport, Report } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { factsOfQuestion, saidKey } from '../said.ts'
import { run } from './run.ts'

/** The path of the screen on which a kept question is asked. */
export const pathOf = (id: string): string => `/invoice/reportbuilder?kept=${id}`

const fieldOf = (question: Question, n: number): ReportColumn => {
  const { name, as } = question.measures[n]!
  if (as === 'share') return percent()
  const { kind } = factNamed(question.fact).measures[name]!
  return kind === 'money' ? money() : kind === 'quantity' ? quantity() : number()
}

/** A question as a report: served, mailed and shared as any other, its columns those of its answer. */
export const reportOf = (
  question: Question,
  { name, title, id }: { name: string; title: string; id?: string },
): Report => ({
  name,
  title,
  feature: 'questions',
  group: 'own',
  path: id ? pathOf(id) : '/invoice/reportbuilder',
  allow: factNamed(question.fact).rule,
  // Amounts of the books are refused when the report runs, by `run`, to people who see a part of the business.
  respects: factNamed(question.fact).whole ? [] : ['ownCustomers', 'documentTypes'],
  filters: {},
  columns: {},
  totals: [],
  rows: () => Promise.resolve([]),
  found: (ctx) => found(ctx, question),
})

async function found(ctx: Ctx, question: Question): Promise<FoundReport> {
  const { language } = ctx.caller
  const answer = await run(ctx, question)
  // Cells have no marks of direction: programs that read files take these for letters.
  const t = (key: string, params?: Record<string, string | number>) =>
    say(language, key, params).replace(/[\u2066-\u2069]/g, '')
  const sayKey = (dimension: DimensionName, key: string, name: string | null) =>
    saidKey(t, dimension, key, name, formatDay)
  const columns: Record<string, ReportColumn> = {}
  question.rows.forEach((row, n) => {
    columns[`r${n}`] = { ...text(), heading: t(`questions.dimensions.${row}`) }
  })
  // A report has a text column for the label of its total.
  if (question.rows.length === 0) columns.r0 = { ...text(), heading: t(factsOfQuestion(question)) }
  const called = (n: number) => {
    const { name, as } = question.measures[n]!
    const word = t(`questions.measures.${question.fact}.${name}`)
    return as === 'value' ? word : t(`questions.as.${as}Of`, { measure: word })
  }
  const many = question.measures.length
  const sets = [...answer.columns.map((_, n) => n), 'all' as const]
  const shown = question.column && answer.columns.length === 0 ? ['all' as const] : sets
  for (const set of shown)
    for (let n = 0; n < many; n++) {
      const over =
        set === 'all'
          ? question.column
            ? t('questions.all')
            : ''
          : sayKey(question.column!, answer.columns[set]!.key, answer.columns[set]!.name)
      const heading = [over, !question.column || many > 1 ? called(n) : ''].filter(Boolean).join(' · ')
      columns[`c${set}_${n}`] = {
        ...fieldOf(question, n),
        heading,
        ...(set === 'all' && n === 0 ? { main: true } : {}),
      }
    }
  const put = (figures: (set: number | 'all') => Figures | null): Record<string, string | number | null> =>
    Object.fromEntries(
      shown.flatMap((set) =>
        question.measures.map((_, n) => {
          const value = figures(set)?.[n] ?? null
          const { kind } = columns[`c${set}_${n}`]!
          return [`c${set}_${n}`, value !== null && kind === 'quantity' ? toText(value) : value]
        }),
      ),
    )
  const rows: ReportRow[] = answer.rows.map((row) => ({
    ...(question.rows.length
      ? Object.fromEntries(
          question.rows.map((dimension, n) => [
            `r${n}`,
            row.others
              ? n === 0
                ? t('questions.others')
                : ''
              : sayKey(dimension, row.keys[n]!, row.names[n] ?? null),
          ]),
        )
      : {}),
    ...put((set) => (set === 'all' ? row.total : row.cells[set]!)),
  }))
  const totals = put((set) => (set === 'all' ? answer.totals.total : answer.totals.cells[set]!))
  if (question.rows.length === 0) rows.push({ r0: t('questions.all'), ...totals })
  const summed =
    question.rows.length === 0
      ? []
      : Object.keys(totals).filter((name) => columns[name]!.kind !== 'quantity' && totals[name] !== null)
  return {
    told: toldOf(question, answer.names, ctx, t),
    columns,
    totals: summed,
    rows,
    sums: Object.fromEntries(summed.map((name) => [name, Number(totals[name])])),
    groupBy:
      question.rows.length > 1 &&
      question.measures.every(({ as }) => as === 'value') &&
      isAllAdditive(question)
        ? 'r0'
        : undefined,
  }
}

const isAllAdditive = (question: Question): boolean =>
  question.measures.every(({ name }) =>
    ['sum', 'count'].includes(factNamed(question.fact).measures[name]!.how),
  )

/** The conditions of a question in words: on paper nobody sees its chips. */
function toldOf(
  question: Question,
  names: Record<string, string>,
  ctx: Ctx,
  t: (key: string, params?: Record<string, string | number>) => string,
): string[] {
  const { amounts } = factNamed(question.fact)
  const sum = (kind: string | undefined, value: number) =>
    kind === 'quantity' ? formatQuantity(value) : formatMoney(value)
  return question.filters.map((one): string => {
    if (one.kind === 'period') return formatPeriod(periodOf(one.period, ctx.today))
    if (one.kind === 'text') return `${t('questions.text')}: ${one.has}`
    if (one.kind === 'flag')
      return one.not
        ? t('questions.not', { name: t(`questions.flags.${one.flag}`) })
        : t(`questions.flags.${one.flag}`)
    if (one.kind === 'amount') {
      const ends = [
        ...(one.from === undefined
          ? []
          : [t('questions.fromOn', { sum: sum(amounts[one.amount], one.from) })]),
        ...(one.to === undefined ? [] : [t('questions.upTo', { sum: sum(amounts[one.amount], one.to) })]),
      ]
      return `${t(`questions.amounts.${one.amount}`)} ${ends.join(' ')}`
    }
    const word = t(`questions.dimensions.${one.dimension}`)
    const values = one.values.map((value) =>
      saidKey(t, one.dimension, value, names[value] ?? null, formatDay),
    )
    return `${one.not ? t('questions.not', { name: word }) : word}: ${values.join(', ')}`
  })
}
