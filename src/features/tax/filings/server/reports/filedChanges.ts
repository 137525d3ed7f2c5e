import { sql } from 'kysely'
import type { Day, Period } from '#domain/day.ts'
import { formatPeriod } from '#domain/format.ts'
import type { Keyed } from '#domain/filings/withheld.ts'
import { sum } from '#domain/money.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import type { Ctx } from '#kit/server/context.ts'
import { choice, day, money, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { turnoverIn, withheldIn } from '../bothWays.ts'

type Form = 'advance' | 'small'

/** What was reported of a period, and when by the clock of the entries. */
interface Filed extends Period {
  form: Form
  turnover: number
  withheld: number
}

const filedWithin = (ctx: Ctx, { from, to }: Period, form: Form | undefined) => sql<Filed & { at: string }>`
  select 'advance' as form, period_from as "from", period_to as "to", turnover_agorot as turnover,
    withheld_agorot as withheld, filed_at as at
  from advance_filings where company_id = ${ctx.companyId} and period_from <= ${to} and period_to >= ${from}
    and coalesce(${form ?? null}, 'advance') = 'advance'
  union all select 'small', make_date(year, 1, 1), make_date(year, 12, 31),
    (figures->>'turnoverAgorot')::bigint, (figures->>'withheldAgorot')::bigint, filed_at
  from small_statements where company_id = ${ctx.companyId} and reopened_at is null
    and year between extract(year from ${from}::date) and extract(year from ${to}::date)
    and coalesce(${form ?? null}, 'small') = 'small'
  order by 2, 1`

interface Change {
  key: string
  turnover: number
  withheld: number
  day: Day
  number: string
  name: string
  entered: Day
  isDocument: boolean
}

/** Documents and entries of these keys that entered the books after a moment. */
async function enteredAfter(ctx: Ctx, keys: readonly string[], at: string) {
  const { rows } = await sql<Omit<Change, 'turnover' | 'withheld'>>`
    select coalesce(e.document_id, e.id) as key, coalesce(d.day, e.day) as day,
      coalesce(d.number::text, e.reference) as number, coalesce(d.customer->>'name', e.details) as name,
      (e.created_at at time zone 'Asia/Jerusalem')::date as entered, d.id is not null as "isDocument"
    from (select distinct on (coalesce(n.document_id, n.id)) n.* from entries n
        where n.company_id = ${ctx.companyId}
          and (n.id = any(${keys}::uuid[]) or n.document_id = any(${keys}::uuid[]))
        order by coalesce(n.document_id, n.id), n.created_at, n.id) e
      left join documents d on d.company_id = e.company_id and d.id = e.document_id
    where e.created_at > ${at}
    order by 2, 1`.execute(ctx.tx)
  return rows
}

/** The documents of a reported period that were entered later, and what they leave unexplained. */
async function changesOf(ctx: Ctx, filed: Filed & { at: string }) {
  const turnover = (await turnoverIn(ctx, filed)).papers
  const withheld = (await withheldIn(ctx, filed)).papers
  const found = await enteredAfter(
    ctx,
    [...new Set([...turnover, ...withheld].map(({ key }) => key))],
    filed.at,
  )
  const of = (list: readonly Keyed[], key: string) =>
    sum(list.filter((one) => one.key === key).map(({ amount }) => amount))
  const rows: Change[] = found.map((one) => ({
    ...one,
    turnover: of(turnover, one.key),
    withheld: of(withheld, one.key),
  }))
  const whole = (list: readonly Keyed[]) => sum(list.map(({ amount }) => amount))
  return {
    filed,
    rows,
    apartAgorot:
      Math.abs(whole(turnover) - filed.turnover - sum(rows.map((row) => row.turnover))) +
      Math.abs(whole(withheld) - filed.withheld - sum(rows.map((row) => row.withheld))),
  }
}

async function changesWithin(ctx: Ctx, period: Period, form: Form | undefined) {
  const { rows } = await filedWithin(ctx, period, form).execute(ctx.tx)
  const found = []
  for (const filed of rows) found.push(await changesOf(ctx, filed))
  return found
}

/**
 * What changed since filing in returns of which only totals are kept: advances that were reported and short statements
 * of small businesses. Every document of such a period that entered the books later, with what it adds.
 */
export const filedChanges = defineReport({
  name: 'filedChanges',
  feature: 'filings',
  group: 'tax',
  path: '/invoice/reportfiledchanges',
  allow: 'filings.see',
  filters: { from: day({ need: true }), to: day({ need: true }), form: choice(['advance', 'small']) },
  columns: {
    period: text(),
    form: choice(['advance', 'small']),
    day: day(),
    number: text(),
    name: text(),
    entered: day(),
    turnoverAgorot: money({ main: true } as object),
    withheldAgorot: money(),
  },
  groupBy: 'period',
  totals: ['turnoverAgorot', 'withheldAgorot'],
  rows: async (ctx, { from, to, form }) =>
    (await changesWithin(ctx, { from, to }, form)).flatMap(({ filed, rows }) =>
      rows.map(({ key, turnover, withheld, isDocument, ...row }): ReportRow => ({
        ...row,
        period: formatPeriod(filed),
        form: filed.form,
        turnoverAgorot: turnover,
        withheldAgorot: withheld,
        open: isDocument ? `/invoice/preview/${key}` : `/invoice/entries/${key}`,
      })),
    ),
  apart: {
    explained: async (ctx, { from, to, form }) =>
      sum((await changesWithin(ctx, { from, to }, form)).map(({ apartAgorot }) => apartAgorot)),
  },
})
