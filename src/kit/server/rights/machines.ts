/**
 * Under what authority something happens that nobody calls at that moment: a job behind a commit, long work, a turn of
 * a schedule, a timer. Every feature declares its own (`machines`), so that nothing acts without somebody having
 * decided why it may.
 */
export type Under =
  /** It goes on with orders of these kinds: within the limits of who gave them, or it waits (authority.ts). */
  | { orders: readonly [string, ...string[]] }
  /** It has the rights that a person has at that moment, and stops without them. */
  | { person: string }
  /** It completes what a call, an order or a payer was allowed a moment before; it decides nothing. */
  | { completes: string }
  /** It changes rows of the business and notifies its own people: nothing is issued, paid or sent to others. */
  | { inside: string }

/**
 * By name: of a job, of a kind of long work, `schedule <const>` of a schedule, `timer <file>` of the timers of a file
 * (one entry for each).
 */
export type Machines = Readonly<Record<string, Under | readonly Under[]>>
