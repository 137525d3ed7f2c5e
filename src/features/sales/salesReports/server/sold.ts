import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { incomeNet } from '#kit/server/data/documentFacts.ts'
import { costOfLine, costs } from './cost.ts'
import { rowsOfUnits, sumsOfUnits, unitOf, type OfUnit } from './kept.ts'
import { inCategory, incomeOf, sameItem, sign, soldLines, type Narrowed } from './parts.ts'

/** By what sales are summed. */
export type Way = 'item' | 'customer' | 'agent'

export interface Asked extends Narrowed {
  from: Day
  to: Day
  item?: string | undefined
  category?: string | undefined
}

/** What was sold of one item, to one customer, by one agent. Quantities in ten-thousandths. */
export interface Sold {
  /** Null: a line without an item, a paper without a card or an agent. */
  id: string | null
  papers: number
  lastDay: Day
  sold: number
  returned: number
  netAgorot: number
  /** Lines whose cost nobody knows, and what they came to. */
  unknownLines: number
  unknownAgorot: number
  costAgorot: number
}

type Row = OfUnit & Sold

const keys = { item: 's.item_id', customer: 's.customer_id', agent: 's.agent_id' } as const

/**
 * Sales of a period summed one way. The whole is kept by months and days; a part is asked of the database.
 */
export async function soldBy(ctx: Ctx, way: Way, asked: Asked): Promise<readonly Readonly<Sold>[]> {
  const { from, to, item, category, ...narrow } = asked
  const chosen = item ? sameItem(ctx, item) : category ? inCategory(ctx, category) : undefined
  const read = async (first: Day, last: Day): Promise<Row[]> =>
    (await sql<Row>`${sums(ctx, way, first, last, narrow, chosen)}`.execute(ctx.tx)).rows
  if (isWhole(ctx, asked))
    return [
      ...(await sumsOfUnits(ctx, `sold by ${way}`, { from, to }, await markOfCosts(ctx), read, add)).values(),
    ]
  const all = new Map<string | null, Row>()
  for (const row of await read(from, to)) {
    const one = all.get(row.id)
    if (one) add(one, row)
    else all.set(row.id, row)
  }
  return [...all.values()]
}

function add(one: Row, row: Row): void {
  one.papers += row.papers
  if (row.lastDay > one.lastDay) one.lastDay = row.lastDay
  one.sold += row.sold
  one.returned += row.returned
  one.netAgorot += row.netAgorot
  one.unknownLines += row.unknownLines
  one.unknownAgorot += row.unknownAgorot
  one.costAgorot += row.costAgorot
}

const sums = (
  ctx: Ctx,
  way: Way,
  from: Day,
  to: Day,
  narrow: Narrowed,
  chosen: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> => sql`
  with c as materialized (${costs(ctx)}), s as (${soldLines(ctx, from, to, narrow, chosen)}),
    l as (select s.*, ${costOfLine(ctx)} as cost from s left join c on c.id = s.item_id)
  select ${unitOf(ctx, sql`s.day`)} as unit, ${sql.raw(keys[way])} as id, count(distinct s.id)::int as papers,
    max(s.day) as "lastDay",
    coalesce(sum(s.quantity) filter (where s.quantity > 0) * 10000, 0)::bigint as sold,
    coalesce(sum(s.quantity) filter (where s.quantity < 0) * 10000, 0)::bigint as returned,
    sum(s.net)::bigint as "netAgorot", (count(*) filter (where s.cost is null))::int as "unknownLines",
    coalesce(sum(s.net) filter (where s.cost is null), 0)::bigint as "unknownAgorot",
    coalesce(sum(s.cost), 0)::bigint as "costAgorot"
  from l s group by 1, 2`

/** Changes whenever a cost may have, or a rate that one is exchanged by. */
async function markOfCosts(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{
    mark: string
  }>`select concat_ws(' ', (select count(*) || ' ' || coalesce(max(updated_at)::text, '') from items
    where company_id = ${ctx.companyId}),
    (select count(*) || ' ' || coalesce(max(updated_at)::text, '') from company_rates
    where company_id = ${ctx.companyId}), (select max(day)::text from exchange_rates)) as mark`.execute(
    ctx.tx,
  )
  return rows[0]!.mark
}

/**
 * By how much the lines are apart from the income of their documents; of a part of the lines nothing is said.
 */
export async function linesApart(ctx: Ctx, asked: Asked, way: Way = 'item'): Promise<number> {
  const { from, to, item, category, ...narrow } = asked
  if (item ?? category) return 0
  const sold = (await soldBy(ctx, way, asked)).reduce((sum, { netAgorot }) => sum + netAgorot, 0)
  const read = async (first: Day, last: Day) =>
    (
      await sql<
        OfUnit & { income: number }
      >`select ${unitOf(ctx, sql`d.day`)} as unit, sum((${sign}) * ${incomeNet('d')})::bigint as income
        from documents d where ${incomeOf(ctx, first, last, narrow)} group by 1`.execute(ctx.tx)
    ).rows
  const income = isWhole(ctx, asked)
    ? await rowsOfUnits(ctx, 'income', { from, to }, '', read)
    : await read(from, to)
  return income.reduce((sum, one) => sum + one.income, 0) - sold
}

/**
 * Every paper and every line of the period: what is worked out of them is the same for all who see the
 * business whole.
 */
const isWhole = (ctx: Ctx, { from: _from, to: _to, ...more }: Asked): boolean =>
  seesWhole(ctx.caller) && Object.values(more).every((one) => one === undefined)
