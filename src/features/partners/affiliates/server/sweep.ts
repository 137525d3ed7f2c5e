import type { App } from '#kit/server/context.ts'
import { eachOf, everyRound } from '#kit/server/work/dueRows.ts'
import { keepServing } from '#kit/server/work/schedules.ts'
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

/**
 * Sweeps every minute, and looks whether a brand is due to be asked again and the day of the pay-out has
 * come.
 */
export async function start(app: App): Promise<() => Promise<void>> {
  const serving = await keepServing(app, duePayDays)
  const stop = everyRound(app, 'commissions and brands', everyMs, () =>
    eachOf(
      () => sweep(app),
      () => askBrandsAgain(app),
    ),
  )
  return async () => {
    await stop()
    await serving()
  }
}
