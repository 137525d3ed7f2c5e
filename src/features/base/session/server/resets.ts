import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { phoneKey } from '#domain/phone.ts'
import { fail, failAt } from '#kit/describe/errors.ts'
import { brandOfPerson } from '#kit/server/outside/brands.ts'
import type { Language, OpenCtx } from '#kit/server/context.ts'
import { underBrand } from '#kit/server/work/threads/currentBusiness.ts'
import { sendSms } from '#kit/server/outside/mail.ts'
import type { SystemJob } from '#kit/server/work/jobs.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { auditEverywhere, endAccess, recordChange } from './changes.ts'
import { askedBy, countGuess } from './guesses.ts'
import { hashChosen, knownAbout } from './passwords.ts'
import { mailPerson, openSealed, queueSealed } from './sealed.ts'
import { emailProved } from './verify.ts'
import { dropUnproved } from './unproved.ts'

const done = { done: true as const }

export const resetJobs: Record<string, SystemJob> = {
  'session.mail': async (app, payload) => {
    const { to, path, userId, language } = openSealed<{
      to: string
      path: string
      userId: string
      language: Language
    }>(app, payload)
    await mailPerson(app, { to, userId }, (site) => ({
      subject: say(language, 'session.resetMail.subject'),
      text: say(language, 'session.resetMail.text', { link: `${site}${path}` }),
    }))
  },
  'session.sms': async (app, payload) => {
    const { to, code, userId, language, channel } = openSealed<{
      to: string
      code: string
      userId: string
      language: Language
      channel?: CodeFor
    }>(app, payload)
    const word = channel === 'login' ? 'session.codeBySms' : 'session.resetSms'
    await underBrand(await brandOfPerson(app, userId), () => sendSms(app, to, say(language, word, { code })))
  },
}

/** The answer is the same for known and unknown accounts; only the known one gets a letter. */
export async function askReset(
  ctx: OpenCtx,
  { email, language }: { email: string; language?: Language | undefined },
) {
  const { rows } = await sql<{
    id: string
  }>`select id from users where email = ${email} and blocked_at is null`.execute(ctx.tx)
  await countGuess(ctx, 'reset', email, { userId: rows[0]?.id, each: 5, all: 30 })
  if (rows[0]) {
    const token = newToken()
    await sql`insert into resets (token_hash, user_id, channel, expires_at)
      values (${hashToken(token)}, ${rows[0].id}, 'mail', now() + interval '1 hour')`.execute(ctx.tx)
    // The key is after '#', which browsers never send to a server.
    await queueSealed(ctx.app, ctx.tx, 'session.mail', {
      to: email,
      path: `/reset-password#${token}`,
      userId: rows[0].id,
      language: language ?? ctx.language,
    })
  }
  return done
}

/** Reports an expired link before the person thinks of a password. */
export async function checkReset(ctx: OpenCtx, { token }: { token: string }) {
  const { rows } = await sql`select 1 from resets
    where token_hash = ${hashToken(token)} and channel = 'mail' and used_at is null
      and expires_at > now()`.execute(ctx.tx)
  if (!rows.length) throw fail('session.linkEnded')
  return done
}

/** A password chosen by the link of an email, which proves the address as well. */
export async function useReset(
  ctx: OpenCtx,
  { token, password, endKeys }: { token: string; password: string; endKeys?: boolean | undefined },
) {
  const { rows } = await sql<{ user_id: string }>`update resets set used_at = now()
    where token_hash = ${hashToken(token)} and channel = 'mail' and used_at is null and expires_at > now()
    returning user_id`.execute(ctx.tx)
  if (!rows[0]) throw fail('session.linkEnded')
  const userId = rows[0].user_id
  // Before the address was proved anybody could have opened this account under it.
  await dropUnproved(ctx.tx, userId)
  await emailProved(ctx.tx, userId)
  await setPassword(ctx, userId, password, endKeys)
  return done
}

/** What a code by text message is for: a new password, or coming in. One opens nothing of the other. */
type CodeFor = 'sms' | 'login'

const codeHash = (channel: CodeFor, userId: string, asked: Buffer, code: string) =>
  createHash('sha256')
    .update(`${channel}:${userId}:${asked.toString('hex')}:${code}`)
    .digest()

