import { sql } from 'kysely'
import { askAhead, orderKinds, ringOwners } from '#kit/server/rights/authority.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { isolated } from '#kit/server/work/isolated.ts'
import type { SystemJob } from '#kit/server/work/jobs.ts'

/** Orders that are looked at in one run of the job. */
const slice = 200

interface Row {
  company_id: string
  kind: string
  subject_id: string
}

const start: Row = { company_id: '00000000-0000-0000-0000-000000000000', kind: '', subject_id: '' }

async function waiting(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from approvals
    where company_id = ${ctx.companyId} and state = 'waiting'`.execute(ctx.tx)
  return rows[0]!.n
}

/** Puts into the inbox of one business what could not happen any more. */
const look = (app: App, companyId: string, rows: readonly Row[]): Promise<void> =>
  asCaller(app, systemCaller(companyId), '', async (ctx) => {
    const here = rows.filter((row) => row.company_id === companyId)
    const before = await waiting(ctx)
    let last: string | undefined
    for (const kind of new Set(here.map((row) => row.kind))) {
      const ids = here.filter((row) => row.kind === kind).map((row) => row.subject_id)
      for (const order of await orderKinds().get(kind)!.next!(ctx, ids))
        last = (await askAhead(ctx, kind, order)) ?? last
    }
    // One ring for all of them.
    if (last && (await waiting(ctx)) > before) await ringOwners(ctx, last, null)
  })

/**
 * After an upgrade that brings limits to earlier orders: whatever could not happen any more is put into the inbox
 * now, and not only at its next run. It proceeds in batches, each a separate job, and may run twice: a question is
 * asked once. A later upgrade names the kinds of orders it brings limits to.
 */
export const upgradeJob: SystemJob = async (app, payload) => {
  const after = (payload.after as Row | undefined) ?? start
  const only = payload.kinds as string[] | undefined
  const kinds = [...orderKinds()]
    .filter(([kind, { next }]) => next && (only?.includes(kind) ?? true))
    .map(([kind]) => kind)
  const rows = await asSystem(app.db, async (tx) => {
    const found = await sql<Row>`select company_id, kind, subject_id from authorities
      where user_id is not null and kind = any (${kinds}::text[])
        and (company_id, kind, subject_id::text) > (${after.company_id}::uuid, ${after.kind}::text,
          ${after.subject_id}::text)
      order by company_id, kind, subject_id::text limit ${slice}`.execute(tx)
    return found.rows
  })
  for (const companyId of new Set(rows.map((row) => row.company_id)))
    // One that fails is logged and stops no other: its orders ask when they come to act.
    await isolated(app, 'looking at earlier orders', () => look(app, companyId, rows), { company: companyId })
  if (rows.length < slice) return
  await sql`insert into outbox (id, company_id, name, payload) values (${newId()}, null, 'approvals.upgrade',
    ${JSON.stringify({ ...(only ? { kinds: only } : {}), after: rows.at(-1) })})`.execute(app.db.kysely)
}
