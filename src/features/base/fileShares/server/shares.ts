import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { addMonths } from '#domain/day.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { asCaller, newId, type Caller, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { companyOf, faceOf } from '#features/base/companies/server/index.ts'
import { checkFileOpens, isShownInside, readFile } from '#features/base/files/server/index.ts'
import { memberCaller } from '#features/base/session/server/index.ts'
import type { FileShare } from '../endpoints.ts'

const longestMonths = 12
/** Links of one file that are open at once. */
const mostOpen = 20

async function shares(ctx: Ctx, of: { fileId: string } | { id: string }): Promise<FileShare[]> {
  const { rows } = await sql<
    Omit<FileShare, 'url'> & { key: string }
  >`select s.id, s.file_id as "fileId", f.name, s.page_key as key,
      s.expires_on as "expiresOn", u.full_name as by, s.created_at as "createdAt", s.opened,
      s.last_opened_at as "lastOpenedAt",
      case when s.taken_back_at is not null then 'takenBack' when s.expires_on < ${ctx.today} then 'expired'
      else 'open' end as state
    from file_shares s join files f on f.company_id = s.company_id and f.id = s.file_id
    join users u on u.id = s.created_by
    where s.company_id = ${ctx.companyId}
      and ${'id' in of ? sql`s.id = ${of.id}` : sql`s.file_id = ${of.fileId}`}
    order by s.created_at desc, s.id desc limit 500`.execute(ctx.tx)
  return rows.map(({ key, ...row }) => ({ ...row, url: `${siteOf(ctx.app)}/sharedfile/${key}` }))
}

/** The links of a file, for people who may open the file themselves: a link opens it. */
export async function sharesOf(ctx: Ctx, fileId: string): Promise<FileShare[]> {
  await checkFileOpens(ctx, fileId)
  return shares(ctx, { fileId })
}

/** @throws {Failure} kit.notFound; session.forbidden where the file is not the caller's to open */
async function oneOf(ctx: Ctx, id: string): Promise<FileShare> {
  const [found] = await shares(ctx, { id })
  if (!found) throw fail('kit.notFound')
  await checkFileOpens(ctx, found.fileId)
  return found
}

/**
 * Shares a file with everybody who has the link. Only what the author may open: amounts cannot be removed from a
 * scan.
 */
export async function share(
  ctx: Ctx,
  { id: fileId, expiresOn }: { id: string; expiresOn: string },
): Promise<FileShare> {
  await checkFileOpens(ctx, fileId)
  if (expiresOn < ctx.today || expiresOn > addMonths(ctx.today, longestMonths))
    throw failField('expiresOn', 'fileShares.expiry', { months: longestMonths })
  const held = await shares(ctx, { fileId })
  if (held.filter(({ state }) => state === 'open').length >= mostOpen)
    throw fail('fileShares.tooMany', { most: mostOpen })
  const id = newId()
  await sql`insert into file_shares (company_id, id, file_id, page_key, expires_on, created_by)
    values (${ctx.companyId}, ${id}, ${fileId}, ${randomBytes(24).toString('base64url')}, ${expiresOn},
      ${ctx.caller.userId})`.execute(ctx.tx)
  const made = await oneOf(ctx, id)
  await ctx.audit('fileShares.create', 'files', fileId, undefined, { name: made.name, expiresOn })
  return made
}

/** Ends a link; twice is once. */
export async function takeBack(ctx: Ctx, id: string): Promise<FileShare> {
  const before = await oneOf(ctx, id)
  if (before.state !== 'takenBack') {
    await sql`update file_shares set taken_back_at = now() where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
    await ctx.audit('fileShares.takeBack', 'files', before.fileId, undefined, { name: before.name })
  }
  return oneOf(ctx, id)
}

interface Stored {
  company_id: string
  id: string
  file_id: string
  expires_on: string
  created_by: string
  taken_back: boolean
}

const stored = (ctx: OpenCtx, key: string): Promise<Stored> =>
  rowOfKey(
    ctx,
    sql<Stored>`select company_id, id, file_id, expires_on, created_by,
        taken_back_at is not null as taken_back
      from file_shares where page_key = ${key}`,
  )

/** The giver, while the link holds: who left the business, or may not give files any more, gives none. */
async function giverOf(ctx: OpenCtx, row: Stored): Promise<Caller | undefined> {
  if (row.taken_back || row.expires_on < ctx.today) return undefined
  const giver = await memberCaller(ctx.tx, row.company_id, row.created_by)
  return giver && can(giver, 'files.change') ? giver : undefined
}

/** Work with the file as its giver may open it today. */
async function asGiver<T>(ctx: OpenCtx, row: Stored, work: (inside: Ctx) => Promise<T>): Promise<T> {
  const giver = await giverOf(ctx, row)
  if (!giver) throw fail('fileShares.ended')
  return asCaller(ctx.app, giver, ctx.address, async (inside) => {
    await checkFileOpens(inside, row.file_id).catch(() => {
      throw fail('fileShares.ended')
    })
    return work(inside)
  })
}

export async function face(ctx: OpenCtx, key: string) {
  const row = await stored(ctx, key)
  const isOpen = await asGiver(ctx, row, async () => true).catch(() => false)
  return insideOf(ctx, row.company_id, async (inside) => {
    const company = await companyOf(inside)
    return {
      ...faceOf(company),
      language: company.language,
      state: isOpen ? ('open' as const) : ('ended' as const),
    }
  })
}

/** What the file is, told when somebody asks for it; that it was opened is counted. */
export async function open(ctx: OpenCtx, key: string) {
  const row = await stored(ctx, key)
  const file = await asGiver(ctx, row, async (inside) => {
    const { rows } = await sql<{
      name: string
      mime: string
      size: number
    }>`select name, mime, size from files
      where company_id = ${inside.companyId} and id = ${row.file_id}`.execute(inside.tx)
    if (!rows[0]) throw fail('fileShares.ended')
    return rows[0]
  })
  await insideOf(ctx, row.company_id, (inside) =>
    sql`update file_shares set opened = opened + 1, last_opened_at = now()
      where company_id = ${inside.companyId} and id = ${row.id}`.execute(inside.tx),
  )
  return { ...file, isShown: isShownInside(file.mime), expiresOn: row.expires_on }
}

export async function file(
  ctx: OpenCtx,
  { key, inline }: { key: string; inline?: string | undefined },
): Promise<FileAnswer> {
  const row = await stored(ctx, key)
  const found = await asGiver(ctx, row, (inside) => readFile(inside, row.file_id))
  return { ...found, inline: inline === 'true' && isShownInside(found.mime) }
}
