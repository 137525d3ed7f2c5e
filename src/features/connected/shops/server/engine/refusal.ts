import type { Failure } from '#kit/describe/errors.ts'
import { failureOf } from '#kit/server/contract/failures.ts'

/**
 * What the house refused, be it a command or the database; whatever else went wrong (a lost race, a
 * connection) is thrown on, so that it is run again.
 */
export function refusalOf(e: unknown): Failure {
  const failure = failureOf(e)
  if (failure.code === 'kit.failed' || failure.status >= 500) throw e
  return failure
}
