import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type App, type Language, type OpenCtx } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { registerSealed } from '#kit/server/rights/reseal.ts'
import { logSecurity } from '#kit/server/rights/securityLog.ts'
import { hashToken, encrypt, newToken, decrypt } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { mailPerson, openSealed, queueSealed } from './sealed.ts'

/** A second factor that was turned off is sealed once more inside of what undoes that. */
registerSealed('account_changes', 'before', (vault, plain) => {
  const before = JSON.parse(plain.toString()) as { totpSecret?: string | null }
  if (!before.totpSecret) return plain
  const secret = decrypt(vault, Buffer.from(before.totpSecret, 'base64'))
  return Buffer.from(JSON.stringify({ ...before, totpSecret: encrypt(vault, secret).toString('base64') }))
})

/** For so many days a change can be undone by the link in its notice. */
const undoDays = 7

// Kept a while longer, for support.
registerSweep((db) =>
  sql`delete from account_changes where expires_at < now() - interval '90 days'`.execute(db),
)

/** What a change replaced, by its kind; undoing restores it. */
interface Before {
  password: { passwordHash: string | null }
  phone: { phone: string; verifiedAt: string | null }
  email: { email: string; verifiedAt: string | null }
  factorOn: object
  factorOff: { totpSecret: string | null; codes: StoredCode[] }
  recoveryCodes: { codes: StoredCode[] }
  device: { sessionId: string }
  apiKey: { companyId: string; keyId: string; name: string }
  google: { subject: string | null }
}
export type ChangeKind = keyof Before
interface StoredCode {
  hash: string
  usedAt: string | null
}

interface At {
  app: App
  /** As the system. */
  tx: Tx
  address: string
  agent: string
}

/**
 * Records a change of how an account is reached and notifies its address, and every address it had in the days in which
 * a change can be undone, with a link that undoes it. Called before the change is made: the notice goes to the address
 * of before.
 */
export async function recordChange<K extends ChangeKind>(
  { app, tx, address, agent }: At,
  userId: string,
  kind: K,
  before: Before[K],
): Promise<void> {
  const { rows } = await sql<{ email: string; language: Language }>`select email, language from users
    where id = ${userId}`.execute(tx)
  const { rows: earlier } = await sql<{ before: Buffer }>`select before from account_changes
    where user_id = ${userId} and kind = 'email' and expires_at > now() and undone_at is null`.execute(tx)
  const addresses = new Set([
    rows[0]!.email,
    ...earlier.map((row) => (beforeOf(app, row.before) as Before['email']).email),
  ])
  logSecurity(app, 'account.changed', { user: userId, what: kind, address })
  const token = newToken()
  await sql`insert into account_changes (id, user_id, kind, before, undo_hash, address, agent, made_at,
      expires_at)
    values (${randomUUID()}, ${userId}, ${kind},
      ${encrypt(app.secrets.vault, Buffer.from(JSON.stringify(before)))},
      ${hashToken(token)}, ${address}, ${agent}, clock_timestamp(),
      now() + make_interval(days => ${undoDays}))`.execute(tx)
  for (const to of addresses)
    await queueSealed(app, tx, 'session.changeMail', {
      to,
      userId,
      language: rows[0]!.language,
      kind,
      address,
      at: app.now().toISOString(),
      detail: 'name' in before ? before.name : '',
      path: `/undo-change#${token}`,
    })
}

const beforeOf = (app: App, sealed: Buffer): unknown =>
  JSON.parse(decrypt(app.secrets.vault, sealed).toString())

