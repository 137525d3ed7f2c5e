import { Failure } from '#kit/describe/errors.ts'

export interface TurnTerms {
  /** Of those who want one and the same thing. */
  most: number
  /** Of all. */
  mostInAll: number
  /** Who may wait; the person who comes then is sent away at once. */
  mostWaiting?: number
  /** Who may wait for one and the same thing. */
  mostWaitingForOne?: number
  /** Nobody waits longer. */
  longestMs?: number
}

interface Waiting {
  key: string
  begin: () => void
}

/**
 * Turns of those who would all wait for one row of the database: a few of them take a connection, the others
 * wait here, in the order in which they came, so that two hundred who want one class never hold every
 * connection of a process while they wait for each other. It decides nothing: the lock of the row stays what
 * keeps them apart, over all processes. A turn is taken before a connection and never inside of one.
 */
export class Turns {
  readonly #terms: Required<TurnTerms>
  readonly #having = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #inAll = 0

  constructor(terms: TurnTerms) {
    this.#terms = { mostWaiting: 2000, mostWaitingForOne: 2000, longestMs: 20_000, ...terms }
  }

  /**
   * Does the work when it is its turn among those of the same key. Refuses with `kit.unavailable` the person who
   * finds too many before them or has waited too long; the person who went away (`gone`) is passed over.
   */
  async take<T>(key: string, work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    await this.#wait(key, gone)
    try {
      return await work()
    } finally {
      this.#leave(key)
    }
  }

  /** How many have their turn now, and how many wait. */
  get size(): { having: number; waiting: number } {
    return { having: this.#inAll, waiting: this.#waiting.length }
  }

  #fits(key: string): boolean {
    return this.#inAll < this.#terms.mostInAll && (this.#having.get(key) ?? 0) < this.#terms.most
  }

  #enter(key: string): void {
    this.#inAll++
    this.#having.set(key, (this.#having.get(key) ?? 0) + 1)
  }

  #leave(key: string): void {
    this.#inAll--
    const left = this.#having.get(key)! - 1
    if (left) this.#having.set(key, left)
    else this.#having.delete(key)
    // The person who waits for something that is taken is passed over by the person who waits for something that is not.
    while (this.#inAll < this.#terms.mostInAll) {
      const at = this.#waiting.findIndex((one) => this.#fits(one.key))
      if (at < 0) return
      this.#waiting.splice(at, 1)[0]!.begin()
    }
  }

  #wait(key: string, gone: AbortSignal | undefined): Promise<void> {
    if (gone?.aborted) return Promise.reject(away())
    if (this.#fits(key)) {
      this.#enter(key)
      return Promise.resolve()
    }
    const forSame = this.#waiting.filter((one) => one.key === key).length
    if (this.#waiting.length >= this.#terms.mostWaiting || forSame >= this.#terms.mostWaitingForOne)
      return Promise.reject(away())
    return new Promise((done, failed) => {
      const stop = () => {
        clearTimeout(timer)
        gone?.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        stop()
        this.#waiting.splice(this.#waiting.indexOf(me), 1)
        failed(away())
      }
      const me: Waiting = {
        key,
        begin: () => {
          stop()
          this.#enter(key)
          done()
        },
      }
      const timer = setTimeout(giveUp, this.#terms.longestMs)
      gone?.addEventListener('abort', giveUp)
      this.#waiting.push(me)
    })
  }
}

const away = (): Failure => new Failure('kit.unavailable', {}, [], 2)
