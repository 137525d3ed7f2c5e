import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { loadDocument } from '#features/sales/documents/server/index.ts'
import type { StockRow } from '../endpoints.ts'
import { lastNine } from '../numbers.ts'
import { AuthorityAway } from './authority.ts'
import { authority, withToken, withTokenOrFail } from './link.ts'
import { requestOf } from './request.ts'

/**
 * The oldest number that is left, now the document's; undefined when there is none. Two documents at once
 * take two.
 */
export async function takeFromStock(ctx: Ctx, documentId: string): Promise<string | undefined> {
  const { rows } = await sql<{
    number: string
  }>`update emergency_numbers set document_id = ${documentId}, used_at = ${ctx.now}
    where company_id = ${ctx.companyId} and number = (select number from emergency_numbers
    where company_id = ${ctx.companyId} and document_id is null
      order by added_at, number limit 1 for update skip locked) returning number`.execute(ctx.tx)
  if (!rows[0]) return undefined
  await ctx.audit('allocation.fromStock', 'documents', documentId, undefined, {
    number: lastNine(rows[0].number),
  })
  return rows[0].number
}

export const reportLater = (ctx: Ctx, at: Date): Promise<void> => ctx.later('allocation.report', {}, at)

/** Reports the documents that got emergency numbers to the authority; what it does not accept now is reported later. */
export const report: Job = async (ctx) => {
  const { rows } = await sql<{
    number: string
    document_id: string
  }>`select number, document_id from emergency_numbers
    where company_id = ${ctx.companyId} and used_at is not null and reported_at is null order by used_at
    limit 50 for update skip locked`.execute(ctx.tx)
  for (const { number, document_id: id } of rows) {
    try {
      const told = await withToken(ctx.app, ctx.companyId, async (access) =>
        (await authority(ctx)).reportEmergency(
          access,
          number,
          await requestOf(ctx, await loadDocument(ctx, id), id, null),
        ),
      )
      // Who connects again starts it.
      if ('missing' in told) return
    } catch (e) {
      if (!(e instanceof AuthorityAway)) throw e
      return reportLater(ctx, new Date(ctx.now.getTime() + 30 * 60_000))
    }
    await sql`update emergency_numbers set reported_at = ${ctx.now} where company_id = ${ctx.companyId}
        and number = ${number}`.execute(ctx.tx)
  }
  if (rows.length === 50) await ctx.later('allocation.report', {})
}

async function add(ctx: Ctx, numbers: readonly string[]): Promise<{ added: number }> {
  const { rows } = await sql`insert into emergency_numbers (company_id, number, added_by)
    select ${ctx.companyId}::uuid, number, ${ctx.caller.userId}::uuid
    from unnest(${[...new Set(numbers)]}::text[]) as number
    on conflict do nothing returning number`.execute(ctx.tx)
  if (rows.length)
    await ctx.audit('allocation.addStock', 'companies', ctx.companyId, undefined, { count: rows.length })
  return { added: rows.length }
}
export { add as addStock }

export async function fetchStock(ctx: Ctx, { count }: { count: number }): Promise<{ added: number }> {
  const { taxId } = await companyOf(ctx)
  return add(
    ctx,
    await withTokenOrFail(ctx, async (access) =>
      (await authority(ctx)).emergencyNumbers(access, taxId, count),
    ),
  )
}

export async function dropStock(ctx: Ctx, { number }: { number: string }): Promise<{ done: true }> {
  const { rows } = await sql<{ used: boolean }>`select used_at is not null as used from emergency_numbers
    where company_id = ${ctx.companyId} and number = ${number} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].used) throw fail('allocation.numberUsed')
  await sql`delete from emergency_numbers where company_id = ${ctx.companyId} and number = ${number}`.execute(
    ctx.tx,
  )
  await ctx.audit('allocation.dropStock', 'companies', ctx.companyId, { number: lastNine(number) })
  return { done: true }
}

const mostListed = 500

export async function listStock(ctx: Ctx): Promise<{ rows: StockRow[] }> {
  const { rows } = await sql<StockRow>`select e.number, e.added_at as "addedAt", d.id as "documentId",
        d.type as "documentType",
    d.number as "documentNumber", e.used_at as "usedAt", e.reported_at as "reportedAt"
    from emergency_numbers e
    left join documents d on d.company_id = e.company_id and d.id = e.document_id ${
      ctx.caller.docsAllow.length ? sql`and d.type = any(${ctx.caller.docsAllow}::int[])` : sql``
    }
    where e.company_id = ${ctx.companyId} order by e.used_at desc nulls first, e.added_at, e.number
    limit ${mostListed}`.execute(ctx.tx)
  return { rows }
}
