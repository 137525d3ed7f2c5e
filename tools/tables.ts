import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#kit/server/db.ts'
import { startEmbeddedPostgres } from '#kit/server/embeddedPostgres.ts'
import { migrate } from '#kit/server/migrate.ts'
import { root } from '#kit/server/settings.ts'

// Writes db/tables.ts (or, with --check, compares it) from a fresh database that has every migration.
const folder = mkdtempSync(join(tmpdir(), 'pinkas-tables-'))
const postgres = await startEmbeddedPostgres(folder)
try {
  const db = openDatabase(postgres.url, 2)
  await migrate(db)
  await db.close()
  const made = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
      '--dialect',
      'postgres',
      '--url',
      postgres.url,
      '--out-file',
      join(root, 'db/tables.ts'),
      '--date-parser',
      'string',
      '--numeric-parser',
      'string',
      '--type-mapping',
      JSON.stringify({ int8: 'number', timestamptz: 'string' }),
      '--exclude-pattern',
      'migrations*',
      ...(process.argv.includes('--check') ? ['--verify'] : []),
    ],
    { encoding: 'utf8' },
  )
  if (made.status !== 0)
    throw new Error(`db/tables.ts does not match the migrations (npm run tables writes it anew)\n${made.stdout}${made.stderr}`)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
