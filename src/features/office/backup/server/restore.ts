import type { Database } from '#kit/server/data/db.ts'
import { backedUp } from './archive.ts'
import { NotRestored, unpackArchive } from './unpack.ts'

/**
 * Sets a business up again from its archive, whole or not at all, in a database that does not hold it. People
 * are known again by their mail; who is new here has no password and asks for one. Needs the owner of the
 * database, because what is issued is put in as it was.
 */
export async function restore(
  db: Database,
  archive: Uint8Array,
): Promise<{ companyId: string; name: string; rows: number }> {
  // Before anything is written all of it is what was written.
  const { manifest, files } = unpackArchive(archive)
  const linesOf = (table: string): string[] =>
    Buffer.from(files[`tables/${table}.ndjson`]!).toString().split('\n').filter(Boolean)
  const client = await db.pool.connect()
  let isDone = false
  let total = 0
  try {
    await client.query('begin')
    const { rows: versions } = await client.query<{ name: string }>(
      'select max(name) as name from migrations',
    )
    if (versions[0]!.name < manifest.migration)
      throw new NotRestored('the backup is of a later version than this program')
    const { rows: known } = await client.query('select 1 from companies where id = $1', [manifest.companyId])
    if (known.length) throw new NotRestored('the business is here already')
    // As they were: no trigger gives them numbers, guards them or queues work for them.
    await client.query('set local session_replication_role = replica')
    // A person who exists here already keeps their record; their actions in the backup are attributed to it.
    const people = new Map<string, string>()
    for (const line of linesOf('users')) {
      const person = JSON.parse(line) as { id: string; email: string }
      const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [
        person.email,
      ])
      if (rows[0] && rows[0].id !== person.id) people.set(person.id, rows[0].id)
      else if (!rows[0])
        await client.query(
          'insert into users (id, email, phone, full_name, language, created_at) select id, email, phone, full_name, language, created_at from jsonb_populate_record(null::users, $1::jsonb)',
          [line],
        )
    }
    const asHere = (line: string) =>
      people.size === 0
        ? line
        : line.replace(/"([0-9a-f]{8}-[0-9a-f-]{27})"/g, (all, id: string) =>
            people.has(id) ? `"${people.get(id)}"` : all,
          )
    // Columns the archive does not know take their defaults, so an archive of an earlier version fits a later
    // one.
    for (const table of ['companies', ...backedUp]) {
      if (!(table in manifest.tables)) continue
      const lines = linesOf(table)
      const name = client.escapeIdentifier(table)
      const { rows: own } = await client.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      )
      const given = lines.length ? Object.keys(JSON.parse(lines[0]!) as object) : []
      // What the database derives it derives again.
      const columns = own
        .filter((column) => given.includes(column.name))
        .map((column) => client.escapeIdentifier(column.name))
        .join(', ')
      for (let at = 0; at < lines.length; at += 500) {
        const part = lines.slice(at, at + 500).map(asHere)
        await client.query(
          `insert into ${name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
          [`[${part.join(',')}]`],
        )
      }
      total += lines.length
    }
    // The business may still be telling where it was taken, and hear its shops there: a person says when this
    // one does.
    await client.query(
      "update webhook_endpoints set state = 'off', off_why = 'restored', off_at = now(), leased_by = null, leased_until = null where company_id = $1 and state = 'on'",
      [manifest.companyId],
    )
    for (const table of ['shops', 'drive_targets', 'bank_feeds'])
      await client.query(`update ${table} set state = 'off' where company_id = $1 and state = 'on'`, [
        manifest.companyId,
      ])
    await client.query('commit')
    isDone = true
  } finally {
    if (!isDone) await client.query('rollback').catch(() => {})
    client.release(!isDone)
  }
  return { companyId: manifest.companyId, name: manifest.name, rows: total }
}
