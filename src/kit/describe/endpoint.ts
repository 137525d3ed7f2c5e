import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Who may call: 'open' = anybody, 'key' = whoever holds the key in the address, 'login' = any session of a business,
 * 'rule' + name = a session whose rights hold the rule; with `module`, only while the business has that paid module.
 */
export type Access = 'open' | 'key' | 'login' | { rule: string; module?: string }

export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** `<feature>.<verb>`; the operation's id in OpenAPI. */
  name: string
  method: Method
  /** With `{id}` for a part that is taken into the input under that name. */
  path: string
  access: Access
  /** Path, query and body together, as one object. */
  input: I
  output: O
  /** The area of the product it belongs to, where its rule does not say so. */
  area?: string
  /** One sentence for the API pages. */
  summary: string
  /** What it is for and what to know before calling it, where the summary does not say it all. */
  about?: string
  /**
   * It will end: every answer says so (Deprecation, Sunset), and so does its page. `since` is the day it was announced, `until` the last day it works, at
   * least a year later; `instead` names the call that takes its place.
   */
  deprecated?: { since: string; until: string; instead: string }
  /** Codes this call may refuse with, besides the common ones. */
  errors?: readonly string[]
  /** Answers bytes instead of JSON. */
  file?: boolean
  /**
   * Takes raw bytes as its body, at most so many; they arrive as `bytes` (see `bytesValue`), all else of the input in the address.
   * `toFile`: large ones are laid on the disk instead of into memory, and arrive as a file (see `fileValue`).
   */
  upload?: { maxBytes: number; toFile?: boolean }
  /**
   * Takes a body of whatever type just as it came, at most so many bytes, with its headers, as `raw` (see `rawValue`): for what others send in a form
   * of their own.
   */
  raw?: { maxBytes: number }
  /** Changes nothing although it is a POST (previews, checks): no idempotency key, no audit. */
  reads?: boolean
  /** Pages of other sites may call it from a browser: it holds nothing that a cookie or a session would open. */
  anyOrigin?: boolean
  /**
   * Its record may carry marks of programs (`externalId`, `metadata`): they are taken with what is sent and told with what is answered (kit/server/marks.ts).
   */
  marks?: 'customers' | 'suppliers' | 'items' | 'documents' | 'expenses'
  /** Takes `If-Match`: refuses a change of what somebody else changed meanwhile. */
  matches?: true
  /** Tries per ten minutes and address (and per account where one is named); for passwords and codes. */
  throttle?: number
}

export type InputOf<E> = E extends Endpoint<infer I, any> ? z.input<I> : never
export type OutputOf<E> = E extends Endpoint<any, infer O> ? z.output<O> : never

/** Declares a call once: the server implements it, the browser calls it typed, the API pages are made from it. */
export const defineEndpoint = <I extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
): Endpoint<I, O> => endpoint
