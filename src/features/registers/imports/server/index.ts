import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { newId } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { defineLongJob, startJob } from '#kit/server/work/progress.ts'
import { say } from '#kit/server/words.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import * as calls from '../endpoints.ts'
import type { ImportOptions, ImportSummary, WholeImport } from '../endpoints.ts'
import '../rules.ts'
import { checking } from './check.ts'
import { fieldsFor, importableNamed, importables, keyFields, targetsOf } from './fields.ts'
import { checkMapping, prepare, remember } from './prepare.ts'
import { keepParts, withFile } from './parts.ts'
import type { readers } from './readers.ts'
import type { ReadTable } from './rows.ts'
import { running, undoing } from './run.ts'
import { listImports, loadImport, setState, summaryOf, type StoredImport } from './store.ts'
import { faultsFile, headOf, rowsInWords, template } from './words.ts'

const inThread = readIn<typeof readers>()

/** The tables of a file that is not long, for the person who brings something else in than a register. */
export const readTables = (path: string, most: number): Promise<ReadTable[]> =>
  inThread('imports.tables', { path, most })

defineLongJob('imports.check', checking)
defineLongJob('imports.run', running)
defineLongJob('imports.undo', undoing)

async function whole(ctx: Ctx, id: string): Promise<WholeImport> {
  const one = await loadImport(ctx, id)
  const source = importableNamed(ctx, one.resource)
  const targets = await targetsOf(ctx, source)
  return {
    ...summaryOf(one),
    reading: one.reading,
    mapping: one.mapping,
    options: one.options,
    head: headOf(ctx, one, targets),
    fields: fieldsFor(ctx, source, targets),
    keys: keyFields(source).map((name) => ({
      name,
      title: targets.find((target) => target.name === name)?.title ?? name,
    })),
  }
}

/** The import, locked, in one of the states from which a step may be taken. */
async function inState(ctx: Ctx, id: string, ...states: ImportSummary['state'][]): Promise<StoredImport> {
  const one = await loadImport(ctx, id, true)
  if (!states.includes(one.state)) throw fail('imports.wrongState')
  return one
}

const aboutOf = (one: StoredImport) => ({
  name: one.name,
  resource: one.resource,
  href: `/invoice/tools/import/${one.resource}?id=${one.id}`,
})

async function begin(
  ctx: Ctx,
  one: StoredImport,
  options: ImportOptions,
  mapping: (string | null)[],
): Promise<void> {
  const source = importableNamed(ctx, one.resource)
  const targets = await targetsOf(ctx, source)
  checkMapping(source, targets, mapping, options.matchBy)
  if (options.matchBy !== 'auto' && !keyFields(source).includes(options.matchBy))
    throw fail('imports.unmapped', { field: options.matchBy })
  const { rows } =
    await sql`select 1 from import_parts where company_id = ${ctx.companyId} and import_id = ${one.id}
      limit 1`.execute(ctx.tx)
  if (!rows.length) throw fail('imports.gone')
  await sql`update imports set mapping = ${JSON.stringify(mapping)}, options = ${JSON.stringify(options)}
    where company_id = ${ctx.companyId} and id = ${one.id}`.execute(ctx.tx)
  await remember(ctx, one, mapping)
  await sql`delete from import_rows where company_id = ${ctx.companyId} and import_id = ${one.id}`.execute(
    ctx.tx,
  )
  const jobId = await startJob(ctx, 'imports.check', { importId: one.id }, aboutOf(one))
  await setState(ctx, one.id, { state: 'checking', counts: {}, jobId })
}

