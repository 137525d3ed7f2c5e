/**
 * Errors are declared: a code (the word key is `errors.<code>`), the HTTP status it means and the parameters
 * of its words. Over HTTP they become RFC 9457 problem+json.
 */
export const errorStatus = {
  'session.needed': 401,
  'session.forbidden': 403,
  'session.verifyFirst': 403,
  'session.factorNeeded': 403,
  'kit.notFound': 404,
  'kit.noCall': 404,
  'http.noMethod': 405,
  'http.wrongType': 415,
  'http.badText': 400,
  'kit.badInput': 422,
  'kit.badJson': 400,
  'kit.tooLarge': 413,
  'uploads.infected': 422,
  'kit.tooMuch': 422,
  'paper.unprintable': 422,
  'kit.keyReused': 422,
  'kit.keyRunning': 409,
  'kit.conflict': 409,
  'kit.otherCompany': 409,
  'kit.changed': 412,
  'kit.cannotMatch': 412,
  'kit.moduleNeeded': 402,
  'kit.areaOff': 403,
  'kit.notForKeys': 403,
  'kit.keyReadOnly': 403,
  'kit.keyDraftsOnly': 403,
  'kit.keySumLimit': 403,
  'approvals.needed': 403,
  'approvals.beyondYours': 403,
  'approvals.noRate': 403,
  'kit.tooMany': 429,
  'kit.tooManyCalls': 429,
  'kit.unavailable': 503,
  'kit.failed': 500,
} as Record<string, number>

/** Declares the errors of a feature; the codes are `<feature>.<name>`. */
export function defineErrors<const E extends Record<string, number>>(errors: E): E {
  for (const [code, status] of Object.entries(errors)) {
    if (errorStatus[code] !== undefined && errorStatus[code] !== status)
      throw new Error(`error ${code} is declared twice`)
    errorStatus[code] = status
  }
  return errors
}

export type Params = Record<string, string | number>

export interface FieldError {
  /** The path of the field in the input, e.g. 'lines.2.quantity'. */
  path: string
  /** Word key below `errors.` */
  code: string
  params?: Params
}

let watcher: ((code: string) => void) | undefined

/** Calls `watch` with the code of every refusal that is made. The tests record with it which declared codes they provoke. */
export function watchRefusals(watch: (code: string) => void): void {
  watcher = watch
}

/** A refusal with words: thrown by commands, shown to people, never a stack. */
export class Failure extends Error {
  readonly code: string
  readonly status: number
  readonly params: Params
  readonly errors: FieldError[]
  /** Seconds after which a repeat makes sense (429, 503). */
  readonly retryAfter: number | undefined

  constructor(code: string, params: Params = {}, errors: FieldError[] = [], retryAfter?: number) {
    super(code)
    this.name = 'Failure'
    // A code of a field has no status: it says what is wrong with the input.
    const isOfField = !(code in errorStatus) && code.startsWith('fields.')
    this.code = isOfField ? 'kit.badInput' : code
    this.status = errorStatus[this.code] ?? 500
    this.params = params
    this.errors = errors
    this.retryAfter = retryAfter
    if (watcher) for (const one of [code, ...errors.map((error) => error.code)]) watcher(one)
  }
}

/** A code of a refusal. `session.forbidden` is none that may be written: `forbidden` says what the caller lacks. */
type Code<C extends string> = C & (C extends 'session.forbidden' ? never : unknown)

/** `throw fail('documents.alreadyCancelled', { number })`. */
export const fail = <C extends string>(code: Code<C>, params?: Params): Failure => new Failure(code, params)

/**
 * What a caller may not see: `whole`, some customers or types of documents; `figures`, prices and totals; `documents`, some
 * types of documents; `customers`, customers of others.
 */
export const sights = ['whole', 'figures', 'documents', 'customers'] as const
export type Sight = (typeof sights)[number]
export type Lacks = { rule: string } | { sight: Sight }

/**
 * The refusal of a caller who lacks a permission, or whose sight of the business is limited. It names which
 * (`params.rule`, `params.sight`), so that a program and its owner know what to change.
 */
export const forbidden = (lacks: Lacks): Failure => new Failure('session.forbidden', lacks)

/** A refusal with its own declared code that points at one field of the input. */
export const failAt = (path: string, code: string): Failure => new Failure(code, {}, [{ path, code }])

/** A refusal that points at one field of the input. */
export const failField = (path: string, code: string, params?: Params): Failure =>
  new Failure('kit.badInput', {}, [params ? { path, code, params } : { path, code }])
