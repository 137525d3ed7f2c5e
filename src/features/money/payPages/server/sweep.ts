import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { dueRows, eachOf, everyRound, serveDue } from '#kit/server/work/dueRows.ts'
import { dropLoose } from './files.ts'
import { freePast } from './purchase.ts'
import { pageOf } from './store.ts'

const heldPast = dueRows({
  name: 'payPages.free',
  due: (app) => sql`select company_id, page_id::text as key, min(held_until) as at from pay_purchases
    where state = 'begun' and held_until <= ${app.now()} group by company_id, page_id`,
  serve: async (ctx, pageId) => {
    await pageOf(ctx, pageId, true)
    await freePast(ctx, pageId)
    return 1
  },
})

/** Frees what nobody paid for in time, so that others see it free. Answers on how many pages. */
export const freeAll = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, heldPast, { isOver })

const dropEveryMs = 10 * 60_000

/** Looks every twenty seconds; what was attached and never paid with is gone over less often. */
export function start(app: App): Promise<() => Promise<void>> {
  let droppedAt = 0
  return Promise.resolve(
    everyRound(app, 'freeing places of pages', 20_000, async (isOver) => {
      const isDue = Date.now() - droppedAt >= dropEveryMs
      if (isDue) droppedAt = Date.now()
      await eachOf(
        () => freeAll(app, isOver),
        async () => isDue && dropLoose(app),
      )
    }),
  )
}
