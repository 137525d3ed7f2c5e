import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from './context.ts'

/** The version of a record as its ETag says it: another one after every change. */
export function versionOf(answer: unknown): string | undefined {
  const changed = (answer as { updatedAt?: unknown } | null | undefined)?.updatedAt
  if (typeof changed !== 'string') return undefined
  const at = Date.parse(changed)
  return Number.isNaN(at) ? undefined : `"${at.toString(36)}"`
}

/** Holds a record until the change is through, where the caller said which version he means. */
export const holdFor = async (ctx: Ctx, table: string, id: string): Promise<void> => {
  if (ctx.ifMatch === undefined) return
  await sql`select 1 from ${sql.table(table)} where company_id = ${ctx.companyId} and id = ${id} for
    update`.execute(ctx.tx)
}

/**
 * Refuses a change that was meant for another version. A weak mark is as good: proxies make one of ours when
 * they pack an answer.
 */
export function checkVersion(ctx: Ctx, row: unknown): void {
  if (ctx.ifMatch === undefined) return
  const meant = ctx.ifMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (!meant.includes(versionOf(row) ?? '')) throw fail('kit.changed')
}
