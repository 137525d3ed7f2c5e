import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { failureOf } from '#kit/server/contract/failures.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { attempt } from '#kit/server/work/dueRows.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'

/*
 * What an acquirer answered about money is known to nobody else, and some acquirers cannot be asked again. While the
 * database is away the answer is kept on the disk, encrypted, and written when it is back: by this process or the next
 * one that starts here. Writing it twice is writing it once, under the lock of its charge.
 */

/** Answers by what they are about; what is written must be plain data. */
interface Writer<Heard> {
  /** Keeps an answer in the books, now or as soon as the database is there; throws `kit.unavailable` while it is kept. */
  write: (app: App, companyId: string, heard: Heard) => Promise<void>
}

interface Kept {
  kind: string
  companyId: string
  heard: unknown
}

const writers = new Map<string, (ctx: Ctx, heard: never) => Promise<void>>()

/** Declares how an answer of a kind is written: in a transaction, and without effect the second time. */
export function answerWriter<Heard>(
  kind: string,
  put: (ctx: Ctx, heard: Heard) => Promise<void>,
): Writer<Heard> {
  writers.set(kind, put)
  return {
    write: async (app, companyId, heard) => {
      const kept: Kept = { kind, companyId, heard }
      try {
        await putNow(app, kept)
      } catch (e) {
        if (failureOf(e).code === 'kit.unavailable') await keep(app, kept)
        throw e
      }
    },
  }
}

const putNow = (app: App, { kind, companyId, heard }: Kept): Promise<void> =>
  asCaller(app, systemCaller(companyId), '', (ctx) => writers.get(kind)!(ctx, heard as never))

const folderOf = (app: App): string => join(app.settings.dataDir, 'answers')
const ending = '.sealed'
/** Where even the disk failed: as long as this process lives. */
const inMemory: Kept[] = []
/** Whether something may be kept: a look at the disk in every round would be for nothing. */
let mayHold = true

async function keep(app: App, kept: Kept): Promise<void> {
  mayHold = true
  const folder = folderOf(app)
  const path = join(folder, newId())
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(encrypt(app.secrets.vault, serialize(kept)))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(path, path + ending)
    // A look that began before the file was there may have ended meanwhile.
    mayHold = true
  } catch (e) {
    inMemory.push(kept)
    app.log.error({ err: (e as Error).message }, 'an answer of an acquirer could not be kept on the disk')
  }
  app.log.warn(
    { kind: kept.kind, company: kept.companyId },
    'an answer of an acquirer waits for the database',
  )
}

/** Writes the answers that were kept; answers how many. Those of a database that is still away stay. */
export async function writeKept(app: App): Promise<number> {
  if (!mayHold) return 0
  const folder = folderOf(app)
  const names = await readdir(folder).catch(() => [] as string[])
  let written = 0
  let hasFailed = false
  for (const name of names.filter((one) => one.endsWith(ending)).toSorted()) {
    const path = join(folder, name)
    const sealed = await readFile(path).catch(() => undefined)
    // Another process of this machine was quicker.
    if (!sealed) continue
    const kept = deserialize(decrypt(app.secrets.vault, sealed)) as Kept
    const done = await attempt(
      app,
      'acquirers.answers',
      { companyId: kept.companyId, key: name },
      async () => {
        await putNow(app, kept)
        return true
      },
    )
    if (done) {
      await rm(path, { force: true })
      written++
    } else hasFailed = true
  }
  for (const kept of inMemory.splice(0)) {
    await putNow(app, kept).catch((e: unknown) => {
      inMemory.push(kept)
      throw e
    })
    written++
  }
  mayHold = hasFailed || inMemory.length > 0
  return written
}
