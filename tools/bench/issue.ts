import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { median, ms, perCent, quantile, type Figure } from './figures.ts'
import { floorTables, issueOnTheFloor } from './floor.ts'
import { ask, databaseTime, json, newCompany, processorTime, type Company, type Running } from './server.ts'

/** Five lines as a tradesman writes them. */
const lines = ['ביקור ואבחון', 'שעת עבודה', 'פתיחת סתימה במכונה', 'החלפת ברז מטבח', 'צינור PEX 16×2'].map(
  (description, n) => ({
    description,
    quantity: String(n + 1),
    unitPrice: `${120 + n * 35.5}`,
  }),
)

/** Issues one invoice the way the application does, idempotency key included. */
export const issueInvoice = ({ url, token, customerId }: Company) =>
  ask(url, 'POST', '/api4/invoice/documents', {
    token,
    key: randomUUID(),
    body: { type: 8, customerId, lines },
  })

interface Round {
  perSecond: number
  times: number[]
  /**
   * Processor time a document took in the server and in PostgreSQL: the figure that a busy machine does not
   * blur.
   */
  serverMs: number
  databaseMs: number
}

/** Writers that work side by side for a while, each beginning its next document when the last one is done. */
async function round(
  writers: (() => Promise<number>)[],
  milliseconds: number,
  spent: () => [server: number, database: number],
): Promise<Round> {
  const times: number[] = []
  const before = spent()
  const started = performance.now()
  await Promise.all(
    writers.map(async (write) => {
      while (performance.now() - started < milliseconds) times.push(await write())
    }),
  )
  const perSecond = times.length / ((performance.now() - started) / 1000)
  const after = spent()
  return {
    perSecond,
    times,
    serverMs: (after[0] - before[0]) / times.length,
    databaseMs: (after[1] - before[1]) / times.length,
  }
}

export interface IssueOptions {
  server: Running
  dataDir: string
  databaseUrl: string
  rounds: number
  milliseconds: number
  say: (what: string) => void
}

