import { sql } from 'kysely'
import { enteredLaw } from '#domain/law/dated.ts'
import { phoneKey } from '#domain/phone.ts'
import { fail, failAt, failField } from '#kit/describe/errors.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { implement, implementOpen, type Implementation } from '#kit/server/contract/implement.ts'
import type { SystemJob } from '#kit/server/work/jobs.ts'
import { inLane } from '#kit/server/work/lanes.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { logRefusalsOf, logSecurity } from '#kit/server/rights/securityLog.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { hashToken } from '#kit/server/rights/vault.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { makeAutoLogin, openLetterLink, useAutoLogin } from './autoLogin.ts'
import {
  auditEverywhere,
  endAccess,
  mailChange,
  recordChange,
  showChange,
  storedCodes,
  undoChange,
  type ChangeKind,
} from './changes.ts'
import { startSecret, useCode } from './factor.ts'
import { googleOf, googleSubject } from './google.ts'
import { simulatedToken } from './googleSimulator.ts'
import { hashChosen, knownAbout, passwordFits } from './passwords.ts'
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
import { endToken, openSession, sessionFields, sessionOf } from './sessions.ts'
import { brandStyle, dictionary, translation } from './translation.ts'
import { dropUnproved } from './unproved.ts'
import { emailProved, sendVerification, verifyByCode, verifyByLink, verifyJobs } from './verify.ts'
import { countGuess } from './guesses.ts'
import { factorTries, logInTries } from './prove.ts'

export { letterLink, makeAutoLogin } from './autoLogin.ts'
export { countGuess } from './guesses.ts'
export { proveAccount } from './prove.ts'
export { hashChosen, hashOfNone, passwordFits } from './passwords.ts'
export {
  callerElsewhere,
  callerOfPerson,
  findCaller,
  memberCaller,
  membersWithoutFactor,
  moveSession,
  openSession,
  sessionOf,
  languageFrom,
} from './sessions.ts'
export { languageFile } from './translation.ts'
export { isOperator } from './operators.ts'
export { askEmailVerification, emailProved, verifiedEmail } from './verify.ts'
export const systemJobs: Record<string, SystemJob> = Object.fromEntries(
  Object.entries({ ...resetJobs, ...verifyJobs, 'session.changeMail': mailChange }).map(([name, job]) => [
    name,
    inLane<SystemJob>('codes', job),
  ]),
)

// Of a link or a code it is not known whose it is; that it was tried is a security event all the same.
logRefusalsOf(
  'session.wrongPassword',
  'session.wrongCode',
  'session.codeEnded',
  'session.linkEnded',
  'session.autoUnknown',
  'session.autoUsed',
  'session.autoEnded',
  'session.autoOther',
  'session.autoShut',
  'session.googleRefused',
  'session.googleUnknown',
)

const done = { done: true as const }

/**
 * Opens the session of an authenticated person: in the business used last, after the second factor when there is
 * one. A person without a business is refused like an unauthenticated one.
 */
async function enter(
  ctx: OpenCtx,
  user: { id: string; totp_secret: Buffer | null },
  by: 'password' | 'sms' | 'google',
  refusal = () => fail('session.wrongPassword'),
) {
  const { rows } = await sql<{
    company_id: string
  }>`select m.company_id from memberships m where m.user_id = ${user.id} and m.blocked_at is null
      and m.removed_at is null
    order by m.seen_at desc nulls last, m.created_at limit 1`.execute(ctx.tx)
  if (!rows[0]) throw refusal()
  const pending = !!user.totp_secret
  const token = await openSession(ctx, user.id, rows[0].company_id, { pending, by })
  return pending ? { factorNeeded: true as const, token } : sessionOf(ctx.tx, token)
}

/**
 * Who somebody is by a token of Google. Refuses with session.googleOff, session.googleRefused or
 * session.googleAway.
 */
export async function googlePerson(
  { app, now }: OpenCtx,
  token: string,
): Promise<{ subject: string; email: string }> {
  const google = googleOf(app.settings)
  if (!google) throw fail('session.googleOff')
  return googleSubject(google, token, now)
}

/**
 * Checks the password of the person who is logged in, before something that only they may do; a refusal is at the field
 * it was written in.
 */
