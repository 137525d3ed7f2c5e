import { z } from 'zod'
import type { Endpoint } from '#kit/describe/endpoint.ts'

/*
 * A call that makes a record answers 201, and Location names where the record is read (RFC 9110). Which calls do is
 * found in the contract: a POST to an address below which a GET reads one record by its id makes such a record. The
 * others say so (`makes`).
 */

/** What a call makes. */
export interface Made {
  /** The call that reads the record. */
  see: Endpoint
  /** The path of the record that an answer speaks of; undefined where none was made. */
  at: (answer: unknown) => string | undefined
}

const holdsId = ({ output }: Endpoint): boolean => output instanceof z.ZodObject && 'id' in output.shape

const valueAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], answer)

/** Finds in a contract what each of its calls makes. */
export function madeBy(endpoints: readonly Endpoint[]): (endpoint: Endpoint) => Made | undefined {
  const reads = endpoints.filter(({ method, file }) => method === 'GET' && !file)
  const byName = new Map(reads.map((one) => [one.name, one]))
  /** By the path of their list, as GET /x/{id} by /x. */
  const byList = new Map(
    reads.flatMap((one) => {
      const list = /^(.*)\/\{\w+\}$/.exec(one.path)?.[1]
      return list === undefined ? [] : [[list, one] as const]
    }),
  )
  return (endpoint) => {
    const { makes, method, path, file, name } = endpoint
    if (makes === false || method !== 'POST' || endpoint.reads || file) return undefined
    const see = makes ? byName.get(makes.see) : holdsId(endpoint) ? byList.get(path) : undefined
    if (makes && !see) throw new Error(`${name} makes what no call shows`)
    if (!see) return undefined
    const id = makes?.id ?? 'id'
    return {
      see,
      at: (answer) => {
        const made = valueAt(answer, id)
        return typeof made === 'string' ? see.path.replace(/\{\w+\}/, encodeURIComponent(made)) : undefined
      },
    }
  }
}
