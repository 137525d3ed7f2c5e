import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#kit/server/data/embeddedPostgres.ts'
import { median, ms, table, type Figure } from './bench/figures.ts'
import { measureAround } from './bench/around.ts'
import { measureOffice } from './bench/office.ts'
import { measureClasses } from './bench/classes.ts'
import { measureIssuing } from './bench/issue.ts'
import { measureMemory } from './bench/memory.ts'
import { measureImports } from './bench/imports.ts'
import { measurePages } from './bench/page.ts'
import { measurePapers } from './bench/papers.ts'
import { measureReading } from './bench/reading.ts'
import { measureReads } from './bench/reads.ts'
import { measureScale } from './bench/scale.ts'
import { pause, startServer, stopAll, tellsHeap, type Running } from './bench/server.ts'
import { measureOrders } from './bench/orders.ts'
import { measureStock } from './bench/stock.ts'
import { measureWebhooks } from './bench/webhooks.ts'
import { measureWeight } from './bench/weight.ts'

/*
 * `npm run bench`: figures of this machine in this minute beside their goals. It has its own server and its
 * own database in a temporary folder, and never fails on a figure: machines are shared and noisy, a person
 * judges.
 *
 *   --full        longer rounds, more tries (a few minutes); --quick is the default
 *   --size=N      documents in the generated business (20000)
 * --only=a,b of issue, reads, papers, imports, reading, pages, start, memory, weight, webhooks, around,
 * orders, stock, classes, office, scale
 *   --json        the figures as JSON
 */
const given = process.argv.slice(2)
const option = (name: string) => given.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3)
const parts = [
  'start',
  'memory',
  'issue',
  'papers',
  'imports',
  'reading',
  'reads',
  'pages',
  'weight',
  'webhooks',
  'around',
  'office',
  'orders',
  'stock',
  'classes',
  'scale',
] as const
const known = /^--(quick|full|json|size=\d+|only=[a-z,]+)$/
const wrong = given.filter((a) => !known.test(a))
const only = option('only')?.split(',') ?? [...parts]
if (wrong.length || only.some((p) => !(parts as readonly string[]).includes(p))) {
  console.error(
    `Not understood: ${[...wrong, ...only.filter((p) => !(parts as readonly string[]).includes(p))].join(' ')}\nOptions: --quick --full --json --size=20000 --only=${parts.join(',')}`,
  )
  process.exit(2)
}
const full = given.includes('--full')
const asJson = given.includes('--json')
const size = Math.max(1000, Number(option('size') ?? 20_000))
const say = (what: string) =>
  void (!asJson && process.stderr.isTTY ? process.stderr.write(`\r\u001b[K… ${what}`) : undefined)

// @ts-expect-error plain JavaScript without types: it must run before anything is installed
const { build } = (await import('./start.mjs')) as { build: () => void }
// Its message must not stand between the figures of --json.
const { log } = console
if (asJson) console.log = () => {}
build()
console.log = log

const folder = mkdtempSync(join(tmpdir(), 'pinkas-bench-'))
const clean = () => rmSync(folder, { recursive: true, force: true })
let ending = false
/** Calls under way break off when the server goes; only the first word of it counts. */
const end = (code: number, e?: unknown) => {
  if (ending) return
  ending = true
  if (e) console.error(e)
  void stopAll().finally(() => {
    clean()
    process.exit(code)
  })
}
process.on('SIGINT', () => end(130))
process.on('SIGTERM', () => end(143))
process.on('unhandledRejection', (e) => end(1, e))
process.on('uncaughtException', (e) => end(1, e))

const loadBefore = loadavg()
const figures: Figure[] = []
let server: Running | undefined
const restart = async (env?: Record<string, string>): Promise<Running> => {
  await server?.stop()
  server = await startServer(join(folder, 'data'), env)
  return server
}

