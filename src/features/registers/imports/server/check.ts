import { dirname } from 'node:path'
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { LongJob, Run } from '#kit/server/work/progress.ts'
import type { Reading } from '../endpoints.ts'
import { grouped, importableNamed, targetsOf, type Target } from './fields.ts'
import { nextGroups, planAlone, settleGroups } from './groups.ts'
import { faultsOf, plan, References, type Fault, type GivenRow, type Planned } from './plan.ts'
import { rowsOf } from './batches.ts'
import { withFile } from './parts.ts'
import type { readers } from './readers.ts'
import type { ReadRow } from './rows.ts'
import { countRows, loadImport, setState, type StoredImport } from './store.ts'
import { makeReader } from './values.ts'

interface Setup {
  one: StoredImport
  targets: Target[]
  source: ReturnType<typeof importableNamed>
}

async function setUp(ctx: Ctx, id: string): Promise<Setup> {
  const one = await loadImport(ctx, id)
  const source = importableNamed(ctx, one.resource)
  return { one, source, targets: await targetsOf(ctx, source) }
}

/** Reads and validates every row; saves no record. The result is written to import_rows, one batch at a time. */
async function work(run: Run): Promise<Record<string, unknown>> {
  const id = String(run.payload.importId)
  const begun = run.position as { row: number; done: number; total: number; judged?: number } | undefined
  let total = begun?.total ?? 0
  let done = begun?.done ?? 0
  const { one, source, targets } = await run.step(
    (ctx) => setUp(ctx, id),
    () => ({ done }),
  )
  const whole = grouped(source)
  const reading = one.reading as Reading
  const columns = one.mapping.map((name) => targets.find((target) => target.name === name))
  const read = makeReader(one.resource, targets)
  const references = new References()
  const seen = new Map<string, number>()
  if (begun)
    await run.step(
      async (ctx) => {
        const { rows } = await sql<{ row_no: number; keys: string[] }>`select row_no, keys from import_rows
        where company_id = ${ctx.companyId} and import_id = ${id} and row_no <= ${begun.row}
          and outcome <> 'faulty'`.execute(ctx.tx)
        for (const { row_no: row, keys } of rows) for (const key of keys) seen.set(key, row)
      },
      () => ({ done }),
    )

  if (begun?.judged === undefined)
    await withFile(run.app, run.caller, id, async (path) => {
      // Read to its end before anything is judged: a file that is broken somewhere is refused as a whole.
      const batches = await readIn<typeof readers>()('imports.batches', {
        path,
        kind: one.kind,
        reading,
        folder: dirname(path),
      })
      total = batches.reduce((sum, { rows }) => sum + rows, 0)
      const step = (batch: ReadRow[]) =>
        run.step(
          async (ctx) => {
            const given = await understand(ctx, batch, columns, read, references)
            const planned = whole
              ? given.map((row) => planAlone(whole, targets, row))
              : await judge(
                  ctx,
                  () => plan(ctx, source, targets, given, one.options),
                  given,
                  (row) => plan(ctx, source, targets, [row], one.options),
                )
            // Rows that make one record are no twins.
            if (!whole) for (const row of planned) refuseTwin(row, seen)
            await keep(ctx, id, planned, batch)
            done += batch.length
          },
          () => ({ position: { row: batch.at(-1)!.row, done, total }, done, total }),
        )
      for (const batch of batches) {
        const rows =
          batch.lastRow <= (begun?.row ?? 0)
            ? []
            : (await rowsOf(batch)).filter(({ row }) => row > (begun?.row ?? 0))
        if (rows.length) await step(rows)
      }
    })
  // Only now are all rows of a record there.
  for (let judged = begun?.judged ?? 0; whole;) {
    const groups = await run.step(
      async (ctx) => {
        const some = await nextGroups(ctx, id, judged)
        await settleGroups(ctx, whole, id, some, true)
        return some
      },
      (some) => {
        judged = some.at(-1)?.rows[0]?.row ?? judged
        return { position: { row: 0, done, total, judged }, done, total }
      },
    )
    if (!groups.length) break
  }
  return run.step(
    async (ctx) => {
      const counts = await countRows(ctx, id)
      await setState(ctx, id, { state: 'checked', counts })
      return counts
    },
    () => ({ done }),
  )
}

