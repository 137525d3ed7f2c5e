import type { Tx } from '../data/db.ts'

/** Thrown by a job that cannot run today: the worker runs it at `until`, and the try does not count. */
export class Postponed extends Error {
  readonly until: Date
  /** Notes the delay where people look; runs after the job's own transaction is rolled back. */
  note: ((tx: Tx) => Promise<unknown>) | undefined

  constructor(until: Date, why: string) {
    super(why)
    this.until = until
  }
}
