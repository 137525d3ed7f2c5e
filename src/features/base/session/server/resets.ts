import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { phoneKey } from '#domain/phone.ts'
import { fail, failAt } from '#kit/describe/errors.ts'
import { brandOfPerson, siteOf } from '#kit/server/brands.ts'
import { newId, type App, type Language, type OpenCtx } from '#kit/server/context.ts'
import { underBrand } from '#kit/server/crew/whose.ts'
import { sendMail, sendSms } from '#kit/server/mail.ts'
import type { SystemJob } from '#kit/server/jobs.ts'
import { throttle } from '#kit/server/throttle.ts'
import { hashToken, lockAway, newToken, takeOut } from '#kit/server/vault.ts'
import { say } from '#kit/server/words.ts'
import { hashPassword } from './passwords.ts'
import { keyOfPhone } from './phone.ts'

const done = { done: true as const }

/** Queues a letter; its text is sealed because it holds a key. */
async function queueSealed(ctx: OpenCtx, name: string, letter: object): Promise<void> {
  const sealed = lockAway(ctx.app.secrets.vault, Buffer.from(JSON.stringify(letter))).toString('base64')
  await sql`insert into outbox (id, company_id, name, payload)
    values (${newId()}, null, ${name}, ${JSON.stringify({ sealed })})`.execute(ctx.tx)
}

const open = <T>(app: App, payload: Record<string, unknown>): T =>
  JSON.parse(takeOut(app.secrets.vault, Buffer.from(String(payload.sealed), 'base64')).toString()) as T

export const resetJobs: Record<string, SystemJob> = {
  'session.mail': async (app, payload) => {
    const { to, path, userId, language } = open<{
      to: string
      path: string
      userId: string
      language: Language
    }>(app, payload)
    const brand = await brandOfPerson(app, userId)
    await underBrand(brand, () =>
      sendMail(
        app,
        {
          to,
          subject: say(language, 'session.resetMail.subject'),
          text: say(language, 'session.resetMail.text', { link: `${siteOf(app)}${path}` }),
        },
        brand,
      ),
    )
  },
  'session.sms': async (app, payload) => {
    const { to, code, userId, language, channel } = open<{
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
  await throttle(ctx.app, `reset:${email}`, 5)
  const { rows } = await sql<{ id: string }>`select id from users
    where email = ${email} and blocked_at is null`.execute(ctx.tx)
  if (rows[0]) {
    const token = newToken()
    await sql`insert into resets (token_hash, user_id, channel, expires_at)
      values (${hashToken(token)}, ${rows[0].id}, 'mail', now() + interval '1 hour')`.execute(ctx.tx)
    // The key stands behind '#', which browsers never send to a server.
    await queueSealed(ctx, 'session.mail', {
      to: email,
      path: `/reset-password#${token}`,
      userId: rows[0].id,
      language: language ?? ctx.language,
    })
  }
  return done
}

/** Tells a person before he thinks of a password that his link is over. */
export async function checkReset(ctx: OpenCtx, { token }: { token: string }) {
  const { rows } = await sql`select 1 from resets
    where token_hash = ${hashToken(token)} and channel = 'mail' and used_at is null
      and expires_at > now()`.execute(ctx.tx)
  if (!rows.length) throw fail('session.linkEnded')
  return done
}

export async function useReset(ctx: OpenCtx, { token, password }: { token: string; password: string }) {
  const { rows } = await sql<{ user_id: string }>`update resets set used_at = now()
    where token_hash = ${hashToken(token)} and channel = 'mail' and used_at is null and expires_at > now()
    returning user_id`.execute(ctx.tx)
  if (!rows[0]) throw fail('session.linkEnded')
  await setPassword(ctx, rows[0].user_id, password)
  return done
}

/** What a code by text message is for: a new password, or coming in. One opens nothing of the other. */
type CodeFor = 'sms' | 'login'

const codeHash = (channel: CodeFor, userId: string, code: string) =>
  createHash('sha256').update(`${channel}:${userId}:${code}`).digest()

/** Sends a code to the one account that has this number. The answer is the same where nobody has it. */
async function askCode(
  ctx: OpenCtx,
  channel: CodeFor,
  { phone, language }: { phone: string; language?: Language | undefined },
) {
  const number = phoneKey(phone)
  await throttle(ctx.app, `sms:${number}`, 3)
  const { rows } = await sql<{
    id: string
  }>`select id from users where ${keyOfPhone('phone')} = ${number} and blocked_at is null`.execute(ctx.tx)
  // A number that several people share proves nobody.
  if (rows.length === 1) {
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
    await sql`delete from resets where user_id = ${rows[0]!.id} and channel = ${channel}`.execute(ctx.tx)
    await sql`insert into resets (token_hash, user_id, channel, expires_at)
      values (${codeHash(channel, rows[0]!.id, code)}, ${rows[0]!.id}, ${channel},
        now() + interval '10 minutes')`.execute(ctx.tx)
    await queueSealed(ctx, 'session.sms', {
      to: phone,
      code,
      userId: rows[0]!.id,
      language: language ?? ctx.language,
      channel,
    })
  }
  return done
}

/** Uses a code up, once whoever comes with it at the same moment; whose it is. Tries count together, whatever the code is for. */
async function useCodeOf(
  ctx: OpenCtx,
  channel: CodeFor,
  { phone, code }: { phone: string; code: string },
): Promise<string> {
  const number = phoneKey(phone)
  await throttle(ctx.app, `smsuse:${number}`, 10)
  const { rows } = await sql<{
    user_id: string
    token_hash: Buffer
  }>`select r.user_id, r.token_hash from resets r join users u on u.id = r.user_id
    where r.channel = ${channel} and r.used_at is null and r.expires_at > now() and u.blocked_at is null
      and ${keyOfPhone('u.phone')} = ${number}`.execute(ctx.tx)
  const row = rows.find((r) => timingSafeEqual(r.token_hash, codeHash(channel, r.user_id, code)))
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
  { phone, code, password }: { phone: string; code: string; password: string },
) {
  await setPassword(ctx, await useCodeOf(ctx, 'sms', { phone, code }), password)
  return done
}

export const askLogInCode = (ctx: OpenCtx, given: { phone: string; language?: Language | undefined }) =>
  askCode(ctx, 'login', given)

/** Who comes in by the code from his phone. The second factor, where there is one, is asked for after it. */
export async function personOfCode(
  ctx: OpenCtx,
  given: { phone: string; code: string },
): Promise<{ id: string; totp_secret: Buffer | null }> {
  const id = await useCodeOf(ctx, 'login', given)
  const { rows } = await sql<{ id: string; totp_secret: Buffer | null }>`select id, totp_secret from users
    where id = ${id}`.execute(ctx.tx)
  return rows[0]!
}

/** A new password ends every session: whoever knew the old one is out. */
async function setPassword(ctx: OpenCtx, userId: string, password: string): Promise<void> {
  await sql`update users set password_hash = ${await hashPassword(password)}
    where id = ${userId}`.execute(ctx.tx)
  await sql`delete from sessions where user_id = ${userId}`.execute(ctx.tx)
  await sql`update resets set used_at = coalesce(used_at, now()) where user_id = ${userId}`.execute(ctx.tx)
  // Nobody is in a business yet: each of his keeps that his password was set anew, and from where.
  const { rows } = await sql<{ id: string }>`select company_id as id from memberships
    where user_id = ${userId} and removed_at is null`.execute(ctx.tx)
  for (const company of rows)
    await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id)
      values (${company.id}, ${newId()}, ${userId}, ${ctx.address}, 'session.resetPassword', 'users',
        ${userId})`.execute(ctx.tx)
}
