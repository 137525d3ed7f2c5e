import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { readIn, readPieces } from '#kit/server/work/threads/read.ts'
import type { LongJob, Run } from '#kit/server/work/progress.ts'
import { startJob } from '#kit/server/work/progress.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { Choices, Parity, UniformImport, WholeImport } from '../endpoints.ts'
import { bring, isEmpty } from './bring.ts'
import type { Plan } from './plan.ts'
import type { PlanPiece, readers } from './readers.ts'

const partBytes = 1024 * 1024
const noChoices: Choices = { sorts: {}, accounts: {} }

/** The books of a whole business come in: the person who sees a part of it brings nothing. */
function refuseParts(ctx: Ctx): void {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
}

interface Stored extends UniformImport {
  choices: Choices
  report: Parity | null
}

const columns = sql`i.id, i.name, i.size, i.state, i.error, i.job_id as "jobId",
    (select u.full_name from users u where u.id = i.created_by) as by,
  i.created_at as "createdAt", i.ended_at as "endedAt"`

async function load(ctx: Ctx, id: string, lock = false): Promise<Stored> {
  refuseParts(ctx)
  const { rows } = await sql<Stored>`select ${columns}, i.choices, i.report from uniform_imports i
    where i.company_id = ${ctx.companyId} and i.id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function wholeImport(ctx: Ctx, id: string): Promise<WholeImport> {
  const one = await load(ctx, id)
  const { taxId } = await companyOf(ctx)
  const theirs = one.report?.program.dealerNumber ?? ''
  return {
    ...one,
    choices: { ...noChoices, ...one.choices },
    empty: await isEmpty(ctx),
    otherDealer: theirs !== '' && Number(theirs) !== Number(taxId),
  }
}

export async function importsMade(ctx: Ctx): Promise<{ rows: UniformImport[]; empty: boolean }> {
  refuseParts(ctx)
  const { rows } =
    await sql<UniformImport>`select ${columns} from uniform_imports i where i.company_id = ${ctx.companyId}
      order by i.created_at desc, i.id desc limit 30`.execute(ctx.tx)
  return { rows, empty: await isEmpty(ctx) }
}

export async function uploadImport(
  ctx: Ctx,
  { name, path, size }: { name: string; path: string; size: number },
): Promise<WholeImport> {
  refuseParts(ctx)
  await sql`delete from uniform_import_parts p using uniform_imports i where i.company_id = p.company_id
      and i.id = p.import_id
    and p.company_id = ${ctx.companyId} and i.updated_at < now() - interval '7 days'`.execute(ctx.tx)
  if (size === 0) throw fail('uniform.notUniform')
  const { ini, data } = await readIn<typeof readers>()('uniform.unpack', { path })
  const id = newId()
  await sql`insert into uniform_imports (company_id, id, name, size, choices, created_by)
    values (${ctx.companyId}, ${id}, ${name}, ${size}, ${JSON.stringify(noChoices)},
      ${ctx.caller.userId})`.execute(ctx.tx)
  for (const [file, bytes] of [
    ['ini', ini],
    ['data', data],
  ] as const)
    for (let from = 0, part = 0; bytes && from < bytes.length; from += partBytes, part++)
      await sql`insert into uniform_import_parts (company_id, import_id, file, part, bytes)
        values (${ctx.companyId}, ${id}, ${file}, ${part},
          ${Buffer.from(bytes.subarray(from, from + partBytes))})`.execute(ctx.tx)
  await ctx.audit('uniform.upload', 'uniform_imports', id, undefined, { name, size })
  await begin(ctx, id, name, 'uniform.check', 'checking')
  return wholeImport(ctx, id)
}

async function begin(
  ctx: Ctx,
  id: string,
  name: string,
  kind: 'uniform.check' | 'uniform.import',
  state: UniformImport['state'],
): Promise<void> {
  const { rows } =
    await sql`select 1 from uniform_import_parts where company_id = ${ctx.companyId} and import_id = ${id}
        and file = 'data' limit 1`.execute(ctx.tx)
  if (!rows.length) throw fail('uniform.gone')
  const jobId = await startJob(ctx, kind, { importId: id }, { name, href: `/invoice/tools/uniform?id=${id}` })
  await sql`update uniform_imports set state = ${state}, job_id = ${jobId}, error = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
}

