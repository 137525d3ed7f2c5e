import { createHash } from 'node:crypto'
import { Zip } from 'fflate'
import type { Database } from '#kit/server/data/db.ts'
import { PackedFile } from '#kit/server/described/zip.ts'
import { companyTables } from '#features/office/demo/server/index.ts'

/**
 * What a backup leaves out: log-ins of the moment, work that the original business does itself, counters of this
 * database only, and requests to the operator of this installation, under the operator's own numbers.
 */
const leftOut = new Set<string>([
  'sessions',
  'outbox',
  'sweep_faults',
  'events',
  'webhook_deliveries',
  'webhook_tries',
  'invitations',
  'book_days',
  'shop_ties',
  'drive_ties',
  'tickets',
  'ticket_messages',
  'ticket_pictures',
  'ticket_files',
])

/** Parents before children, as they must be put back. */
export const backedUp: readonly string[] = companyTables.filter((table) => !leftOut.has(table)).toReversed()

/** Of what is wide a few rows are held at a time, and files one by one. */
const rowsAtOnce = (table: string) =>
  /content|bytes|parts$/.test(table) ? 1 : /paper|bundle|runs|pages/.test(table) ? 8 : 1000

export interface Manifest {
  program: 'pinkas'
  form: 1
  companyId: string
  name: string
  takenAt: string
  /** The last migration that had run: an archive is put back into the same version or a later one. */
  migration: string
  tables: Record<string, { rows: number; sha256: string }>
}

/**
 * Writes everything of a business as of one moment, however much is issued meanwhile: a file of rows for each table,
 * one JSON object per line, and a manifest with the count and the hash of each. Passwords and sessions are not in
 * it; encrypted keys stay encrypted.
 */
export async function* archiveOf(db: Database, companyId: string, takenAt: Date): AsyncGenerator<Uint8Array> {
  const client = await db.pool.connect()
  const ready: Uint8Array[] = []
  let failed: Error | undefined
  const zip = new Zip((error, data) => {
    if (error) failed = error
    else ready.push(data)
  })
  let isDone = false
  let open: PackedFile | undefined
  const begin = (name: string): PackedFile => {
    open = new PackedFile(name)
    zip.add(open)
    return open
  }
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: companies } = await client.query<{ row: string; name: string }>(
      `select (to_jsonb(c) - 'client_number')::text as row, name from companies c where id = $1`,
      [companyId],
    )
    const { rows: versions } = await client.query<{ name: string }>(
      'select max(name) as name from migrations',
    )
    const manifest: Manifest = {
      program: 'pinkas',
      form: 1,
      companyId,
      name: companies[0]!.name,
      takenAt: takenAt.toISOString(),
      migration: versions[0]!.name,
      tables: {},
    }
    // Most tables hold nothing of a business. One statement finds them: three for each of hundreds of tables would cost
    // a busy server seconds.
    const { rows: used } = await client.query<{ name: string }>(
      backedUp
        .map(
          (table) =>
            `select '${table}' as name where exists (select 1 from ${client.escapeIdentifier(table)} where company_id = $1)`,
        )
        .join(' union all '),
      [companyId],
    )
    const withRows = new Set(['companies', 'users', ...used.map(({ name }) => name)])
    async function* rowsOf(table: string): AsyncGenerator<string[]> {
      if (!withRows.has(table)) return
      if (table === 'companies') return yield [companies[0]!.row]
      const text =
        table === 'users'
          ? `select jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'full_name', u.full_name, 'language', u.language, 'created_at', u.created_at)::text as row
             from users u join memberships m on m.user_id = u.id where m.company_id = '${companyId}' order by u.id`
          : `select to_jsonb(t)::text as row from ${client.escapeIdentifier(table)} t where company_id = '${companyId}'`
      await client.query(`declare rows_of no scroll cursor for ${text}`)
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`fetch ${rowsAtOnce(table)} from rows_of`)
        if (rows.length === 0) break
        yield rows.map(({ row }) => row)
      }
      await client.query('close rows_of')
    }
    for (const table of ['companies', 'users', ...backedUp]) {
      const file = begin(`tables/${table}.ndjson`)
      const hash = createHash('sha256')
      let count = 0
      for await (const rows of rowsOf(table)) {
        const bytes = Buffer.from(`${rows.join('\n')}\n`)
        hash.update(bytes)
        count += rows.length
        await file.write(bytes)
        if (failed) throw failed
        yield* ready.splice(0)
      }
      await file.end()
      manifest.tables[table] = { rows: count, sha256: hash.digest('hex') }
      yield* ready.splice(0)
    }
    const last = begin('manifest.json')
    await last.write(Buffer.from(JSON.stringify(manifest, undefined, 2)))
    await last.end()
    zip.end()
    await client.query('commit')
    isDone = true
    yield* ready.splice(0)
  } finally {
    open?.drop()
    // The person who stops reading leaves a transaction open behind: the connection goes with it.
    client.release(!isDone)
  }
}
