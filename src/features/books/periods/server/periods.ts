import { sql, type RawBuilder } from 'kysely'
import { addMonths, endOfMonth, monthPeriod, yearOf, yearPeriod, type Day, type Period } from '#domain/day.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { PeriodLock, PeriodRow } from '../endpoints.ts'
import { checksOf } from './checks.ts'

databaseFailures.PK271 = () => fail('periods.frozen')

type Kind = 'month' | 'year'

const locks = (
  ctx: Ctx,
  where: RawBuilder<unknown>,
) => sql<PeriodLock>`select p.id, p.kind, p.from_day as "from", p.to_day as "to", p.locked_at as "closedAt",
    l.full_name as "closedBy", p.note, p.checks, p.reopened_at as "reopenedAt", r.full_name as "reopenedBy",
    p.reopen_reason as reason
  from locked_periods p left join users l on l.id = p.locked_by left join users r on r.id = p.reopened_by
  where p.company_id = ${ctx.companyId} and ${where} order by p.locked_at desc limit 200`

const periodOf = (kind: Kind, day: Day): Period => (kind === 'month' ? monthPeriod(day) : yearPeriod(day))

const refusePart = (ctx: Ctx): void => {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

export async function list(ctx: Ctx, { year: asked }: { year?: number | undefined }) {
  refusePart(ctx)
  const year = asked ?? yearOf(ctx.today)
  const from = `${year}-01-01`
  const to = `${year}-12-31`
  const { rows: history } = await locks(ctx, sql`p.from_day <= ${to} and p.to_day >= ${from}`).execute(ctx.tx)
  const { rows: counts } = await sql<{
    month: Day
    entries: number
  }>`select date_trunc('month', day)::date as month, count(*)::int as entries from entries
    where company_id = ${ctx.companyId} and day between ${from} and ${to} group by 1`.execute(ctx.tx)
  const { rows: known } = await sql<{
    year: number
  }>`select distinct extract(year from month)::int as year from account_months
    where company_id = ${ctx.companyId} order by 1 desc`.execute(ctx.tx)
  const standing = history.filter((p) => p.reopenedAt === null)
  const rowOf = (kind: Kind, period: Period): PeriodRow => {
    const own = standing.find((p) => p.kind === kind && p.from === period.from && p.to === period.to)
    const byYear = standing.find((p) => p.kind === 'year' && p.from <= period.from && p.to >= period.to)
    const by = own ?? byYear
    return {
      ...period,
      state: own
        ? 'closed'
        : byYear
          ? 'closedByYear'
          : period.from > ctx.today
            ? 'ahead'
            : period.to >= ctx.today
              ? 'running'
              : 'open',
      lockId: own?.id ?? null,
      vatFiled: standing.some((p) => p.kind === 'vat' && p.from <= period.from && p.to >= period.to),
      entries: counts
        .filter((c) => c.month >= period.from && c.month <= period.to)
        .reduce((all, c) => all + c.entries, 0),
      closedAt: by?.closedAt ?? null,
      closedBy: by?.closedBy ?? null,
    }
  }
  return {
    year,
    years: [...new Set([yearOf(ctx.today), year, ...known.map((k) => k.year)])].toSorted((a, b) => b - a),
    yearRow: rowOf('year', { from, to }),
    months: Array.from({ length: 12 }, (_, i) => {
      const first = addMonths(from, i)
      return rowOf('month', { from: first, to: endOfMonth(first) })
    }),
    history,
  }
}

export async function check(ctx: Ctx, { kind, from }: { kind: Kind; from: Day }) {
  refusePart(ctx)
  const period = periodOf(kind, from)
  return { ...period, checks: await checksOf(ctx, kind, period) }
}

/**
 * Closes a month or a year. The business's row is held first, so that nothing that is being posted at this
 * moment slips in behind the list. A year only locks: what rolls over is arithmetic in the reports.
 */
export async function close(
  ctx: Ctx,
  { kind, from, despite, note }: { kind: Kind; from: Day; despite: boolean; note: string },
): Promise<PeriodLock> {
  refusePart(ctx)
  await sql`select 1 from companies where id = ${ctx.companyId} for update`.execute(ctx.tx)
  const period = periodOf(kind, from)
  if (period.to >= ctx.today) throw fail('periods.notOver', { day: period.to })
  const { rows } = await locks(
    ctx,
    sql`p.reopened_at is null and p.kind in ('month', 'year') and p.from_day <= ${period.from}
        and p.to_day >= ${period.to}`,
  ).execute(ctx.tx)
  if (rows.length) throw fail('periods.alreadyClosed')
  const checks = await checksOf(ctx, kind, period)
  const stops = checks.filter((c) => c.state === 'stop')
  if (stops.length) throw fail('periods.blocked', { count: stops.length })
  const waits = checks.filter((c) => c.state === 'look')
  if (waits.length && !despite) throw fail('periods.waits', { count: waits.length })
  const id = newId()
  await sql`insert into locked_periods (company_id, id, kind, from_day, to_day, locked_at, locked_by, checks,
      note)
    values (${ctx.companyId}, ${id}, ${kind}, ${period.from}, ${period.to}, clock_timestamp(),
      ${ctx.caller.userId}, ${JSON.stringify(checks)}, ${note})`.execute(ctx.tx)
  await ctx.audit('periods.close', 'lockedPeriods', id, undefined, {
    kind,
    ...period,
    note,
    left: waits.map((w) => w.name),
  })
  return (await locks(ctx, sql`p.id = ${id}`).execute(ctx.tx)).rows[0]!
}

export async function reopen(ctx: Ctx, { id, reason }: { id: string; reason: string }): Promise<PeriodLock> {
  refusePart(ctx)
  const { rows } = await sql<{
    kind: string
    from: Day
    to: Day
    gone: boolean
  }>`select kind, from_day as "from", to_day as "to", reopened_at is not null as gone
    from locked_periods where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  const lock = rows[0]
  // A VAT period is reopened with its filing, not here.
  if (!lock || lock.kind === 'vat') throw fail('kit.notFound')
  if (lock.gone) throw fail('periods.notClosed')
  await sql`update locked_periods set reopened_at = ${ctx.now}, reopened_by = ${ctx.caller.userId},
      reopen_reason = ${reason}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    'periods.reopen',
    'lockedPeriods',
    id,
    { kind: lock.kind, from: lock.from, to: lock.to },
    { reason },
  )
  return (await locks(ctx, sql`p.id = ${id}`).execute(ctx.tx)).rows[0]!
}
