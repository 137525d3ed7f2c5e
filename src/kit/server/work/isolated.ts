import { sql } from 'kysely'
import { Failure } from '#kit/describe/errors.ts'
import type { App, Ctx } from '../context.ts'

/** The result of isolated work: its value, or that it failed. */
export type Isolated<T> = { readonly failed: false; readonly value: T } | { readonly failed: true }

/**
 * Runs the part of a page, a list or a job that belongs to one record or one client, so that its failure leaves the
 * others as they are. Refusals (`Failure`) are results, and are thrown. The work must have a separate transaction, or
 * fail outside the database; inside a transaction use `isolatedIn`.
 * @param what names the work in the log
 */
export async function isolated<T>(
  app: App,
  what: string,
  work: () => Promise<T>,
  about: Record<string, unknown> = {},
): Promise<Isolated<T>> {
  try {
    return { failed: false, value: await work() }
  } catch (e) {
    if (e instanceof Failure) throw e
    app.log.error({ err: e, ...about }, `${what} failed and was left out`)
    return { failed: true }
  }
}

/** The same inside a transaction that goes on: a statement that failed is undone. One at a time. */
export async function isolatedIn<T>(ctx: Ctx, what: string, work: () => Promise<T>): Promise<Isolated<T>> {
  await sql`savepoint isolated`.execute(ctx.tx)
  const result = await isolated(ctx.app, what, work, { company: ctx.companyId })
  await (result.failed ? sql`rollback to savepoint isolated` : sql`release savepoint isolated`).execute(
    ctx.tx,
  )
  return result
}
