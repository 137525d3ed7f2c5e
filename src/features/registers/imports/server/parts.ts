import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, type App, type Caller, type Ctx } from '#kit/server/context.ts'

const partBytes = 1_048_576

/** Keeps a file in pieces, one at a time in memory. */
export async function keepParts(ctx: Ctx, importId: string, path: string): Promise<void> {
  let part = 0
  for await (const bytes of createReadStream(path, { highWaterMark: partBytes }))
    await sql`insert into import_parts (company_id, import_id, part, bytes)
      values (${ctx.companyId}, ${importId}, ${part++}, ${bytes as Buffer})`.execute(ctx.tx)
}

/** Lays a kept file on the disk again while `work` runs. */
export async function withFile<T>(
  app: App,
  caller: Caller,
  importId: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pinkas-import-'))
  const path = join(folder, 'file')
  const pieces = async function* () {
    for (let part = 0; ; part++) {
      const bytes = await asCaller(app, caller, '', async (ctx) => {
        const { rows } = await sql<{ bytes: Buffer }>`select bytes from import_parts
          where company_id = ${ctx.companyId} and import_id = ${importId} and part = ${part}`.execute(ctx.tx)
        return rows[0]?.bytes
      })
      if (!bytes) {
        // Its rows are in, or its time is over.
        if (part === 0) throw fail('imports.gone')
        return
      }
      yield bytes
    }
  }
  try {
    await pipeline(Readable.from(pieces()), createWriteStream(path, { mode: 0o600 }))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
