import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PaperWord } from '#domain/papers/proposal.ts'
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

const longest = 120_000
const idle = 60_000
const folder = join(root, 'src/features/purchases/capture/server/reading')

/** The language data. `4.0.0` holds the older engine as well, which is not used: the same letters from a larger file. */
const model = '4.0.0_best_int'

let thread: Worker | undefined
let resting: NodeJS.Timeout | undefined
let queue: Promise<unknown> = Promise.resolve()
let lastId = 0

/**
 * Reads a PDF or a picture. One at a time: reading takes a whole processor. Throws ReadFailure; a file that takes more than two minutes or
 * the thread's memory ends the thread, not the server.
 */
export function readFileWords(bytes: Uint8Array, mime: string, range?: { from: number; to: number }): Promise<Reading> {
  const mine = queue.then(() => readNow(bytes, mime, range))
  queue = mine.catch(() => {})
  return mine
}

/** Ends the thread; the next file starts it anew. */
export async function closeReader(): Promise<void> {
  clearTimeout(resting)
  const ending = thread
  thread = undefined
  await ending?.terminate()
}

function readNow(bytes: Uint8Array, mime: string, range?: { from: number; to: number }): Promise<Reading> {
  clearTimeout(resting)
  thread ??= new Worker(join(folder, 'worker.mjs'), {
    workerData: { model },
    // The loaders of tsx and vitest have no business in a plain .mjs file.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 },
  })
  const here = thread
  here.ref()
  const id = ++lastId
  return new Promise<Reading>((done, failed) => {
    const finish = (deed: () => void) => {
      clearTimeout(timer)
      here.off('message', onMessage)
      here.off('error', onError)
      here.off('exit', onExit)
      here.unref()
      deed()
    }
    const drop = (why: Unreadable, detail?: string) =>
      finish(() => {
        if (thread === here) thread = undefined
        void here.terminate()
        failed(new ReadFailure(why, detail))
      })
    const timer = setTimeout(() => drop('tooSlow'), longest)
    const onError = (e: Error) => drop('failed', e.message)
    const onExit = () => drop('failed', 'the reader stopped')
    const onMessage = (answer: { id: number; result?: Reading; error?: Unreadable; detail?: string }) => {
      if (answer.id !== id) return
      finish(() => {
        // Language data and a picture's memory are given back when nothing comes.
        resting = setTimeout(() => void closeReader(), idle)
        resting.unref()
        if (answer.result) done(answer.result)
        else failed(new ReadFailure(answer.error ?? 'failed', answer.detail))
      })
    }
    here.on('message', onMessage)
    here.on('error', onError)
    here.on('exit', onExit)
    here.postMessage({ id, bytes, mime, range })
  })
}
