import { join } from 'node:path'
import { WorkerPool, PoolFailure } from '#kit/server/work/threads/pool.ts'
import { thread } from '#kit/server/work/threads/workers.ts'
import { plainPdf, wordsOf } from '#kit/server/seal/plainPdf.ts'
import { root } from '#kit/server/settings.ts'
import type { PageShape } from '../../shapes.ts'

export type Unreadable = 'broken' | 'locked' | 'active' | 'tooLong' | 'xfa'

/** The file is not taken; `why` names the refusal. */
export class NotTaken extends Error {
  override name = 'NotTaken'
  readonly why: Unreadable
  constructor(why: Unreadable) {
    super(why)
    this.why = why
  }
}

/** A page as it is shown, and what is read aloud of it. */
export interface ReadPage extends PageShape {
  text: string
}

interface Look {
  bytes: Uint8Array
  rewrite?: boolean
  withPages?: boolean
  number?: number
  width?: number
}

interface Answer {
  id: number
  result?: { pages: number; shapes: ReadPage[]; file: Uint8Array | null; picture?: Uint8Array }
  error?: Unreadable
}

const poolOf = (leavesAtOnce: boolean) =>
  new WorkerPool<Look, Answer>({
    start: thread(
      () => join(root, 'src/features/sales/signing/server/reading/worker.mjs'),
      {},
      {
        maxOldGenerationSizeMb: 384,
        maxYoungGenerationSizeMb: 48,
      },
    ),
    most: 2,
    longestMs: 30_000,
    leavesAtOnce,
  })

/** Nothing of one stranger's file stays for the next. */
const reader = poolOf(true)
/** Pages of files that were taken already: their thread stays for the next page. */
const painter = poolOf(false)

async function ask(pool: typeof reader, look: Look): Promise<NonNullable<Answer['result']>> {
  const answer = await pool.ask(look).catch((e: unknown) => {
    throw e instanceof PoolFailure ? new NotTaken('broken') : e
  })
  if (!answer.result) throw new NotTaken(answer.error ?? 'broken')
  return answer.result
}

/**
 * Opens an untrusted PDF in a separate thread, which ends with it: its number of pages and, when asked, the same
 * file as our reader writes it, and its pages as they are shown. Throws NotTaken; a file that takes too long or too
 * much memory ends the thread, not the server.
 */
export const lookInto = (
  bytes: Uint8Array,
  how: { rewrite?: boolean; withPages?: boolean } = {},
): Promise<{ pages: number; shapes: ReadPage[]; file: Uint8Array | null }> =>
  ask(reader, { bytes: new Uint8Array(bytes), ...how })

/** One page (from 1) as a WebP picture so many dots wide. */
export const pictureOf = async (bytes: Uint8Array, number: number, width: number): Promise<Uint8Array> =>
  (await ask(painter, { bytes: new Uint8Array(bytes), number, width })).picture!

/** Starts a program, plays a film or hides another file: no paper. */
const active = /\/S\s*\/(JavaScript|Launch|ImportData|SubmitForm|Rendition)\b|\/(RichMedia|EmbeddedFile|3D)\b/

/** Somebody signed it already: a signature covers the bytes as they are. */
export const isSigned = (bytes: Buffer): boolean => /\/ByteRange\s*\[/.test(bytes.toString('latin1'))

/**
 * An untrusted PDF prepared for sealing: opened in a separate thread, refused when it contains active content, and
 * written again in plain form. One that carries a signature already stays byte for byte and is extended, so that the
 * earlier signature stays valid.
 */
export async function sealable(bytes: Buffer): Promise<{ file: Buffer; pages: number; shapes: ReadPage[] }> {
  const signed = isSigned(bytes)
  const { pages, shapes, file } = await lookInto(bytes, { rewrite: !signed, withPages: true })
  if (signed) return { file: bytes, pages, shapes }
  if (!file) throw new NotTaken('broken')
  const plain = plainPdf(file)
  if (active.test(wordsOf(plain))) throw new NotTaken('active')
  return { file: plain, pages, shapes }
}
