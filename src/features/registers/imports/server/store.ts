import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { servedNamed } from '#kit/server/described/resources.ts'
import type { ImportOptions, ImportSummary, Outcome, Reading } from '../endpoints.ts'

export interface StoredImport extends Omit<ImportSummary, 'mayUndo'> {
  reading: Reading
  mapping: (string | null)[]
  options: ImportOptions
  head: { columns: { title: string; samples: string[] }[]; sheets?: string[]; remembered: boolean }
}

const columns = sql`i.id, i.resource, i.name, i.size, i.kind, i.state, i.counts, i.error, i.job_id as "jobId",
  (select u.full_name from users u where u.id = i.created_by) as by, i.created_at as "createdAt",
  i.ended_at as "endedAt"`

/** An import whose register the caller may change; to the caller nothing else exists. */
export async function loadImport(ctx: Ctx, id: string, lock = false): Promise<StoredImport> {
  const { rows } =
    await sql<StoredImport>`select ${columns}, i.reading, i.mapping, i.options, i.head from imports i
    where i.company_id = ${ctx.companyId} and i.id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  const found = rows[0]
  const rule = found && servedNamed(found.resource)?.resource.allow.change
  if (!found || !rule || !can(ctx.caller, rule)) throw fail('kit.notFound')
  return found
}

const pageSize = 30

export async function listImports(
  ctx: Ctx,
  { resource, cursor }: { resource?: string | undefined; cursor?: string | undefined },
) {
  const { rows } =
    await sql<StoredImport>`select ${columns} from imports i where i.company_id = ${ctx.companyId}
    and ${resource ? sql`i.resource = ${resource}` : sql`true`}
    and ${cursor ? sql`i.id < ${cursor}::uuid` : sql`true`}
    order by i.id desc limit ${pageSize + 1}`.execute(ctx.tx)
  const shown = rows.slice(0, pageSize)
  return {
    rows: shown.flatMap((one) => {
      const rule = servedNamed(one.resource)?.resource.allow.change
      return rule && can(ctx.caller, rule) ? [summaryOf(one)] : []
    }),
    nextCursor: rows.length > pageSize ? shown.at(-1)!.id : null,
  }
}

export const summaryOf = ({
  id,
  resource,
  name,
  size,
  kind,
  state,
  counts,
  error,
  jobId,
  by,
  createdAt,
  endedAt,
}: StoredImport): ImportSummary => ({
  id,
  resource,
  name,
  size,
  kind,
  state,
  counts,
  error,
  jobId,
  by,
  createdAt,
  endedAt,
  mayUndo:
    (state === 'done' || state === 'stopped') && ((counts.create ?? 0) > 0 || (counts.change ?? 0) > 0),
})

/** How many rows came to what. */
export async function countRows(ctx: Ctx, id: string): Promise<Partial<Record<Outcome, number>>> {
  const { rows } = await sql<{
    outcome: Outcome
    n: number
  }>`select outcome, count(*)::int as n from import_rows
    where company_id = ${ctx.companyId} and import_id = ${id} group by outcome`.execute(ctx.tx)
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]))
}

export async function setState(
  ctx: Ctx,
  id: string,
  change: {
    state: ImportSummary['state']
    counts?: object
    error?: ImportSummary['error']
    ended?: boolean
    jobId?: string
  },
): Promise<void> {
  await sql`update imports
    set state = ${change.state}, error = ${change.error ? JSON.stringify(change.error) : null},
    counts = coalesce(${change.counts ? JSON.stringify(change.counts) : null}::jsonb, counts),
    job_id = coalesce(${change.jobId ?? null}::uuid, job_id),
    ended_at = ${change.ended ? sql`now()` : sql`ended_at`}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
}

/** The file has done its service. */
export async function dropParts(ctx: Ctx, id: string): Promise<void> {
  await sql`delete from import_parts where company_id = ${ctx.companyId} and import_id = ${id}`.execute(
    ctx.tx,
  )
}

/** What nobody came back to goes: files after a week, and imports that changed nothing after a month. */
registerSweep(async (db) => {
  await sql`delete from import_parts p using imports i where i.company_id = p.company_id
      and i.id = p.import_id
    and i.updated_at < now() - interval '7 days'`.execute(db)
  await sql`delete from imports where updated_at < now() - interval '30 days'
      and state in ('read', 'checking', 'checked', 'failed')`.execute(db)
})
