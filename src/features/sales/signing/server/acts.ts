import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { StoredRequest } from './load.ts'

export interface Act {
  kind:
    | 'sent'
    | 'opened'
    | 'codeSent'
    | 'wrongCode'
    | 'identified'
    | 'signed'
    | 'declined'
    | 'delegated'
    | 'reminded'
    | 'recalled'
    | 'expired'
    | 'sealed'
    | 'handedOut'
    | 'handedBack'
  signerId?: string
  /** The browser, where a person was behind it. */
  agent?: string
  detail?: Record<string, unknown>
}

export interface StoredAct {
  no: number
  kind: Act['kind']
  signerId: string | null
  at: string
  address: string
  agent: string
  detail: Record<string, unknown>
  beforeHash: Buffer
  hash: Buffer
}

/** Keys in their order, so that the same fact gives the same bytes the person who wrote it. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, inside]) => inside !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inside]) => `${JSON.stringify(key)}:${canonical(inside)}`)
      .join(',')}}`
  return JSON.stringify(value)
}

/** The hash of a link: over the one before and all that it says. */
export const linkHash = (
  before: Buffer,
  act: {
    no: number
    kind: string
    signerId: string | null
    at: string
    address: string
    agent: string
    detail: Record<string, unknown>
  },
): Buffer =>
  createHash('sha256')
    .update(before)
    .update(canonical({ ...act, at: new Date(act.at).toISOString() }))
    .digest()

/** The chain begins with the file itself. */
export const chainStart = (fileHash: Buffer): Buffer => fileHash

/**
 * Writes what happened as the next link. The paper must be locked (`loadRequest` with `lock`), so that links
 * follow each other; `request` is brought up to date, for several acts in one transaction.
 */
export async function act(
  ctx: Ctx,
  request: StoredRequest,
  { kind, signerId, agent = '', detail = {} }: Act,
): Promise<void> {
  const no = request.acts + 1
  const before = request.chain!
  const at = ctx.now.toISOString()
  const link = {
    no,
    kind,
    signerId: signerId ?? null,
    at,
    address: ctx.address,
    agent: agent.slice(0, 300),
    detail,
  }
  const hash = linkHash(before, link)
  await sql`insert into sign_acts (company_id, request_id, no, kind, signer_id, at, address, agent, detail,
      before_hash, hash)
    values (${ctx.companyId}, ${request.id}, ${no}, ${kind}, ${link.signerId}, ${at}, ${link.address},
      ${link.agent}, ${JSON.stringify(detail)}, ${before}, ${hash})`.execute(ctx.tx)
  await sql`update sign_requests set acts = ${no}, chain = ${hash}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${request.id}`.execute(ctx.tx)
  request.acts = no
  request.chain = hash
}

export async function actsOf(ctx: Ctx, requestId: string): Promise<StoredAct[]> {
  const { rows } = await sql<StoredAct>`select no, kind, signer_id as "signerId", at, address, agent, detail,
        before_hash as "beforeHash", hash
    from sign_acts where company_id = ${ctx.companyId} and request_id = ${requestId} order by no`.execute(
    ctx.tx,
  )
  return rows
}
