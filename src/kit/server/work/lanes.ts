import { longJobName } from './progress.ts'

/*
 * Jobs run in lanes, so that a backlog of one kind does not delay another: a sign-in code does not wait for ten thousand
 * documents. Each lane has its own workers in every process, and serves businesses in turn (jobs.ts).
 */

export const lanes = ['codes', 'money', 'mail', 'documents', 'long', 'other'] as const
export type Lane = (typeof lanes)[number]

/** Workers of each lane in one process. Each holds a database connection while its job runs. */
export const laneWorkers: Readonly<Record<Lane, number>> = {
  /** Codes, resets and verifications: a person waits for them. */
  codes: 2,
  /** Charges, refunds and questions to an acquirer. */
  money: 2,
  mail: 3,
  /** Typeset and sealed; as many as there are typesetters. */
  documents: 2,
  /** Imports and other long work. */
  long: 1,
  other: 2,
}

const declared = new WeakMap<object, Lane>()

/** Puts a job into a lane; a job whose name says that it sends mail or a text message needs no declaration. */
export function inLane<J extends object>(lane: Lane, job: J): J {
  declared.set(job, lane)
  return job
}

/** The lane of a job: the declared one, that of mail where the name ends so, otherwise the common one. */
export function laneOf(name: string, job: object | undefined): Lane {
  if (name === longJobName) return 'long'
  const lane = job && declared.get(job)
  return lane ?? (/\.(mail|sms)|Mail$/.test(name) ? 'mail' : 'other')
}
