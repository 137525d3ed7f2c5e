import { sql } from 'kysely'
import { areasOff } from '#kit/describe/area.ts'
import { isUnlimited } from '#kit/describe/session.ts'
import { isKey } from '#kit/server/http/asked.ts'
import type { App, Caller, Ctx, Language } from '#kit/server/context.ts'
import { hashToken } from '#kit/server/rights/vault.ts'
import { rulesForKeys } from '../rules.ts'

interface KeyRow {
  id: string
  company_id: string
  prefix: string
  read_only: boolean
  drafts_only: boolean
  rules: number[]
  docs_allow: number[]
  sum_limit_agorot: number | null
  user_id: string
  type_id: number
  sub_type_id: number
  own_rules: number[]
  own_docs: number[]
  hide_total_prices: boolean
  own_customers_only: boolean
  full_name: string
  language: Language
  email_verified: boolean
  trades: string[] | null
  areas_switched: Record<string, boolean>
  stale?: boolean
}

/**
 * The caller of a key: the person who created it, within the rights of both. It ends with the membership, its day,
 * or when it is revoked.
 */
export async function findKeyCaller(app: App, token: string, address: string): Promise<Caller | undefined> {
  if (token.length > 100) return undefined
  const { rows } = await app.db.pool.query<KeyRow>({
    name: 'find-key',
    text: `${asked}, k.used_at is null or k.used_at < now() - interval '1 minute' or k.used_from <> $2 as stale ${known} and k.token_hash = $1`,
    values: [hashToken(token), address],
  })
  const row = rows[0]
  if (!row) return undefined
  if (row.stale)
    await app.db.pool.query('update api_keys set used_at = now(), used_from = $2 where id = $1', [
      row.id,
      address,
    ])
  return callerOf(row)
}

/**
 * Why nobody calls with a token: a key that is unknown, was revoked, is past its day, or whose maker may not work in
 * the business now; or the token of a session that ended. Only the holder of the secret of a key learns what became of it.
 */
export async function tokenRefusal(app: App, token: string): Promise<string> {
  if (!isKey(token)) return 'session.needed'
  const { rows } = await app.db.pool.query<{ revoked: boolean; expired: boolean }>(
    `select revoked_at is not null as revoked, coalesce(expires_at <= now(), false) as expired
      from api_keys where token_hash = $1`,
    [hashToken(token.slice(0, 100))],
  )
  const key = rows[0]
  if (!key) return 'apiKeys.unknown'
  return key.revoked ? 'apiKeys.revoked' : key.expired ? 'apiKeys.expired' : 'apiKeys.withoutPerson'
}

/** What is kept of the secret of a key: its SHA-256, which the person who has the secret can work out. */
export async function keyDigest(ctx: Ctx, id: string): Promise<Buffer> {
  const { rows } = await sql<{
    token_hash: Buffer
  }>`select token_hash from api_keys where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return rows[0]!.token_hash
}

/** The rights of a key today, where it does not call itself but is notified; undefined once it is none. */
export async function keyCaller(app: App, companyId: string, id: string): Promise<Caller | undefined> {
  const { rows } = await app.db.pool.query<KeyRow>(`${asked} ${known} and k.company_id = $1 and k.id = $2`, [
    companyId,
    id,
  ])
  return rows[0] && callerOf(rows[0])
}

const asked = `select k.id, k.company_id, k.prefix, k.read_only, k.drafts_only, k.rules, k.docs_allow, k.sum_limit_agorot, m.user_id, m.type_id, m.sub_type_id,
  m.rules as own_rules, m.docs_allow as own_docs, m.hide_total_prices, m.own_customers_only, u.full_name, u.language, u.email_verified_at is not null as email_verified, c.trades, c.areas_switched`
const known = `from api_keys k join memberships m on m.company_id = k.company_id and m.user_id = k.created_by join users u on u.id = m.user_id
  join companies c on c.id = k.company_id
  where k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and m.blocked_at is null and m.removed_at is null and u.blocked_at is null`

const callerOf = (row: KeyRow): Caller => ({
  sessionId: '',
  userId: row.user_id,
  companyId: row.company_id,
  typeId: row.type_id,
  subTypeId: row.sub_type_id,
  rules: within(row.rules, row.own_rules),
  docsAllow: both(row.docs_allow, row.own_docs),
  hideTotalPrices: row.hide_total_prices,
  ownCustomersOnly: row.own_customers_only,
  fullName: row.full_name,
  language: row.language,
  emailVerified: row.email_verified,
  areasOff: areasOff({ trades: row.trades, switched: row.areas_switched }),
  apiKey: {
    id: row.id,
    prefix: row.prefix,
    readOnly: row.read_only,
    draftsOnly: row.drafts_only,
    sumLimitAgorot: row.sum_limit_agorot,
  },
})

/** A number that names no rule and no type: a list that would come out empty would mean everything. */
const nothing = 0

/** Always spelled out, and never what no key may do. */
function within(given: readonly number[], own: readonly number[]): number[] {
  const kept = rulesForKeys()
    .map(({ number }) => number)
    .filter(
      (number) =>
        (given.length === 0 || given.includes(number)) && (isUnlimited(own) || own.includes(number)),
    )
  return kept.length ? kept : [nothing]
}

function both(given: readonly number[], own: readonly number[]): number[] {
  if (given.length === 0 || own.length === 0) return [...(given.length ? given : own)]
  const kept = given.filter((id) => own.includes(id))
  return kept.length ? kept : [nothing]
}