/** The notice of a change. */
export async function mailChange(app: App, payload: Record<string, unknown>): Promise<void> {
  const { to, userId, language, kind, address, at, detail, path } = openSealed<{
    to: string
    userId: string
    language: Language
    kind: ChangeKind
    address: string
    at: string
    detail: string
    path: string
  }>(app, payload)
  const when = new Date(at).toLocaleString('he-IL', {
    timeZone: 'Asia/Jerusalem',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  await mailPerson(app, { to, userId }, (site) => {
    const what = say(language, `session.change.${kind}`, { detail })
    const link = `${site}${path}`
    return {
      subject: what,
      text: say(language, 'session.changeMail.text', { what, when, address, link, days: undoDays }),
    }
  })
}

interface Change {
  id: string
  userId: string
  kind: ChangeKind
  before: Buffer
  address: string
  madeAt: string
}

const changeColumns = sql`id, user_id as "userId", kind, before, address, made_at as "madeAt"`

/** What a link would undo; looking does not use it up. */
export async function showChange({ tx }: OpenCtx, { token }: { token: string }) {
  const { rows } = await sql<Change>`select ${changeColumns} from account_changes
    where undo_hash = ${hashToken(token)} and undone_at is null and expires_at > now()`.execute(tx)
  if (!rows[0]) throw fail('session.linkEnded')
  return { kind: rows[0].kind, address: rows[0].address, madeAt: rows[0].madeAt }
}

/**
 * Undoes a change and every later one of the same account, newest first. It was somebody else who made them: all
 * sessions, sign-in links and known devices end, and the answer opens the choice of a new password.
 */
export async function undoChange(ctx: OpenCtx, { token }: { token: string }): Promise<{ token: string }> {
  const { app, tx } = ctx
  const { rows: found } = await sql<Change>`select ${changeColumns} from account_changes
    where undo_hash = ${hashToken(token)} and undone_at is null and expires_at > now()`.execute(tx)
  const change = found[0]
  if (!change) throw fail('session.linkEnded')
  const { userId } = change
  // One after the other: of two links of the same account the second finds its change undone.
  await sql`select 1 from users where id = ${userId} for update`.execute(tx)
  const { rows: later } = await sql<Change>`select ${changeColumns} from account_changes
    where user_id = ${userId} and undone_at is null and made_at >= (select made_at from account_changes
      where id = ${change.id}) order by made_at desc, id`.execute(tx)
  if (!later.some(({ id }) => id === change.id)) throw fail('session.linkEnded')
  for (const one of later) await restore(tx, userId, one.kind, beforeOf(app, one.before))
  await sql`update account_changes set undone_at = now()
    where id = any (${later.map(({ id }) => id)}::uuid[])`.execute(tx)
  await endAccess(tx, userId)
  const reset = newToken()
  await sql`insert into resets (token_hash, user_id, channel, expires_at)
    values (${hashToken(reset)}, ${userId}, 'mail', now() + interval '1 hour')`.execute(tx)
  await auditEverywhere(tx, userId, ctx.address, 'session.undoChange', {
    kinds: later.map(({ kind }) => kind),
  })
  return { token: reset }
}

async function restore(tx: Tx, userId: string, kind: ChangeKind, before: unknown): Promise<void> {
  const undo: { [K in ChangeKind]: (was: Before[K]) => Promise<unknown> } = {
    password: ({ passwordHash }) =>
      sql`update users set password_hash = ${passwordHash} where id = ${userId}`.execute(tx),
    phone: ({ phone, verifiedAt }) =>
      // The number may have been verified by another account since.
      sql`update users u set phone = ${phone}, phone_verified_at = case when not exists (select 1 from users o
          where o.id <> u.id and o.phone_verified_at is not null and phone_key(o.phone) = phone_key(${phone}))
          then ${verifiedAt}::timestamptz end
        where id = ${userId}`.execute(tx),
    email: ({ email, verifiedAt }) =>
      sql`update users set email = ${email}, email_verified_at = ${verifiedAt} where id = ${userId}
        and not exists (select 1 from users o where o.email = ${email} and o.id <> ${userId})`.execute(tx),
    factorOn: async () => {
      await sql`update users set totp_secret = null, totp_pending = null where id = ${userId}`.execute(tx)
      await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
    },
    factorOff: async ({ totpSecret, codes }) => {
      await sql`update users set totp_secret = ${totpSecret ? Buffer.from(totpSecret, 'base64') : null}
        where id = ${userId}`.execute(tx)
      await restoreCodes(tx, userId, codes)
    },
    recoveryCodes: ({ codes }) => restoreCodes(tx, userId, codes),
    device: ({ sessionId }) =>
      sql`delete from sessions where id = ${sessionId} and user_id = ${userId}`.execute(tx),
    apiKey: ({ companyId, keyId }) =>
      sql`update api_keys set revoked_at = coalesce(revoked_at, now()), updated_at = now()
        where company_id = ${companyId} and id = ${keyId} and created_by = ${userId}`.execute(tx),
    google: ({ subject }) =>
      sql`update users set google_subject = ${subject} where id = ${userId}`.execute(tx),
  }
  await undo[kind](before as never)
}

async function restoreCodes(tx: Tx, userId: string, codes: readonly StoredCode[]): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  await sql`insert into recovery_codes (user_id, code_hash, used_at)
    select ${userId}, decode(hash, 'base64'), "usedAt"::timestamptz
    from jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as given(hash text, "usedAt" text)`.execute(tx)
}

/** The recovery codes of an account as they are kept, for a change that replaces them. */
export async function storedCodes(tx: Tx, userId: string): Promise<StoredCode[]> {
  const { rows } = await sql<StoredCode>`select encode(code_hash, 'base64') as hash, used_at::text as "usedAt"
    from recovery_codes where user_id = ${userId}`.execute(tx)
  return rows
}

/**
 * Ends every way into an account that was open: sessions, sign-in links, codes and links on their way, known devices.
 * `keepSession` stays; `alsoKeys` revokes the account's API keys too, in every business.
 */
export async function endAccess(
  tx: Tx,
  userId: string,
  { keepSession, alsoKeys = false }: { keepSession?: string; alsoKeys?: boolean } = {},
): Promise<void> {
  await sql`delete from sessions where user_id = ${userId}
    and id is distinct from ${keepSession ?? null}::uuid`.execute(tx)
  await sql`delete from auto_logins where user_id = ${userId} or made_by = ${userId}`.execute(tx)
  await sql`update resets set used_at = coalesce(used_at, now()) where user_id = ${userId}`.execute(tx)
  await sql`delete from verifications where user_id = ${userId}`.execute(tx)
  if (!keepSession) await sql`delete from known_devices where user_id = ${userId}`.execute(tx)
  if (alsoKeys)
    await sql`update api_keys set revoked_at = now(), updated_at = now()
      where created_by = ${userId} and revoked_at is null`.execute(tx)
}

/** A line in the log of each business of a person, for what happens outside all of them. */
export async function auditEverywhere(
  tx: Tx,
  userId: string,
  address: string,
  action: string,
  after?: unknown,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`select company_id as id from memberships
    where user_id = ${userId} and removed_at is null`.execute(tx)
  for (const company of rows)
    await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
      values (${company.id}, ${newId()}, ${userId}, ${address}, ${action}, 'users', ${userId},
        ${after === undefined ? null : JSON.stringify(after)})`.execute(tx)
}
