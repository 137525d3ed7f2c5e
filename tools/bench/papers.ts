import { ms, quantile, kB, type Figure } from './figures.ts'
import { issueInvoice } from './issue.ts'
import { ask, json, newCompany, type Running } from './server.ts'

/**
 * The sealed PDF of a one-page Hebrew invoice: the first after a start, the following ones, and a second
 * download.
 */
export async function measurePapers(
  restart: () => Promise<Running>,
  url: string,
  count: number,
): Promise<Figure[]> {
  const company = await newCompany(url)
  const issued = async () => json<{ id: string }>(await issueInvoice(company)).id
  const pdf = (id: string) => `/api4/invoice/documents/${id}/pdf?variant=original`
  const ids: string[] = []
  for (let n = 0; n <= count; n++) ids.push(await issued())

  // A server that has set nothing yet: its typesetter starts and reads its fonts.
  const server = await restart()
  const fresh = { ...company, url: server.url }
  const cold = await ask(fresh.url, 'GET', pdf(ids[0]!), { token: fresh.token })
  const times: number[] = []
  const again: number[] = []
  let same = true
  for (const id of ids.slice(1)) {
    const first = await ask(fresh.url, 'GET', pdf(id), { token: fresh.token })
    const second = await ask(fresh.url, 'GET', pdf(id), { token: fresh.token })
    if (!first.body.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('the answer is no PDF')
    times.push(first.ms)
    again.push(second.ms)
    same &&= first.body.equals(second.body)
  }
  const part = 'Paper: a one-page Hebrew invoice of 5 lines, signed'
  const p95 = quantile(times, 0.95)
  return [
    {
      part,
      name: 'cold, the first after a start',
      value: ms(cold.ms),
      goal: '<= 500 ms',
      ok: cold.ms <= 500,
    },
    {
      part,
      name: 'warm',
      value: `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(p95)} (${kB(cold.body.length)})`,
      goal: 'p95 <= 150 ms',
      ok: p95 <= 150,
    },
    {
      part,
      name: 'second download',
      value: `${same ? 'byte-identical' : 'DIFFERS'}, p50 ${ms(quantile(again, 0.5))}`,
      goal: 'byte-identical',
      ok: same,
    },
  ]
}
