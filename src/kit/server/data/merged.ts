import type { Ctx } from '../context.ts'

/** What the ids of merged records mean now; answered by the feature that merges them. */
export const merges = {
  /** Of these ids, those of merged records, each with the surviving one's. */
  standing: (_ctx: Ctx, _ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    Promise.resolve(new Map()),
}

/** Names of inputs that refer to a customer or a supplier. */
const refers = /^(?:customer|supplier|party|payer)Ids?$/

function* idsIn(value: unknown, name = '', depth = 0): Generator<string> {
  if (typeof value === 'string') {
    if (refers.test(name)) yield value
  } else if (isPlain(value) && depth < 5)
    for (const [key, inner] of Object.entries(value))
      yield* idsIn(inner, Array.isArray(value) ? name : key, depth + 1)
}

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)

function withIds(value: unknown, standing: ReadonlyMap<string, string>, name = ''): unknown {
  if (typeof value === 'string') return (refers.test(name) && standing.get(value)) || value
  if (Array.isArray(value)) return value.map((one: unknown) => withIds(one, standing, name))
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withIds(inner, standing, key)]))
}

/**
 * An input that refers to a merged customer or supplier means the surviving one: programs and open pages keep ids that
 * they read before the merge. Every command that changes something passes here, so that none has to think of it.
 */
export async function followMerged<T>(ctx: Ctx, input: T): Promise<T> {
  const ids = [...new Set(idsIn(input))]
  if (!ids.length) return input
  const standing = await merges.standing(ctx, ids)
  return standing.size ? (withIds(input, standing) as T) : input
}
