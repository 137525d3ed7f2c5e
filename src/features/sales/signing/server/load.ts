import { sql, type RawBuilder } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import type { SignField, SignRole, Filled } from '../shapes.ts'
import type { RequestState } from '../signing.ts'
import type { SignerState } from '../flow.ts'
import type { ReadPage } from './reading/reader.ts'

/** What requests for signatures are called where it is kept who sent them. */
export const requestKind = 'signRequests'

export interface StoredTemplate {
  id: string
  name: string
  note: string
  version: number
  pageKey: string
  isOpen: boolean
  most: number | null
  each: number
  until: string | null
  identity: 'link' | 'code'
  archivedAt: string | null
  fileId: string
  roles: SignRole[]
  fields: SignField[]
}

/** A template with its newest version. */
export async function loadTemplate(ctx: Ctx, id: string, lock = false): Promise<StoredTemplate> {
  const { rows } = await sql<StoredTemplate>`select t.id, t.name, t.note, t.version, t.page_key as "pageKey",
        t.is_open as "isOpen", t.open_most as most,
      t.open_each as each, t.open_until as until, t.open_identity as identity, t.archived_at as "archivedAt",
      v.file_id as "fileId", v.roles, v.fields
    from sign_templates t join sign_versions v on v.company_id = t.company_id and v.template_id = t.id
      and v.version = t.version
    where t.company_id = ${ctx.companyId} and t.id = ${id} ${lock ? sql`for update of t` : sql``}`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export interface StoredRequest {
  id: string
  name: string
  templateId: string | null
  version: number | null
  fileId: string
  roles: SignRole[]
  fields: SignField[]
  given: Record<string, string>
  mode: 'once' | 'each'
  state: RequestState
  message: string
  language: Language
  customerId: string | null
  purpose: string
  purposeId: string | null
  sumAgorot: number | null
  copies: { name: string; email: string }[]
  remindDays: number[]
  reminded: number
  expiresAt: string
  reason: string
  acts: number
  chain: Buffer | null
  fromOpen: boolean
  sentBy: string | null
  sender: string | null
  sentAt: string
  openedAt: string | null
  endedAt: string | null
}

const requestColumns = sql`r.id, r.name, r.template_id as "templateId", r.version, r.file_id as "fileId",
    r.roles, r.fields, r.given, r.mode, r.state, r.message,
  r.language, r.customer_id as "customerId", r.purpose, r.purpose_id as "purposeId",
  r.sum_agorot as "sumAgorot", r.copies, r.remind_days as "remindDays", r.reminded,
  r.expires_at as "expiresAt", r.reason, r.acts, r.chain, r.from_open as "fromOpen", r.sent_by as "sentBy",
  (select u.full_name from users u where u.id = r.sent_by) as sender, r.sent_at as "sentAt",
  r.opened_at as "openedAt", r.ended_at as "endedAt"`

/** A paper that was sent; locked, it holds up everybody else who signs, declines or recalls it. */
export async function loadRequest(ctx: Ctx, id: string, lock = false): Promise<StoredRequest> {
  const { rows } = await sql<StoredRequest>`select ${requestColumns} from sign_requests r
      where r.company_id = ${ctx.companyId} and r.id = ${id}
    ${lock ? sql`for update of r` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** People who may not see what others sent see their own. */
export const seen = (ctx: Ctx): RawBuilder<boolean>[] => [
  ...(can(ctx.caller, 'signing.all') ? [] : [sql<boolean>`t.sent_by = ${ctx.caller.userId}`]),
  ...(ctx.caller.docsAllow.length ? [ofSeenDocument] : []),
]

/** The name of a request about a document says its type and number. */
const ofSeenDocument = sql<boolean>`not exists (select 1 from documents d where d.company_id = t.company_id
    and d.id = t.purpose_id and not sees_type(d.type))`

/** The same, by a person of the business: another's document does not exist for people who see only their own. */
export async function requestFor(ctx: Ctx, id: string, lock = false): Promise<StoredRequest> {
  const r = await loadRequest(ctx, id, lock)
  if (!can(ctx.caller, 'signing.all') && r.sentBy !== ctx.caller.userId) throw fail('kit.notFound')
  if (ctx.caller.docsAllow.length) {
    const { rows } = await sql`select 1 from sign_requests t where t.company_id = ${ctx.companyId}
        and t.id = ${id} and ${ofSeenDocument}`.execute(ctx.tx)
    if (!rows.length) throw fail('kit.notFound')
  }
  return r
}

export interface StoredSigner {
  id: string
  requestId: string
  role: string
  roleName: string
  order: number
  name: string
  email: string | null
  phone: string | null
  language: Language
  identity: 'link' | 'code' | 'login'
  state: SignerState
  pageKey: string
  values: Record<string, Filled> | null
  delegatedFrom: string | null
  visitHash: Buffer | null
  visitUntil: string | null
  identifiedHow: string | null
  sentAt: string | null
  openedAt: string | null
  signedAt: string | null
}

const signerColumns = sql`s.id, s.request_id as "requestId", s.role, s.role_name as "roleName",
    s.order_no as "order", s.name, s.email, s.phone, s.language, s.identity,
  s.state, s.page_key as "pageKey", s.values, s.delegated_from as "delegatedFrom",
  s.visit_hash as "visitHash", s.visit_until as "visitUntil",
  s.identified_how as "identifiedHow", s.sent_at as "sentAt", s.opened_at as "openedAt",
  s.signed_at as "signedAt"`

export async function signersOf(ctx: Ctx, requestId: string): Promise<StoredSigner[]> {
  const { rows } =
    await sql<StoredSigner>`select ${signerColumns} from sign_signers s where s.company_id = ${ctx.companyId}
        and s.request_id = ${requestId}
    order by s.order_no, s.created_at, s.id`.execute(ctx.tx)
  return rows
}

export interface StoredFile {
  bytes: Buffer
  sha256: Buffer
  originalSha256: Buffer
  pages: ReadPage[]
}

export async function fileOf(ctx: Ctx, id: string): Promise<StoredFile> {
  const { rows } =
    await sql<StoredFile>`select bytes, sha256, original_sha256 as "originalSha256", pages from sign_files
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function pagesOfFile(ctx: Ctx, id: string): Promise<ReadPage[]> {
  const { rows } = await sql<{
    pages: ReadPage[]
  }>`select pages from sign_files where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0].pages
}

/** The newest sealed file of a paper, where there is one. */
export async function sealedOf(
  ctx: Ctx,
  requestId: string,
): Promise<{ no: number; bytes: Buffer; sha256: Buffer; stamped: boolean } | undefined> {
  const { rows } = await sql<{
    no: number
    bytes: Buffer
    sha256: Buffer
    stamped: boolean
  }>`select no, bytes, sha256, stamped from sign_sealed
    where company_id = ${ctx.companyId} and request_id = ${requestId} order by no desc limit 1`.execute(
    ctx.tx,
  )
  return rows[0]
}

/** A name every program can save under. */
export const fileNameOf = (name: string): string =>
  `${
    name
      .replace(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, ' ')
      .trim()
      .slice(0, 120) || 'document'
  }.pdf`

export const signerUrl = (ctx: Ctx, key: string): string => `${siteOf(ctx.app)}/signdoc/${key}`
export const linkUrl = (ctx: Ctx, key: string): string => `${siteOf(ctx.app)}/signpage/${key}`
