import { crc32 } from 'node:zlib'
import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { choice, day, money, number, text } from '#kit/fields/field.ts'
import { asCaller, type Ctx } from '#kit/server/context.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import type { StreamAnswer } from '#kit/server/contract/implement.ts'
import type { LongJob } from '#kit/server/work/progress.ts'
import { states } from '#features/purchases/expenses/expenses.ts'
import { expenseTypeName } from '#features/purchases/expenses/server/index.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { bytesOf, layOut, mostBytes, mostFiles, type Stored } from './storedZip.ts'

export interface Asked {
  from: Day
  to: Day
  supplier?: string | undefined
}

/** The expenses of a period, as `e`; what was sent back is in no report. */
export const expensesOf = (ctx: Ctx, { from, to, supplier }: Asked): RawBuilder<unknown> =>
  sql`e.company_id = ${ctx.companyId} and e.source <> 'opening' and e.day between ${from} and ${to}
      and e.state not in ('draft', 'rejected', 'cancelled')${
        supplier ? sql` and e.supplier_id in ${groupOf(ctx, supplier)}` : sql``
      }`

interface Pictured {
  expenseId: string
  day: Day
  supplier: string | null
  supplierNumber: string
  fileId: string
  sha256: Buffer
  size: number
  fileName: string
}

/** The pictures of a period in the order of their days. */
async function picturesOf(ctx: Ctx, asked: Asked): Promise<Pictured[]> {
  const { rows } = await sql<Pictured>`select e.id as "expenseId", e.day, p.name as supplier,
        e.supplier_number as "supplierNumber", f.id as "fileId", f.sha256, f.size, f.name as "fileName"
    from expenses e join file_links l on l.company_id = e.company_id and l.entity = 'expenses'
      and l.entity_id = e.id
    join files f on f.company_id = l.company_id and f.id = l.file_id left
    join parties p on p.company_id = e.company_id and p.id = e.supplier_id
    where ${expensesOf(ctx, asked)} order by e.day, e.id, l.created_at, f.id`.execute(ctx.tx)
  return rows
}

/** Signs no file system minds, and none that could lead out of the folder or turn the reading round. */
export const plain = (words: string): string =>
  words
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
    .slice(0, 60)

