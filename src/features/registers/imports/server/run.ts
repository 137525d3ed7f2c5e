import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { archiveMany, idsInUse, insertMany, updateMany } from '#kit/server/described/bulk.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { rowsWhere } from '#kit/server/data/lists.ts'
import type { LongJob, Run } from '#kit/server/work/progress.ts'
import { isSame, type ServedResource } from '#kit/server/described/resources.ts'
import type { ImportOptions } from '../endpoints.ts'
import { grouped, importableNamed, targetsOf, type Importable, type Target } from './fields.ts'
import { nextGroups, settleGroups, takeGroupsBack } from './groups.ts'
import { faultsOf, plan, type Fault, type Planned } from './plan.ts'
import { countRows, dropParts, loadImport, setState } from './store.ts'

const rowsPerStep = 500

interface Waiting {
  row_no: number
  given: Record<string, unknown>
}

interface Setup {
  source: Importable
  targets: Target[]
  options: ImportOptions
  counts: { create?: number; change?: number }
}

async function setUp(ctx: Ctx, id: string): Promise<Setup> {
  const one = await loadImport(ctx, id)
  const source = importableNamed(ctx, one.resource)
  return { source, targets: await targetsOf(ctx, source), options: one.options, counts: one.counts }
}

/** Rows that were good when they were judged, after a given one. */
async function waiting(ctx: Ctx, id: string, after: number): Promise<Waiting[]> {
  const { rows } =
    await sql<Waiting>`select row_no, given from import_rows where company_id = ${ctx.companyId}
        and import_id = ${id}
    and outcome in ('create', 'change') and row_no > ${after} order by row_no limit ${rowsPerStep}`.execute(
      ctx.tx,
    )
  return rows
}

/** Saves judged rows and remembers how each record was before. */
async function save(ctx: Ctx, source: ServedResource, id: string, planned: Planned[]): Promise<void> {
  const made = planned
    .filter(({ outcome }) => outcome === 'create')
    .map((row) => ({ ...row, targetId: newId() }))
  const changed = planned.filter(({ outcome }) => outcome === 'change')
  if (made.length)
    await insertMany(
      ctx,
      source,
      made.map(({ targetId, values }) => ({ id: targetId, values })),
      source.whenImported,
    )
  if (changed.length)
    await updateMany(
      ctx,
      source,
      changed.map(({ targetId, before, values }) => ({
        id: targetId!,
        values,
        merged: { ...before, ...values },
      })),
    )
  const others = planned.filter(({ outcome }) => outcome !== 'create' && outcome !== 'change')
  const rows = [...made, ...changed, ...others].map(
    ({ row, outcome, faults, targetId, before, values, changed: names }) => ({
      row_no: row,
      outcome,
      faults: faults.length ? faults : null,
      target_id: targetId,
      before:
        outcome === 'change' ? Object.fromEntries(names.map((name) => [name, before?.[name] ?? null])) : null,
      after:
        outcome === 'change' ? Object.fromEntries(names.map((name) => [name, values[name] ?? null])) : null,
    }),
  )
  await sql`update import_rows t set outcome = r.outcome, faults = r.faults, target_id = r.target_id,
      before = r.before, after = r.after,
    stamp = case when r.outcome in ('create', 'change') then now() end
    from jsonb_populate_recordset(null::import_rows, ${JSON.stringify(rows)}::jsonb) r
    where t.company_id = ${ctx.companyId} and t.import_id = ${id} and t.row_no = r.row_no`.execute(ctx.tx)
}

/**
 * Judges again, because the register may have changed since, and saves; one that the database refuses is
 * tried alone and found out.
 */
async function take(ctx: Ctx, setup: Setup, id: string, rows: Waiting[]): Promise<Planned[]> {
  const { source, targets, options } = setup
  const given = rows.map(({ row_no: row, given: values }) => ({ row, given: values, faults: [] }))
  const tried = async (some: typeof given): Promise<Planned[] | Fault[]> => {
    await sql`savepoint taking`.execute(ctx.tx)
    try {
      const planned = await plan(ctx, source, targets, some, options)
      await save(ctx, source, id, planned)
      await sql`release savepoint taking`.execute(ctx.tx)
      return planned
    } catch (e) {
      await sql`rollback to savepoint taking`.execute(ctx.tx)
      return faultsOf(e)
    }
  }
  const isPlan = (found: Planned[] | Fault[]): found is Planned[] =>
    found.length === 0 || 'outcome' in found[0]!
  const together = await tried(given)
  if (isPlan(together)) return together
  const planned: Planned[] = []
  for (const row of given) {
    const found = await tried([row])
    if (isPlan(found)) {
      planned.push(...found)
      continue
    }
    const faulty: Planned = {
      ...row,
      outcome: 'faulty',
      faults: found,
      keys: [],
      targetId: null,
      before: undefined,
      values: {},
      changed: [],
    }
    await save(ctx, source, id, [faulty])
    planned.push(faulty)
  }
  return planned
}

