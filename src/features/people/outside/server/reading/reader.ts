import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { root } from '#kit/server/settings.ts'

export type Unreadable = 'broken' | 'locked' | 'active' | 'tooLong'

/** The file is not taken; `why` names the refusal `outside.<why>`. */
export class NotTaken extends Error {
  override name = 'NotTaken'
  readonly why: Unreadable
  constructor(why: Unreadable) {
    super(why)
    this.why = why
  }
}

const longest = 30_000

/**
 * Opens a stranger's PDF in a thread of its own, which ends with it: how many pages it has and, when asked, the same file as our reader
 * writes it. Throws NotTaken; a file that takes too long or too much memory ends the thread, not the server.
 */
export function lookInto(bytes: Uint8Array, rewrite: boolean): Promise<{ pages: number; file: Uint8Array | null }> {
  const thread = new Worker(join(root, 'src/features/people/outside/server/reading/worker.mjs'), {
    // The loaders of tsx and vitest have no business in a plain .mjs file.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 48 },
  })
  return new Promise((done, failed) => {
    const end = (deed: () => void) => {
      clearTimeout(timer)
      thread.removeAllListeners()
      // A thread that is being ended may still complain; nobody listens any more.
      thread.on('error', () => undefined)
      void thread.terminate()
      deed()
    }
    const timer = setTimeout(() => end(() => failed(new NotTaken('broken'))), longest)
    thread.on('error', () => end(() => failed(new NotTaken('broken'))))
    thread.on('exit', () => end(() => failed(new NotTaken('broken'))))
    thread.on('message', (answer: { result?: { pages: number; file: Uint8Array | null }; error?: Unreadable }) =>
      end(() => (answer.result ? done(answer.result) : failed(new NotTaken(answer.error ?? 'broken')))),
    )
    thread.postMessage({ id: 1, bytes: new Uint8Array(bytes), rewrite })
  })
}
