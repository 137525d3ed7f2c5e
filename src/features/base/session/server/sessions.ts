import { sql } from 'kysely'
import type { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { languageById } from '#domain/languages.ts'
import { areasOff } from '#kit/describe/area.ts'
import { isUnlimited } from '#kit/describe/session.ts'
import { hiddenOf } from '#kit/server/data/areaUse.ts'
import { languages } from '#kit/server/words.ts'
import { sourceOf } from '#kit/server/rights/address.ts'
import type { App, Caller, Language, OpenCtx } from '#kit/server/context.ts'
import { newId } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { logSecurity } from '#kit/server/rights/securityLog.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import type { sessionAnswer } from '../endpoints.ts'
import { recordChange } from './changes.ts'

/** A session ends so long after its last use, and so long after it was opened, however often it is used. */
const idleDays = 30
const mostDays = 180

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
  business_kind: string
  menu_told: boolean
  company_name: string
  full_name: string
  language: Language
  email_verified: boolean
  must_set_factor: boolean
  session_id: string
}

/** Whose token this is; undefined when it is unknown, ended or still waits for its second factor. */
export async function findCaller(app: App, token: string): Promise<Caller | undefined> {
  if (token.length > 200) return undefined
  const { rows } = await app.db.pool.query<MembershipRow & { stale: boolean }>({
    name: 'find-caller',
    text: `select s.id as session_id, m.company_id, m.user_id, m.type_id, m.sub_type_id, m.rules, m.docs_allow, m.hide_total_prices,
      m.own_customers_only, m.hide_nav_header, m.is_active_button, m.rule_id, u.full_name, u.language, u.email_verified_at is not null as email_verified, c.trades, c.areas_switched,
      c.factor_required_at is not null and u.totp_secret is null as must_set_factor,
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
      `with used as (update sessions set used_at = now(),
          expires_at = least(now() + interval '${idleDays} days', created_at + interval '${mostDays} days')
        where id = $1 returning company_id, user_id)
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
  emailVerified: row.email_verified,
  mustSetFactor: row.must_set_factor,
  screens: JSON.stringify([
    row.hide_nav_header,
    row.is_active_button,
    row.rule_id,
    row.trades,
    row.areas_switched,
  ]),
  areasOff: areasOff({ trades: row.trades, switched: row.areas_switched }),
})

/**
 * A member of a business as a caller, without a session: for work that the member ordered and that happens later,
 * with the member's rights. Undefined after the member left.
 */
export async function memberCaller(tx: Tx, companyId: string, userId: string): Promise<Caller | undefined> {
  const { rows } = await sql<MembershipRow>`select '' as session_id, m.*, u.full_name, u.language,
      u.email_verified_at is not null as email_verified, c.trades, c.areas_switched,
      c.factor_required_at is not null and u.totp_secret is null as must_set_factor
    from memberships m join users u on u.id = m.user_id join companies c on c.id = m.company_id
    where m.company_id = ${companyId} and m.user_id = ${userId} and u.blocked_at is null
      and m.blocked_at is null and m.removed_at is null`.execute(tx)
  return rows[0] && callerOf(rows[0])
}

/**
 * The rights that a person has in a business now, for work that goes on after the call that ordered it. Undefined once
 * the person left the business or was blocked.
 */
export const callerOfPerson = (app: App, companyId: string, userId: string): Promise<Caller | undefined> =>
  asSystem(app.db, (tx) => memberCaller(tx, companyId, userId))

/**
 * The rights of a person in another business than the one the session is in, for what the person does there now. Undefined as for
 * `callerOfPerson`; refuses with session.factorNeeded where that business requires a second factor that the person does not have.
 */
export async function callerElsewhere(
  app: App,
  companyId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Caller | undefined> {
  const caller = await callerOfPerson(app, companyId, userId)
  if (caller?.mustSetFactor) throw fail('session.factorNeeded')
  return caller && { ...caller, sessionId }
}

/** The people who work in a business and have no second factor, with the address and the language of their account. */
export const membersWithoutFactor = (
  app: App,
  companyId: string,
): Promise<{ id: string; email: string; language: Language }[]> =>
  asSystem(app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
      email: string
      language: Language
    }>`select u.id, u.email, u.language
      from memberships m join users u on u.id = m.user_id
      where m.company_id = ${companyId} and m.blocked_at is null and m.removed_at is null
        and u.blocked_at is null and u.totp_secret is null order by u.email`.execute(tx)
    return rows
  })

/** What proved a person; `signUp`: the account or the business is new. */
type Proof = 'password' | 'sms' | 'google' | 'factor' | 'link' | 'invitation' | 'session' | 'signUp'

/** Where a session is opened from. */
type From = Pick<OpenCtx, 'app' | 'tx' | 'address' | 'agent' | 'device'> & { token?: string | undefined }

/**
 * Opens a new session; the token is returned once and stored only as its hash. The session that the browser held before ends.
 * A session in a browser in which the account was not opened before is announced to the account's address; `sameBrowser`:
 * another session of the account is open in it. `by`: what proved the person, for the log.
 */
