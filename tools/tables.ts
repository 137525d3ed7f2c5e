import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#kit/server/data/db.ts'
import { startEmbeddedPostgres } from '#kit/server/data/embeddedPostgres.ts'
import { migrate, migrationNames } from '#kit/server/data/migrate.ts'
import { root } from '#kit/server/settings.ts'

const file = join(root, 'db/tables.ts')
const mark = /^\/\/ sha256 of the migrations and of this file: (\w*)\n/

/** A digest of the migrations and of the types below the file's first line. */
function digest(types: string): string {
  const hash = createHash('sha256')
  for (const name of migrationNames()) hash.update(readFileSync(join(root, 'db/migrations', name)))
  return hash.update(types.replace(mark, '')).digest('hex')
}

/** Whether db/tables.ts was generated from the migrations as they are now, and not edited since; no database is started. */
export function checkTables(): string[] {
  const types = readFileSync(file, 'utf8')
  const isCurrent = mark.exec(types)?.[1] === digest(types)
  return isCurrent ? [] : ['db/tables.ts does not match the migrations; run npm run tables']
}

// `npm run tables`: writes db/tables.ts from a fresh database that has every migration.
async function write(): Promise<void> {
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
        file,
        '--date-parser',
        'string',
        '--numeric-parser',
        'string',
        '--type-mapping',
        JSON.stringify({ int8: 'number', timestamptz: 'string' }),
        '--exclude-pattern',
        'migrations*',
      ],
      { encoding: 'utf8' },
    )
    if (made.status !== 0) throw new Error(`kysely-codegen failed\n${made.stdout}${made.stderr}`)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const types = readFileSync(file, 'utf8').replace(mark, '')
  writeFileSync(file, `// sha256 of the migrations and of this file: ${digest(types)}\n${types}`)
}

if (process.argv[1]?.endsWith('tables.ts')) await write()
