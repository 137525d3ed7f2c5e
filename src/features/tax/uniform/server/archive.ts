import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'

const partBytes = 1024 * 1024

/** Where an archive goes as it grows. */
export interface Sink {
  take: (chunk: Uint8Array) => void
  /** Lets go of what has gathered. */
  flush: (last?: boolean) => Promise<void>
  size: () => number
}

/** Into the database piece by piece, so that a large archive is never whole in memory. */
export function partsSink(ctx: Ctx, fileId: string): Sink {
  let waiting: Uint8Array[] = []
  let held = 0
  let part = 0
  let size = 0
  return {
    take: (chunk) => {
      waiting.push(chunk)
      held += chunk.length
      size += chunk.length
    },
    flush: async (last = false) => {
      if (held < partBytes && !last) return
      const bytes = Buffer.concat(waiting)
      let from = 0
      for (; from < bytes.length && (last || bytes.length - from >= partBytes); from += partBytes)
        await sql`insert into uniform_file_parts (company_id, file_id, part, bytes)
          values (${ctx.companyId}, ${fileId}, ${part++}, ${bytes.subarray(from, from + partBytes)})`.execute(
          ctx.tx,
        )
      const rest = bytes.subarray(from)
      waiting = rest.length ? [rest] : []
      held = rest.length
    },
    size: () => size,
  }
}

/** Into memory, for what is answered at once. */
export function memorySink(): Sink & { bytes: () => Uint8Array } {
  const chunks: Uint8Array[] = []
  return {
    take: (chunk) => void chunks.push(chunk),
    flush: () => Promise.resolve(),
    size: () => chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    bytes: () => Buffer.concat(chunks),
  }
}

/** One file of an archive, written piece by piece. */
interface Entry {
  write: (bytes: Uint8Array) => void
  end: () => void
}

/** A growing archive; its files are written one after another. */
export function archive(take: (chunk: Uint8Array, final: boolean) => void, mtime: Date) {
  const failed = { error: undefined as Error | undefined }
  const zip = new Zip((error, chunk, final) => {
    if (error) failed.error = error
    else take(chunk, final)
  })
  const open = (name: string, packed: boolean): Entry => {
    const file = packed ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name)
    file.mtime = mtime
    zip.add(file)
    return {
      write: (bytes) => {
        if (bytes.length) file.push(bytes, false)
        if (failed.error) throw failed.error
      },
      end: () => file.push(new Uint8Array(), true),
    }
  }
  return {
    file: (name: string) => open(name, true),
    /** Of what is packed already. */
    packed: (name: string) => open(name, false),
    end: () => zip.end(),
  }
}