/** The cells of rows as values of fields. */
async function understand(
  ctx: Ctx,
  batch: ReadRow[],
  columns: (Target | undefined)[],
  read: ReturnType<typeof makeReader>,
  references: References,
): Promise<GivenRow[]> {
  const asked: { target: Target; text: string; into: GivenRow; column: number }[] = []
  const rows = batch.map(({ row, cells }): GivenRow => {
    const one: GivenRow = { row, given: {}, faults: [] }
    for (const [column, target] of columns.entries()) {
      if (!target) continue
      const meaning = read(target, cells[column] ?? '')
      if ('value' in meaning) {
        if (meaning.value !== '') one.given[target.name] = meaning.value
      } else if ('code' in meaning)
        one.faults.push({
          column,
          field: target.name,
          code: meaning.code,
          ...(meaning.params ? { params: meaning.params } : {}),
        })
      else if ('refer' in meaning) asked.push({ target, text: meaning.refer, into: one, column })
    }
    return one
  })
  if (asked.length) await references.resolve(ctx, asked)
  for (const { target, text, into, column } of asked) {
    const found = references.of(target, text)
    if (typeof found === 'string') into.given[target.name] = found
    else into.faults.push({ column, field: target.name, ...found })
  }
  return rows
}

/** What validating the rows writes is rolled back; when the database refuses one, each is validated alone. */
async function judge(
  ctx: Ctx,
  all: () => Promise<Planned[]>,
  rows: GivenRow[],
  alone: (row: GivenRow) => Promise<Planned[]>,
): Promise<Planned[]> {
  const tried = async (work: () => Promise<Planned[]>): Promise<Planned[] | Fault[]> => {
    await sql`savepoint judging`.execute(ctx.tx)
    try {
      return await work()
    } catch (e) {
      return faultsOf(e)
    } finally {
      await sql`rollback to savepoint judging`.execute(ctx.tx)
    }
  }
  const isPlan = (found: Planned[] | Fault[]): found is Planned[] =>
    found.length === 0 || 'outcome' in found[0]!
  const together = await tried(all)
  if (isPlan(together)) return together
  const planned: Planned[] = []
  for (const row of rows) {
    const found = await tried(() => alone(row))
    if (isPlan(found)) planned.push(...found)
    else
      planned.push({
        ...row,
        outcome: 'faulty',
        faults: [...row.faults, ...found],
        keys: [],
        targetId: null,
        before: undefined,
        values: {},
        changed: [],
      })
  }
  return planned
}

/** Two rows of one file that are the same record: the first counts. */
function refuseTwin(row: Planned, seen: Map<string, number>): void {
  for (const key of row.keys) {
    const first = seen.get(key)
    if (first !== undefined && first !== row.row) {
      row.outcome = 'faulty'
      row.faults.push({
        column: null,
        field: key.slice(0, key.indexOf('=')).split('+').at(-1)!,
        code: 'imports.twin',
        params: { row: first },
      })
      return
    }
  }
  if (row.outcome !== 'faulty') for (const key of row.keys) seen.set(key, row.row)
}

const noHoles = (text: string): string => text.replaceAll('\u0000', '').slice(0, 4000)

async function keep(ctx: Ctx, id: string, planned: Planned[], batch: ReadRow[]): Promise<void> {
  const cells = new Map(batch.map((row) => [row.row, row.cells]))
  const rows = planned.map(({ row, outcome, given, faults, keys, targetId, before, values, changed }) => ({
    row_no: row,
    outcome,
    given,
    faults: faults.length ? faults : null,
    raw: outcome === 'faulty' ? (cells.get(row) ?? []).map(noHoles) : null,
    keys,
    target_id: targetId,
    before:
      outcome === 'change' ? Object.fromEntries(changed.map((name) => [name, before?.[name] ?? null])) : null,
    after:
      outcome === 'change' ? Object.fromEntries(changed.map((name) => [name, values[name] ?? null])) : null,
  }))
  await sql`insert into import_rows (company_id, import_id, row_no, outcome, given, faults, raw, keys,
      target_id, before, after)
    select ${ctx.companyId}, ${id}, r.row_no, r.outcome, r.given, r.faults, r.raw, r.keys, r.target_id,
      r.before, r.after
    from jsonb_populate_recordset(null::import_rows, ${JSON.stringify(rows)}::jsonb) r`.execute(ctx.tx)
}

export const checking: LongJob = {
  rule: 'imports.run',
  work,
  ended: async (ctx, payload, { state, error }) => {
    await setState(ctx, String(payload.importId), {
      state: state === 'stopped' ? 'read' : 'failed',
      ...(error ? { error } : {}),
    })
  },
}
