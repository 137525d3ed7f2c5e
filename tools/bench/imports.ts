import { completeCheckDigit } from '#domain/taxId.ts'
import type { Figure } from './figures.ts'
import { ask, json, memoryOf, newCompany, pause, type Running } from './server.ts'

const rows = 10_000

/** Customers from a file, as a person brings them in: sent, checked, run. */
export async function measureImports(server: Running): Promise<Figure[]> {
  const { token } = await newCompany(server.url)
  const lines = Array.from({ length: rows }, (_, n) => {
    const taxId = completeCheckDigit(String(51_000_000 + n))
    return `לקוח מספר ${n},${taxId},c${n}@example.com,050-${1_000_000 + n},חיפה,הרצל ${n},"1,000.00"`
  })
  const before = memoryOf(server.pid) ?? 0
  let most = before
  const watch = setInterval(() => (most = Math.max(most, memoryOf(server.pid) ?? 0)), 50)
  const started = performance.now()
  const sent = await fetch(`${server.url}/api4/invoice/import/customers?name=bench.csv&check=true`, {
    method: 'POST',
    headers: { 'x-access-token': token, 'content-type': 'application/octet-stream' },
    body: `שם,ח.פ,דוא״ל,נייד,עיר,רחוב,מסגרת אשראי\n${lines.join('\n')}`,
  })
  const { id } = (await sent.json()) as { id: string }
  const until = async (state: string) => {
    for (;;) {
      const one = json<{ state: string; counts: Record<string, number> }>(
        await ask(server.url, 'GET', `/api4/invoice/imports/${id}`, { token }),
      )
      if (one.state === state) return one
      if (one.state === 'failed' || one.state === 'stopped')
        throw new Error(`the import ended as ${one.state}`)
      await pause(50)
    }
  }
  await until('checked')
  const checked = performance.now()
  await ask(server.url, 'POST', `/api4/invoice/imports/${id}/run`, { token, body: { take: 'all' } })
  const { counts } = await until('done')
  const done = performance.now()
  clearInterval(watch)
  if (counts.create !== rows) throw new Error(`${counts.create} of ${rows} customers came in`)
  const perSecond = Math.round((rows / (done - started)) * 1000)
  const part = `Import: ${rows.toLocaleString('en')} customers from a CSV file`
  return [
    {
      part,
      name: 'sent, checked and brought in',
      value: `${perSecond} rows/s (check ${Math.round(checked - started)} ms, run ${Math.round(done - checked)} ms)`,
      goal: '>= 1,000 rows/s',
      ok: perSecond >= 1000,
    },
    { part, name: 'memory on top', value: `${Math.round((most - before) / 1_048_576)} MB` },
  ]
}
