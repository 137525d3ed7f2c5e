import type { z } from 'zod'
import { isRuleForKeys } from './session.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Who may call: 'open' = anybody, 'key' = the holder of the key in the address, 'login' = a person who has logged
 * in (never an API key), 'member' = any session or API key of a business, 'rule' + name = a session or API key whose
 * rights hold the rule. `module`: only while the business has that paid module. `person`: the rule, and never an
 * API key.
 */
export type Access = 'open' | 'key' | 'login' | 'member' | { rule: string; module?: string; person?: true }

export type ForDrafts = true | { except: readonly string[] }

export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** `<feature>.<verb>`; the operation's id in OpenAPI. */
  name: string
  method: Method
  /** With `{id}` for a part that is taken into the input under that name. */
  path: string
  /**
   * Where it was before: answered until that day with the headers of what ends, and not described. For an address that a
   * program cannot tell from another one.
   */
  former?: { path: string; since: string; until: string }
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
   * It will end: every answer says so (Deprecation, Sunset), and so does its page. `since` is the day it was
   * announced, `until` the last day it works, at least a year later; `instead` names the call that takes its
   * place.
   */
  deprecated?: { since: string; until: string; instead: string }
  /** Codes this call may refuse with, besides the common ones. */
  errors?: readonly string[]
  /** Answers bytes instead of JSON. */
  file?: boolean
  /**
   * Takes raw bytes as its body, at most so many; they arrive as `bytes` (see `bytesValue`), all else of the
   * input in the address. `toFile`: large ones are laid on the disk instead of into memory, and arrive as a
   * file (see `fileValue`). `atOnce`: so many are worked on at a time in one process; the others wait.
   */
  upload?: { maxBytes: number; toFile?: boolean; atOnce?: number }
  /**
   * Bytes of the JSON that it takes, where that is more than usual (`bodyLimitOf`): many records at once, or a picture
   * as text.
   */
  maxBody?: number
  /**
   * Takes a body of whatever type just as it came, at most so many bytes, with its headers, as `raw` (see
   * `rawValue`): for what others send in their own form.
   */
  raw?: { maxBytes: number }
  /** Changes nothing although it is a POST (previews, checks): no idempotency key, no audit. */
  reads?: boolean
  /**
   * Open to API keys held to drafts and to agents. A call that changes something is closed to them unless it says
   * so: only for what prepares and has no effect outside, in the books or on anybody's rights. `except` names input
   * fields that stay closed.
   */
  forDrafts?: ForDrafts
  /**
   * Answers a key, a password or a link that opens something in somebody's name: closed to API keys held to drafts,
   * although it changes nothing.
   */
  secret?: true
  /**
   * Pages of other sites may call it from a browser: it holds nothing that a cookie or a session would open.
   */
  anyOrigin?: boolean
  /**
   * Its record may carry marks of programs (`externalId`, `metadata`): they are taken with what is sent and
   * told with what is answered (kit/server/data/marks.ts).
   */
  marks?: 'customers' | 'suppliers' | 'items' | 'documents' | 'expenses'
  /**
   * It makes records of this entity under keys of the program (`clientKey` of the body, or of each of `rows`), once for
   * each key: a repeat with the same body answers the record that is there (kit/server/http/clientKeys.ts). A change that
   * takes a key is refused where another record has it.
   */
  clientKeys?: { of: string; rows?: string }
  /**
   * Only for accounts whose address was verified: what reaches others under the caller's name, or what the address
   * itself gives access to. Refuses with session.verifyFirst.
   */
  verified?: true
  /**
   * Of a person's own account: open also to people who still have to set up the second factor that the business requires,
   * who are refused everything else with session.factorNeeded.
   */
  ownAccount?: true
  /**
   * Makes a record, and answers 201 with its address: `see` names the call that reads it, `id` where its id is in the
   * answer. A POST to a list whose records are read by their id needs not say so (kit/server/contract/made.ts); false where it
   * makes none.
   */
  makes?: { see: string; id?: string } | false
  /** Names of the query by which a list filters, beside those of its input. */
  filters?: readonly string[]
  /** Takes `If-Match`: refuses a change of what somebody else changed meanwhile. */
  matches?: true
  /** Tries per ten minutes and address (and per account where one is named); for passwords and codes. */
  throttle?: number
}

export type InputOf<E> = E extends Endpoint<infer I, any> ? z.input<I> : never
export type OutputOf<E> = E extends Endpoint<any, infer O> ? z.output<O> : never

/**
 * Declares a call once: the server implements it, the browser calls it typed, the API pages are made from it.
 */
export const defineEndpoint = <I extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
): Endpoint<I, O> => endpoint

/** Bytes of a body of JSON: of calls that anybody can make, and of all others. */
export const usualBody = { open: 65_536, other: 262_144 } as const

/** Bytes that a call takes as its body; the server refuses more with 413 before it reads them. */
export const bodyLimitOf = ({
  access,
  upload,
  raw,
  maxBody,
}: Pick<Endpoint, 'access' | 'upload' | 'raw' | 'maxBody'>): number =>
  upload?.maxBytes ??
  raw?.maxBytes ??
  maxBody ??
  (access === 'open' || access === 'key' ? usualBody.open : usualBody.other)

/** Whether a call changes nothing. */
export const isReading = ({ method, reads }: Pick<Endpoint, 'method' | 'reads'>): boolean =>
  method === 'GET' || reads === true

/** Whether an API key may make a call at all, whatever its rights. */
export const isForKeys = ({ access }: Pick<Endpoint, 'access'>): boolean =>
  access !== 'login' &&
  !(
    typeof access === 'object' &&
    (access.person || (access.rule !== undefined && !isRuleForKeys(access.rule)))
  )

/** Whether a call is open to API keys held to drafts and to agents. */
export const isForDrafts = (
  endpoint: Pick<Endpoint, 'access' | 'method' | 'reads' | 'forDrafts' | 'secret'>,
): boolean =>
  isForKeys(endpoint) && (isReading(endpoint) ? !endpoint.secret : endpoint.forDrafts !== undefined)

/** The input fields of a call that stay closed to API keys held to drafts. */
export const closedFields = ({ forDrafts }: Pick<Endpoint, 'forDrafts'>): readonly string[] =>
  typeof forDrafts === 'object' ? forDrafts.except : []
