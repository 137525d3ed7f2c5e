import { sql } from 'kysely'
import { phoneKey } from '#domain/phone.ts'
import { fail, failAt } from '#kit/describe/errors.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { implement, implementOpen } from '#kit/server/implement.ts'
import { throttle } from '#kit/server/throttle.ts'
import { hashToken } from '#kit/server/vault.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { makeAutoLogin, openLetterLink, useAutoLogin } from './autoLogin.ts'
import { startSecret, useCode } from './factor.ts'
import { googleOf, googleSubject } from './google.ts'
import { simulatedToken } from './googleSimulator.ts'
import { hashPassword, passwordFits } from './passwords.ts'
import { keyOfPhone } from './phone.ts'
import { codesLeft, dropCodes, giveCodes } from './recovery.ts'
import {
  askLogInCode,
  askReset,
  askSmsCode,
  checkReset,
  personOfCode,
  resetJobs,
  useReset,
  useSmsCode,
} from './resets.ts'
import { openSession, sessionFields, sessionOf } from './sessions.ts'
import { brandStyle, dictionary, translation } from './translation.ts'

export { letterLink, makeAutoLogin } from './autoLogin.ts'
export { proveAccount } from './prove.ts'
export { hashPassword, passwordFits } from './passwords.ts'
export { findCaller, memberCaller, moveSession, openSession, sessionOf, languageFrom } from './sessions.ts'
export { languageFile } from './translation.ts'
export const systemJobs = resetJobs

const done = { done: true as const }

/**
 * Opens the session of a person who has proved who he is: in the business used last, after the second factor when there is one. Who has
 * no business any more is refused as one who proved nothing.
 */
async function enter(
  ctx: OpenCtx,
  user: { id: string; totp_secret: Buffer | null },
  refusal = () => fail('session.wrongPassword'),
) {
  const { rows } = await sql<{
    company_id: string
  }>`select m.company_id from memberships m where m.user_id = ${user.id} and m.blocked_at is null
      and m.removed_at is null
    order by m.seen_at desc nulls last, m.created_at limit 1`.execute(ctx.tx)
  if (!rows[0]) throw refusal()
  const pending = !!user.totp_secret
  const token = await openSession(ctx.tx, user.id, rows[0].company_id, { ...ctx, pending })
  return pending ? { factorNeeded: true as const, token } : sessionOf(ctx.tx, token)
}

/** Who somebody is by a token of Google. Refuses with session.googleOff, session.googleRefused or session.googleAway. */
export async function googlePerson(
  { app, now }: OpenCtx,
  token: string,
): Promise<{ subject: string; email: string }> {
  const google = googleOf(app.settings)
  if (!google) throw fail('session.googleOff')
  return googleSubject(google, token, now)
}

/** Checks the password of the person who is logged in, before something that only he may do; a refusal stands at the field it was written in. */
export async function provePassword(
  ctx: Ctx,
  password: string,
  field = 'password',
): Promise<{ email: string }> {
  await throttle(ctx.app, `password:${ctx.caller.userId}`, 10)
  const { rows } = await asSystem(ctx.app.db, (tx) =>
    sql<{ password_hash: string | null; email: string }>`select password_hash, email from users
      where id = ${ctx.caller.userId}`.execute(tx),
  )
  if (!(await passwordFits(rows[0]?.password_hash, password))) throw failAt(field, 'session.wrongPassword')
  return rows[0]!
}

/** Work on one's own account: outside the business, where the application's role sees names only. */
const onMyAccount = <T>(ctx: Ctx, work: Parameters<typeof asSystem<T>>[1]): Promise<T> =>
  asSystem(ctx.app.db, work)

async function countEvent(ctx: OpenCtx, name: string | undefined) {
  if (name)
    await sql`insert into view_counts as v (kind, name, day) values ('event', ${name}, ${ctx.today})
      on conflict (kind, name, day) do update set count = v.count + 1`.execute(ctx.tx)
  return done
}

