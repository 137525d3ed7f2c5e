import type { App } from '#kit/server/context.ts'
import { keepServing } from '#kit/server/schedules.ts'
import { askBrandsAgain } from './askAgain.ts'
import { countCommissions, waitsToBeCounted } from './count.ts'
import { holdTheDoubtful } from './fraud.ts'
import { duePayDays } from './monthly.ts'
import { atOperator, operatorOf } from './operator.ts'

const everyMs = 60_000

/** Looks at what was paid, and counts it. */
export async function sweep(app: App): Promise<number> {
  if (!operatorOf(app)) return 0
  const clients = await atOperator(app, waitsToBeCounted)
  if (!clients.length) return atOperator(app, countCommissions)
  await holdTheDoubtful(app, clients)
  return atOperator(app, countCommissions)
}

/** Sweeps every minute, and looks whether a brand is due to be asked again and the day of the pay-out has come. */
export async function start(app: App): Promise<() => Promise<void>> {
  const serving = await keepServing(app, duePayDays)
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= Promise.all([
      sweep(app).catch((e: unknown) =>
        app.log.warn({ err: (e as Error).message }, 'commissions could not be counted'),
      ),
      askBrandsAgain(app).catch((e: unknown) =>
        app.log.warn({ err: (e as Error).message }, 'brands could not be asked again'),
      ),
    ]).finally(() => (running = undefined))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await serving()
  }
}
