import { sql } from 'kysely'
import { fail, forbidden, failField } from '#kit/describe/errors.ts'
import { newId, type App, type Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { asSystem } from '#kit/server/data/db.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { named } from '#features/base/files/server/index.ts'
import { purchaseOf, type StoredPurchase } from './purchase.ts'
import type { readers } from './readers.ts'
import type { StoredPage } from './store.ts'

/** Files that nobody has paid with yet: what one page holds of them at most. */
const most = { loose: 400, looseBytes: 400 * 1024 * 1024 }
/** How long a file waits for its payer. */
const waitHours = 24

export interface GivenFile {
  field: string
  visit: string
  name: string
  bytes: Uint8Array
}

/**
 * Takes a file of the person who is about to pay. What it is its own bytes say, in a thread. A second one for the
 * same field takes the place of the first. Throws `kit.notFound`, `payPages.badFile`, `payPages.filesFull`.
 */
export async function takeFile(
  ctx: Ctx,
  page: StoredPage,
  { field, visit, name, bytes: given }: GivenFile,
): Promise<{ id: string; name: string }> {
  if (!page.fields.some(({ key, kind }) => key === field && kind === 'file')) throw fail('kit.notFound')
  const kind = await readIn<typeof readers>()('payPages.fileKind', { bytes: given })
  if (!kind) throw fail('payPages.badFile')
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  await sql`delete from pay_page_files where company_id = ${ctx.companyId} and page_id = ${page.id}
      and visit = ${visit} and field = ${field}
    and purchase_id is null`.execute(ctx.tx)
  const { rows } = await sql<{
    count: number
    size: number
    isFull: boolean
  }>`select count(*)::int as count, coalesce(sum(size), 0)::bigint as size,
      (select kept_bytes(c.id) + ${bytes.length} > c.file_quota_bytes from companies c
      where c.id = ${ctx.companyId}) as "isFull"
    from pay_page_files where company_id = ${ctx.companyId} and page_id = ${page.id}
      and purchase_id is null`.execute(ctx.tx)
  const { count, size, isFull } = rows[0]!
  if (isFull || count >= most.loose || size + bytes.length > most.looseBytes) throw fail('payPages.filesFull')
  const id = newId()
  const title = named(name, kind.extension)
  await sql`insert into pay_page_files (company_id, id, page_id, visit, field, name, mime, size, bytes,
      created_at)
    values (${ctx.companyId}, ${id}, ${page.id}, ${visit}, ${field}, ${title}, ${kind.mime}, ${bytes.length},
      ${bytes}, ${ctx.now})`.execute(ctx.tx)
  return { id, name: title }
}

const answered = (page: StoredPage, answers: StoredPurchase['answers']): { key: string; id: string }[] =>
  page.fields.flatMap(({ key, kind }) =>
    kind === 'file' && answers[key] ? [{ key, id: String(answers[key]) }] : [],
  )

/** Refuses an answer that names no file of this very visit, at its field. */
export async function checkFiles(
  ctx: Ctx,
  page: StoredPage,
  visit: string,
  answers: StoredPurchase['answers'],
): Promise<void> {
  const wanted = answered(page, answers)
  if (!wanted.length) return
  const { rows } = await sql<{
    id: string
    field: string
  }>`select id, field from pay_page_files where company_id = ${ctx.companyId}
    and page_id = ${page.id} and visit = ${visit} and purchase_id is null`.execute(ctx.tx)
  for (const { key, id } of wanted)
    if (!rows.some((row) => row.id === id && row.field === key))
      throw failField(`answers.${key}`, 'payPages.fileGone')
}

/** Attaches a payer's files to the payment. */
export async function keepFiles(ctx: Ctx, page: StoredPage, purchase: StoredPurchase): Promise<void> {
  const ids = answered(page, purchase.answers).map(({ id }) => id)
  if (ids.length)
    await sql`update pay_page_files set purchase_id = ${purchase.id} where company_id = ${ctx.companyId}
        and page_id = ${page.id}
      and visit = ${purchase.visit} and id = any(${ids}::uuid[]) and purchase_id is null`.execute(ctx.tx)
}

/** What was to be paid is not: the files go with the next sweep. */
export const looseFiles = (ctx: Ctx, purchaseId: string) =>
  sql`update pay_page_files set purchase_id = null where company_id = ${ctx.companyId}
      and purchase_id = ${purchaseId}`.execute(ctx.tx)

export interface AttachedFile {
  id: string
  name: string
}

export const filesOfPurchase = async (ctx: Ctx, purchaseId: string): Promise<AttachedFile[]> =>
  (
    await sql<AttachedFile>`select id, name from pay_page_files where company_id = ${ctx.companyId}
        and purchase_id = ${purchaseId}`.execute(ctx.tx)
  ).rows

/**
 * A file of a payer, to be saved and never opened in place. Amounts cannot be removed from it: it is not for people
 * who may not see them.
 */
export async function openFile(
  ctx: Ctx,
  { id, fileId }: { id: string; fileId: string },
): Promise<FileAnswer> {
  const purchase = await purchaseOf(ctx, id)
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const { rows } = await sql<{
    name: string
    mime: string
    bytes: Buffer
  }>`select name, mime, bytes from pay_page_files
    where company_id = ${ctx.companyId} and purchase_id = ${purchase.id} and id = ${fileId}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { ...rows[0], inline: false }
}

/**
 * Deletes files whose payment was not completed within a day, unless the outcome is still unknown. Answers how many
 * files.
 */
export async function dropLoose(app: App): Promise<number> {
  const before = new Date(app.now().getTime() - waitHours * 3_600_000)
  const { rows } = await asSystem(app.db, (tx) =>
    sql`delete from pay_page_files f where f.purchase_id is null and f.created_at < ${before} and not exists (
        select 1 from pay_purchases p join charges c on c.company_id = p.company_id and c.subject_id = p.id
        where p.company_id = f.company_id and p.page_id = f.page_id and p.visit = f.visit
          and c.state in ('begun', 'declined', 'unknown', 'needsPerson'))
      returning 1`.execute(tx),
  )
  return rows.length
}
