import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '../context.ts'

/** A record that was made under a key of a program. */
export interface KeyedRecord {
  key: string
  id: string
}

/** How the records of an entity are found and answered by the keys of programs. */
export interface KeyedEntity<R extends KeyedRecord = KeyedRecord> {
  /** The records that hold these keys now, in any order. */
  find: (ctx: Ctx, keys: readonly string[]) => Promise<R[]>
  /** What the call that makes one record answers. */
  answer: (ctx: Ctx, record: R) => Promise<unknown>
  /** What the call that makes many answers, in the order in which they were sent. */
  answerMany: (ctx: Ctx, records: readonly R[]) => unknown
  /** The code of the refusal of a key that belongs to another record, with its id in `params.id`. */
  taken: string
}

const entities = new Map<string, KeyedEntity<never>>()

/** Says how the records of an entity are found by the keys of programs (`clientKeys` of an endpoint). */
export const registerKeyed = <R extends KeyedRecord>(entity: string, keyed: KeyedEntity<R>): void =>
  void entities.set(entity, keyed as unknown as KeyedEntity<never>)

interface Sent {
  path: string
  key: string
  digest: Buffer
}

/** The same values give the same digest, in whatever order their names were written. */
const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inOrder)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, inOrder(inner)]),
        )
      : value

const digestOf = (body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(body)))
    .digest()

/** Each body of a call that carries a key of the program. */
function sentUnder({ rows }: NonNullable<Endpoint['clientKeys']>, asked: Record<string, unknown>): Sent[] {
  const bodies: [path: string, body: unknown][] = rows
    ? (asked[rows] as unknown[]).map((body, at) => [`${rows}.${at}.clientKey`, body])
    : [['clientKey', asked]]
  return bodies.flatMap(([path, body]) => {
    const key = (body as { clientKey?: unknown }).clientKey
    return typeof key === 'string' && key !== '' ? [{ path, key, digest: digestOf(body) }] : []
  })
}

/**
 * Runs a call that makes records under keys of the program, once for each key. The same body again answers the record
 * that the first call made; another body under its key is refused with the id of that record. Two at once: the unique
 * key of the records ends the second, which begins again and finds the first.
 * @param asked the input as it was sent, after cleaning
 * @param repeated is called when an earlier answer is repeated
 */
export async function onceByClientKey(
  ctx: Ctx,
  endpoint: Endpoint,
  asked: object,
  run: () => Promise<unknown>,
  repeated: () => void,
): Promise<unknown> {
  const { clientKeys } = endpoint
  if (!clientKeys) return run()
  const sent = sentUnder(clientKeys, asked as Record<string, unknown>)
  if (!sent.length) return run()
  const entity = entities.get(clientKeys.of)
  if (!entity) throw new Error(`nothing finds ${clientKeys.of} by the keys of programs`)
  const refused = ({ path, key }: Sent, id: string) => {
    const params = { key, ...(id ? { id } : {}) }
    return new Failure(entity.taken, params, [{ path, code: entity.taken, params }])
  }
  const twin = sent.find(({ key }, at) => sent.findIndex((one) => one.key === key) < at)
  if (twin) throw refused(twin, '')
  const found = new Map(
    (
      await entity.find(
        ctx,
        sent.map(({ key }) => key),
      )
    ).map((one: KeyedRecord) => [one.key, one]),
  )
  // A change keeps its own key.
  const own = (asked as { id?: unknown }).id
  const other = sent.find(({ key }) => found.has(key) && found.get(key)!.id !== own)
  if (!other) {
    const answer = await run()
    if (own === undefined) await keep(ctx, clientKeys, sent, answer)
    return answer
  }
  const { rows } = await sql<{ key: string; digest: Buffer; id: string }>`select client_key as key, digest,
      record_id as id
    from client_keys where company_id = ${ctx.companyId} and entity = ${clientKeys.of}
      and client_key = any (${sent.map(({ key }) => key)}::text[])`.execute(ctx.tx)
  const isSame = ({ key, digest }: Sent): boolean => {
    const kept = rows.find((one) => one.key === key)
    return kept !== undefined && kept.id === found.get(key)?.id && kept.digest.equals(digest)
  }
  const bodies = clientKeys.rows ? (asked as Record<string, unknown[]>)[clientKeys.rows]!.length : 1
  if (own !== undefined || sent.length < bodies || !sent.every(isSame)) {
    const culprit = sent.find((one) => found.has(one.key) && !isSame(one)) ?? other
    throw refused(culprit, found.get(culprit.key)!.id)
  }
  repeated()
  const records = sent.map(({ key }) => found.get(key)! as never)
  return clientKeys.rows ? entity.answerMany(ctx, records) : entity.answer(ctx, records[0]!)
}

/** Remembers what was sent under each key, beside the record that it made. */
async function keep(
  ctx: Ctx,
  { of, rows }: NonNullable<Endpoint['clientKeys']>,
  sent: readonly Sent[],
  answer: unknown,
): Promise<void> {
  const made = rows
    ? (answer as { rows: { id: string; clientKey: string | null }[] }).rows
    : [{ id: (answer as { id: string }).id, clientKey: sent[0]!.key }]
  const kept = sent.map(({ key, digest }) => ({
    key,
    digest: digest.toString('hex'),
    id: made.find(({ clientKey }) => clientKey === key)!.id,
  }))
  await sql`insert into client_keys (company_id, entity, client_key, digest, record_id)
    select ${ctx.companyId}, ${of}, k.key, decode(k.digest, 'hex'), k.id
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k (key text, digest text, id uuid)
    on conflict (company_id, entity, client_key) do update set digest = excluded.digest,
      record_id = excluded.record_id, created_at = now()`.execute(ctx.tx)
}
