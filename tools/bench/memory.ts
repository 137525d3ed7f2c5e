import { MB, perCent, type Figure } from './figures.ts'
import { issueInvoice } from './issue.ts'
import { ask, memoryOf, newCompany, pause, type Running } from './server.ts'

/**
 * The server's own process (without PostgreSQL): after its start, warm, and after many requests of every
 * kind.
 */
export async function measureMemory(server: Running, requests: number): Promise<Figure[]> {
  const part = 'Memory of the server process'
  await pause(1000)
  const idle = memoryOf(server.pid)
  if (idle === undefined) return [{ part, name: 'idle', value: 'not measured: this system does not say' }]
  const company = await newCompany(server.url)
  const { token, url } = company
  const paths = [
    '/api4/invoice/documents?size=50',
    '/api4/invoice/customers',
    '/api4/invoice/homepage',
    '/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31',
    '/static/lang/he.json',
  ]
  const work = async (count: number) => {
    for (let n = 0; n < count; n += 8) {
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          i === 7 ? issueInvoice(company) : ask(url, 'GET', paths[(n + i) % paths.length]!, { token }),
        ),
      )
    }
    await pause(1000)
  }
  await work(requests / 2)
  const warm = memoryOf(server.pid)!
  const held = await server.heapHeld()
  await work(requests)
  const after = memoryOf(server.pid)!
  const heldAfter = await server.heapHeld()
  const growth = heldAfter && held ? heldAfter / held - 1 : Number.NaN
  return [
    { part, name: 'idle', value: MB(idle), goal: '<= 250 MB', ok: idle <= 250_000_000 },
    { part, name: `warm, after ${(requests / 2).toLocaleString('en')} requests`, value: MB(warm) },
    { part, name: `after ${requests.toLocaleString('en')} more`, value: MB(after) },
    {
      part,
      name: 'of these in use after a collection',
      value: heldAfter ? `${MB(heldAfter)}, ${growth >= 0 ? '+' : ''}${perCent(growth)}` : 'not told',
      goal: 'growth <= 10%',
      ok: growth <= 0.1,
    },
  ]
}
