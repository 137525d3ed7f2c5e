import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { takeFile, type FeedRow } from './take.ts'

/** Where whoever runs the installation lets files be laid, by SFTP or however he likes: a folder for each door, named by its key. */
export const foldersOf = (app: App): string => join(app.settings.dataDir, 'bankfeeds')

/** A file that still grows is left alone. */
const restsMs = 10_000
const mostBytes = 5_000_000

/** Takes what lies in the folders; a file that was taken or refused moves aside. Answers how many. */
export async function takeFolders(app: App): Promise<number> {
  const root = foldersOf(app)
  if (!existsSync(root)) return 0
  let taken = 0
  for (const key of await readdir(root)) {
    const { rows } =
      await sql<FeedRow>`select company_id, id, bank_account_id, drop_key, state from bank_feeds
        where drop_key = ${key} and archived_at is null and state = 'on'`.execute(app.db.kysely)
    if (rows[0]) taken += await takeFolder(app, rows[0], join(root, key))
  }
  return taken
}

async function takeFolder(app: App, feed: FeedRow, folder: string): Promise<number> {
  let taken = 0
  for (const one of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, one.name)
    if (!one.isFile() || one.name.startsWith('.') || one.name.endsWith('.part')) continue
    const { mtimeMs, size } = await stat(path)
    if (app.now().getTime() - mtimeMs < restsMs || size > mostBytes) continue
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    const { outcome } = await takeFile(app, feed, one.name.slice(0, 200), { path, size, sha256 })
    const aside = join(folder, outcome === 'refused' ? 'refused' : 'taken')
    await mkdir(aside, { recursive: true })
    await rename(path, join(aside, `${sha256.slice(0, 12)}-${one.name}`))
    taken++
  }
  return taken
}

/** Looks into the folders once a minute. */
export async function start(app: App): Promise<() => Promise<void>> {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= takeFolders(app)
      .catch((e: unknown) => app.log.warn({ err: (e as Error).message }, 'files of banks could not be taken'))
      .finally(() => (running = undefined))
  }, 60_000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
