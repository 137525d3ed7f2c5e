import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { enteredLaw, type EnteredLaw } from '#domain/law/dated.ts'
import { Failure, fail, type FieldError, type Params } from '#kit/describe/errors.ts'
import { checkoutRoot } from '../../root.ts'
import { WorkerPool, PoolFailure } from './pool.ts'
import { thread } from './workers.ts'

interface Answer {
  id: number
  result?: unknown
  refusal?: { code: string; params: Params; errors: FieldError[]; retryAfter?: number } | { message: string }
}

/** The readers beside this program: built with the server, or the source they are built from. */
const readersFile = (): string => {
  const here = fileURLToPath(import.meta.url)
  return here.endsWith('.ts')
    ? join(checkoutRoot, 'src/readers.ts')
    : fileURLToPath(new URL('./readers.js', import.meta.url))
}

type Job = { reader: string; given: unknown; law: readonly EnteredLaw[] }

const poolOf = ({
  most,
  longestMs,
  heapMb,
}: {
  most: number
  longestMs: number
  heapMb: number
}): WorkerPool<Job, Answer> =>
  new WorkerPool<Job, Answer>({
    start: (answers) =>
      thread(
        () => join(checkoutRoot, 'src/kit/server/work/threads/reader.mjs'),
        { readers: readersFile() },
        { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 },
      )(answers),
    most,
    spare: true,
    longestMs,
    idleMs: 120_000,
  })

const readers = poolOf({ most: 2, longestMs: 60_000, heapMb: 768 })
/**
 * What they write is our own, of any length, and they end with it; they stand apart so that a long file holds
 * up nobody who reads one.
 */
const writers = poolOf({ most: 1, longestMs: 180_000, heapMb: 2048 })

/**
 * Functions that a thread of its own runs; what they take and give is plain data, and a `Failure` they throw
 * arrives as one.
 */
type Readers = Record<string, (given: never) => unknown>
type Given<R extends Readers, N extends keyof R> = Parameters<R[N]>[0]
type Piece<F> = F extends (given: never) => Generator<infer P> | AsyncGenerator<infer P> ? P : never

async function ask(
  pool: WorkerPool<Job, Answer>,
  reader: string,
  given: unknown,
  took?: (piece: unknown) => void,
): Promise<unknown> {
  let answer: Answer
  try {
    answer = await pool.ask({ reader, given, law: enteredLaw() }, took)
  } catch (e) {
    // A thread that could not even begin is our own fault.
    throw e instanceof PoolFailure && e.why !== 'ended' ? fail('kit.tooMuch') : e
  }
  const { refusal } = answer
  if (!refusal) return answer.result
  if ('code' in refusal) throw new Failure(refusal.code, refusal.params, refusal.errors, refusal.retryAfter)
  throw new Error(refusal.message)
}

/**
 * Runs a feature's readers in a separate thread: `readIn<typeof readers>()('bank.statement', { path })`. What they
 * throw as a refusal is thrown here; a file that takes too long or too much memory is refused with `kit.tooMuch`,
 * and the server survives.
 */
export const readIn =
  <R extends Readers>() =>
  <N extends keyof R & string>(reader: N, given: Given<R, N>): Promise<Awaited<ReturnType<R[N]>>> =>
    ask(readers, reader, given) as Promise<Awaited<ReturnType<R[N]>>>

/** The same of a reader whose answer is long: it comes a piece at a time. */
export const readPieces =
  <R extends Readers>() =>
  async <N extends keyof R & string>(
    reader: N,
    given: Given<R, N>,
    took: (piece: Piece<R[N]>) => void,
  ): Promise<void> =>
    void (await ask(readers, reader, given, took as (piece: unknown) => void))

/** The same for what writes a long file of our own. */
export const writeIn =
  <R extends Readers>() =>
  <N extends keyof R & string>(writer: N, given: Given<R, N>): Promise<Awaited<ReturnType<R[N]>>> =>
    ask(writers, writer, given) as Promise<Awaited<ReturnType<R[N]>>>