export async function provePassword(
  ctx: Ctx,
  password: string,
  field = 'password',
): Promise<{ email: string; hasFactor: boolean }> {
  await throttle(ctx.app, `password:${ctx.caller.userId}:${ctx.caller.sessionId}`, 10)
  const { rows } = await asSystem(ctx.app.db, (tx) =>
    sql<{
      password_hash: string | null
      email: string
      hasFactor: boolean
    }>`select password_hash, email, totp_secret is not null as "hasFactor" from users
      where id = ${ctx.caller.userId}`.execute(tx),
  )
  if (!(await passwordFits(rows[0]?.password_hash, password))) throw failAt(field, 'session.wrongPassword')
  return rows[0]!
}

/**
 * Checks the password, and the code of the second factor where the account has one, before a change of how the account
 * is reached: a session that was left open is not enough to take it over.
 */
async function proveOwner(
  ctx: Ctx,
  { password, code }: { password: string | undefined; code?: string | undefined },
  field = 'password',
): Promise<{ email: string }> {
  if (!password) throw failField(field, 'fields.need')
  const owner = await provePassword(ctx, password, field)
  if (owner.hasFactor) {
    if (!code) throw failField('code', 'fields.need')
    await throttle(ctx.app, `factor:${ctx.caller.userId}:${ctx.caller.sessionId}`, 10)
    await onMyAccount(ctx, (tx) => useCode(ctx.app, tx, ctx.caller.userId, code, ctx.now))
  }
  return owner
}

/** Announces a key that the caller has just made; the link in the notice revokes it. */
export const announceKey = (ctx: Ctx, { id, name }: { id: string; name: string }): Promise<void> =>
  onMyAccount(ctx, (tx) => recordMine(ctx, tx, 'apiKey', { companyId: ctx.companyId, keyId: id, name }))

/** Records a change of the caller's own account, made in the browser of this session. */
async function recordMine<K extends ChangeKind>(
  ctx: Ctx,
  tx: Tx,
  kind: K,
  before: Parameters<typeof recordChange<K>>[3],
): Promise<void> {
  const { rows } = await sql<{ agent: string }>`select agent from sessions
    where id::text = ${ctx.caller.sessionId}`.execute(tx)
  await recordChange(
    { app: ctx.app, tx, address: ctx.address, agent: rows[0]?.agent ?? '' },
    ctx.caller.userId,
    kind,
    before,
  )
  setImmediate(ctx.app.nudge)
}

/** Work on one's own account: outside the business, where the application's role sees names only. */
const onMyAccount = <T>(ctx: Ctx, work: Parameters<typeof asSystem<T>>[1]): Promise<T> =>
  asSystem(ctx.app.db, work)

async function endSessionOf(ctx: OpenCtx, { key }: { key: string }) {
  await endToken(ctx, key, 'loggedOut')
  return done
}

async function countEvent(ctx: OpenCtx, name: string | undefined) {
  if (name)
    await sql`insert into view_counts as v (kind, name, day) values ('event', ${name}, ${ctx.today})
      on conflict (kind, name, day) do update set count = v.count + 1`.execute(ctx.tx)
  return done
}

/**
 * Logs in with Google: the account that came with this Google account before, else the one with its address. An account
 * whose address was never verified may be somebody else's work; its password, sessions, links and keys end. One whose
 * address is verified is joined after a confirmation.
 */
async function logInGoogle(ctx: OpenCtx, { token, join }: { token: string; join?: boolean | undefined }) {
  const { tx } = ctx
  const person = await googlePerson(ctx, token)
  const { rows } = await sql<{
    id: string
    totp_secret: Buffer | null
    isJoined: boolean
    isVerified: boolean
  }>`select id, totp_secret, google_subject is not null as "isJoined",
      email_verified_at is not null as "isVerified" from users
    where blocked_at is null
      and (google_subject = ${person.subject} or (google_subject is null and email = ${person.email}))
    order by google_subject is null limit 1 for update`.execute(tx)
  const user = rows[0]
  if (!user) throw fail('session.googleUnknown', { email: person.email })
  if (user.isJoined) return enter(ctx, user, 'google')
  if (user.isVerified && !join) return { joinNeeded: true as const, email: person.email }
  const cleared = await dropUnproved(tx, user.id)
  if (cleared) await auditEverywhere(tx, user.id, ctx.address, 'session.cleared')
  else await recordChange(ctx, user.id, 'google', { subject: null })
  await sql`update users set google_subject = ${person.subject} where id = ${user.id}`.execute(tx)
  await emailProved(tx, user.id)
  const session = await enter(ctx, cleared ? { ...user, totp_secret: null } : user, 'google')
  return cleared ? { ...session, cleared: true } : session
}

/**
 * Calls about one's own account work outside the business while its transaction is open, so each takes a second
 * connection. They take turns: as many at once as there are connections would wait for each other.
 */
