import type { RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type Ctx, type OpenCtx } from '../context.ts'
import { throttle } from './throttle.ts'

/**
 * Refuses a key that opens nothing with `kit.notFound`. A key has some 250 random bits, and guessing is
 * throttled all the same: tries are counted by where they come from, over all kinds of pages.
 */
export async function unknownKey(ctx: OpenCtx): Promise<never> {
  await throttle(ctx.app, `page:${ctx.address}`, 60)
  throw fail('kit.notFound')
}

/** The row whose key is in the address of a public page; see `unknownKey` for when there is none. */
export async function rowOfKey<R extends { company_id: string }>(
  ctx: OpenCtx,
  question: RawBuilder<R>,
): Promise<R> {
  const { rows } = await question.execute(ctx.tx)
  return rows[0] ?? unknownKey(ctx)
}

/** Work for the holder of a key, inside the business it belongs to, in a separate transaction. */
export const insideOf = <T>(ctx: OpenCtx, companyId: string, work: (inside: Ctx) => Promise<T>): Promise<T> =>
  asCaller(ctx.app, systemCaller(companyId), ctx.address, work)

/** Both: opens the page of a key, and works inside with its row. */
export async function openPage<R extends { company_id: string }, T>(
  ctx: OpenCtx,
  question: RawBuilder<R>,
  work: (inside: Ctx, row: R) => Promise<T>,
): Promise<T> {
  const row = await rowOfKey(ctx, question)
  return insideOf(ctx, row.company_id, (inside) => work(inside, row))
}
