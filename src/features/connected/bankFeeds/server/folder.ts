import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { App } from '#kit/server/context.ts'
import { attempt, eachOf, everyRound, isResting } from '#kit/server/work/dueRows.ts'
import { takeFile, type FeedRow } from './take.ts'

/**
 * The folder in which the operator of the installation lets files be placed, by SFTP or otherwise: one for each
 * connection, named by its key.
 */
export const foldersOf = (app: App): string => join(app.settings.dataDir, 'bankfeeds')

/** A file that still grows is left alone. */
const restsMs = 10_000
const mostBytes = 5_000_000

/**
 * Takes what lies in the folders; a file that was taken or refused moves aside, and one that cannot be taken leaves the
 * others as they are. Answers how many.
 */
export async function takeFolders(app: App, isOver: () => boolean = () => false): Promise<number> {
  const root = foldersOf(app)
  if (!existsSync(root)) return 0
  let taken = 0
  for (const key of await readdir(root)) {
    if (isOver()) break
    const { rows } =
      await sql<FeedRow>`select company_id, id, bank_account_id, drop_key, state from bank_feeds f
        where drop_key = ${key} and archived_at is null and state = 'on'
        and not ${isResting(app, 'bankFeeds.folder', sql`f.company_id`, sql`f.id::text`)}`.execute(
        app.db.kysely,
      )
    const [feed] = rows
    if (feed)
      taken +=
        (await attempt(app, 'bankFeeds.folder', { companyId: feed.company_id, key: feed.id }, () =>
          takeFolder(app, feed, join(root, key)),
        )) ?? 0
  }
  return taken
}

async function takeFolder(app: App, feed: FeedRow, folder: string): Promise<number> {
  const takeOne = async (name: string): Promise<number> => {
    const path = join(folder, name)
    const { mtimeMs, size } = await stat(path)
    if (app.now().getTime() - mtimeMs < restsMs || size > mostBytes) return 0
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    const { outcome } = await takeFile(app, feed, name.slice(0, 200), { path, size, sha256 })
    const aside = join(folder, outcome === 'refused' ? 'refused' : 'taken')
    await mkdir(aside, { recursive: true })
    await rename(path, join(aside, `${sha256.slice(0, 12)}-${name}`))
    return 1
  }
  let taken = 0
  const files = (await readdir(folder, { withFileTypes: true })).filter(
    (one) => one.isFile() && !one.name.startsWith('.') && !one.name.endsWith('.part'),
  )
  await eachOf(...files.map((one) => async () => void (taken += await takeOne(one.name))))
  return taken
}

/** Looks into the folders once a minute. */
export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(everyRound(app, 'files of banks', 60_000, (isOver) => takeFolders(app, isOver)))