try {
  say('starting in a fresh folder')
  const fresh = (await restart()).startMs
  const later: number[] = []
  const cost: number[] = []
  for (let n = 0; n < (only.includes('start') ? (full ? 7 : 3) : 0); n++) {
    const { startMs, startProcessorMs } = await restart()
    later.push(startMs)
    cost.push(startProcessorMs ?? Number.NaN)
  }
  if (only.includes('start')) {
    const part = 'Start, to the first good answer of /readyz'
    figures.push(
      { part, name: 'fresh folder', value: ms(fresh), goal: '<= 5 s', ok: fresh <= 5000 },
      { part, name: 'later', value: ms(median(later)), goal: '<= 1.5 s', ok: median(later) <= 1500 },
    )
    if (median(cost) >= 0)
      figures.push({ part, name: 'processor time of the server, later', value: ms(median(cost)) })
  }
  if (only.includes('memory')) {
    say('memory')
    await pause(1000)
    figures.push(...(await measureMemory(await restart(tellsHeap), full ? 10_000 : 2000)))
  }
  // The server's own database, joined while it runs.
  const database = await startEmbeddedPostgres(join(folder, 'data'))
  if (only.includes('issue'))
    figures.push(
      ...(await measureIssuing({
        server: await restart(),
        dataDir: join(folder, 'data'),
        databaseUrl: database.url,
        rounds: full ? 9 : 3,
        milliseconds: full ? 3000 : 1000,
        say,
      })),
    )
  if (only.includes('papers')) {
    say('papers')
    figures.push(...(await measurePapers(restart, server!.url, full ? 100 : 20)))
  }
  if (only.includes('imports')) {
    say('imports')
    figures.push(...(await measureImports(await restart())))
  }
  if (only.includes('reading')) {
    say('reading')
    figures.push(...(await measureReading(full ? 5 : 2)))
  }
  if (only.includes('reads'))
    figures.push(
      ...(await measureReads({
        server: await restart(),
        databaseUrl: database.url,
        size,
        tries: full ? 200 : 40,
        say,
      })),
    )
  if (only.includes('pages')) {
    say('pages')
    // The demo business is to be had of a development start alone.
    figures.push(...(await measurePages((await restart({ PINKAS_DEV: '1' })).url, full ? 7 : 3)))
  }
  if (only.includes('around')) {
    say('around the customer')
    figures.push(
      ...(await measureAround({ server: server!, databaseUrl: database.url, tries: full ? 500 : 100 })),
    )
  }
  if (only.includes('stock')) {
    say('stock')
    figures.push(
      ...(await measureStock({
        server: server!,
        databaseUrl: database.url,
        items: full ? 100_000 : 10_000,
        moves: full ? 1_000_000 : 100_000,
        tries: full ? 200 : 50,
      })),
    )
  }
  if (only.includes('classes')) {
    say('classes')
    const other = await startServer(join(folder, 'data'), { DATABASE_URL: database.url })
    figures.push(...(await measureClasses({ servers: [server!, other], rounds: full ? 20 : 5 })))
    await other.stop()
  }
  if (only.includes('office')) {
    say('the office')
    figures.push(
      ...(await measureOffice({ server: server!, databaseUrl: database.url, tries: full ? 500 : 100 })),
    )
  }
  if (only.includes('webhooks')) {
    say('webhooks')
    figures.push(
      ...(await measureWebhooks({ restart, databaseUrl: database.url, events: full ? 100_000 : 10_000 })),
    )
  }
  if (only.includes('orders')) {
    say('orders')
    figures.push(
      ...(await measureOrders({ restart, databaseUrl: database.url, orders: full ? 10_000 : 1000 })),
    )
  }
  if (only.includes('scale')) {
    say('size')
    figures.push(
      ...(await measureScale({
        server: await restart(),
        dataDir: join(folder, 'data'),
        databaseUrl: database.url,
        documents: full ? 2000 : 400,
      })),
    )
  }
  if (only.includes('weight')) figures.push(...measureWeight())
  await stopAll()
  clean()
  say('')
} catch (e) {
  end(1, e)
  // The end is on its way; nothing below is to be said.
  await new Promise(() => {})
}

const load = {
  before: loadBefore.map((l) => Number(l.toFixed(2))),
  after: loadavg().map((l) => Number(l.toFixed(2))),
}
const machine = { processors: cpus().length, model: cpus()[0]?.model ?? '', node: process.version, load }
if (asJson)
  console.log(JSON.stringify({ at: new Date().toISOString(), machine, size, full, figures }, null, 2))
else {
  console.log(table(figures))
  console.log(
    `\n  ${machine.processors} × ${machine.model}, Node ${machine.node}; load ${load.before[0]} before, ${load.after[0]} after. The server, the database and the clients share these processors.`,
  )
  if (load.before[0]! > machine.processors / 2)
    console.log('  The machine was busy before the start: ratios still mean something, milliseconds hardly.')
}
// Connections that stay open for the next call would hold the process after its last word.
end(0)
