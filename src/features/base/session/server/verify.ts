import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { phoneKey } from '#domain/phone.ts'
import { fail, failAt } from '#kit/describe/errors.ts'
import { brandOfPerson } from '#kit/server/outside/brands.ts'
import type { App, Ctx, Language, OpenCtx } from '#kit/server/context.ts'
import { underBrand } from '#kit/server/work/threads/currentBusiness.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { sendSms } from '#kit/server/outside/mail.ts'
import { countTry, throttle } from '#kit/server/http/throttle.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { recordChange } from './changes.ts'
import { mailPerson, openSealed, queueSealed } from './sealed.ts'

const daySeconds = 86_400
/** A link in an email is good for longer than the code beside it, of which there are only a million. */
const lifeHours = { email: 72, phone: 1 } as const
/** Each code is refused after so many tries, and so many are sent in a day. */
const mostTries = 10
const mostSent = { email: 20, phone: 10 } as const

registerSweep((db) => sql`delete from verifications where expires_at < now()`.execute(db))

type Kind = 'email' | 'phone'
type At = Pick<OpenCtx, 'app' | 'tx'>

const codeHash = (kind: Kind, userId: string, target: string, code: string) =>
  createHash('sha256').update(`${kind}:${userId}:${target}:${code}`).digest()

/** Sends a code, and by email a link, to an address or a number of an account; the ones before end. */
async function send({ app, tx }: At, kind: Kind, userId: string, target: string, language: Language) {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const token = newToken()
  await sql`insert into verifications as v (user_id, kind, target, code_hash, link_hash, expires_at)
    values (${userId}, ${kind}, ${target}, ${codeHash(kind, userId, target, code)},
      ${kind === 'email' ? hashToken(token) : null}, now() + make_interval(hours => ${lifeHours[kind]}))
    on conflict (user_id, kind) do update set target = excluded.target, code_hash = excluded.code_hash,
      link_hash = excluded.link_hash, expires_at = excluded.expires_at, tries = 0`.execute(tx)
  await queueSealed(app, tx, kind === 'email' ? 'session.verifyMail' : 'session.verifySms', {
    to: target,
    code,
    userId,
    language,
    path: `/verify-email#${token}`,
  })
}

/** After a sign-up: the address is verified by the link or the code that is sent to it. */
export const askEmailVerification = (
  at: At,
  { userId, email, language }: { userId: string; email: string; language: Language },
): Promise<void> => send(at, 'email', userId, email, language)

/** Sends a code again, or to another address or number; so many in a day. Refuses with kit.tooMany. */
export async function sendVerification(
  { app, userId, language }: { app: App; userId: string; language: Language },
  kind: Kind,
  target: string,
): Promise<void> {
  await throttle(app, `verify:${kind}:${userId}`, mostSent[kind], daySeconds)
  await asSystem(app.db, (tx) => send({ app, tx }, kind, userId, target, language))
  setImmediate(app.nudge)
}

export const verifyJobs = {
  'session.verifyMail': async (app: App, payload: Record<string, unknown>) => {
    const { to, code, userId, language, path } = openSealed<{
      to: string
      code: string
      userId: string
      language: Language
      path: string
    }>(app, payload)
    await mailPerson(app, { to, userId }, (site) => ({
      subject: say(language, 'session.verifyMail.subject', { code }),
      text: say(language, 'session.verifyMail.text', { code, link: `${site}${path}` }),
    }))
  },
  'session.verifySms': async (app: App, payload: Record<string, unknown>) => {
    const { to, code, userId, language } = openSealed<{
      to: string
      code: string
      userId: string
      language: Language
    }>(app, payload)
    await underBrand(await brandOfPerson(app, userId), () =>
      sendSms(app, to, say(language, 'session.verifySms', { code })),
    )
  },
}

/** Verifies by the code from the message. The try counts before the code is compared. */
export async function verifyByCode(ctx: Ctx, kind: Kind, code: string): Promise<void> {
  const { app, caller } = ctx
  const row = await countTry<{ target: string; hash: Buffer }>(app, 'verifications', {
    where: sql`user_id = ${caller.userId} and kind = ${kind} and expires_at > now()`,
    most: mostTries,
    columns: sql`target, code_hash as hash`,
  })
  if (!row) throw failAt('code', 'session.codeEnded')
  if (!timingSafeEqual(row.hash, codeHash(kind, caller.userId, row.target, code)))
    throw failAt('code', 'session.wrongCode')
  await asSystem(app.db, async (tx) => {
    const { rows: agents } = await sql<{ agent: string }>`select agent from sessions
      where id::text = ${caller.sessionId}`.execute(tx)
    const at = { app, tx, address: ctx.address, agent: agents[0]?.agent ?? '' }
    if (kind === 'email') await settleEmail(at, caller.userId, row.target)
    else await settlePhone(tx, caller.userId, row.target)
  })
}

/** Verifies an address by the link of its email; the browser it is opened in may be logged in as somebody else. */
export async function verifyByLink(ctx: OpenCtx, { token }: { token: string }): Promise<{ email: string }> {
  const { rows } = await sql<{ userId: string; target: string }>`select user_id as "userId", target
    from verifications where link_hash = ${hashToken(token)} and expires_at > now()`.execute(ctx.tx)
  if (!rows[0]) throw fail('session.linkEnded')
  await settleEmail(ctx, rows[0].userId, rows[0].target)
  return { email: rows[0].target }
}

async function settleEmail(
  at: Pick<OpenCtx, 'app' | 'tx' | 'address' | 'agent'>,
  userId: string,
  email: string,
): Promise<void> {
  const { tx } = at
  const { rows } = await sql<{ email: string; verifiedAt: string | null }>`select email,
      email_verified_at::text as "verifiedAt" from users where id = ${userId} for update`.execute(tx)
  const before = rows[0]!
  if (before.email !== email) {
    const { rows: taken } = await sql`select 1 from users where email = ${email}`.execute(tx)
    if (taken.length) throw failAt('email', 'session.emailTaken')
    await recordChange(at, userId, 'email', before)
    // Links on their way to the address of before open nothing any more.
    await sql`delete from auto_logins where user_id = ${userId}`.execute(tx)
    await sql`update resets set used_at = coalesce(used_at, now()) where user_id = ${userId}
      and channel = 'mail'`.execute(tx)
  }
  await sql`update users set email = ${email}, email_verified_at = now() where id = ${userId}`.execute(tx)
  await sql`delete from verifications where user_id = ${userId} and kind = 'email'`.execute(tx)
}

async function settlePhone(tx: Tx, userId: string, phone: string): Promise<void> {
  // A number belongs to one account: to the one that proved it last.
  await sql`update users set phone_verified_at = null
    where id <> ${userId} and phone_verified_at is not null
      and phone_key(phone) = ${phoneKey(phone)}`.execute(tx)
  await sql`update users set phone = ${phone}, phone_verified_at = now() where id = ${userId}`.execute(tx)
  await sql`delete from verifications where user_id = ${userId} and kind = 'phone'`.execute(tx)
}

/** An address proved otherwise than by a code: by a link that was sent to it alone. */
export async function emailProved(tx: Tx, userId: string): Promise<void> {
  await sql`update users set email_verified_at = now()
    where id = ${userId} and email_verified_at is null`.execute(tx)
}

/** The verified address of a person; undefined while it is only claimed. An unverified address identifies nobody. */
export async function verifiedEmail(tx: Tx, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`select email from users
    where id = ${userId} and email_verified_at is not null and blocked_at is null`.execute(tx)
  return rows[0]?.email
}
