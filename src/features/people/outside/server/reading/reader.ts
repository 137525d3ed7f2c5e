import { join } from 'node:path'
import { Crew, CrewFailure } from '#kit/server/crew/crew.ts'
import { thread } from '#kit/server/crew/hands.ts'
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

interface Answer {
  id: number
  result?: { pages: number; file: Uint8Array | null }
  error?: Unreadable
}

const reader = new Crew<{ bytes: Uint8Array; rewrite: boolean }, Answer>({
  start: thread(
    () => join(root, 'src/features/people/outside/server/reading/worker.mjs'),
    {},
    {
      maxOldGenerationSizeMb: 384,
      maxYoungGenerationSizeMb: 48,
    },
  ),
  most: 2,
  longestMs: 30_000,
  // Nothing of one stranger's file stays for the next.
  leavesAtOnce: true,
})

/**
 * Opens a stranger's PDF in a thread of its own, which ends with it: how many pages it has and, when asked, the same file as our reader
 * writes it. Throws NotTaken; a file that takes too long or too much memory ends the thread, not the server.
 */
export async function lookInto(bytes: Uint8Array, rewrite: boolean): Promise<{ pages: number; file: Uint8Array | null }> {
  const answer = await reader.ask({ bytes: new Uint8Array(bytes), rewrite }).catch((e: unknown) => {
    throw e instanceof CrewFailure ? new NotTaken('broken') : e
  })
  if (!answer.result) throw new NotTaken(answer.error ?? 'broken')
  return answer.result
}