/** '2026-05/2026-05-12 Supplier 1234.pdf', each once. */
function namesOf(pictures: readonly Pictured[]): string[] {
  const taken = new Set<string>()
  return pictures.map(({ day, supplier, supplierNumber, fileName }) => {
    const ending = /\.\w{1,5}$/.exec(fileName)?.[0] ?? ''
    const begin = `${day.slice(0, 7)}/${[day, plain(supplier ?? ''), plain(supplierNumber)].filter(Boolean).join(' ')}`
    let name = `${begin}${ending}`
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${begin} (${n})${ending}`
    taken.add(name.toLowerCase())
    return name
  })
}

/** Refuses a period without a picture, and one whose pictures no archive of this form holds. */
export async function checkSize(ctx: Ctx, asked: Asked): Promise<void> {
  const { rows } = await sql<{
    files: number
    bytes: number
  }>`select count(*)::int as files, coalesce(sum(f.size), 0)::bigint as bytes
    from expenses e join file_links l on l.company_id = e.company_id and l.entity = 'expenses'
      and l.entity_id = e.id
    join files f on f.company_id = l.company_id and f.id = l.file_id where ${expensesOf(ctx, asked)}`.execute(
    ctx.tx,
  )
  const { files, bytes } = rows[0]!
  if (files === 0) throw fail('expensesBackup.nothing')
  // Names and the list want some room beside the pictures.
  if (files >= mostFiles || bytes > mostBytes - files * 1000 - 100_000_000)
    throw fail('expensesBackup.tooLarge')
}

const listColumns = {
  day: day(),
  supplier: text(),
  number: text(),
  type: text(),
  details: text(),
  netAgorot: money(),
  vatAgorot: money(),
  totalAgorot: money(),
  state: choice(states),
  pictures: number(),
  names: text(),
}

/**
 * The list of all expenses of the period, those without a picture as well, each with what its pictures are
 * called beside it.
 */
async function listOf(
  ctx: Ctx,
  asked: Asked,
  names: ReadonlyMap<string, string[]>,
): Promise<{ bytes: Uint8Array; expenses: number; without: number }> {
  const { rows } = await sql<
    Record<string, unknown> & { id: string }
  >`select e.id, e.day, coalesce(p.name, '') as supplier, e.supplier_number as number,
      ${expenseTypeName(ctx.caller.language)} as type, e.details,
      e.ils_net_agorot as "netAgorot", e.ils_vat_agorot as "vatAgorot", e.ils_total_agorot as "totalAgorot",
      e.state
    from expenses e join expense_types t on t.company_id = e.company_id and t.id = e.type_id left
    join parties p on p.company_id = e.company_id and p.id = e.supplier_id
    where ${expensesOf(ctx, asked)} order by e.day, e.id`.execute(ctx.tx)
  const listed = rows.map((row) => ({
    ...row,
    pictures: names.get(row.id)?.length ?? 0,
    names: (names.get(row.id) ?? []).join(', '),
  }))
  const words = 'expensesBackup.list'
  const file = await exportTable({
    format: 'xlsx',
    language: ctx.caller.language,
    name: 'list',
    title: `${words}.title`,
    columns: Object.entries(listColumns).map(([name, field]) => ({
      name,
      field: name === 'state' ? { ...field, words: 'expenses.reports.expenseList.state' } : field,
      title: `${words}.columns.${name}`,
      words: `${words}.${name}`,
    })),
    rows: listed,
    totals: Object.fromEntries(
      (['netAgorot', 'vatAgorot', 'totalAgorot'] as const).map((name) => [
        name,
        rows.reduce((sum, row) => sum + Number(row[name]), 0),
      ]),
    ),
  })
  if (!('bytes' in file)) throw new Error('the list came in pieces')
  return {
    bytes: file.bytes,
    expenses: rows.length,
    without: listed.filter(({ pictures }) => pictures === 0).length,
  }
}

/**
 * The pictures of a period by their names, as many of the first as come to so many bytes; `left` says that
 * some did not.
 */
export async function picturesWithin(
  ctx: Ctx,
  asked: Asked,
  most: number,
): Promise<{ files: Record<string, Uint8Array>; left: boolean }> {
  const pictures = await picturesOf(ctx, asked)
  const names = namesOf(pictures)
  const files: Record<string, Uint8Array> = {}
  let size = 0
  for (const [i, picture] of pictures.entries()) {
    size += picture.size
    if (size > most) return { files, left: true }
    const { rows } = await sql<{ bytes: Buffer }>`select bytes from file_contents
      where company_id = ${ctx.companyId} and sha256 = ${picture.sha256}`.execute(ctx.tx)
    if (rows[0]) files[names[i]!] = rows[0].bytes
  }
  return { files, left: false }
}

/** So many files are read in one transaction, or as many as come to so many bytes. */
const filesAtOnce = 40
const bytesAtOnce = 32 * 1024 * 1024

interface Position {
  total: number
  done: number
}

/**
 * Writes down what the archive holds, then reads each picture once for its checksum. After a kill it goes on
 * with the first picture that has none.
 */
export const making: LongJob = {
  rule: 'reports.expenses',
  work: async (run) => {
    const { id, ...asked } = run.payload as unknown as Asked & { id: string }
    let now = run.position as Position | undefined
    now ??= await run.step(
      async (ctx) => {
        const pictures = await picturesOf(ctx, asked)
        const names = namesOf(pictures)
        const files = pictures.map(({ fileId, sha256, size }, i) => ({
          place: i + 1,
          name: names[i],
          file_id: fileId,
          sha256: `\\x${sha256.toString('hex')}`,
          size,
        }))
        await sql`insert into expense_archive_files (company_id, archive_id, place, name, file_id, sha256,
            size)
          select ${ctx.companyId}, ${id}, x.place, x.name, x.file_id, x.sha256, x.size
          from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as
            x(place int, name text, file_id uuid, sha256 bytea, size int)`.execute(ctx.tx)
        const byExpense = new Map<string, string[]>()
        for (const [i, { expenseId }] of pictures.entries())
          byExpense.set(expenseId, [...(byExpense.get(expenseId) ?? []), names[i]!])
        const list = await listOf(ctx, asked, byExpense)
        await sql`update expense_archives set list = ${Buffer.from(list.bytes)}, expenses = ${list.expenses},
            without = ${list.without}
          where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
        return { total: pictures.length, done: 0 }
      },
      (made) => ({ position: made, done: 0, total: made.total + 1 }),
    )
    while (now.done < now.total) {
      const { total, done }: Position = now
      now = await run.step(
        async (ctx) => ({ total, done: done + (await sumUp(ctx, id)) }),
        (made) => ({ position: made, done: made.done, total: total + 1 }),
      )
    }
    return run.step(
      async (ctx) => {
        const { parts: _, size, files } = await planOf(ctx, id)
        await sql`update expense_archives set size = ${size}, ready_at = now()
          where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
        return { archiveId: id, files: files.length - 1, bytes: size }
      },
      () => ({ done: now.total + 1 }),
    )
  },
  // A half of it is of no use to anybody.
  ended: async (ctx, { id }) => {
    await sql`delete from expense_archives where company_id = ${ctx.companyId}
        and id = ${String(id)}`.execute(ctx.tx)
  },
}

/** Reads the next pictures for their checksums; answers how many. */
async function sumUp(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ place: number; bytes: Buffer | null }>`
    with next as (select a.place, a.sha256, sum(a.size) over (order by a.place) - a.size as before
    from expense_archive_files a
      where a.company_id = ${ctx.companyId} and a.archive_id = ${id} and a.crc is null order by a.place
      limit ${filesAtOnce})
    select n.place, c.bytes from next n left join file_contents c on c.company_id = ${ctx.companyId}
      and c.sha256 = n.sha256 where n.before < ${bytesAtOnce} order by n.place`.execute(ctx.tx)
  // Thrown away while the archive was being made.
  if (!rows.length || rows.some(({ bytes }) => bytes === null)) throw fail('expensesBackup.changed')
  const sums = rows.map(({ place, bytes }) => ({ place, crc: crc32(bytes!) }))
  await sql`update expense_archive_files a set crc = x.crc
    from jsonb_to_recordset(${JSON.stringify(sums)}::jsonb) as x(place int, crc bigint)
    where a.company_id = ${ctx.companyId} and a.archive_id = ${id} and a.place = x.place`.execute(ctx.tx)
  return rows.length
}

/** The archive byte by byte: the list first, then the pictures. */
async function planOf(ctx: Ctx, id: string) {
  const { rows } = await sql<{
    list: Buffer
    created_at: string
  }>`select list, created_at from expense_archives where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  const { rows: pictures } = await sql<
    Stored & { sha256: Buffer }
  >`select name, size, crc, sha256 from expense_archive_files
    where company_id = ${ctx.companyId} and archive_id = ${id} order by place`.execute(ctx.tx)
  const { list, created_at: at } = rows[0]!
  const files: Stored[] = [{ name: 'expenses.xlsx', size: list.length, crc: crc32(list) }, ...pictures]
  return { ...layOut(files, new Date(at)), files, list, pictures }
}

/**
 * The bytes of an archive from any offset. It consists of pictures that are always at the same place; one that was
 * deleted since is reported, not left out.
 */
export async function readArchive(
  ctx: Ctx,
  { id, from = 0, most }: { id: string; from?: number | undefined; most?: number | undefined },
): Promise<StreamAnswer> {
  const { rows } = await sql<{
    name: string
    ready: boolean
    gone: boolean
  }>`select a.name, a.ready_at is not null as ready,
      exists (select 1 from expense_archive_files f where f.company_id = a.company_id and f.archive_id = a.id
        and not exists (select 1 from file_contents c where c.company_id = f.company_id
        and c.sha256 = f.sha256)) as gone
    from expense_archives a where a.company_id = ${ctx.companyId} and a.id = ${id}
      and a.created_by = ${ctx.caller.userId}`.execute(ctx.tx)
  const [found] = rows
  if (!found) throw fail('kit.notFound')
  if (!found.ready) throw fail('expensesBackup.notReady')
  if (found.gone) throw fail('expensesBackup.changed')
  const { parts, size, list, pictures } = await planOf(ctx, id)
  const to = Math.min(size, most === undefined ? size : from + most)
  const read = async (place: number, at: number, bytes: number): Promise<Uint8Array> => {
    if (place === 0) return list.subarray(at, at + bytes)
    const part = await asCaller(ctx.app, ctx.caller, '', async ({ tx, companyId }) =>
      sql<{
        bytes: Buffer
      }>`select substring(bytes from ${at + 1}::int for ${bytes}::int) as bytes from file_contents
        where company_id = ${companyId} and sha256 = ${pictures[place - 1]!.sha256}`.execute(tx),
    )
    const piece = part.rows[0]?.bytes
    // The answer has begun: breaking it off is the only way to say that it is not whole.
    if (piece?.length !== bytes) throw new Error('a picture of the archive is gone')
    return piece
  }
  return {
    name: found.name,
    mime: 'application/zip',
    pieces: bytesOf(parts, { from: Math.min(from, size), to }, read),
  }
}
