import { join } from 'node:path'
import type { PaperWord } from '#domain/papers/proposal.ts'
import { WorkerPool, PoolFailure } from '#kit/server/work/threads/pool.ts'
import { thread } from '#kit/server/work/threads/workers.ts'
import { root } from '#kit/server/settings.ts'

/** A page as the thread gives it: its words in its own units and a JPEG of it, upright. */
export interface ReadPage {
  width: number
  height: number
  words: PaperWord[]
  from: 'text' | 'picture'
  picture: Uint8Array
}

export interface Reading {
  pages: ReadPage[]
  thumbnail: Uint8Array | undefined
  /** XML files inside a PDF (Factur-X and the like). */
  attachments: { name: string; bytes: Uint8Array }[]
  /** Of the whole file; only the first ten are read. */
  pageCount: number
}

export type Unreadable = 'broken' | 'tooLarge' | 'locked' | 'tooSlow' | 'failed'

/** The file could not be read; `why` is a word key of the inbox. */
export class ReadFailure extends Error {
  override name = 'ReadFailure'
  readonly why: Unreadable
  constructor(why: Unreadable, detail = '') {
    super(detail || why)
    this.why = why
  }
}

/**
 * The language data. `4.0.0` holds the older engine as well, which is not used: the same letters from a
 * larger file.
 */
const model = '4.0.0_best_int'

interface Answer {
  id: number
  result?: Reading
  error?: Unreadable
  detail?: string
}

/**
 * One: reading uses a whole processor. Language data and the memory of pictures are released when nothing arrives.
 */
const reader = new WorkerPool<
  { bytes: Uint8Array; mime: string; range: { from: number; to: number } | undefined },
  Answer
>({
  start: thread(
    () => join(root, 'src/features/purchases/capture/server/reading/worker.mjs'),
    { model },
    {
      maxOldGenerationSizeMb: 768,
      maxYoungGenerationSizeMb: 64,
    },
  ),
  most: 1,
  longestMs: 120_000,
  idleMs: 60_000,
})

/**
 * Reads a PDF or a picture. Throws ReadFailure; a file that takes more than two minutes or the thread's
 * memory ends the thread, not the server.
 */
export async function readFileWords(
  bytes: Uint8Array,
  mime: string,
  range?: { from: number; to: number },
): Promise<Reading> {
  const answer = await reader.ask({ bytes, mime, range }).catch((e: unknown) => {
    throw e instanceof PoolFailure
      ? new ReadFailure(e.why === 'tooSlow' ? 'tooSlow' : 'failed', e.message)
      : e
  })
  if (!answer.result) throw new ReadFailure(answer.error ?? 'failed', answer.detail)
  return answer.result
}

/** Ends the thread; the next file starts it again. */
export const closeReader = (): Promise<void> => reader.close()
