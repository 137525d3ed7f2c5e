import { sql } from 'kysely'
import { formatDay } from '#domain/format.ts'
import { momentInJerusalem, type Day } from '#domain/day.ts'
import { fail, forbidden, Failure } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import type { LongJob } from '#kit/server/work/progress.ts'
import { startJob } from '#kit/server/work/progress.ts'
import { say } from '#kit/server/words.ts'
import type { ExportKind, MadeFile } from '../endpoints.ts'
import { archive, memorySink, partsSink, type Sink } from './archive.ts'
import { writeCsv, writeXlsx } from './csv.ts'
import { writeHashavshevet } from './hashavshevet.ts'
import { writeHledger } from './hledger.ts'
import { writeUniform, type Made, type Range } from './uniformFile.ts'
import { isNamed } from './software.ts'

/** What is answered at once; more is long work. */
const mostAtOnce = 20_000

/** An export is the whole business with every amount: people who see a part, or no amounts, get none. */
export function refuseParts(ctx: Ctx, range?: Range): void {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  if (range && (range.from > range.to || range.from < '1990-01-01')) throw fail('uniform.range')
}

const extension: Record<ExportKind, string> = {
  uniform: 'zip',
  hashavshevet: 'zip',
  hledger: 'journal',
  csv: 'zip',
  xlsx: 'xlsx',
}
const mimes: Record<string, string> = {
  zip: 'application/zip',
  journal: 'text/plain; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
const fileName = (kind: ExportKind, { from, to }: Range): string =>
  `${kind === 'uniform' ? 'OPENFRMT' : kind}-${from}-${to}.${extension[kind]}`

type Watch = { tell: (n: number) => Promise<void>; full?: (n: number) => void }

async function write(
  ctx: Ctx,
  kind: ExportKind,
  range: Range,
  sink: Sink,
  { tell, full }: Watch,
): Promise<Made> {
  if (kind === 'uniform') return writeUniform(ctx, range, sink, { tell, ...(full ? { full } : {}) })
  const told = async (n: number) => {
    full?.(n)
    await sink.flush()
    await tell(n)
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  if (kind === 'hledger') {
    const entries = await writeHledger(ctx, range, (text) => sink.take(bytes(text)), told)
    await sink.flush(true)
    return { path: '', counts: { entries } }
  }
  const zip = archive((chunk) => sink.take(chunk), ctx.now)
  if (kind === 'hashavshevet') {
    const counts = await writeHashavshevet(ctx, range, (name) => zip.file(name), told)
    zip.end()
    await sink.flush(true)
    return { path: '', counts }
  }
  const open = (name: string) => {
    const file = zip.file(name)
    return { write: (text: string) => file.write(bytes(text)), end: file.end }
  }
  const counts = await (kind === 'xlsx' ? writeXlsx : writeCsv)(ctx, range, open, told)
  zip.end()
  await sink.flush(true)
  return { path: '', counts }
}

async function keep(
  ctx: Ctx,
  id: string,
  kind: ExportKind,
  range: Range,
  size: number,
  { path, counts }: Made,
): Promise<void> {
  await sql`insert into uniform_files (company_id, id, kind, from_day, to_day, name, path, size, counts,
      made_at, created_by)
    values (${ctx.companyId}, ${id}, ${kind}, ${range.from}, ${range.to}, ${fileName(kind, range)}, ${path},
      ${size}, ${JSON.stringify(counts)}, ${ctx.now.toISOString()},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('uniform.export', 'uniform_files', id, undefined, { kind, ...range, counts })
}

/** Made at once and kept with its bytes, as long work keeps it. */
export async function keepExport(ctx: Ctx, kind: ExportKind, range: Range): Promise<void> {
  refuseParts(ctx, range)
  const id = newId()
  const sink = partsSink(ctx, id)
  const made = await write(ctx, kind, range, sink, { tell: () => Promise.resolve() })
  await keep(ctx, id, kind, range, sink.size(), made)
}

/** Made and answered in one call, and listed with the others. */
export async function exportNow(ctx: Ctx, kind: ExportKind, range: Range): Promise<FileAnswer> {
  refuseParts(ctx, range)
  const sink = memorySink()
  const made = await write(ctx, kind, range, sink, {
    tell: () => Promise.resolve(),
    full: (n) => {
      if (n > mostAtOnce) throw fail('uniform.tooLarge', { most: mostAtOnce })
    },
  })
  const bytes = sink.bytes()
  await keep(ctx, newId(), kind, range, bytes.length, made)
  return { bytes, name: fileName(kind, range), mime: mimes[extension[kind]]! }
}

/**
 * The uniform file of a range for somebody it is sent to; undefined where it is too long for one sitting or
 * the books do not bear it yet.
 */
export async function uniformOf(
  ctx: Ctx,
  range: Range,
): Promise<{ bytes: Uint8Array; name: string } | undefined> {
  const sink = memorySink()
  try {
    await write(ctx, 'uniform', range, sink, {
      tell: () => Promise.resolve(),
      full: (n) => {
        if (n > mostAtOnce) throw fail('uniform.tooLarge', { most: mostAtOnce })
      },
    })
  } catch (e) {
    if (e instanceof Failure) return undefined
    throw e
  }
  return { bytes: sink.bytes(), name: fileName('uniform', range) }
}

export async function startExport(
  ctx: Ctx,
  { kind, ...range }: { kind: ExportKind } & Range,
): Promise<{ jobId: string; fileId: string }> {
  refuseParts(ctx, range)
  const fileId = newId()
  const about = {
    kind,
    from: formatDay(range.from),
    to: formatDay(range.to),
    href: `/invoice/reportexporttypes?file=${fileId}`,
  }
  return { jobId: await startJob(ctx, 'uniform.export', { kind, ...range, fileId }, about), fileId }
}

/** One transaction, so that the file is of one piece; after a kill it is made again. */
export const exporting: LongJob = {
  rule: 'uniform.export',
  work: (run) => {
    const { kind, from, to, fileId } = run.payload as unknown as { kind: ExportKind; fileId: string } & Range
    return run.step(
      async (ctx) => {
        refuseParts(ctx)
        await sql`delete from uniform_file_parts where company_id = ${ctx.companyId}
            and created_at < now() - interval '7 days'`.execute(ctx.tx)
        const total = await expected(ctx, kind, { from, to })
        const sink = partsSink(ctx, fileId)
        const made = await write(ctx, kind, { from, to }, sink, {
          tell: (n) => run.tell(Math.min(n, total), total),
        })
        await keep(ctx, fileId, kind, { from, to }, sink.size(), made)
        return { fileId, counts: made.counts }
      },
      () => ({ done: 1, total: 1 }),
    )
  },
}

/** About how many records it will be, for the bar. */
async function expected(ctx: Ctx, kind: ExportKind, { from, to }: Range): Promise<number> {
  const { rows } = await sql<{ documents: number; entries: number; postings: number }>`select
    (select count(*)::int from documents where company_id = ${ctx.companyId} and day between ${from} and ${to}
    and ${isIssued()}) as documents,
    (select count(*)::int from entries where company_id = ${ctx.companyId} and day between ${from} and ${to})
    as entries,
    (select count(*)::int from postings where company_id = ${ctx.companyId} and day between ${from} and ${to})
    as postings`.execute(ctx.tx)
  const { documents, entries, postings } = rows[0]!
  return Math.max(
    1,
    kind === 'hledger' || kind === 'hashavshevet'
      ? entries
      : kind === 'uniform'
        ? documents * 3 + postings
        : documents * 4 + entries + postings,
  )
}

const columns = sql`f.id, f.kind, f.from_day as "from", f.to_day as "to", f.name, f.path, f.size, f.counts,
    f.made_at as "madeAt",
  (select u.full_name from users u where u.id = f.created_by) as by,
  exists (select 1 from uniform_file_parts p where p.company_id = f.company_id and p.file_id = f.id) as there`

export async function exportsMade(
  ctx: Ctx,
): Promise<{ rows: MadeFile[]; since: Day | null; isNamed: boolean }> {
  refuseParts(ctx)
  const { rows } =
    await sql<MadeFile>`select ${columns} from uniform_files f where f.company_id = ${ctx.companyId}
      order by f.made_at desc, f.id desc limit 50`.execute(ctx.tx)
  const first = await sql<{ day: Day | null }>`select least(
    (select min(day) from documents where company_id = ${ctx.companyId} and ${isIssued()}),
    (select min(day) from entries where company_id = ${ctx.companyId})) as day`.execute(ctx.tx)
  return { rows, since: first.rows[0]!.day, isNamed: isNamed(ctx.app.settings.software) }
}

export async function exportMade(ctx: Ctx, id: string): Promise<MadeFile> {
  refuseParts(ctx)
  const { rows } =
    await sql<MadeFile>`select ${columns} from uniform_files f where f.company_id = ${ctx.companyId}
        and f.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function bytesOf(ctx: Ctx, id: string): Promise<FileAnswer> {
  const file = await exportMade(ctx, id)
  const { rows } = await sql<{
    bytes: Buffer
  }>`select bytes from uniform_file_parts where company_id = ${ctx.companyId} and file_id = ${id}
    order by part`.execute(ctx.tx)
  if (!rows.length) throw fail('uniform.gone')
  return {
    bytes: Buffer.concat(rows.map((row) => row.bytes)),
    name: file.name,
    mime: mimes[extension[file.kind]]!,
  }
}

/** The last line of the report of a run, as the Instructions word it. */
export const madeBy = (file: MadeFile, registration: string): string => {
  const { day, time } = momentInJerusalem(new Date(file.madeAt))
  const short = `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(2, 4)}`
  return say('he', 'uniform.run.madeBy', { program: 'Pinkas', registration, day: short, time })
}
