import type { z } from 'zod'
import { isDay, type Day } from '#domain/day.ts'
import { Failure, fail, type FieldError } from '#kit/describe/errors.ts'
import { isAway } from '../data/db.ts'
import { aboveMost, belowLeast } from './bounds.ts'

type MakeFailure = (e: { message: string; detail?: string; constraint?: string }) => Failure

const knownFailures: Record<string, MakeFailure> = {
  '23505': () => new Failure('kit.conflict'),
  '23503': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.ref' }]),
  '23514': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.range' }]),
  '22003': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.range' }]),
  // The nets behind the schemas: a value that a column does not take is a refusal, whichever call let it
  // through.
  '22001': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.tooLong' }]),
  '22007': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.day' }]),
  '22008': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.day' }]),
  '22P05': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.text' }]),
  '23502': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.need' }]),
  '22P02': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.text' }]),
  '22021': () => new Failure('kit.badInput', {}, [{ path: '', code: 'fields.text' }]),
  '53100': () => new Failure('kit.unavailable', {}, [], 5),
  '55P03': () => fail('kit.keyRunning'),
}

/**
 * Codes that database functions raise, and the refusal each one means; features add theirs. One that two
 * features register would tell people of the one the other's refusal.
 */
export const databaseFailures = new Proxy(knownFailures, {
  set: (known, code: string, make: MakeFailure) => {
    if (known[code]) throw new Error(`the database's code ${code} has a meaning already`)
    known[code] = make
    return true
  },
})

/** The refusal an error means to the caller; `kit.failed` for one nobody expected. */
export function failureOf(e: unknown): Failure {
  if (e instanceof Failure) return e
  const { code, statusCode } = e as { code?: string; statusCode?: number }
  if (code && databaseFailures[code]) return databaseFailures[code](e as { message: string })
  if (isAway(e)) return new Failure('kit.unavailable', {}, [], 1)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return fail('kit.tooLarge')
  if (statusCode === 415) return fail('http.wrongType')
  // A file that may not be had is not there.
  if (statusCode === 403 || statusCode === 404) return fail('kit.notFound')
  if (statusCode && statusCode >= 400 && statusCode < 500) return fail('kit.badJson')
  return fail('kit.failed')
}

/**
 * A refusal of a day (its period is closed, or was reported) is reported at the field that named the day,
 * whichever command it was and however deep below it the day was refused. Where no field named it, as of a
 * day that was taken for granted, it stays as it is.
 */
export function atItsDay(e: unknown, input: unknown): unknown {
  const failure = failureOf(e)
  const { day } = failure.params
  if (failure.errors.length || typeof day !== 'string' || !isDay(day)) return e
  const paths = daysIn(input, day)
  const path = paths.find((one) => /(^|\.)(date|day)$/.test(one)) ?? paths[0]
  if (path === undefined) return e
  return new Failure(
    failure.code,
    failure.params,
    [{ path, code: failure.code, params: failure.params }],
    failure.retryAfter,
  )
}

/** The paths of days in an input, the shallow ones first. */
function daysIn(input: unknown, day: Day): string[] {
  let level: [path: string, value: unknown][] = [['', input]]
  const found: string[] = []
  for (let depth = 0; depth < 4 && level.length; depth++) {
    const below = level.flatMap(([path, value]): [string, unknown][] =>
      value !== null && typeof value === 'object' && !ArrayBuffer.isView(value)
        ? Object.entries(value).map(([key, inner]) => [path ? `${path}.${key}` : key, inner])
        : [],
    )
    found.push(...below.filter(([, value]) => value === day).map(([path]) => path))
    level = below
  }
  return found
}

/** The input as a schema reads it. Throws `kit.badInput` with the errors of at most 50 fields. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.slice(0, 50).map((issue) => fieldError(issue.path.join('.'), issue))
  // Two rules of one field may say the same of it.
  const once = errors.filter(
    ({ path, code }, i) => errors.findIndex((one) => one.path === path && one.code === code) === i,
  )
  throw new Failure('kit.badInput', {}, once)
}

/**
 * Our own schemas say their code; zod's own refusals are said in the same words. A figure beyond its bounds
 * learns which it broke.
 */
function fieldError(path: string, issue: z.core.$ZodIssue): FieldError {
  const own = /^[a-z]\w*(\.\w+)+$/i.test(issue.message) ? issue.message : undefined
  const isText = (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'string'
  if (issue.code === 'too_big') {
    const max = Number(issue.maximum)
    if (own ? own === 'fields.range' : !isText) return aboveMost(path, max)
    return { path, code: own ?? 'fields.tooLong', params: { max } }
  }
  if (issue.code === 'too_small' && (own ? own === 'fields.range' : !isText))
    return belowLeast(path, Number(issue.minimum) + (issue.inclusive === false ? 1 : 0))
  if (own) return { path, code: own }
  // What may be left empty or be an address: the address is what is wrong with it.
  if (issue.code === 'invalid_union') {
    const inner = issue.errors
      .map(([first]) => first)
      .find((first) => first !== undefined && first.code !== 'invalid_value')
    if (inner) return fieldError([path, ...inner.path].filter((part) => part !== '').join('.'), inner)
  }
  if (issue.code === 'too_small') return { path, code: 'fields.need' }
  if (issue.code === 'invalid_type')
    return { path, code: issue.input === undefined ? 'fields.need' : 'fields.text' }
  if (issue.code === 'unrecognized_keys')
    return { path, code: 'fields.unknown', params: { keys: issue.keys.join(', ').slice(0, 100) } }
  return { path, code: 'fields.text' }
}