/** Documents a second beside the floor's: one client, eight clients of one company, eight companies. */
export async function measureIssuing({
  server,
  dataDir,
  databaseUrl,
  rounds,
  milliseconds,
  say,
}: IssueOptions): Promise<Figure[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 9 })
  pool.on('error', () => {})
  const { url, pid } = server
  const spent = (): [number, number] => [
    processorTime(pid) ?? Number.NaN,
    databaseTime(dataDir) ?? Number.NaN,
  ]
  try {
    await floorTables(pool)
    const companies: Company[] = []
    for (let n = 0; n < 8; n++) companies.push(await newCompany(url))
    const clients = await Promise.all(Array.from({ length: 8 }, () => pool.connect()))
    const one = companies[0]!
    const floor = (n: number, company: string) => () => issueOnTheFloor(clients[n]!, company)
    const ours = (company: Company) => async () => (await issueInvoice(company)).ms
    const eight = [0, 1, 2, 3, 4, 5, 6, 7]
    const cases = [
      {
        name: '1 client',
        floor: [floor(0, one.id)],
        ours: [ours(one)],
        least: 200,
        share: 0.4,
        against: 'floor',
      },
      // The floor of eight clients of one company is the same counter row: the goal is against the floor of
      // one client.
      {
        name: '8 clients of one company',
        floor: [floor(0, one.id)],
        ours: eight.map(() => ours(one)),
        least: 300,
        share: 0.5,
        against: 'floor of 1 client',
      },
      {
        name: '8 companies',
        floor: eight.map((n) => floor(n, companies[n]!.id)),
        ours: eight.map((n) => ours(companies[n]!)),
        least: 300,
        share: 0.3,
        against: 'floor of 8 companies',
      },
    ]
    const figures: Figure[] = []
    await putPapersOff(pool)
    say('warming up')
    // Compiled code, plans and connections: a server that has just started is another figure than one at
    // work.
    for (let n = 0; n < 50; n++) await Promise.all(eight.map((i) => issueInvoice(companies[i]!)))
    for (const c of cases) {
      say(`issuing, ${c.name}`)
      await round(c.floor, 300, spent)
      await round(c.ours, 300, spent)
      const pairs: { floor: Round; ours: Round }[] = []
      // In turns, so that a slow minute of the machine is slow for both.
      for (let n = 0; n < rounds; n++) {
        await putPapersOff(pool)
        pairs.push({
          floor: await round(c.floor, milliseconds, spent),
          ours: await round(c.ours, milliseconds, spent),
        })
      }
      const ratio = median(pairs.map((p) => p.ours.perSecond / p.floor.perSecond))
      const perSecond = median(pairs.map((p) => p.ours.perSecond))
      const theirs = pairs.flatMap((p) => p.floor.times)
      const times = pairs.flatMap((p) => p.ours.times)
      const part = `Issue a 5-line invoice: ${c.name}`
      figures.push(
        {
          part,
          name: 'documents a second',
          value: `${perSecond.toFixed(0)} (${c.against} ${median(pairs.map((p) => p.floor.perSecond)).toFixed(0)})`,
          goal: `>= ${c.least}`,
          ok: perSecond >= c.least,
        },
        {
          part,
          name: 'of the floor',
          value: perCent(ratio),
          goal: `>= ${perCent(c.share)}`,
          ok: ratio >= c.share,
        },
        { part, name: 'p50', value: `${ms(quantile(times, 0.5))} (floor ${ms(quantile(theirs, 0.5))})` },
        {
          part,
          name: 'p99',
          value: `${ms(quantile(times, 0.99))} (floor ${ms(quantile(theirs, 0.99))})`,
          goal: '<= 3 x p50',
          ok: quantile(times, 0.99) <= 3 * quantile(times, 0.5),
        },
      )
      const cost = (of: 'floor' | 'ours', what: 'serverMs' | 'databaseMs') =>
        median(pairs.map((p) => p[of][what]))
      if (cost('ours', 'serverMs') >= 0) {
        figures.push({
          part,
          name: 'processor time a document',
          value: `server ${ms(cost('ours', 'serverMs'))}, database ${ms(cost('ours', 'databaseMs'))} (floor's database ${ms(cost('floor', 'databaseMs'))})`,
        })
      }
    }
    figures.push(await numbering(companies, pool))
    for (const client of clients) client.release()
    return figures
  } finally {
    await pool.end()
  }
}

/**
 * The sealed paper of a document nobody opens is made twenty seconds later. Those of the bench would be made
 * while the next thing is measured, so they are crossed off; what one costs is measured with the papers.
 */
const putPapersOff = (pool: pg.Pool) =>
  pool.query("update outbox set done_at = now() where name = 'documents.paper' and done_at is null")

/** Whatever was measured, the numbers of every company must run from 1 without a gap and without a twin. */
async function numbering(companies: Company[], pool: pg.Pool): Promise<Figure> {
  const { rows } = await pool.query<{ wrong: number; n: number }>(
    `select count(*) filter (where least <> 1 or most <> n or most <> different)::int as wrong, sum(n)::int as n
     from (select min(number) as least, max(number) as most, count(*) as n, count(distinct number) as different from documents where company_id = any($1) and status <> 'draft' group by company_id) c`,
    [companies.map((c) => c.id)],
  )
  const report = json<{ checks: { ok: boolean }[] }>(
    await ask(companies[0]!.url, 'GET', '/api4/invoice/reports/trialBalance?from=2020-01-01&to=2099-12-31', {
      token: companies[0]!.token,
    }),
  )
  const right = rows[0]!.wrong === 0 && report.checks.every((c) => c.ok)
  return {
    part: 'Issue a 5-line invoice: afterwards',
    name: 'numbers and books',
    value: `${rows[0]!.n.toLocaleString('en')} documents, ${right ? 'no gap, no twin, books balance' : 'WRONG'}`,
    goal: 'no gap, no twin',
    ok: right,
  }
}
