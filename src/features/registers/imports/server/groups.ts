import { sql } from 'kysely'
import { fail, Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isOutrun } from '#kit/server/data/db.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import type { GivenValues, GroupedImport } from '#kit/server/described/groupedImports.ts'
import { type Fault, type GivenRow, type Planned } from './plan.ts'
import type { Target } from './fields.ts'

/** So many records are made in one step: each runs its own command. */
const groupsPerStep = 25

export interface Group {
  key: string
  rows: { row: number; given: GivenValues }[]
}

/**
 * A single row: what it lacks, and to which record it belongs. Whether that record can be created is checked when
 * all its rows are known.
 */
export function planAlone(
  source: GroupedImport,
  targets: readonly Target[],
  { row, given, faults }: GivenRow,
): Planned {
  const missing = targets.filter(
    ({ name, field }) =>
      field.need &&
      (given[name] === undefined || given[name] === '') &&
      !faults.some((fault) => fault.field === name),
  )
  const found: Fault[] = [
    ...faults,
    ...missing.map(({ name }) => ({ column: null, field: name, code: 'fields.need' })),
  ]
  const key = source.keyOf(given)
  return {
    row,
    outcome: found.length ? 'faulty' : 'create',
    given,
    faults: found,
    keys: key === undefined ? [] : [key],
    targetId: null,
    before: undefined,
    values: {},
    changed: [],
  }
}

/**
 * The next records of an import whose first row follows a row, with all their rows; also those of which a row is
 * faulty.
 */
export async function nextGroups(ctx: Ctx, id: string, after: number): Promise<Group[]> {
  const { rows } = await sql<{ key: string; row_no: number; given: GivenValues }>`
    with batch as (select keys[1] as key, min(row_no) as first from import_rows
    where company_id = ${ctx.companyId} and import_id = ${id} and keys[1] is not null
      group by 1 having min(row_no) > ${after} and bool_or(outcome = 'create') order by 2
      limit ${groupsPerStep})
    select s.key, r.row_no, r.given from batch s join import_rows r on r.company_id = ${ctx.companyId}
      and r.import_id = ${id} and r.keys[1] = s.key
    order by s.first, r.row_no`.execute(ctx.tx)
  const groups: Group[] = []
  for (const { key, row_no: row, given } of rows) {
    if (groups.at(-1)?.key !== key) groups.push({ key, rows: [] })
    groups.at(-1)!.rows.push({ row, given })
  }
  return groups
}

interface Made {
  outcome: 'create' | 'same' | 'faulty'
  targetId: string | null
  /** By the row they stand in. */
  faults: Map<number, Fault[]>
}

/** Creates one record, or only tries to: what a trial writes is rolled back. */
async function makeOne(ctx: Ctx, source: GroupedImport, { rows }: Group, onTrial: boolean): Promise<Made> {
  await sql`savepoint making`.execute(ctx.tx)
  try {
    const { id } = await source.make(
      ctx,
      rows.map(({ given }) => given),
    )
    await (onTrial ? sql`rollback to savepoint making` : sql`release savepoint making`).execute(ctx.tx)
    return { outcome: 'create', targetId: onTrial ? null : id, faults: new Map() }
  } catch (e) {
    // Ended by the database for somebody else's sake: no fault of the row.
    if (isOutrun(e)) throw e
    await sql`rollback to savepoint making`.execute(ctx.tx)
    const failure = failureOf(e)
    const twin = source.twinOf(failure)
    if (twin) return { outcome: 'same', targetId: twin, faults: new Map() }
    const faults = new Map<number, Fault[]>()
    for (const { path, code, params } of failure.errors.length
      ? failure.errors
      : [{ path: '', code: failure.code, params: failure.params }]) {
      const { row, field } = source.placeOf(path)
      const at = rows[row]?.row ?? rows[0]!.row
      faults.set(at, [
        ...(faults.get(at) ?? []),
        { column: null, field, code, ...(params ? { params } : {}) },
      ])
    }
    return { outcome: 'faulty', targetId: null, faults }
  }
}

/**
 * Makes records, or tries to, and writes down what came of their rows. A record of which one row is faulty is
 * not made at all.
 */
export async function settleGroups(
  ctx: Ctx,
  source: GroupedImport,
  id: string,
  groups: readonly Group[],
  onTrial: boolean,
): Promise<boolean> {
  let isWhole = true
  for (const group of groups) {
    const { rows: faulty } = await sql<{
      row_no: number
    }>`select row_no from import_rows where company_id = ${ctx.companyId} and import_id = ${id}
      and row_no = any(${group.rows.map(({ row }) => row)}::int[]) and outcome = 'faulty' order by row_no
      limit 1`.execute(ctx.tx)
    const made: Made = faulty[0]
      ? { outcome: 'faulty', targetId: null, faults: new Map() }
      : await makeOne(ctx, source, group, onTrial)
    if (made.outcome === 'faulty') isWhole = false
    const blamed = faulty[0]?.row_no ?? [...made.faults.keys()][0] ?? group.rows[0]!.row
    const { code, params } = fail('imports.otherRow', { row: blamed })
    const changes = group.rows.map(({ row }) => ({
      row_no: row,
      outcome: made.outcome,
      target_id: made.targetId,
      faults:
        made.outcome !== 'faulty'
          ? null
          : (made.faults.get(row) ??
            (row === faulty[0]?.row_no ? [] : [{ column: null, field: null, code, params }])),
    }))
    // A row keeps the faults it was found with.
    await sql`update import_rows t set outcome = r.outcome, target_id = r.target_id,
        faults = coalesce(t.faults, nullif(r.faults, '[]')),
        stamp = case when r.outcome = 'create' and ${!onTrial} then now() end
      from jsonb_populate_recordset(null::import_rows, ${JSON.stringify(changes)}::jsonb) r
      where t.company_id = ${ctx.companyId} and t.import_id = ${id} and t.row_no = r.row_no`.execute(ctx.tx)
  }
  return isWhole
}

/** Takes some records of an import back, the last ones first. Answers how many rows that were. */
export async function takeGroupsBack(ctx: Ctx, source: GroupedImport, id: string): Promise<number> {
  const { rows } = await sql<{ target: string; untouched: boolean | null; count: number }>`
    select r.target_id as target, bool_and(t.updated_at = r.stamp) as untouched, count(*)::int as count
    from import_rows r
    left join ${sql.table(source.resource.table)} t on t.company_id = r.company_id and t.id = r.target_id
    where r.company_id = ${ctx.companyId} and r.import_id = ${id} and r.stamp is not null and r.undone is null
    group by 1 order by max(r.row_no) desc limit ${groupsPerStep}`.execute(ctx.tx)
  for (const { target, untouched } of rows) {
    let fate: string = untouched === null ? 'gone' : 'touched'
    if (untouched) {
      await sql`savepoint undoing`.execute(ctx.tx)
      try {
        fate = await source.takeBack(ctx, target)
        await sql`release savepoint undoing`.execute(ctx.tx)
      } catch (e) {
        if (!(e instanceof Failure)) throw e
        await sql`rollback to savepoint undoing`.execute(ctx.tx)
        fate = 'used'
      }
    }
    await sql`update import_rows set undone = ${fate} where company_id = ${ctx.companyId}
        and import_id = ${id} and target_id = ${target} and stamp is not null`.execute(ctx.tx)
  }
  return rows.reduce((sum, { count }) => sum + count, 0)
}
