import type { FieldError } from '#kit/describe/errors.ts'
import type { Method } from '#kit/describe/endpoint.ts'
import type { App, Caller, Language } from '#kit/server/context.ts'
import type { Trade } from '#features/open/apiKeys/server/index.ts'
import type { tradeCalls, TradeName } from '../calls.ts'
import type { Read } from '../fields.ts'

/** What a handler works with: the key, and how to ask the contract as it. */
export interface Desk {
  app: App
  caller: Caller
  trade: Trade
  ask: <T>(method: Method, path: string, input?: Record<string, unknown>, key?: string) => Promise<T>
  /** The values of a message. */
  language: Language
}

/** What came of a call. */
export interface Handled {
  value: unknown
  total?: number
  /** What was asked beside and could not be done once the thing itself stood. */
  notDone?: FieldError[]
}

export type Handler<N extends TradeName> = (
  desk: Desk,
  takes: Read<(typeof tradeCalls)[N]['takes']>,
) => Promise<Handled>
