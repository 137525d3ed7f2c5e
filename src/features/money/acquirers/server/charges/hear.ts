import type { App } from '#kit/server/context.ts'
import { AcquirerAway, KeysRefused, OrderRefused, type Silence } from '../door.ts'
import { markAnswer } from '../terminals/health.ts'
import type { Terminal } from '../terminals/terminals.ts'

/**
 * Calls an acquirer outside of every transaction, and says what was heard: a silence where nothing could be
 * read.
 */
export async function hear<A>(
  app: App,
  companyId: string,
  terminal: Terminal,
  call: () => Promise<A>,
): Promise<A | Silence> {
  try {
    const answer = await call()
    // Whether the terminal is well is worth less than the answer.
    await markAnswer(app, companyId, terminal.row).catch(() => undefined)
    return answer
  } catch (e) {
    if (e instanceof KeysRefused) {
      if (!(e instanceof OrderRefused))
        await markAnswer(app, companyId, terminal.row, e.code).catch(() => undefined)
      return { is: 'silence', wasSent: false }
    }
    if (e instanceof AcquirerAway) return { is: 'silence', wasSent: e.wasSent }
    throw e
  }
}
