import { sql } from 'kysely'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { dropLoose } from './files.ts'
import { freePast } from './purchase.ts'
import { pageOf } from './store.ts'

/** Frees what nobody paid for in time, so that others see it free. Answers on how many pages. */
export async function freeAll(app: App): Promise<number> {
  const pages = await asSystem(app.db, async (tx) => {
    const { rows } = await sql<{ company_id: string; page_id: string }>`select distinct company_id, page_id
      from pay_purchases
      where state = 'begun' and held_until <= ${app.now()} limit 200`.execute(tx)
    return rows
  })
  for (const { company_id: companyId, page_id: pageId } of pages)
    await asCaller(app, systemCaller(companyId), '', async (ctx) => {
      await pageOf(ctx, pageId, true)
      await freePast(ctx, pageId)
    }).catch((e: unknown) =>
      app.log.warn({ page: pageId, err: (e as Error).message }, 'places of a page could not be freed'),
    )
  return pages.length
}

const dropEveryMs = 10 * 60_000

/** Looks every twenty seconds; what was attached and never paid with is gone over seldomer. */
export async function start(app: App): Promise<() => Promise<void>> {
  let running: Promise<unknown> | undefined
  let droppedAt = 0
  const timer = setInterval(() => {
    const isDue = Date.now() - droppedAt >= dropEveryMs
    if (isDue) droppedAt = Date.now()
    running ??= freeAll(app)
      .then(() => (isDue ? dropLoose(app) : 0))
      .catch((e: unknown) => app.log.warn({ err: (e as Error).message }, 'pages could not be looked at'))
      .finally(() => (running = undefined))
  }, 20_000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
