import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import type {
  BatchAnswer,
  BatchHead,
  automaticBatches as automaticCall,
  JournalLine,
  LineFault,
  listBatches as listCall,
} from '../endpoints.ts'
import { faultsOf, linesOf } from './judge.ts'

databaseFailures.PK221 = () => fail('journal.closed')

/** A new batch with the next number of the business. */
export async function newBatch(
  ctx: Ctx,
  {
    kind,
    name = '',
    posted = false,
    reversesId = null,
  }: { kind: BatchHead['kind']; name?: string; posted?: boolean; reversesId?: string | null },
): Promise<{ id: string; number: number }> {
  const { rows } = await sql<{
    number: number
  }>`insert into journal_counters as c (company_id, last_number) values (${ctx.companyId}, 1)
    on conflict (company_id) do update set last_number = c.last_number + 1
    returning last_number as number`.execute(ctx.tx)
  const { number } = rows[0]!
  const id = newId()
  const now = ctx.now.toISOString()
  const by = byOf(ctx)
  await sql`insert into journal_batches (company_id, id, number, kind, name, state, created_by, posted_by,
      posted_at, reverses_id)
    values (${ctx.companyId}, ${id}, ${number}, ${kind}, ${name}, ${posted ? 'posted' : 'open'}, ${by},
      ${posted ? by : null}, ${posted ? now : null}, ${reversesId})`.execute(ctx.tx)
  return { id, number }
}

const heads = (ctx: Ctx, where: RawBuilder<unknown>, limit: number) => sql<BatchHead>`
  select b.id, b.number, b.kind, b.name, b.state, b.created_at as "createdAt", b.checked_at as "checkedAt",
    b.posted_at as "postedAt", b.reverses_id as "reversesId",
    (select u.full_name from users u where u.id = b.created_by) as "createdBy",
    (select u.full_name from users u where u.id = b.checked_by) as "checkedBy",
    (select u.full_name from users u where u.id = b.posted_by) as "postedBy", o.number as "reversesNumber",
    r.id as "reversedById", r.number as "reversedByNumber",
    l.lines, e.entries, case when b.state = 'posted' then e.debit else l.debit end as "debitAgorot",
    coalesce(e.first, l.first) as "firstDay", coalesce(e.last, l.last) as "lastDay"
  from journal_batches b
    left join journal_batches o on o.company_id = b.company_id and o.id = b.reverses_id
    left join journal_batches r on r.company_id = b.company_id and r.reverses_id = b.id
    cross join lateral
      (select count(*)::int as lines,
      coalesce(sum(abs(j.amount_agorot)) filter (where j.debit_account_id is not null), 0)::bigint as debit,
      min(j.day) as first, max(j.day) as last from journal_lines j where j.company_id = b.company_id
      and j.batch_id = b.id and j.archived_at is null) l
    cross join lateral (select count(distinct x.entry_id)::int as entries,
      coalesce(sum(p.amount_agorot) filter (where p.amount_agorot > 0), 0)::bigint as debit,
      min(p.day) as first, max(p.day) as last
      from batch_entries x join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id
      where x.company_id = b.company_id and x.batch_id = b.id) e
  where b.company_id = ${ctx.companyId} and ${where} order by b.number desc limit ${limit}`

export async function listBatches(
  ctx: Ctx,
  q: z.output<typeof listCall.input>,
): Promise<z.input<typeof listCall.output>> {
  const where = sql.join(
    [
      // What was put away is asked for by name.
      q.state ? sql`b.state = ${q.state}` : sql`b.state <> 'dropped'`,
      ...(q.kind ? [sql`b.kind = ${q.kind}`] : []),
      ...(q.q ? [sql`(b.number::text = ${q.q} or position(lower(${q.q}) in lower(b.name)) > 0)`] : []),
      ...(q.cursor ? [sql`b.number < ${q.cursor}`] : []),
    ],
    sql` and `,
  )
  const { rows } = await heads(ctx, where, q.size + 1).execute(ctx.tx)
  return { rows: rows.slice(0, q.size), nextCursor: rows.length > q.size ? rows[q.size - 1]!.number : null }
}

/** A batch with its lines; of those that are not posted, what is wrong with them. */
export async function batchOf(ctx: Ctx, id: string): Promise<BatchAnswer> {
  const { rows } = await heads(ctx, sql`b.id = ${id}`, 1).execute(ctx.tx)
  const head = rows[0]
  if (!head) throw fail('kit.notFound')
  const lines = await linesOf(ctx, id)
  return { ...head, rows: lines satisfies JournalLine[], faults: await faultsAt(ctx, head, lines) }
}

/**
 * What is wrong with the lines of a batch that is being typed; nothing is said of one that was checked, and
 * opening balances are checked elsewhere.
 */
export async function faultsAt(
  ctx: Ctx,
  { id, kind, state }: Pick<BatchHead, 'id' | 'kind' | 'state'>,
  lines?: readonly JournalLine[],
): Promise<LineFault[]> {
  return state === 'open' && kind !== 'opening' ? faultsOf(ctx, lines ?? (await linesOf(ctx, id))) : []
}

/**
 * The state of a batch that is about to change, locked until the end of the call; refused when nothing of it
 * may change any more.
 */
export async function lockBatch(
  ctx: Ctx,
  id: string,
): Promise<{ state: BatchHead['state']; kind: BatchHead['kind']; number: number; name: string }> {
  const { rows } = await sql<{
    state: BatchHead['state']
    kind: BatchHead['kind']
    number: number
    name: string
  }>`select state, kind, number, name
    from journal_batches where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** What documents posted directly in a year, by kind and month: everything without a batch. */
export async function automaticBatches(
  ctx: Ctx,
  { year }: { year: number },
): Promise<z.input<typeof automaticCall.output>> {
  const { rows } = await sql<z.input<typeof automaticCall.output>['rows'][number]>`
    select e.kind, date_trunc('month', e.day)::date as month, count(distinct e.id)::int as entries,
      coalesce(sum(p.amount_agorot) filter (where p.amount_agorot > 0), 0)::bigint as "debitAgorot"
    from entries e join postings p on p.company_id = e.company_id and p.entry_id = e.id
    where e.company_id = ${ctx.companyId} and e.day between ${`${year}-01-01`} and ${`${year}-12-31`}
      and not exists (select 1 from batch_entries x where x.company_id = e.company_id and x.entry_id = e.id)
    group by 1, 2 order by 2 desc, 1`.execute(ctx.tx)
  return { rows }
}
