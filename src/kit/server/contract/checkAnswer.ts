import { answerSchema } from '#kit/describe/answers.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import type { z } from 'zod'

/** At most so many differences are named. */
const maxNamed = 5

/** The paths of fields that the schema did not keep, because it does not declare them. */
function undeclared(sent: unknown, declared: unknown, path: string, found: string[]): string[] {
  if (sent === null || typeof sent !== 'object' || sent === declared || found.length >= maxNamed) return found
  if (declared === null || typeof declared !== 'object') return found
  for (const [key, value] of Object.entries(sent)) {
    const at = path && `${path}.${key}`
    if (!(key in declared)) found.push(at || key)
    else undeclared(value, (declared as Record<string, unknown>)[key], at || key, found)
  }
  return found
}

const schemas = new WeakMap<Endpoint, z.ZodType>()

function schemaFor(endpoint: Endpoint): z.ZodType {
  const known = schemas.get(endpoint) ?? answerSchema(endpoint)
  schemas.set(endpoint, known)
  return known
}

/**
 * Compares what is sent with the `output` of its endpoint, field by field as JSON: a value of another type, a
 * missing field or one that is not declared is an error. Runs in development and in tests, where an answer that
 * breaks the contract becomes a 500; in production the contract is trusted.
 */
export function checkAnswer(endpoint: Endpoint, answer: unknown): void {
  const { name } = endpoint
  const sent: unknown = JSON.parse(JSON.stringify(answer ?? null))
  const parsed = schemaFor(endpoint).safeParse(sent)
  const problems = parsed.success
    ? undeclared(sent, parsed.data, '', []).map((path) => `${path} is not declared`)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (problems.length === 0) return
  const message = `${name} breaks its contract: ${problems.slice(0, maxNamed).join('; ')}`
  // Tests run without a log, and the answer of a 500 says nothing.
  console.error(message)
  throw new Error(message)
}