const implementAccount = <E extends Endpoint<any, any>>(
  endpoint: E,
  inside: Parameters<typeof implement<E>>[1],
): Implementation => implement(endpoint, inside, (_input, { companyId }) => `account:${companyId}`)

export const implementations = [
  implementOpen(calls.getTranslateDe, translation),
  implementOpen(calls.postTranslateDe, translation),
  implementOpen(calls.brandStyle, brandStyle),
  implementOpen(calls.getTranslate, async (_ctx, { lang, groups }) => ({ dic: dictionary(lang, groups) })),
  implementOpen(calls.addEventView, (ctx, { event }) => countEvent(ctx, event)),
  implementOpen(calls.logOut, endSessionOf),
  implementOpen(calls.logoutInvoice, endSessionOf),
  implementOpen(calls.logIn, async (ctx, { email, password }) => {
    const byPhone = /^[+(\d][\d\s().-]{6,}$/.test(email)
    const phone = phoneKey(email)
    const { rows } = await sql<{
      id: string
      password_hash: string | null
      totp_secret: Buffer | null
    }>`select id, password_hash, totp_secret from users where blocked_at is null and
      ${byPhone ? sql`phone <> '' and phone_key(phone) = ${phone}` : sql`email = ${email}`}
      order by phone_verified_at is null, created_at limit 5`.execute(ctx.tx)
    // However it is written: each way of writing a phone would be so many more tries.
    await countGuess(ctx, 'login', byPhone ? phone : email, { userId: rows[0]?.id, ...logInTries })
    // Several accounts may have written the same number. It is the password that identifies one of them.
    let user: (typeof rows)[number] | undefined
    for (const one of rows) if (await passwordFits(one.password_hash, password)) user ??= one
    if (!rows.length) await passwordFits(undefined, password)
    if (!user) throw fail('session.wrongPassword')
    return enter(ctx, user, 'password')
  }),
  implementOpen(calls.logInFactor, async (ctx, { token, code }) => {
    const { rows } = await sql<{
      id: string
      user_id: string
      company_id: string
    }>`select id, user_id, company_id from sessions where token_hash = ${hashToken(token)} and pending_factor
        and expires_at > now()`.execute(ctx.tx)
    if (!rows[0]) throw failAt('code', 'session.wrongCode')
    await countGuess(ctx, 'factor', rows[0].user_id, { userId: rows[0].user_id, ...factorTries })
    await useCode(ctx.app, ctx.tx, rows[0].user_id, code, ctx.now)
    await sql`delete from sessions where id = ${rows[0].id}`.execute(ctx.tx)
    return sessionOf(ctx.tx, await openSession(ctx, rows[0].user_id, rows[0].company_id, { by: 'factor' }))
  }),
  implementOpen(calls.askLogInCode, askLogInCode),
  implementOpen(calls.logInSms, async (ctx, given) =>
    enter(ctx, await personOfCode(ctx, given), 'sms', () => failAt('code', 'session.wrongCode')),
  ),
  implementOpen(calls.logInGoogle, logInGoogle),
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

  implementAccount(calls.mySession, (ctx) =>
    onMyAccount(ctx, async (tx) => {
      const { rows } = await sql<
        Parameters<typeof sessionFields>[1] & {
          email: string
          phone: string
          factor: boolean
          hasPassword: boolean
          emailVerified: boolean
          phoneVerified: boolean
          language: string
          owner: string | null
        }
      >`select m.*, c.name as company_name, c.kind as business_kind, c.menu_told, c.trades, c.areas_switched,
          u.full_name, u.email, u.phone,
          u.language, c.factor_required_at is not null and u.totp_secret is null as must_set_factor,
          u.totp_secret is not null as factor,
          u.password_hash is not null as "hasPassword", u.email_verified_at is not null as "emailVerified",
          u.phone_verified_at is not null as "phoneVerified",
          (select p.full_name from memberships o join users p on p.id = o.user_id
          where o.company_id = m.company_id and o.user_id <> m.user_id
            and o.type_id = 4 and allows_all(o.rules) and o.blocked_at is null and o.removed_at is null
            order by o.created_at limit 1) as owner
        from memberships m join users u on u.id = m.user_id join companies c on c.id = m.company_id
        where m.company_id = ${ctx.companyId} and m.user_id = ${ctx.caller.userId}`.execute(tx)
      const { email, phone, factor, hasPassword, emailVerified, phoneVerified, language, owner } = rows[0]!
      return {
        law: [...enteredLaw()],
        ...(await sessionFields(tx, rows[0]!)),
        email,
        phone,
        factor,
        hasPassword,
        emailVerified,
        phoneVerified,
        language,
        companyId: ctx.companyId,
        Owner: owner ?? '',
      }
    }),
  ),
  implementAccount(calls.changeMe, async (ctx, { fullName, phone, language, password, code }) => {
    const { rows: known } = await onMyAccount(ctx, (tx) =>
      sql<{ phone: string }>`select phone from users where id = ${ctx.caller.userId}`.execute(tx),
    )
    const isNewPhone = phone !== undefined && phoneKey(phone) !== phoneKey(known[0]!.phone)
    // By a phone one logs in and chooses a new password.
    if (isNewPhone) await proveOwner(ctx, { password, code })
    const before = await onMyAccount(ctx, async (tx) => {
      const { rows } = await sql<{
        fullName: string
        phone: string
        language: string
        verifiedAt: string | null
      }>`select full_name as "fullName", phone, language, phone_verified_at::text as "verifiedAt"
        from users where id = ${ctx.caller.userId} for update`.execute(tx)
      const { verifiedAt, ...was } = rows[0]!
      if (isNewPhone) {
        await recordMine(ctx, tx, 'phone', { phone: was.phone, verifiedAt })
        await sql`update users set phone_verified_at = null where id = ${ctx.caller.userId}`.execute(tx)
        await sql`delete from verifications where user_id = ${ctx.caller.userId} and kind = 'phone'`.execute(
          tx,
        )
      }
      await sql`update users set full_name = coalesce(${fullName ?? null}, full_name),
          phone = coalesce(${phone ?? null}, phone), language = coalesce(${language ?? null}, language)
          where id = ${ctx.caller.userId}`.execute(tx)
      return was
    })
    const after = {
      ...before,
      ...Object.fromEntries(
        Object.entries({ fullName, phone, language }).filter(([, value]) => value !== undefined),
      ),
    }
    if (JSON.stringify(after) !== JSON.stringify(before))
      await ctx.audit('session.changeMe', 'users', ctx.caller.userId, before, after)
    if (isNewPhone && phone) await sendVerification({ ...ctx.caller, app: ctx.app }, 'phone', phone)
    return done
  }),
  implementAccount(calls.sendVerification, async (ctx, { what }) => {
    const { rows } = await onMyAccount(ctx, (tx) =>
      sql<{ email: string; phone: string }>`select email, phone from users
        where id = ${ctx.caller.userId}`.execute(tx),
    )
    const target = rows[0]![what]
    if (!target) throw fail('kit.notFound')
    await sendVerification({ ...ctx.caller, app: ctx.app }, what, target)
    return { ...done, to: target }
  }),
  implementAccount(calls.verify, async (ctx, { what, code }) => {
    await verifyByCode(ctx, what, code)
    await ctx.audit('session.verify', 'users', ctx.caller.userId, undefined, { what })
    return done
  }),
  implementOpen(calls.verifyLink, verifyByLink),
  implementAccount(calls.changeEmail, async (ctx, { email, password, code }) => {
    await proveOwner(ctx, { password, code })
    // Whether it is taken is said to somebody who has proved an account, at the end, when the address is proved, too.
    await sendVerification({ ...ctx.caller, app: ctx.app }, 'email', email)
    await ctx.audit('session.changeEmail', 'users', ctx.caller.userId, undefined, { email })
    return done
  }),
  implementOpen(calls.showChange, showChange),
  implementOpen(calls.undoChange, undoChange),
  implementAccount(calls.changePassword, async (ctx, { current, password, code, endKeys }) => {
    await proveOwner(ctx, { password: current, code }, 'current')
    await onMyAccount(ctx, async (tx) => {
      const hash = await hashChosen(password, await knownAbout(tx, ctx.caller.userId))
      const { rows } = await sql<{
        passwordHash: string | null
      }>`select password_hash as "passwordHash" from users
        where id = ${ctx.caller.userId} for update`.execute(tx)
      await recordMine(ctx, tx, 'password', rows[0]!)
      await sql`update users set password_hash = ${hash} where id = ${ctx.caller.userId}`.execute(tx)
      await endAccess(tx, ctx.caller.userId, {
        keepSession: ctx.caller.sessionId,
        alsoKeys: endKeys ?? false,
      })
    })
    await ctx.audit('session.changePassword', 'users', ctx.caller.userId, undefined, {
      endKeys: endKeys ?? false,
    })
    return done
  }),
  implementAccount(calls.listSessions, (ctx) =>
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
  implementAccount(calls.endSession, async (ctx, { id }) => {
    await onMyAccount(ctx, async (tx) => {
      const { rows } = await sql`delete from sessions where id = ${id} and user_id = ${ctx.caller.userId}
          returning 1`.execute(tx)
      if (!rows.length) throw fail('kit.notFound')
    })
    logSecurity(ctx.app, 'session.ended', {
      session: id,
      user: ctx.caller.userId,
      company: ctx.companyId,
      why: 'byPerson',
    })
    await ctx.audit('session.endSession', 'users', ctx.caller.userId)
    return done
  }),
  implementAccount(calls.listDevices, (ctx) =>
    onMyAccount(ctx, async (tx) => {
      const { rows } = await sql<{
        id: string
        address: string
        agent: string
        createdAt: string
        usedAt: string
        current: boolean
      }>`select d.id, d.address, d.agent, d.created_at as "createdAt", d.used_at as "usedAt",
          exists (select 1 from sessions s where s.id::text = ${ctx.caller.sessionId}
            and s.user_id = d.user_id and s.device_hash = d.token_hash) as current
        from known_devices d where d.user_id = ${ctx.caller.userId} and d.forgotten_at is null
        order by d.used_at desc limit 200`.execute(tx)
      return { rows }
    }),
  ),
  implementAccount(calls.forgetDevice, async (ctx, { id }) => {
    await onMyAccount(ctx, async (tx) => {
      const { rows } = await sql`update known_devices set forgotten_at = now()
        where id = ${id} and user_id = ${ctx.caller.userId} and forgotten_at is null returning 1`.execute(tx)
      if (!rows.length) throw fail('kit.notFound')
    })
    await ctx.audit('session.forgetDevice', 'users', ctx.caller.userId)
    return done
  }),
  implementAccount(calls.startFactor, async (ctx, { password, code }) => {
    const { email } = await proveOwner(ctx, { password, code })
    return onMyAccount(ctx, (tx) => startSecret(ctx.app, tx, ctx.caller.userId, email))
  }),
  implementAccount(calls.confirmFactor, async (ctx, { code }) => {
    const codes = await onMyAccount(ctx, async (tx) => {
      await useCode(ctx.app, tx, ctx.caller.userId, code, ctx.now, 'totp_pending')
      await recordMine(ctx, tx, 'factorOn', {})
      await sql`update users set totp_secret = totp_pending, totp_pending = null
        where id = ${ctx.caller.userId}`.execute(tx)
      return giveCodes(tx, ctx.caller.userId)
    })
    await ctx.audit('session.factorOn', 'users', ctx.caller.userId)
    return { ...done, codes }
  }),
  implementAccount(calls.dropFactor, async (ctx, { password, code }) => {
    await proveOwner(ctx, { password, code })
    await onMyAccount(ctx, async (tx) => {
      const { rows } = await sql<{
        totpSecret: string | null
      }>`select encode(totp_secret, 'base64') as "totpSecret"
        from users where id = ${ctx.caller.userId} for update`.execute(tx)
      if (rows[0]!.totpSecret)
        await recordMine(ctx, tx, 'factorOff', {
          totpSecret: rows[0]!.totpSecret,
          codes: await storedCodes(tx, ctx.caller.userId),
        })
      await sql`update users set totp_secret = null, totp_pending = null
        where id = ${ctx.caller.userId}`.execute(tx)
      await dropCodes(tx, ctx.caller.userId)
    })
    await ctx.audit('session.factorOff', 'users', ctx.caller.userId)
    return done
  }),
  implementAccount(calls.recoveryCodes, (ctx) =>
    onMyAccount(ctx, async (tx) => ({ left: await codesLeft(tx, ctx.caller.userId) })),
  ),
  implementAccount(calls.renewRecoveryCodes, async (ctx, { password, code }) => {
    await proveOwner(ctx, { password, code })
    const codes = await onMyAccount(ctx, async (tx) => {
      const { rows } =
        await sql`select 1 from users where id = ${ctx.caller.userId} and totp_secret is not null`.execute(tx)
      if (!rows.length) throw fail('session.noFactor')
      await recordMine(ctx, tx, 'recoveryCodes', { codes: await storedCodes(tx, ctx.caller.userId) })
      return giveCodes(tx, ctx.caller.userId)
    })
    await ctx.audit('session.recoveryRenewed', 'users', ctx.caller.userId)
    return { codes }
  }),
]
