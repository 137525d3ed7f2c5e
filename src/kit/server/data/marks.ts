import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { mostNames, type MarkedEntity, type Marks } from '#kit/fields/marks.ts'
import type { Ctx } from '../context.ts'

export interface Kept {
  externalId: string | null
  metadata: Record<string, unknown>
}
const none: Kept = { externalId: null, metadata: {} }

/**
 * Keeps what was given; what was not stays. One external id belongs to one record. Metadata is added name by name: null
 * removes one, and null in place of the metadata removes all.
 */
export async function keepMarks(
  ctx: Ctx,
  entity: MarkedEntity,
  id: string,
  { externalId, metadata }: Marks,
): Promise<void> {
  if (externalId === undefined && metadata === undefined) return
  if (externalId) {
    const { rows } = await sql<{ id: string }>`select record_id as id from record_marks
      where company_id = ${ctx.companyId} and entity = ${entity} and external_id = ${externalId}
        and record_id <> ${id}`.execute(ctx.tx)
    if (rows[0]) throw failField('externalId', 'fields.taken', { name: rows[0].id })
  }
  const given = Object.entries(metadata ?? {})
  const kept = Object.fromEntries(given.filter(([, value]) => value !== null))
  const removed = given.flatMap(([name, value]) => (value === null ? [name] : []))
  const { rows } = await sql<{ names: number }>`insert into record_marks as m (company_id, entity, record_id,
      external_id, metadata)
    values (${ctx.companyId}, ${entity}, ${id}, ${externalId ?? null}, ${JSON.stringify(kept)})
    on conflict (company_id, entity, record_id) do update set updated_at = now(),
      external_id = ${externalId === undefined ? sql`m.external_id` : sql`excluded.external_id`},
      metadata = ${
        metadata === null
          ? sql`'{}'::jsonb`
          : sql`m.metadata - ${removed}::text[] ||
          excluded.metadata`
      }
    returning (select count(*)::int from jsonb_object_keys(metadata)) as names`.execute(ctx.tx)
  if (rows[0]!.names > mostNames) throw failField('metadata', 'fields.tooMany')
}

export const dropMarks = (ctx: Ctx, entity: MarkedEntity, id: string): Promise<unknown> =>
  sql`delete from record_marks where company_id = ${ctx.companyId} and entity = ${entity}
      and record_id = ${id}`.execute(ctx.tx)

export async function marksOf(
  ctx: Ctx,
  entity: MarkedEntity,
  ids: readonly string[],
): Promise<Map<string, Kept>> {
  const { rows } = await sql<
    Kept & { id: string }
  >`select record_id as id, external_id as "externalId", metadata from record_marks
    where company_id = ${ctx.companyId} and entity = ${entity} and record_id = any(${ids}::uuid[])`.execute(
    ctx.tx,
  )
  return new Map(rows.map(({ id, ...kept }) => [id, kept]))
}

/** The record a program knows by its own id. */
export async function markedAs(
  ctx: Ctx,
  entity: MarkedEntity,
  externalId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select record_id as id from record_marks
    where company_id = ${ctx.companyId} and entity = ${entity} and external_id = ${externalId}`.execute(
    ctx.tx,
  )
  return rows[0]?.id
}

interface Answer {
  id?: unknown
  rows?: { id?: unknown }[]
}

/** An answer with what programs hung on its records. */
export async function withMarks<T>(ctx: Ctx, entity: MarkedEntity, answer: T): Promise<T> {
  const { id, rows } = (answer ?? {}) as Answer
  if (Array.isArray(rows)) {
    const ids = rows.flatMap((row) => (typeof row.id === 'string' ? [row.id] : []))
    const kept = ids.length ? await marksOf(ctx, entity, ids) : new Map<string, Kept>()
    return { ...answer, rows: rows.map((row) => ({ ...row, ...(kept.get(String(row.id)) ?? none) })) }
  }
  if (typeof id !== 'string') return answer
  return { ...answer, ...((await marksOf(ctx, entity, [id])).get(id) ?? none) }
}

/** A record that is none: what nobody has marked so is not found, and no list shows it. */
export const noRecord = '00000000-0000-4000-8000-000000000000'