interface Taken {
  /** The last of the rows looked at, or the first row of the last record made of several. */
  after: number
  count: number
  /** A row that was good and is not any more. */
  refused: number | undefined
}

/** Saves what comes next; nothing when all is in. */
async function takeNext(ctx: Ctx, setup: Setup, id: string, after: number): Promise<Taken | undefined> {
  const whole = grouped(setup.source)
  if (whole) {
    const groups = await nextGroups(ctx, id, after)
    if (!groups.length) return undefined
    const isWhole = await settleGroups(ctx, whole, id, groups, false)
    const first = groups.at(-1)!.rows[0]!.row
    return {
      after: first,
      count: groups.reduce((sum, { rows }) => sum + rows.length, 0),
      refused: isWhole ? undefined : first,
    }
  }
  const rows = await waiting(ctx, id, after)
  if (!rows.length) return undefined
  const refused = (await take(ctx, setup, id, rows)).find(({ outcome }) => outcome === 'faulty')
  return { after: rows.at(-1)!.row_no, count: rows.length, refused: refused?.row }
}

async function finish(ctx: Ctx, id: string): Promise<Record<string, unknown>> {
  const one = await loadImport(ctx, id)
  const counts = await countRows(ctx, id)
  await setState(ctx, id, { state: 'done', counts, ended: true })
  await dropParts(ctx, id)
  await ctx.audit('imports.run', 'imports', id, undefined, {
    resource: one.resource,
    name: one.name,
    ...counts,
  })
  return counts
}

async function work(run: Run): Promise<Record<string, unknown>> {
  const id = String(run.payload.importId)
  const start = (run.position as { row: number; done: number } | undefined) ?? { row: 0, done: 0 }
  const setup = await run.step(
    (ctx) => setUp(ctx, id),
    () => ({ done: start.done }),
  )
  const total = (setup.counts.create ?? 0) + (setup.counts.change ?? 0)
  if (run.payload.take === 'all')
    // One transaction: every row or none, whatever happens on the way.
    return run.step(
      async (ctx) => {
        let done = 0
        for (let after = 0; ;) {
          const taken = await takeNext(ctx, setup, id, after)
          if (!taken) return finish(ctx, id)
          if (taken.refused !== undefined) throw fail('imports.changedSince', { row: taken.refused })
          after = taken.after
          done += taken.count
          await run.tell(done, total)
        }
      },
      () => ({ done: total, total }),
    )
  let { row: after, done } = start
  for (;;) {
    const taken = await run.step(
      (ctx) => takeNext(ctx, setup, id, after),
      (some) => {
        after = some?.after ?? after
        done += some?.count ?? 0
        return { position: { row: after, done }, done, total }
      },
    )
    if (!taken) break
  }
  return run.step(
    (ctx) => finish(ctx, id),
    () => ({ done, total }),
  )
}

export const running: LongJob = {
  rule: 'imports.run',
  work,
  ended: async (ctx, payload, { state, error }) => {
    const id = String(payload.importId)
    const isWhole = payload.take === 'all'
    // Nothing of a complete import was saved: it may be tried again. What a partial one saved stays, and can be undone.
    const counts = await savedCounts(ctx, id)
    const next = isWhole
      ? 'checked'
      : (counts.create ?? 0) + (counts.change ?? 0) > 0
        ? 'stopped'
        : state === 'stopped'
          ? 'checked'
          : 'failed'
    await setState(ctx, id, {
      state: next,
      ...(error ? { error } : {}),
      ...(next === 'stopped' ? { counts, ended: true } : {}),
    })
    if (next === 'stopped') {
      const one = await loadImport(ctx, id)
      await ctx.audit('imports.run', 'imports', id, undefined, {
        resource: one.resource,
        name: one.name,
        ...counts,
      })
    }
  },
}

async function savedCounts(ctx: Ctx, id: string): Promise<{ create?: number; change?: number }> {
  const { rows } = await sql<{
    outcome: string
    n: number
  }>`select outcome, count(*)::int as n from import_rows
    where company_id = ${ctx.companyId} and import_id = ${id} and stamp is not null group by outcome`.execute(
    ctx.tx,
  )
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]))
}

interface Saved {
  row_no: number
  outcome: 'create' | 'change'
  target_id: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  stamp: string
}

