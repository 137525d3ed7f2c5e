import { readFileSync } from 'node:fs'
import pg from 'pg'
import { kB, ms, type Figure } from './figures.ts'
import { issueInvoice } from './issue.ts'
import { databaseTime, newCompany, pause, processorTime, type Running } from './server.ts'

/** Processor time of a server and of the processes that typeset for it. */
function serverTime(pid: number): number {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      // It ended meanwhile.
      return ''
    }
  }
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
  const own = children.filter((child) => read(`/proc/${child}/cmdline`).includes('node'))
  return (processorTime(pid) ?? Number.NaN) + own.reduce((sum, one) => sum + (processorTime(one) ?? 0), 0)
}

/** What a document costs in the database, and how fast its PDF is sealed: the figures of docs/scale.md. */
export async function measureScale({
  server,
  dataDir,
  databaseUrl,
  documents,
}: {
  server: Running
  dataDir: string
  databaseUrl: string
  documents: number
}): Promise<Figure[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  const one = async <T extends object>(text: string): Promise<T> => (await pool.query<T>(text)).rows[0]!
  const size = async (): Promise<number> => {
    // What was deleted or is only in the log of writes is no size.
    await pool.query('checkpoint')
    return Number((await one<{ n: string }>('select pg_database_size(current_database()) as n')).n)
  }
  const wal = async () => (await one<{ at: string }>('select pg_current_wal_lsn()::text as at')).at
  const since = async (at: string): Promise<number> =>
    Number((await one<{ n: string }>(`select pg_current_wal_lsn() - '${at}'::pg_lsn as n`)).n)
  const waiting = async (what: string): Promise<number> =>
    Number((await one<{ n: string }>(`select count(*) as n from outbox where done_at is null ${what}`)).n)
  const papers = `and name = 'documents.paper'`
  try {
    const companies = await Promise.all([0, 1, 2, 3].map(() => newCompany(server.url)))
    for (const company of companies) await issueInvoice(company)
    await pool.query(`update outbox set done_at = now() where done_at is null ${papers}`)
    const spent = () => [serverTime(server.pid), databaseTime(dataDir) ?? Number.NaN] as const
    const cost = (from: readonly [number, number], to: readonly [number, number]) =>
      `server ${ms((to[0] - from[0]) / documents)}, database ${ms((to[1] - from[1]) / documents)}`
    const [empty, from, atFirst] = [await size(), await wal(), spent()]
    for (let n = 0; n < documents; n += companies.length) await Promise.all(companies.map(issueInvoice))
    const issuing = cost(atFirst, spent())
    const walBytes = await since(from)
    const issued = await size()
    await pool.query(`update outbox set run_after = now() where done_at is null ${papers}`)
    const before = spent()
    const started = performance.now()
    while (await waiting(papers)) await pause(100)
    const seconds = (performance.now() - started) / 1000
    const after = spent()
    // The chain of hashes is joined behind.
    await pause(4000)
    const sealed = await size()
    const { n: connections } = await one<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and usename is not null
        and pid <> pg_backend_pid()`,
    )
    const part = `Size: ${documents} documents of four businesses`
    return [
      { part, name: 'database, a document without its PDF', value: kB((issued - empty) / documents) },
      { part, name: 'database, its sealed PDF', value: kB((sealed - issued) / documents) },
      { part, name: 'log of writes, a document without its PDF', value: kB(walBytes / documents) },
      { part, name: 'sealed PDFs a second', value: (documents / seconds).toFixed(1) },
      { part, name: 'processor time to issue a document', value: issuing },
      { part, name: 'processor time to seal its PDF, typesetters included', value: cost(before, after) },
      { part, name: 'connections of the server', value: String(connections) },
    ]
  } finally {
    await pool.end()
  }
}
