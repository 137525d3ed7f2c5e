import type { PoolWorker, StartWorker } from './workers.ts'
import { currentBusiness } from './currentBusiness.ts'

/** A worker was ended over a job, or ended itself; the job will not be done. */
export class PoolFailure extends Error {
  override name = 'PoolFailure'
  readonly why: 'tooSlow' | 'tooMuch' | 'ended'
  constructor(why: PoolFailure['why'], detail = '') {
    super(detail || why)
    this.why = why
  }
}

export interface PoolTerms {
  start: StartWorker
  /** Hands that work at once. */
  most: number
  /** While a single business holds all of them, one more is started for another one that comes. */
  spare?: boolean
  /** A job that lasts longer is given up, and its worker with it. */
  longestMs: number
  /** A worker that takes more when its job is done is let go, and the next job gets a fresh one. */
  mostKeptMb?: number
  /** A worker that takes more while it works is ended over it. */
  mostMb?: number
  /** Idle workers are let go after so long; never when absent. */
  idleMs?: number
  /** Every job has a fresh worker. */
  leavesAtOnce?: boolean
}

interface Asked {
  id: number
  job: object
  by: string
  /** Of a long answer the pieces before its end. */
  took: (piece: unknown) => void
  done: (answer: never) => void
  failed: (why: Error) => void
}

interface Member {
  worker: PoolWorker
  now: Asked | undefined
  leave: NodeJS.Timeout | undefined
}

/** How often a working worker's memory is looked at. */
const lookMs = 250

/**
 * Hands that work apart from the thread that answers calls, so that nobody waits for another's long work: a
 * job has bounds of time and memory, and the businesses take turns. A job is a message with an id, its answer
 * carries the same id.
 */
export class WorkerPool<J extends object, A extends { id: number }> {
  readonly #terms: PoolTerms
  readonly #members = new Set<Member>()
  readonly #waiting = new Map<string, { jobs: Asked[]; lastTurn: number }>()
  #turns = 0
  #lastId = 0

  constructor(terms: PoolTerms) {
    this.#terms = terms
  }

  /** Does a job for the business inside which it is asked. */
  ask(job: J, took: (piece: unknown) => void = () => {}): Promise<A> {
    return new Promise<A>((done, failed) => {
      const by = currentBusiness()
      const asked: Asked = { id: ++this.#lastId, job, by, took, done, failed }
      const queue = this.#waiting.get(by)
      if (queue) queue.jobs.push(asked)
      // A tenant that is being served is behind those that wait.
      else this.#waiting.set(by, { jobs: [asked], lastTurn: this.#holds(by) ? ++this.#turns : 0 })
      this.#share()
    })
  }

  /** Ends every worker; the next job starts them again. */
  async close(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#end(member, new PoolFailure('ended'))))
  }

  /** How many workers there are now. */
  get size(): number {
    return this.#members.size
  }

  #share(): void {
    while (this.#waiting.size) {
      const next = this.#nextOwner()
      if (next === undefined) return
      const member = this.#freeFor(next)
      if (!member) return
      const queue = this.#waiting.get(next)!
      const asked = queue.jobs.shift()!
      queue.lastTurn = ++this.#turns
      if (!queue.jobs.length) this.#waiting.delete(next)
      this.#give(member, asked)
    }
  }

  #holds(by: string): number {
    return [...this.#members].filter(({ now }) => now?.by === by).length
  }

  /** Who holds the fewest workers comes first; of those whose last turn is the longest ago. */
  #nextOwner(): string | undefined {
    return [...this.#waiting]
      .map(([by, { lastTurn }]) => ({ by, lastTurn, holds: this.#holds(by) }))
      .sort((a, b) => a.holds - b.holds || a.lastTurn - b.lastTurn)[0]?.by
  }

  #freeFor(by: string): Member | undefined {
    const free = [...this.#members].find(({ now }) => !now)
    const busy = [...this.#members].filter(({ now }) => now)
    if (busy.length < this.#terms.most) return free ?? this.#hire()
    if (!this.#terms.spare) return undefined
    const holders = new Set(busy.map(({ now }) => now!.by))
    return busy.length === this.#terms.most && holders.size === 1 && !holders.has(by)
      ? (free ?? this.#hire())
      : undefined
  }

  #hire(): Member {
    const member: Member = { worker: undefined as never, now: undefined, leave: undefined }
    member.worker = this.#terms.start({
      answered: (answer) => this.#settle(member, answer as A),
      gone: (why) =>
        void this.#end(member, new PoolFailure(isMemory(why) ? 'tooMuch' : 'ended', why.message)),
    })
    this.#members.add(member)
    return member
  }

  #give(member: Member, asked: Asked): void {
    clearTimeout(member.leave)
    member.now = asked
    member.worker.hold(true)
    const { longestMs, mostMb } = this.#terms
    const giveUp = setTimeout(() => void this.#end(member, new PoolFailure('tooSlow')), longestMs)
    const look =
      mostMb === undefined
        ? undefined
        : setInterval(() => {
            if ((member.worker.megabytes() ?? 0) > mostMb) void this.#end(member, new PoolFailure('tooMuch'))
          }, lookMs)
    const { done, failed } = asked
    const stop = () => {
      clearTimeout(giveUp)
      clearInterval(look)
    }
    asked.done = (answer) => {
      stop()
      done(answer)
    }
    asked.failed = (why) => {
      stop()
      failed(why)
    }
    member.worker.send({ ...asked.job, id: asked.id })
  }

  #settle(member: Member, answer: A): void {
    const asked = member.now
    if (!asked || answer.id !== asked.id) return
    if ('piece' in answer) return asked.took(answer.piece)
    member.now = undefined
    member.worker.hold(false)
    asked.done(answer as never)
    const { mostKeptMb, idleMs, most, leavesAtOnce } = this.#terms
    const isGrown = mostKeptMb !== undefined && (member.worker.megabytes() ?? 0) > mostKeptMb
    if (leavesAtOnce || isGrown || this.#members.size > most) void this.#end(member)
    else if (idleMs !== undefined) {
      member.leave = setTimeout(() => void this.#end(member), idleMs)
      member.leave.unref()
    }
    this.#share()
  }

  async #end(member: Member, why?: PoolFailure): Promise<void> {
    if (!this.#members.delete(member)) return
    clearTimeout(member.leave)
    const asked = member.now
    member.now = undefined
    if (asked) asked.failed(why ?? new PoolFailure('ended'))
    this.#share()
    await member.worker.end()
  }
}

const isMemory = (why: Error): boolean => (why as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
