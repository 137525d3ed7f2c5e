import { isUnlimited } from '#kit/describe/session.ts'

/** What is given to a person, or to a set of rights. */
export interface Grant {
  /** Numbers of rules; empty means everything. */
  rules: number[]
  /** Ids of document types; empty means all. */
  docsAllow: number[]
  hideTotalPrices: boolean
  ownCustomersOnly: boolean
}

const isPart = (part: readonly number[], whole: readonly number[]) => part.every((one) => whole.includes(one))

/**
 * Whether a person with the rights `own` may grant or change the rights `given`: nobody grants what they do not
 * have.
 */
export const isWithin = (given: Grant, own: Grant): boolean =>
  (isUnlimited(own.rules) || (!isUnlimited(given.rules) && isPart(given.rules, own.rules))) &&
  (own.docsAllow.length === 0 || (given.docsAllow.length > 0 && isPart(given.docsAllow, own.docsAllow))) &&
  (given.hideTotalPrices || !own.hideTotalPrices) &&
  (given.ownCustomersOnly || !own.ownCustomersOnly)

/**
 * One way to write the same rights: a list that begins with -1 is the empty one; numbers stand in order and
 * once.
 */
export const tidyRules = (rules: readonly number[]): number[] =>
  isUnlimited(rules) ? [] : [...new Set(rules)].sort((a, b) => a - b)
