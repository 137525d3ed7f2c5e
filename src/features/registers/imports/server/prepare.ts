import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Fields } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import type { Reading } from '../endpoints.ts'
import { identityOf, targetsOf, type Target } from './fields.ts'
import { fingerprintOf, headRowOf, longestHead, proposeMapping } from './mapping.ts'
import type { readers } from './readers.ts'
import type { FileKind } from './rows.ts'
import type { StoredImport } from './store.ts'

const samplesShown = 3

/**
 * How a file is read and what its columns are, as far as that can be told; what was chosen for the same heads
 * before comes first.
 */
export async function prepare(
  ctx: Ctx,
  source: ServedResource,
  path: string,
  kind: FileKind | undefined,
  given: Partial<Reading>,
): Promise<Pick<StoredImport, 'kind' | 'reading' | 'mapping' | 'head'>> {
  const targets = await targetsOf(ctx, source)
  const head = await readIn<typeof readers>()('imports.head', { path, ...(kind ? { kind } : {}), given })
  if (!head.rows.length) throw fail('imports.empty')
  const headRow = given.headRow ?? headRowOf(head.rows, targets)
  const heads = head.rows.find(({ row }) => row === headRow)?.cells ?? []
  const data = head.rows.filter(({ row }) => row > headRow)
  const width = Math.max(heads.length, ...data.map(({ cells }) => cells.length))
  const titles = Array.from({ length: width }, (_, column) =>
    (heads[column] ?? '').replaceAll('\u0000', '').trim().slice(0, longestHead),
  )
  const columns = titles.map((title, column) => ({
    title,
    samples: data
      .map(({ cells }) => (cells[column] ?? '').replaceAll('\u0000', '').trim().slice(0, 80))
      .filter((cell) => cell !== '')
      .slice(0, samplesShown),
  }))
  const remembered = headRow > 0 ? await rememberedMapping(ctx, source, titles, targets) : undefined
  return {
    kind: head.kind,
    reading: { ...head.reading, headRow },
    mapping: remembered ?? proposeMapping(titles, targets),
    head: { columns, ...(head.sheets ? { sheets: head.sheets } : {}), remembered: remembered !== undefined },
  }
}

async function rememberedMapping(
  ctx: Ctx,
  source: ServedResource,
  titles: string[],
  targets: Target[],
): Promise<(string | null)[] | undefined> {
  const { rows } = await sql<{ mapping: (string | null)[] }>`select mapping from import_mappings
    where company_id = ${ctx.companyId} and resource = ${source.resource.name}
      and fingerprint = ${fingerprintOf(titles)}`.execute(ctx.tx)
  const known = new Set(targets.map(({ name }) => name))
  // A field may be gone since.
  return rows[0]?.mapping.map((name) => (name !== null && known.has(name) ? name : null))
}

/** Remembers what the columns of a file with these heads are. */
export async function remember(ctx: Ctx, one: StoredImport, mapping: (string | null)[]): Promise<void> {
  if (one.reading.headRow === 0) return
  await sql`insert into import_mappings (company_id, resource, fingerprint, mapping)
    values (${ctx.companyId}, ${one.resource}, ${fingerprintOf(one.head.columns.map(({ title }) => title))},
      ${JSON.stringify(mapping)})
    on conflict (company_id, resource, fingerprint) do update set mapping = excluded.mapping,
      updated_at = now()`.execute(ctx.tx)
}

/**
 * Refuses a choice of columns with which nothing can be done: a field twice, or no field by which a record is
 * known.
 */
export function checkMapping(
  source: ServedResource,
  targets: Target[],
  mapping: (string | null)[],
  matchBy: string,
): void {
  const chosen = mapping.filter((name) => name !== null)
  const titleOf = (name: string) => targets.find((target) => target.name === name)?.title ?? name
  const unknown = chosen.find((name) => !targets.some((target) => target.name === name))
  if (unknown !== undefined) throw fail('imports.unmapped', { field: unknown.slice(0, 60) })
  const twice = chosen.find((name, at) => chosen.indexOf(name) !== at)
  if (twice !== undefined) throw fail('imports.twiceMapped', { field: titleOf(twice) })
  if (matchBy !== 'auto') {
    if (!chosen.includes(matchBy)) throw fail('imports.unmapped', { field: titleOf(matchBy) })
    return
  }
  const { unique, together } = identityOf(source)
  const fields = source.resource.fields as Fields
  if (unique.some((name) => chosen.includes(name))) return
  const missing = together.find(
    (name) => fields[name]!.need && fields[name]!.start === undefined && !chosen.includes(name),
  )
  if (missing !== undefined) throw fail('imports.unmapped', { field: titleOf(missing) })
}
