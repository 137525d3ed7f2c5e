import { fill, wantedName } from './fill.ts'
import { ms, quantile, type Figure } from './figures.ts'
import { ask, newCompany, type Running } from './server.ts'

/** What the search box asks of every source at a key press, by what people type. */
const sources = ['customers', 'suppliers', 'items', 'leads', 'documents', 'expenses'] as const
const goal = 50

/** Search over a business with many documents: each source alone, and all of them together as at a key press. */
export async function measureSearch({
  server: { url },
  databaseUrl,
  size,
  tries,
  say,
}: {
  server: Running
  databaseUrl: string
  size: number
  tries: number
  say: (what: string) => void
}): Promise<Figure[]> {
  const company = await newCompany(url)
  say(`filling a business with ${size.toLocaleString('en')} documents`)
  const filled = await fill(databaseUrl, company.id, size)
  const { token } = company
  const part = `Search: ${size.toLocaleString('en')} documents, ${filled.customers.toLocaleString('en')} customers`
  const typed: Record<string, string> = {
    'part of a Hebrew name': wantedName,
    'two letters': wantedName.slice(0, 2),
    'a phone number': '050-123 4567',
    'part of an email address': 'office@ex',
    'a tax number': '513456780',
    'a document by type and number': 'חשבונית 3',
    'an amount': '1180',
    'a day': '3.5.2026',
    'nothing there is': 'zzqxw',
  }
  const find = async (source: string, q: string) =>
    (
      await ask(
        url,
        'GET',
        `/api4/invoice/${source}?size=${['documents', 'expenses'].includes(source) ? 10 : 20}&q=${encodeURIComponent(q)}`,
        { token },
      )
    ).ms
  const figures: Figure[] = []
  const add = (name: string, times: number[]) => {
    const p95 = quantile(times, 0.95)
    figures.push({
      part,
      name,
      value: `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(p95)}`,
      goal: `p95 <= ${goal} ms`,
      ok: p95 <= goal,
    })
  }
  for (const [what, q] of Object.entries(typed)) {
    say(`searching: ${what}`)
    for (const source of sources) await find(source, q)
    for (const source of ['customers', 'documents'] as const) {
      const times: number[] = []
      for (let n = 0; n < tries; n++) times.push(await find(source, q))
      add(`${source} by ${what}`, times)
    }
    const times: number[] = []
    for (let n = 0; n < tries; n++) {
      const began = performance.now()
      await Promise.all(sources.map((source) => find(source, q)))
      times.push(performance.now() - began)
    }
    add(`all sources by ${what}`, times)
  }
  return figures
}