/** Takes one step of an import back, the last rows first. Answers how many it looked at. */
async function takeBack(ctx: Ctx, source: Importable, id: string): Promise<number> {
  const whole = grouped(source)
  if (whole) return takeGroupsBack(ctx, whole, id)
  const { rows } = await sql<Saved>`select row_no, outcome, target_id, before, after, stamp from import_rows
    where company_id = ${ctx.companyId} and import_id = ${id} and stamp is not null and undone is null
    order by row_no desc limit ${rowsPerStep}`.execute(ctx.tx)
  if (!rows.length) return 0
  const ids = rows.map((row) => row.target_id)
  // The rows of this step first: nothing leads from a record to its row, and looking for each among all of
  // them would take minutes.
  const { rows: marks } = await sql<{
    id: string
    untouched: boolean
  }>`with r as materialized (select target_id, stamp from import_rows
      where company_id = ${ctx.companyId} and import_id = ${id}
        and row_no = any(${rows.map((row) => row.row_no)}::int[]))
    select t.id, t.updated_at = r.stamp as untouched from r join ${sql.table(source.resource.table)} t
      on t.id = r.target_id
    where t.company_id = ${ctx.companyId} for update of t`.execute(ctx.tx)
  const untouched = new Map(marks.map((mark) => [mark.id, mark.untouched]))
  const there = new Map(
    (await rowsWhere<Record<string, unknown>>(ctx, source, sql`t.id = any(${ids}::uuid[])`)).map((row) => [
      row.id,
      row,
    ]),
  )
  const used = await idsInUse(ctx, source, ids)
  const fate = new Map<number, string>()
  const away: Saved[] = []
  const back: Saved[] = []
  for (const row of rows) {
    const now = there.get(row.target_id)
    if (!now) fate.set(row.row_no, 'gone')
    else if (row.outcome === 'create') {
      if (used.has(row.target_id)) fate.set(row.row_no, 'used')
      else if (!untouched.get(row.target_id)) fate.set(row.row_no, 'touched')
      else away.push(row)
    } else if (
      untouched.get(row.target_id) ||
      Object.entries(row.after ?? {}).every(([name, value]) => isSame(now[name] ?? null, value))
    )
      back.push(row)
    else fate.set(row.row_no, 'touched')
  }
  if (away.length)
    await archiveMany(
      ctx,
      source,
      away.map((row) => row.target_id),
    )
  for (const row of away) fate.set(row.row_no, 'archived')
  const restore = async (some: Saved[]): Promise<boolean> => {
    await sql`savepoint restoring`.execute(ctx.tx)
    try {
      await updateMany(
        ctx,
        source,
        some.map((row) => ({
          id: row.target_id,
          values: row.before ?? {},
          merged: { ...there.get(row.target_id), ...row.before },
        })),
      )
      await sql`release savepoint restoring`.execute(ctx.tx)
      for (const row of some) fate.set(row.row_no, 'restored')
      return true
    } catch {
      await sql`rollback to savepoint restoring`.execute(ctx.tx)
      return false
    }
  }
  // A value that belongs to another record by now cannot be restored.
  if (back.length && !(await restore(back)))
    for (const row of back) if (!(await restore([row]))) fate.set(row.row_no, 'taken')
  await sql`update import_rows t set undone = r.undone
    from jsonb_populate_recordset(null::import_rows,
      ${JSON.stringify([...fate].map(([row, undone]) => ({ row_no: row, undone })))}::jsonb) r
    where t.company_id = ${ctx.companyId} and t.import_id = ${id} and t.row_no = r.row_no`.execute(ctx.tx)
  return rows.length
}

export const undoing: LongJob = {
  rule: 'imports.run',
  work: async (run) => {
    const id = String(run.payload.importId)
    const { source, counts } = await run.step(
      (ctx) => setUp(ctx, id),
      () => ({ done: Number((run.position as number | undefined) ?? 0) }),
    )
    const total = (counts.create ?? 0) + (counts.change ?? 0)
    let done = Number((run.position as number | undefined) ?? 0)
    for (;;) {
      const taken = await run.step(
        (ctx) => takeBack(ctx, source, id),
        (n) => ({ position: (done += n), done, total }),
      )
      if (taken === 0) break
    }
    return run.step(
      async (ctx) => {
        const { rows } = await sql<{ undone: number; refused: number }>`select
          count(*) filter (where undone in ('archived', 'restored'))::int as undone,
          count(*) filter (where undone not in ('archived', 'restored'))::int as refused
          from import_rows where company_id = ${ctx.companyId} and import_id = ${id}`.execute(ctx.tx)
        const one = await loadImport(ctx, id)
        await setState(ctx, id, { state: 'undone', counts: { ...one.counts, ...rows[0]! }, ended: true })
        await ctx.audit('imports.undo', 'imports', id, undefined, {
          resource: one.resource,
          name: one.name,
          ...rows[0]!,
        })
        return { ...rows[0]! }
      },
      () => ({ done, total }),
    )
  },
  // What was undone stays so; the rest can be undone by asking again.
  ended: async (ctx, payload, { error }) =>
    setState(ctx, String(payload.importId), { state: 'done', ...(error ? { error } : {}) }),
}
