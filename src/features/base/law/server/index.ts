import { sql } from 'kysely'
import { addMonths, startOfMonth, yearOf, type Day } from '#domain/day.ts'
import {
  coveredBy,
  dueKey,
  dueOfPeriod,
  dueOfYear,
  isDueDay,
  isYearDuty,
  periodDuties,
  yearDuties,
} from '#domain/law/dues.ts'
import { lawKeys, lawOn, laws } from '#domain/law/figures.ts'
import type { Law } from '#domain/law/dated.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { implement } from '#kit/server/contract/implement.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { isOperator } from '#features/base/session/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { keepLaw, refreshLaw } from './keep.ts'

export { refreshLaw } from './keep.ts'

/** So many months of reporting days are shown, from two before this one. */
const monthsShown = 16

function figuresOn(today: Day): calls.LawFigure[] {
  return lawKeys.map((key) => {
    const law: Law = laws[key]
    const answer = lawOn(key, today)
    return {
      key,
      unit: law.unit,
      value: answer.known ? answer.value : (answer.last ?? null),
      known: answer.known,
      knownTo: answer.known ? answer.knownTo : answer.after,
      source: answer.known ? answer.source : law.source,
      checked: answer.known ? answer.checked : law.checked,
      isEntered: answer.known && answer.isEntered,
    }
  })
}

function duesAround(today: Day): calls.LawDue[] {
  const months = Array.from({ length: monthsShown }, (_, i) => addMonths(startOfMonth(today), i - 2))
  const years = [yearOf(today) - 1, yearOf(today), yearOf(today) + 1]
  return [
    ...months.flatMap((month) =>
      periodDuties.map((duty) => ({ duty, period: month.slice(0, 7), ...dueOfPeriod(duty, month) })),
    ),
    ...years.flatMap((year) =>
      yearDuties.map((duty) => ({ duty, period: String(year), ...dueOfYear(duty, year) })),
    ),
  ]
}

async function needOperator(ctx: Ctx): Promise<void> {
  if (!(await isOperator(ctx))) throw fail('law.notOperator')
}

interface Given {
  key: string
  from: Day
  to: Day
  value: string
  source: string
}

/** Writes an entry down and lets it hold here at once; other processes follow within a second. */
async function enter(ctx: Ctx, given: Given, field: string): Promise<{ id: string }> {
  const id = newId()
  await asSystem(ctx.app.db, async (tx) => {
    // Two operators at once must not enter two values for one day.
    await sql`lock table law_entries in share row exclusive mode`.execute(tx)
    const { rows } = await sql`select 1 from law_entries where key = ${given.key} and revoked_at is null
      and from_day <= ${given.to} and to_day >= ${given.from}`.execute(tx)
    if (rows.length) throw failField(field, 'law.overlaps')
    await sql`insert into law_entries (id, key, from_day, to_day, value, source, by_user, at)
      values (${id}, ${given.key}, ${given.from}, ${given.to}, ${given.value}, ${given.source},
        ${ctx.caller.userId}, ${ctx.now})`.execute(tx)
  })
  await refreshLaw(ctx.app)
  await ctx.audit('law.enter', 'law', id, undefined, { ...given })
  return { id }
}

async function entriesOf(ctx: Ctx, withNames: boolean): Promise<calls.LawEntry[]> {
  const { rows } = await asSystem(ctx.app.db, (tx) =>
    sql<calls.LawEntry>`select e.id, e.key, e.from_day::text as "from", e.to_day::text as "to", e.value,
        e.source, e.at, u.full_name as by, e.revoked_at as "revokedAt", r.full_name as "revokedBy",
        e.revoked_why as "revokedWhy"
      from law_entries e join users u on u.id = e.by_user left join users r on r.id = e.revoked_by
      order by e.at desc, e.id desc limit 300`.execute(tx),
  )
  return withNames ? rows : rows.map((row) => ({ ...row, by: '', revokedBy: null, revokedWhy: '' }))
}

export const implementations = [
  implement(calls.lawTable, async (ctx) => {
    const mayEnter = await isOperator(ctx)
    return {
      mayEnter,
      figures: figuresOn(ctx.today),
      dues: duesAround(ctx.today),
      entries: await entriesOf(ctx, mayEnter),
    }
  }),
  implement(calls.enterFigure, async (ctx, { key, from, to, value, source }) => {
    await needOperator(ctx)
    const law: Law = laws[key]
    if (to < from) throw failField('to', 'law.order')
    // What the tables of the code say of days before is settled: an entry goes on from there.
    const last = law.steps.at(-1)![0]
    if (from < last) throw failField('from', 'law.tooEarly', { day: last })
    const most = law.unit === 'basisPoints' ? 10_000 : 100_000_000_000
    if (value < (law.unit === 'basisPoints' ? 0 : 1) || value > most) throw failField('value', 'law.range')
    return enter(ctx, { key, from, to, value: String(value), source }, 'from')
  }),
  implement(calls.enterDue, async (ctx, { duty, period, day, source }) => {
    await needOperator(ctx)
    if (isYearDuty(duty) !== (period.length === 4)) throw failField('period', 'law.range')
    const { from, to } = coveredBy(duty, period)
    if (!isDueDay(to, day)) throw failField('day', 'law.dueRange')
    return enter(ctx, { key: dueKey(duty), from, to, value: day, source }, 'period')
  }),
  implement(calls.revokeEntry, async (ctx, { id, why }) => {
    const mayEnter = await isOperator(ctx)
    const entry = await asSystem(ctx.app.db, async (tx) => {
      const { rows } = await sql<Given & { revoked: boolean }>`select key, from_day::text as "from",
          to_day::text as "to", value, source, revoked_at is not null as revoked
        from law_entries where id = ${id} for update`.execute(tx)
      if (!rows[0]) throw fail('kit.notFound')
      if (!mayEnter) throw fail('law.notOperator')
      const { revoked, ...given } = rows[0]
      if (revoked) throw fail('law.revokedBefore')
      await sql`update law_entries set revoked_at = ${ctx.now}, revoked_by = ${ctx.caller.userId},
          revoked_why = ${why} where id = ${id}`.execute(tx)
      return given
    })
    await refreshLaw(ctx.app)
    await ctx.audit('law.revoke', 'law', id, { ...entry }, { why })
    return { done: true as const }
  }),
]

export const start = (app: App): Promise<() => Promise<void>> => keepLaw(app)

export const machines: Machines = {
  'timer keep.ts': { inside: 'what an operator entered of the law holds in this process too' },
}
