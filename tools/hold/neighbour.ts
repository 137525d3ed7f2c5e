import { setTimeout as pause } from 'node:timers/promises'
import { call, type Company } from '../bench/server.ts'
import { issueInvoice } from '../bench/issue.ts'

/*
 * The neighbour of `npm run test:hold`, in a separate process: what the harness does for its cases must not be
 * measured with it. It lists its documents and issues one, again and again, until it has to end.
 */

/** Milliseconds of each call, and the status of each that failed. */
export interface Measured {
  list: number[]
  issue: number[]
  failed: number[]
}

/** Between two rounds, so that the neighbour alone does not keep the server busy. */
const restMs = 40

let current: { measured: Measured; isOver: boolean; done: Promise<void> } | undefined

async function work(company: Company, state: { measured: Measured; isOver: boolean }): Promise<void> {
  const { url, token } = company
  const calls = {
    list: () => call(url, 'GET', '/api4/invoice/documents?size=50', { token }),
    issue: () => issueInvoice(company),
  }
  while (!state.isOver) {
    for (const what of ['list', 'issue'] as const) {
      const from = performance.now()
      const status = await calls[what]().then(
        (answer) => answer.status,
        (e: Error) => Number(/answered (\d+)/.exec(e.message)?.[1] ?? 0),
      )
      state.measured[what].push(performance.now() - from)
      if (status < 200 || status >= 300) state.measured.failed.push(status)
    }
    await pause(restMs)
  }
}

process.on('message', (said: { begin?: Company; end?: true }) => {
  if (said.begin) {
    const state = { measured: { list: [], issue: [], failed: [] } as Measured, isOver: false }
    current = { ...state, done: Promise.resolve() }
    current.done = work(said.begin, current)
  } else if (said.end && current) {
    const ended = current
    ended.isOver = true
    void ended.done.then(() => process.send?.(ended.measured))
  }
})
process.on('disconnect', () => process.exit(0))
