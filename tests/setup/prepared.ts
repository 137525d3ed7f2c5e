import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from '#kit/server/data/db.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#kit/server/data/embeddedPostgres.ts'
import { checkDatabase, migrate } from '#kit/server/data/migrate.ts'
import { root } from '#kit/server/settings.ts'

/** What outlives a run and can be made again: databases that are ready to be copied. */
export const cache = join(root, 'node_modules/.cache/pinkas')

/** A digest of files and folders: their names and contents. */
export function digestOf(...paths: string[]): string {
  const hash = createHash('sha256')
  const add = (path: string): void => {
    const full = join(root, path)
    if (!existsSync(full)) return
    hash.update(`${path}\n`).update(readFileSync(full))
  }
  for (const path of paths) {
    if (path.endsWith('/'))
      for (const file of readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).sort()) {
        if (/\.\w+$/.test(file)) add(join(path, file))
      }
    else add(path)
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * Copies the folder `name` of the cache to `to`. When it is not there, `make` fills it first; older ones of the same
 * kind (the part of the name before its digest) are removed. Two runs at once may both make it: the first one wins.
 */
export async function copyPrepared(
  kind: string,
  digest: string,
  to: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const kept = join(cache, `${kind}-${digest}`)
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, `new-${kind}-`))
    try {
      await make(folder)
      for (const old of readdirSync(cache))
        if (old.startsWith(`${kind}-`)) rmSync(join(cache, old), { recursive: true, force: true })
      renameSync(folder, kept)
    } catch (e) {
      rmSync(folder, { recursive: true, force: true })
      if (!existsSync(kept)) throw e
    }
  }
  mkdirSync(dirname(to), { recursive: true })
  // With owners and rights: a database of another user's does not start.
  if (process.platform === 'win32') execFileSync('xcopy', [kept, to, '/E', '/I', '/Q', '/Y'])
  else execFileSync('cp', ['-a', `${kept}/.`, to])
}

/** Starts the product's own PostgreSQL in `folder`, with every migration applied and a database `pinkas` that nobody is connected to. */
export async function startPrepared(folder: string): Promise<EmbeddedPostgres> {
  const digest = digestOf(
    'db/migrations/',
    'src/kit/server/data/embeddedPostgres.ts',
    'src/kit/server/data/migrate.ts',
    'tests/setup/prepared.ts',
    'package-lock.json',
  )
  await copyPrepared('postgres', digest, folder, async (made) => {
    const postgres = await startEmbeddedPostgres(made)
    try {
      const db = openDatabase(postgres.url, 2)
      await migrate(db)
      await checkDatabase(db)
      await db.close()
    } finally {
      await postgres.stop()
    }
  })
  return startEmbeddedPostgres(folder)
}