export async function openSession(
  from: From,
  userId: string,
  companyId: string,
  {
    pending = false,
    way = '',
    by = 'signUp',
    sameBrowser = false,
  }: { pending?: boolean; way?: '' | 'link'; by?: Proof; sameBrowser?: boolean } = {},
): Promise<string> {
  const { tx } = from
  const token = newToken()
  const id = newId()
  await sql`insert into sessions (id, token_hash, user_id, company_id, pending_factor, address, agent, way,
      device_hash, expires_at)
    values (${id}, ${hashToken(token)}, ${userId}, ${companyId}, ${pending}, ${from.address}, ${from.agent},
      ${way}, ${deviceHash(from)},
      now() + ${pending ? sql`interval '10 minutes'` : sql.raw(`interval '${idleDays} days'`)})`.execute(tx)
  logSecurity(from.app, pending ? 'session.factorAsked' : 'session.opened', {
    session: id,
    user: userId,
    company: companyId,
    by,
    address: from.address,
  })
  if (pending) return token
  if (from.token) await endToken(from, from.token, 'replaced')
  await sql`update memberships set seen_at = now() where company_id = ${companyId}
    and user_id = ${userId}`.execute(tx)
  if (!sameBrowser && (await isNewDevice(from, userId)))
    await recordChange(from, userId, 'device', { sessionId: id })
  return token
}

/** Ends the session of a token, if there is one; `why` is for the log. */
export async function endToken(
  { app, tx }: Pick<From, 'app' | 'tx'>,
  token: string,
  why: 'loggedOut' | 'replaced',
): Promise<void> {
  const { rows } = await sql<{ id: string; user_id: string; company_id: string }>`delete from sessions
    where token_hash = ${hashToken(token)} returning id, user_id, company_id`.execute(tx)
  for (const { id, user_id: user, company_id: company } of rows)
    logSecurity(app, 'session.ended', { session: id, user, company, why })
}

/** What a browser is known by: its token; without one, its kind at its network. */
const deviceHash = ({ device, agent, address }: Pick<From, 'device' | 'agent' | 'address'>): Buffer =>
  hashToken(device ?? `${agent} at ${sourceOf(address)}`)

/**
 * Remembers the browser. It is new where others are known and neither its token nor its kind at this address was seen
 * before: a program that logs in without a token is announced once. One that was forgotten is new again.
 */
async function isNewDevice(from: From, userId: string): Promise<boolean> {
  const { tx, address, agent } = from
  const hash = deviceHash(from)
  const { rows } = await sql<{ others: boolean; known: boolean }>`select
      exists (select 1 from known_devices where user_id = ${userId}) as others,
      exists (select 1 from known_devices where user_id = ${userId} and forgotten_at is null
          and (token_hash = ${hash} or (address = ${address} and agent = ${agent})))
        and not exists (select 1 from known_devices where user_id = ${userId} and token_hash = ${hash}
          and forgotten_at is not null) as known`.execute(tx)
  await sql`insert into known_devices (user_id, token_hash, address, agent)
    values (${userId}, ${hash}, ${address}, ${agent})
    on conflict (user_id, token_hash) do update set used_at = now(), address = excluded.address,
      agent = excluded.agent, forgotten_at = null`.execute(tx)
  return rows[0]!.others && !rows[0]!.known
}

/**
 * Switches a session to another business of the same person: the token stays, and with it the line in the list of
 * devices. Answers the session's new fields; undefined where the person is no member, or no longer.
 */
export async function moveSession(
  tx: Tx,
  sessionId: string,
  userId: string,
  companyId: string,
): Promise<Awaited<ReturnType<typeof sessionFields>> | undefined> {
  const { rows } = await sql<MembershipRow>`with moved as (
      update memberships set seen_at = now() where company_id = ${companyId} and user_id = ${userId}
        and blocked_at is null and removed_at is null returning *)
    select m.*, c.name as company_name, c.kind as business_kind, c.menu_told, c.trades, c.areas_switched,
      u.full_name,
      c.factor_required_at is not null and u.totp_secret is null as must_set_factor from moved m
    join companies c on c.id = m.company_id join users u on u.id = m.user_id`.execute(tx)
  if (!rows[0]) return undefined
  await sql`update sessions set company_id = ${companyId}, used_at = now()
    where id = ${sessionId} and user_id = ${userId}`.execute(tx)
  return sessionFields(tx, rows[0])
}

/** The stored session of the specification for a token. */
export async function sessionOf(tx: Tx, token: string): Promise<z.infer<typeof sessionAnswer>> {
  const { rows } =
    await sql<MembershipRow>`select m.*, c.name as company_name, c.kind as business_kind, c.menu_told,
        c.trades, c.areas_switched, u.full_name,
        u.language, s.id as session_id, c.factor_required_at is not null
        and u.totp_secret is null as must_set_factor
    from sessions s join memberships m on m.company_id = s.company_id and m.user_id = s.user_id
    join users u on u.id = s.user_id join companies c on c.id = s.company_id
    where s.token_hash = ${hashToken(token)}`.execute(tx)
  return { UserKey: token, ...(await sessionFields(tx, rows[0]!)) }
}

export const sessionFields = async (
  tx: Tx,
  row: Omit<MembershipRow, 'session_id' | 'language' | 'user_id' | 'email_verified'>,
) => ({
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
  // A person of few rights sees what these rights open.
  areasHidden: isUnlimited(row.rules)
    ? await hiddenOf(tx, row.company_id, row.type_id, {
        trades: row.trades,
        switched: row.areas_switched,
        kind: row.business_kind,
      })
    : [],
  businessKind: row.business_kind,
  menuTold: row.menu_told,
  mustSetFactor: row.must_set_factor,
})

/** A language as a client may name it: 'he', the old 'iw', a browser's 'en-US' or the number of the specification. */
export function languageFrom(given: string | undefined): Language {
  const code = (given ?? '').slice(0, 2).toLowerCase()
  if (code === 'iw') return 'he'
  return languages.find((l) => l === code) ?? languageById(Number(given)) ?? 'he'
}