export const implementations = [
  implement(calls.importable, async (ctx) => ({
    rows: await Promise.all(
      importables(ctx).map(async (source) => ({
        resource: source.resource.name,
        title: say(ctx.caller.language, `${source.resource.name}.title`),
        fields: fieldsFor(ctx, source, await targetsOf(ctx, source)),
      })),
    ),
  })),
  implement(calls.importTemplate, (ctx, { resource }) => template(ctx, importableNamed(ctx, resource))),
  implement(
    calls.uploadImport,
    async (ctx, { resource, name, encoding, delimiter, sheet, check, bytes: file }) => {
      const source = importableNamed(ctx, resource)
      if (file.size === 0) throw fail('imports.empty')
      const given = {
        ...(encoding ? { encoding } : {}),
        ...(delimiter ? { delimiter } : {}),
        ...(sheet === undefined ? {} : { sheet }),
      }
      const { kind, reading, mapping, head } = await prepare(ctx, source, file.path, undefined, given)
      const id = newId()
      const options: ImportOptions = { matchBy: 'auto', existing: 'update' }
      await sql`insert into imports (company_id, id, resource, name, size, kind, reading, mapping, options,
          head, created_by)
      values (${ctx.companyId}, ${id}, ${resource}, ${name}, ${file.size}, ${kind},
        ${JSON.stringify(reading)}, ${JSON.stringify(mapping)},
        ${JSON.stringify(options)}, ${JSON.stringify(head)}, ${ctx.caller.userId})`.execute(ctx.tx)
      await keepParts(ctx, id, file.path)
      await ctx.audit('imports.upload', 'imports', id, undefined, { resource, name, size: file.size })
      if (check === 'true') await begin(ctx, await loadImport(ctx, id), options, mapping)
      return whole(ctx, id)
    },
  ),
  implement(calls.listImports, listImports),
  implement(calls.getImport, (ctx, { id }) => whole(ctx, id)),
  implement(calls.rereadImport, async (ctx, { id, reading: given }) => {
    const one = await inState(ctx, id, 'read', 'checked', 'failed')
    const source = importableNamed(ctx, one.resource)
    // Another code page or sheet has other heads: where they stand is looked for again unless it was said.
    const { headRow: _headRow, ...before } = one.reading
    const { reading, mapping, head } = await withFile(ctx.app, ctx.caller, id, (path) =>
      prepare(ctx, source, path, one.kind, { ...before, ...given }),
    )
    await sql`update imports set reading = ${JSON.stringify(reading)}, mapping = ${JSON.stringify(mapping)},
        head = ${JSON.stringify(head)}
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    await setState(ctx, id, { state: 'read', counts: {} })
    return whole(ctx, id)
  }),
  implement(calls.checkImport, async (ctx, { id, mapping, options }) => {
    const one = await inState(ctx, id, 'read', 'checked', 'failed')
    const width = one.head.columns.length
    await begin(
      ctx,
      one,
      { ...one.options, ...options },
      Array.from({ length: width }, (_, column) => mapping[column] ?? null),
    )
    return whole(ctx, id)
  }),
  implement(calls.runImport, async (ctx, { id, take }) => {
    const one = await inState(ctx, id, 'checked')
    if (!(one.counts.create ?? 0) && !(one.counts.change ?? 0)) throw fail('imports.nothingToDo')
    if (take === 'all' && (one.counts.faulty ?? 0) > 0)
      throw fail('imports.hasFaults', { count: one.counts.faulty ?? 0 })
    const jobId = await startJob(ctx, 'imports.run', { importId: id, take }, aboutOf(one))
    await setState(ctx, id, { state: 'running', jobId })
    return whole(ctx, id)
  }),
  implement(calls.undoImport, async (ctx, { id }) => {
    const one = await inState(ctx, id, 'done', 'stopped')
    if (!summaryOf(one).mayUndo) throw fail('imports.wrongState')
    const jobId = await startJob(ctx, 'imports.undo', { importId: id }, aboutOf(one))
    await setState(ctx, id, { state: 'undoing', jobId })
    return whole(ctx, id)
  }),
  implement(calls.importRows, async (ctx, { id, outcome, after }) => {
    const one = await loadImport(ctx, id)
    return rowsInWords(ctx, importableNamed(ctx, one.resource), one, outcome, after)
  }),
  implement(calls.importFaults, async (ctx, { id }) => {
    const one = await loadImport(ctx, id)
    return faultsFile(ctx, importableNamed(ctx, one.resource), one)
  }),
]

export const machines: Machines = {
  'imports.check': { person: 'who started it' },
  'imports.run': { person: 'who started it' },
  'imports.undo': { person: 'who started it' },
}
