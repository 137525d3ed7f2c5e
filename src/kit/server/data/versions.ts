import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '../context.ts'

/** The version of a record: another one after every change. */
function versionOf(answer: unknown): string | undefined {
  const changed = (answer as { updatedAt?: unknown } | null | undefined)?.updatedAt
  if (typeof changed !== 'string') return undefined
  const at = Date.parse(changed)
  return Number.isNaN(at) ? undefined : at.toString(36)
}

/**
 * The ETag of an answer: the version of its record, by which a change says what it is meant for, and a digest of the
 * text, because an answer also tells of what lies beside the record.
 */
export function tagOf(answer: unknown, text: string): string | undefined {
  const version = versionOf(answer)
  return version === undefined
    ? undefined
    : `"${version}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
}

/** A weak tag is as good: proxies make one of ours when they pack an answer. */
const tagsIn = (header: string): string[] => header.split(',').map((one) => one.trim().replace(/^W\//, ''))

/** Whether the person who asks has this very answer (`If-None-Match`). */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && tagsIn(header).includes(tag)

/** Locks a record until the change is done, where the caller named a version. */
export const holdFor = async (ctx: Ctx, table: string, id: string): Promise<void> => {
  if (ctx.ifMatch === undefined) return
  await sql`select 1 from ${sql.table(table)} where company_id = ${ctx.companyId} and id = ${id} for
    update`.execute(ctx.tx)
}

/** Refuses a change that was meant for another version. */
export function checkVersion(ctx: Ctx, row: unknown): void {
  if (ctx.ifMatch === undefined) return
  const meant = tagsIn(ctx.ifMatch).map((one) => /^"(\w+?)(_\w+)?"$/.exec(one)?.[1])
  const version = versionOf(row)
  if (version === undefined || !meant.includes(version)) throw fail('kit.changed')
}
