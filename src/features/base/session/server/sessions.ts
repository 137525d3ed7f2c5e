import { sql } from 'kysely'
import type { z } from 'zod'
import { languageById } from '#domain/documents/kinds.ts'
import { areasOff } from '#kit/describe/area.ts'
import { languages } from '#kit/server/words.ts'
import type { App, Caller, Language } from '#kit/server/context.ts'
import { newId } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/db.ts'
import { hashToken, newToken } from '#kit/server/vault.ts'
import type { sessionAnswer } from '../endpoints.ts'

/** A session lives this long after its last use. */
const lifeDays = 30

interface MembershipRow {
  company_id: string
  user_id: string
  type_id: number
  sub_type_id: number
  rules: number[]
  docs_allow: number[]
  hide_nav_header: boolean
  hide_total_prices: boolean
  own_customers_only: boolean
  is_active_button: boolean
  rule_id: number
  dealer_id: number
  trades: string[] | null
  areas_switched: Record<string, boolean>
  company_name: string
  full_name: string
  language: Language
  session_id: string
}

/** Whose token this is; undefined when it is unknown, ended or still waits for its second factor. */
export async function findCaller(app: App, token: string): Promise<Caller | undefined> {
  if (token.length > 200) return undefined
  const { rows } = await app.db.pool.query<MembershipRow & { stale: boolean }>({
    name: 'find-caller',
    text: `select s.id as session_id, m.company_id, m.user_id, m.type_id, m.sub_type_id, m.rules, m.docs_allow, m.hide_total_prices,
      m.own_customers_only, m.hide_nav_header, m.is_active_button, m.rule_id, u.full_name, u.language, c.trades, c.areas_switched,
      s.used_at < now() - interval '5 minutes' as stale
      from sessions s join memberships m on m.company_id = s.company_id and m.user_id = s.user_id join users u on u.id = s.user_id
        join companies c on c.id = s.company_id
      where s.token_hash = $1 and s.expires_at > now() and not s.pending_factor and u.blocked_at is null
        and m.blocked_at is null and m.removed_at is null`,
    values: [hashToken(token)],
  })
  const row = rows[0]
  if (!row) return undefined
  if (row.stale)
    await app.db.pool.query(
      `with used as (update sessions set used_at = now(), expires_at = now() + interval '${lifeDays} days' where id = $1 returning company_id, user_id)
        update memberships m set seen_at = now() from used where m.company_id = used.company_id and m.user_id = used.user_id`,
      [row.session_id],
    )
  return callerOf(row)
}

const callerOf = (row: MembershipRow): Caller => ({
  sessionId: row.session_id,
  userId: row.user_id,
  companyId: row.company_id,
  typeId: row.type_id,
  subTypeId: row.sub_type_id,
  rules: row.rules,
  docsAllow: row.docs_allow,
  hideTotalPrices: row.hide_total_prices,
  ownCustomersOnly: row.own_customers_only,
  fullName: row.full_name,
  language: row.language,
  screens: [row.hide_nav_header, row.is_active_button, row.rule_id].join(),
  areasOff: areasOff({ trades: row.trades, switched: row.areas_switched }),
})

/** A member of a business as its caller, without a session: for what was asked for by him and happens later, in his sight. Undefined once he is none. */
export async function memberCaller(tx: Tx, companyId: string, userId: string): Promise<Caller | undefined> {
  const { rows } = await sql<MembershipRow>`select '' as session_id, m.*, u.full_name, u.language, c.trades,
      c.areas_switched
    from memberships m join users u on u.id = m.user_id join companies c on c.id = m.company_id
    where m.company_id = ${companyId} and m.user_id = ${userId} and u.blocked_at is null
      and m.blocked_at is null and m.removed_at is null`.execute(tx)
  return rows[0] && callerOf(rows[0])
}

/** Opens a new session; the token is told once and kept only as its hash. */
export async function openSession(
  tx: Tx,
  userId: string,
  companyId: string,
  from: { address: string; agent: string; pending?: boolean; way?: '' | 'link' },
): Promise<string> {
  const token = newToken()
  await sql`insert into sessions (id, token_hash, user_id, company_id, pending_factor, address, agent, way,
      expires_at)
    values (${newId()}, ${hashToken(token)}, ${userId}, ${companyId}, ${from.pending ?? false},
      ${from.address}, ${from.agent}, ${from.way ?? ''},
      now() + ${
        from.pending
          ? sql`interval
          '10 minutes'`
          : sql.raw(`interval '${lifeDays} days'`)
      })`.execute(tx)
  if (!from.pending)
    await sql`update memberships set seen_at = now() where company_id = ${companyId}
      and user_id = ${userId}`.execute(tx)
  return token
}

/**
 * Takes a session into another business of the same person: the token stays, and with it the line in his list of devices. Answers the
 * session's new fields; undefined where he is no member, or no longer.
 */
export async function moveSession(
  tx: Tx,
  sessionId: string,
  userId: string,
  companyId: string,
): Promise<ReturnType<typeof sessionFields> | undefined> {
  const { rows } = await sql<MembershipRow>`with moved as (
      update memberships set seen_at = now() where company_id = ${companyId} and user_id = ${userId}
        and blocked_at is null and removed_at is null returning *)
    select m.*, c.name as company_name, c.trades, c.areas_switched, u.full_name from moved m
    join companies c on c.id = m.company_id join users u on u.id = m.user_id`.execute(tx)
  if (!rows[0]) return undefined
  await sql`update sessions set company_id = ${companyId}, used_at = now()
    where id = ${sessionId} and user_id = ${userId}`.execute(tx)
  return sessionFields(rows[0])
}

/** The stored session of the specification for a token. */
export async function sessionOf(tx: Tx, token: string): Promise<z.infer<typeof sessionAnswer>> {
  const { rows } =
    await sql<MembershipRow>`select m.*, c.name as company_name, c.trades, c.areas_switched, u.full_name,
        u.language, s.id as session_id
    from sessions s join memberships m on m.company_id = s.company_id and m.user_id = s.user_id
    join users u on u.id = s.user_id join companies c on c.id = s.company_id
    where s.token_hash = ${hashToken(token)}`.execute(tx)
  return { UserKey: token, ...sessionFields(rows[0]!) }
}

export const sessionFields = (row: Omit<MembershipRow, 'session_id' | 'language' | 'user_id'>) => ({
  TypeID: row.type_id,
  subTypeID: row.sub_type_id,
  Name: row.company_name,
  FullName: row.full_name,
  rules: row.rules,
  docsAllow: row.docs_allow,
  IsActiveButton: row.is_active_button,
  HideNavHeader: row.hide_nav_header,
  HideTotalPrices: row.hide_total_prices,
  ruleid: row.rule_id,
  dealerID: row.dealer_id,
  CompanyKey: row.company_id,
  areasOff: areasOff({ trades: row.trades, switched: row.areas_switched }),
})

/** A language as a client may name it: 'he', the old 'iw', a browser's 'en-US' or the old world's number. */
export function languageFrom(given: string | undefined): Language {
  const code = (given ?? '').slice(0, 2).toLowerCase()
  if (code === 'iw') return 'he'
  return languages.find((l) => l === code) ?? languageById(Number(given)) ?? 'he'
}