/** Sends a code to the account that verified this number. The answer is the same where nobody did. */
async function askCode(
  ctx: OpenCtx,
  channel: CodeFor,
  { phone, language }: { phone: string; language?: Language | undefined },
) {
  const number = phoneKey(phone)
  const { rows } = await sql<{ id: string }>`select id from users
    where phone_verified_at is not null and phone_key(phone) = ${number} and blocked_at is null`.execute(
    ctx.tx,
  )
  const user = rows[0]
  await countGuess(ctx, 'sms', number, { userId: user?.id, each: 3, all: 20 })
  if (user) {
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
    const asked = askedBy(ctx)
    await sql`delete from resets where user_id = ${user.id} and channel = ${channel}
      and asked_by = ${asked}`.execute(ctx.tx)
    await sql`insert into resets (token_hash, user_id, channel, asked_by, expires_at)
      values (${codeHash(channel, user.id, asked, code)}, ${user.id}, ${channel}, ${asked},
        now() + interval '10 minutes')`.execute(ctx.tx)
    await queueSealed(ctx.app, ctx.tx, 'session.sms', {
      to: phone,
      code,
      userId: user.id,
      language: language ?? ctx.language,
      channel,
    })
  }
  return done
}

/**
 * Uses a code up, once, and answers whose it is. A code is good where it was asked for, so that those who guess can only
 * guess codes that they asked for themselves; the tries there count together, whatever the code is for.
 */
async function useCodeOf(
  ctx: OpenCtx,
  channel: CodeFor,
  { phone, code }: { phone: string; code: string },
): Promise<string> {
  const number = phoneKey(phone)
  const asked = askedBy(ctx)
  await throttle(ctx.app, `smsuse:${number}:${asked.toString('base64url')}`, 10)
  const { rows } = await sql<{
    user_id: string
    token_hash: Buffer
  }>`select r.user_id, r.token_hash from resets r join users u on u.id = r.user_id
    where r.channel = ${channel} and r.asked_by = ${asked} and r.used_at is null and r.expires_at > now()
      and u.blocked_at is null and u.phone_verified_at is not null
      and phone_key(u.phone) = ${number}`.execute(ctx.tx)
  const row = rows.find((r) => timingSafeEqual(r.token_hash, codeHash(channel, r.user_id, asked, code)))
  if (!row) throw failAt('code', 'session.wrongCode')
  const { rows: taken } =
    await sql`update resets set used_at = now() where token_hash = ${row.token_hash} and used_at is null
      returning 1`.execute(ctx.tx)
  if (!taken.length) throw failAt('code', 'session.wrongCode')
  return row.user_id
}

export const askSmsCode = (ctx: OpenCtx, given: { phone: string; language?: Language | undefined }) =>
  askCode(ctx, 'sms', given)

export async function useSmsCode(
  ctx: OpenCtx,
  {
    phone,
    code,
    password,
    endKeys,
  }: { phone: string; code: string; password: string; endKeys?: boolean | undefined },
) {
  await setPassword(ctx, await useCodeOf(ctx, 'sms', { phone, code }), password, endKeys)
  return done
}

export const askLogInCode = (ctx: OpenCtx, given: { phone: string; language?: Language | undefined }) =>
  askCode(ctx, 'login', given)

/** Logs a person in by the code from the phone. The second factor, where there is one, is requested after it. */
export async function personOfCode(
  ctx: OpenCtx,
  given: { phone: string; code: string },
): Promise<{ id: string; totp_secret: Buffer | null }> {
  const id = await useCodeOf(ctx, 'login', given)
  const { rows } = await sql<{
    id: string
    totp_secret: Buffer | null
  }>`select id, totp_secret from users where id = ${id}`.execute(ctx.tx)
  return rows[0]!
}

/**
 * A new password ends every session and every link and code on its way; with `endKeys` the account's API keys too.
 * The address is notified and can undo it.
 */
async function setPassword(ctx: OpenCtx, userId: string, password: string, endKeys = false): Promise<void> {
  const { rows } = await sql<{
    passwordHash: string | null
  }>`select password_hash as "passwordHash" from users
    where id = ${userId} for update`.execute(ctx.tx)
  const hash = await hashChosen(password, await knownAbout(ctx.tx, userId))
  await recordChange(ctx, userId, 'password', { passwordHash: rows[0]!.passwordHash })
  await sql`update users set password_hash = ${hash} where id = ${userId}`.execute(ctx.tx)
  await endAccess(ctx.tx, userId, { alsoKeys: endKeys })
  // Nobody is in a business yet: each of theirs keeps that the password was set, and from where.
  await auditEverywhere(ctx.tx, userId, ctx.address, 'session.resetPassword')
}
