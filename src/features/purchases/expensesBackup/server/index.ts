import { sql } from 'kysely'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { defineLongJob, startJob } from '#kit/server/work/progress.ts'
import type { Report } from '#kit/server/described/reports.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import type { ExpenseArchive } from '../endpoints.ts'
import '../rules.ts'
import { checkSize, making, readArchive } from './archive.ts'
import { expensesBackup } from './reports/expensesBackup.ts'

export { picturesWithin, plain as plainName } from './archive.ts'

defineLongJob('expensesBackup.make', making)

export const reports: Report[] = [expensesBackup]

/** A picture of a bill shows amounts. */
function refuseHidden({ caller }: Ctx): void {
  if (caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
}

export const implementations = [
  implement(calls.makeArchive, async (ctx, asked) => {
    refuseHidden(ctx)
    if (asked.to < asked.from) throw failField('to', 'fields.range')
    if (asked.supplier) {
      const { rows } =
        await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${asked.supplier}
            and role = 'supplier'`.execute(ctx.tx)
      if (!rows.length) throw fail('kit.notFound')
    }
    await checkSize(ctx, asked)
    await sql`delete from expense_archives where company_id = ${ctx.companyId}
        and created_at < now() - interval '7 days'`.execute(ctx.tx)
    const id = newId()
    await sql`insert into expense_archives (company_id, id, from_day, to_day, supplier_id, name, created_by)
      values (${ctx.companyId}, ${id}, ${asked.from}, ${asked.to}, ${asked.supplier ?? null},
        ${`expenses-${asked.from}-${asked.to}.zip`}, ${ctx.caller.userId})`.execute(ctx.tx)
    await ctx.audit('expensesBackup.make', 'expenses', null, undefined, asked)
    const jobId = await startJob(
      ctx,
      'expensesBackup.make',
      { id, ...asked },
      { from: asked.from, to: asked.to, href: '/invoice/reportexpensesbackup' },
    )
    return { id, jobId }
  }),
  implement(calls.listArchives, async (ctx) => {
    refuseHidden(ctx)
    const { rows } =
      await sql<ExpenseArchive>`select a.id, a.from_day as "from", a.to_day as "to", p.name as supplier,
          a.name, a.size as bytes, a.expenses, a.without,
        (select count(*)::int from expense_archive_files f where f.company_id = a.company_id
        and f.archive_id = a.id) as files, a.ready_at is not null as "isReady", a.created_at as "createdAt"
      from expense_archives a left join parties p on p.company_id = a.company_id and p.id = a.supplier_id
      where a.company_id = ${ctx.companyId} and a.created_by = ${ctx.caller.userId}
        and a.created_at > now() - interval '7 days' order by a.created_at desc limit 20`.execute(ctx.tx)
    return { rows }
  }),
  implement(calls.archiveFile, async (ctx, asked) => {
    refuseHidden(ctx)
    if (!asked.from)
      await ctx.audit('expensesBackup.download', 'expenses', null, undefined, { archive: asked.id })
    return readArchive(ctx, asked)
  }),
]

export const machines: Machines = {
  'expensesBackup.make': { person: 'who started it' },
}
