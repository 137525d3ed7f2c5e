import { AsyncResource } from 'node:async_hooks'
import type { Endpoint, InputOf } from '#kit/describe/endpoint.ts'
import type { z } from 'zod'
import type { App, Ctx, OpenCtx } from '../context.ts'

/** Bytes instead of JSON. */
export interface FileAnswer {
  bytes: Uint8Array
  mime: string
  name: string
  /** Shown in the browser instead of saved. */
  inline?: boolean
}

/**
 * What is too large to stand in memory, piece by piece; it begins when the transaction of the call is over.
 */
export interface StreamAnswer extends Omit<FileAnswer, 'bytes'> {
  /** A function is given what says that the caller went away. */
  pieces: AsyncIterable<Uint8Array> | ((gone: AbortSignal) => AsyncIterable<Uint8Array>)
}

/**
 * What is left to do once all is read, and takes its time: typesetting, drawing, writing large sheets. It
 * begins when the transaction of the call is over: a call that waits for a typesetter would hold a
 * connection of the database meanwhile, and a few dozen of them all there are. It is still work for the
 * business in which it was put off (`threads/currentBusiness.ts`): it has that one's turn and bears its brand.
 */
export class Later<T> {
  readonly work: () => Promise<T>
  constructor(work: () => Promise<T>) {
    this.work = AsyncResource.bind(work)
  }
}

/** What was put off, done. */
export const settled = async <T>(answer: T | Later<T>): Promise<T> =>
  answer instanceof Later ? answer.work() : answer

export interface Implementation {
  endpoint: Endpoint
  open?: (ctx: OpenCtx, input: never) => Promise<unknown>
  inside?: (ctx: Ctx, input: never) => Promise<unknown>
  /** Runs without a transaction: see `implementOutside` and `implementOpenOutside`. */
  isOutside?: true
  turn?: Turn
}

/**
 * What many may want at once whose row the call holds or waits for: those of one key take turns in this
 * process before they take a connection of the database (`turns.ts`). Undefined: there is nothing to wait
 * for. It is asked outside any transaction.
 */
export type Turn<I = never> = (
  input: I,
  of: { app: App; companyId: string },
) => string | undefined | Promise<string | undefined>

/** Who calls, where no transaction is open; `within` opens one inside the caller's company. */
export interface OutsideCtx extends Pick<Ctx, 'app' | 'caller' | 'companyId'> {
  within: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>
}

type Answered<E> = E extends Endpoint<any, infer O> ? z.input<O> | FileAnswer | StreamAnswer : never
type Answer<E> = Answered<E> | Later<Answered<E>>
type Parsed<E> = E extends Endpoint<infer I, any> ? z.output<I> : never

const known = new Map<string, Implementation>()

/**
 * Every call the server implements, for what must know them all: the screen of rights says what each rule
 * opens.
 */
export const allImplementations = (): readonly Implementation[] => [...known.values()]

const remembered = (implementation: Implementation): Implementation => {
  known.set(implementation.endpoint.name, implementation)
  return implementation
}

/** Lists calls that were tied without being listed: only those that are served. */
export const listed = (implementations: readonly Implementation[]): Implementation[] =>
  implementations.map(remembered)

/**
 * Ties a call without listing it: of a set of which not all are served, or of which more are made while the
 * server runs.
 */
export const tie = <E extends Endpoint<any, any>>(
  endpoint: E,
  inside: (ctx: Ctx, input: Parsed<E>) => Promise<Answer<E>>,
  turn?: Turn<Parsed<E>>,
): Implementation => ({
  endpoint,
  inside: inside as Implementation['inside'] & {},
  ...(turn ? { turn: turn as Turn } : {}),
})

/**
 * Ties a call of a business to its command; the command runs in a transaction inside the caller's company.
 */
export const implement = <E extends Endpoint<any, any>>(
  endpoint: E,
  inside: (ctx: Ctx, input: Parsed<E>) => Promise<Answer<E>>,
  turn?: Turn<Parsed<E>>,
): Implementation => remembered(tie(endpoint, inside, turn))

/**
 * Ties a call that needs no session (or looks at it itself) to its command; it runs as the system, outside
 * any company.
 */
export const implementOpen = <E extends Endpoint<any, any>>(
  endpoint: E,
  open: (ctx: OpenCtx, input: Parsed<E>) => Promise<Answer<E>>,
): Implementation => remembered({ endpoint, open: open as Implementation['open'] & {} })

/**
 * Ties a call that asks somebody outside: no transaction is open while they answer, so one who is slow
 * takes no connection of the database away. The command opens its own and commits what it is about to ask
 * before it asks. A repeat gets the first answer, as everywhere; but it also bears being run again, for
 * the person who dies or fails between its commits is repeated, and two presses are two calls.
 */
export const implementOutside = <E extends Endpoint<any, any>>(
  endpoint: E,
  run: (ctx: OutsideCtx, input: Parsed<E>) => Promise<Answer<E>>,
): Implementation => remembered({ endpoint, inside: run as never, isOutside: true })

/** The same for a call that needs no session: each statement on its `tx` is separate. */
export const implementOpenOutside = <E extends Endpoint<any, any>>(
  endpoint: E,
  open: (ctx: OpenCtx, input: Parsed<E>) => Promise<Answer<E>>,
): Implementation => remembered({ endpoint, open: open as Implementation['open'] & {}, isOutside: true })

export type { InputOf }