export async function checkAgain(ctx: Ctx, id: string, choices: Choices): Promise<WholeImport> {
  const one = await load(ctx, id, true)
  if (one.state !== 'checked' && one.state !== 'failed') throw fail('uniform.wrongState')
  await sql`update uniform_imports set choices = ${JSON.stringify(choices)}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await begin(ctx, id, one.name, 'uniform.check', 'checking')
  return wholeImport(ctx, id)
}

export async function startImport(ctx: Ctx, id: string, otherDealer: boolean): Promise<WholeImport> {
  const one = await load(ctx, id, true)
  if (one.state !== 'checked') throw fail('uniform.wrongState')
  const whole = await wholeImport(ctx, id)
  if (!whole.empty) throw fail('uniform.notEmpty')
  if (whole.otherDealer && !otherDealer)
    throw fail('uniform.otherDealer', { number: whole.report!.program.dealerNumber })
  await begin(ctx, id, one.name, 'uniform.import', 'running')
  return wholeImport(ctx, id)
}

export async function dropImport(ctx: Ctx, id: string): Promise<{ done: true }> {
  const one = await load(ctx, id, true)
  if (one.state !== 'checked' && one.state !== 'failed') throw fail('uniform.wrongState')
  await sql`delete from uniform_imports where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('uniform.drop', 'uniform_imports', id, { name: one.name })
  return { done: true }
}

/** The file as a reader takes it. */
async function unread(ctx: Ctx, id: string) {
  const one = await load(ctx, id)
  const bytesOf = async (file: 'ini' | 'data') => {
    const { rows } = await sql<{
      bytes: Buffer
    }>`select bytes from uniform_import_parts where company_id = ${ctx.companyId} and import_id = ${id}
        and file = ${file} order by part`.execute(ctx.tx)
    return rows.length ? Buffer.concat(rows.map((row) => row.bytes)) : undefined
  }
  const data = await bytesOf('data')
  if (!data) throw fail('uniform.gone')
  const { kind } = await companyOf(ctx)
  return { data, ini: await bytesOf('ini'), choices: { ...noChoices, ...one.choices }, kind }
}

async function planned(ctx: Ctx, id: string): Promise<Plan> {
  const pieces: PlanPiece[] = []
  await readPieces<typeof readers>()(
    'uniform.plan',
    await unread(ctx, id),
    (piece) => void pieces.push(piece),
  )
  const [whole] = pieces
  return {
    ...(whole as Omit<Plan, 'cards' | 'documents' | 'entries' | 'items' | 'openingItems'>),
    cards: new Map(pieces.flatMap((piece) => piece.cards ?? [])),
    documents: pieces.flatMap((piece) => piece.documents ?? []),
    entries: pieces.flatMap((piece) => piece.entries ?? []),
    items: pieces.flatMap((piece) => piece.items ?? []),
    openingItems: new Map(pieces.flatMap((piece) => piece.openingItems ?? [])),
  }
}

const idOf = (run: Run): string => String(run.payload.importId)

export const checking: LongJob = {
  rule: 'uniform.import',
  work: (run) =>
    run.step(
      async (ctx) => {
        const parity = await readIn<typeof readers>()('uniform.parity', await unread(ctx, idOf(run)))
        await sql`update uniform_imports set state = 'checked', report = ${JSON.stringify(parity)},
            updated_at = now() where company_id = ${ctx.companyId} and id = ${idOf(run)}`.execute(ctx.tx)
        return { ...parity.counts }
      },
      () => ({ done: 1, total: 1 }),
    ),
  ended: (ctx, payload, { error }) => failed(ctx, String(payload.importId), 'failed', error),
}

/** Everything or nothing: one transaction. */
export const importing: LongJob = {
  rule: 'uniform.import',
  work: (run) =>
    run.step(
      async (ctx) => {
        const id = idOf(run)
        const plan = await planned(ctx, id)
        const inBooks = await bring(ctx, id, plan, (done, total) => run.tell(done, total))
        await sql`delete from uniform_import_parts where company_id = ${ctx.companyId}
            and import_id = ${id}`.execute(ctx.tx)
        await sql`update uniform_imports
          set state = 'done', report = ${JSON.stringify({ ...plan.parity, inBooks })},
            updated_at = now(), ended_at = now()
          where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
        await ctx.audit('uniform.import', 'uniform_imports', id, undefined, plan.parity.counts)
        return { ...plan.parity.counts }
      },
      () => ({ done: 1, total: 1 }),
    ),
  // Nothing was written: it may be tried again.
  ended: (ctx, payload, { error }) => failed(ctx, String(payload.importId), 'checked', error),
}

async function failed(
  ctx: Ctx,
  id: string,
  state: 'failed' | 'checked',
  error: { code: string; params: object } | undefined,
): Promise<void> {
  await sql`update uniform_imports set state = ${state}, error = ${error ? JSON.stringify(error) : null},
      updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
}