export const implementations = [
  implementOpen(calls.getTranslateDe, translation),
  implementOpen(calls.postTranslateDe, translation),
  implementOpen(calls.brandStyle, brandStyle),
  implementOpen(calls.getTranslate, async (_ctx, { lang, groups }) => ({ dic: dictionary(lang, groups) })),
  implementOpen(calls.addEventView, (ctx, { event }) => countEvent(ctx, event)),
  implementOpen(calls.logoutInvoice, async (ctx, { key }) => {
    await sql`delete from sessions where token_hash = ${hashToken(key)}`.execute(ctx.tx)
    return done
  }),
  implementOpen(calls.logIn, async (ctx, { email, password }) => {
    const byPhone = /^[+(\d][\d\s().-]{6,}$/.test(email)
    const phone = phoneKey(email)
    // However it is written: each way of writing a phone would be so many more tries.
    await throttle(ctx.app, `login:${byPhone ? phone : email}`, 20)
    const { rows } = await sql<{
      id: string
      password_hash: string | null
      totp_secret: Buffer | null
    }>`select id, password_hash, totp_secret from users where blocked_at is null and
      ${byPhone ? sql`phone <> '' and ${keyOfPhone('phone')} = ${phone}` : sql`email = ${email}`}
      limit 2`.execute(ctx.tx)
    const user = rows.length === 1 ? rows[0]! : undefined
    if (!(await passwordFits(user?.password_hash, password))) throw fail('session.wrongPassword')
    return enter(ctx, user!)
  }),
  implementOpen(calls.logInFactor, async (ctx, { token, code }) => {
    const { rows } = await sql<{
      id: string
      user_id: string
      company_id: string
    }>`select id, user_id, company_id from sessions where token_hash = ${hashToken(token)} and pending_factor
        and expires_at > now()`.execute(ctx.tx)
    if (!rows[0]) throw failAt('code', 'session.wrongCode')
    await throttle(ctx.app, `factor:${rows[0].user_id}`, 10)
    await useCode(ctx.app, ctx.tx, rows[0].user_id, code, ctx.now)
    await sql`delete from sessions where id = ${rows[0].id}`.execute(ctx.tx)
    return sessionOf(ctx.tx, await openSession(ctx.tx, rows[0].user_id, rows[0].company_id, ctx))
  }),
  implementOpen(calls.askLogInCode, askLogInCode),
  implementOpen(calls.logInSms, async (ctx, given) =>
    enter(ctx, await personOfCode(ctx, given), () => failAt('code', 'session.wrongCode')),
  ),
  implementOpen(calls.logInGoogle, async (ctx, { token }) => {
    const person = await googlePerson(ctx, token)
    // Who came with this Google account before; else whose address it is. An address may have passed to another account since.
    const { rows } = await sql<{ id: string; totp_secret: Buffer | null }>`update users
      set google_subject = ${person.subject}
      where id = (select id from users where blocked_at is null
        and (google_subject = ${person.subject} or (google_subject is null and email = ${person.email}))
        order by google_subject is null limit 1) returning id, totp_secret`.execute(ctx.tx)
    if (!rows[0]) throw fail('session.googleUnknown', { email: person.email })
    return enter(ctx, rows[0])
  }),
  implementOpen(calls.askGoogleStandIn, async (ctx, { email, nonce }) => {
    const { google, dataDir } = ctx.app.settings
    if (google?.mode !== 'simulator') throw fail('session.googleOff')
    return { token: simulatedToken(dataDir, { clientId: google.clientId, email, nonce, now: ctx.now }) }
  }),
  implementOpen(calls.logInMeans, async (ctx) => {
    const google = googleOf(ctx.app.settings)
    return {
      googleClientId: google?.clientId ?? null,
      googleAddress: google?.address ?? null,
      demo: ctx.app.settings.development,
    }
  }),
  implementOpen(calls.openLetterLink, openLetterLink),
  implementOpen(calls.useAutoLogin, useAutoLogin),
  implement(calls.makeAutoLogin, ({ app, caller }, { path, into }) =>
    makeAutoLogin(app, {
      userId: caller.userId,
      companyId: caller.companyId,
      path,
      madeBy: caller.userId,
      madeIn: into === 'app' ? 'app' : 'person',
    }),
  ),
  implementOpen(calls.askReset, askReset),
  implementOpen(calls.checkReset, checkReset),
  implementOpen(calls.useReset, useReset),
  implementOpen(calls.askSmsCode, askSmsCode),
  implementOpen(calls.useSmsCode, useSmsCode),

  implement(calls.mySession, (ctx) =>
    onMyAccount(ctx, async (tx) => {
      const { rows } = await sql<
        Parameters<typeof sessionFields>[0] & {
          email: string
          phone: string
          factor: boolean
          hasPassword: boolean
          language: string
          owner: string | null
        }
      >`select m.*, c.name as company_name, c.trades, c.areas_switched, u.full_name, u.email, u.phone,
          u.language, u.totp_secret is not null as factor,
          u.password_hash is not null as "hasPassword",
          (select p.full_name from memberships o join users p on p.id = o.user_id
          where o.company_id = m.company_id and o.user_id <> m.user_id
            and o.type_id = 4 and allows_all(o.rules) and o.blocked_at is null and o.removed_at is null
            order by o.created_at limit 1) as owner
        from memberships m join users u on u.id = m.user_id join companies c on c.id = m.company_id
        where m.company_id = ${ctx.companyId} and m.user_id = ${ctx.caller.userId}`.execute(tx)
      const { email, phone, factor, hasPassword, language, owner } = rows[0]!
      return {
        ...sessionFields(rows[0]!),
        email,
        phone,
        factor,
        hasPassword,
        language,
        companyId: ctx.companyId,
        Owner: owner ?? '',
      }
    }),
  ),
  implement(calls.changeMe, async (ctx, { fullName, phone, language }) => {
    const before = await onMyAccount(ctx, async (tx) => {
      const { rows } = await sql<{ fullName: string; phone: string | null; language: string }>`select
          full_name as "fullName", phone, language
        from users where id = ${ctx.caller.userId} for update`.execute(tx)
      await sql`update users set full_name = coalesce(${fullName ?? null}, full_name),
          phone = coalesce(${phone ?? null}, phone), language = coalesce(${language ?? null}, language)
          where id = ${ctx.caller.userId}`.execute(tx)
      return rows[0]!
    })
    const after = {
      ...before,
      ...Object.fromEntries(
        Object.entries({ fullName, phone, language }).filter(([, value]) => value !== undefined),
      ),
    }
    // By a phone one comes in and gets a new password: whose it became must be seen afterwards.
    if (JSON.stringify(after) !== JSON.stringify(before))
      await ctx.audit('session.changeMe', 'users', ctx.caller.userId, before, after)
    return done
  }),
  implement(calls.changePassword, async (ctx, { current, password }) => {
    await provePassword(ctx, current, 'current')
    await onMyAccount(ctx, async (tx) => {
      await sql`update users set password_hash = ${await hashPassword(password)}
        where id = ${ctx.caller.userId}`.execute(tx)
      await sql`delete from sessions where user_id = ${ctx.caller.userId}
          and id <> ${ctx.caller.sessionId}`.execute(tx)
    })
    await ctx.audit('session.changePassword', 'users', ctx.caller.userId)
    return done
  }),
  implement(calls.listSessions, (ctx) =>
    onMyAccount(ctx, async (tx) => {
      const { rows } = await sql<{
        id: string
        address: string
        agent: string
        createdAt: string
        usedAt: string
        current: boolean
        way: '' | 'link'
      }>`select id, address, agent, way, created_at as "createdAt", used_at as "usedAt",
          id = ${ctx.caller.sessionId} as current
        from sessions where user_id = ${ctx.caller.userId} and not pending_factor and expires_at > now()
        order by used_at desc`.execute(tx)
      return { rows }
    }),
  ),
  implement(calls.endSession, async (ctx, { id }) => {
    await onMyAccount(ctx, async (tx) => {
      const { rows } = await sql`delete from sessions where id = ${id} and user_id = ${ctx.caller.userId}
        returning 1`.execute(tx)
      if (!rows.length) throw fail('kit.notFound')
    })
    await ctx.audit('session.endSession', 'users', ctx.caller.userId)
    return done
  }),
  implement(calls.startFactor, async (ctx, { password }) => {
    const { email } = await provePassword(ctx, password)
    return onMyAccount(ctx, (tx) => startSecret(ctx.app, tx, ctx.caller.userId, email))
  }),
  implement(calls.confirmFactor, async (ctx, { code }) => {
    const codes = await onMyAccount(ctx, async (tx) => {
      await useCode(ctx.app, tx, ctx.caller.userId, code, ctx.now, 'totp_pending')
      await sql`update users set totp_secret = totp_pending, totp_pending = null
        where id = ${ctx.caller.userId}`.execute(tx)
      return giveCodes(tx, ctx.caller.userId)
    })
    await ctx.audit('session.factorOn', 'users', ctx.caller.userId)
    return { ...done, codes }
  }),
  implement(calls.dropFactor, async (ctx, { password }) => {
    await provePassword(ctx, password)
    await onMyAccount(ctx, async (tx) => {
      await sql`update users set totp_secret = null, totp_pending = null
        where id = ${ctx.caller.userId}`.execute(tx)
      await dropCodes(tx, ctx.caller.userId)
    })
    await ctx.audit('session.factorOff', 'users', ctx.caller.userId)
    return done
  }),
  implement(calls.recoveryCodes, (ctx) =>
    onMyAccount(ctx, async (tx) => ({ left: await codesLeft(tx, ctx.caller.userId) })),
  ),
  implement(calls.renewRecoveryCodes, async (ctx, { password }) => {
    await provePassword(ctx, password)
    const codes = await onMyAccount(ctx, async (tx) => {
      const { rows } = await sql`select 1 from users where id = ${ctx.caller.userId}
          and totp_secret is not null`.execute(tx)
      if (!rows.length) throw fail('session.noFactor')
      return giveCodes(tx, ctx.caller.userId)
    })
    await ctx.audit('session.recoveryRenewed', 'users', ctx.caller.userId)
    return { codes }
  }),
]
