import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type App, type OpenCtx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { registerSweep } from '#kit/server/work/housekeeping.ts'
import { hashToken, newToken } from '#kit/server/rights/vault.ts'
import { openSession, sessionOf } from './sessions.ts'
import { emailProved } from './verify.ts'

/** How long a link of this kind opens; one in a letter so long after its page was opened first. */
export const autoLoginSeconds = 60

/** So long a letter's link waits to be opened. */
const letterSeconds = 7 * 86_400

// A day later nobody asks why it was refused.
registerSweep((db) => sql`delete from auto_logins where expires_at < now() - interval '1 day'`.execute(db))

interface Way {
  /** Whom it opens for, and nobody else. */
  userId: string
  companyId: string
  /** Where it leads inside the product. */
  path: string
  madeBy: string
  madeIn: 'person' | 'app' | 'office' | 'dealer' | 'mail'
}

/**
 * A link that opens a session once, within a minute, for one person at one page of one business. Its key is after
 * '#', which browsers never send to a server; only its hash is stored.
 */
export async function makeAutoLogin(
  app: App,
  { userId, companyId, path, madeBy, madeIn }: Way,
): Promise<{ url: string; seconds: number }> {
  const token = newToken()
  await asSystem(app.db, async (tx) => {
    await sql`insert into auto_logins (token_hash, user_id, opens_in, path, made_by, made_in, expires_at)
      values (${hashToken(token)}, ${userId}, ${companyId}, ${path}, ${madeBy}, ${madeIn},
        now() + make_interval(secs => ${madeIn === 'mail' ? letterSeconds : autoLoginSeconds}))`.execute(tx)
    await sql`insert into audit_log (company_id, id, user_id, action, entity, entity_id, after)
      values (${companyId}, ${newId()}, ${madeBy}, 'session.autoLoginMade', 'users', ${userId},
        ${JSON.stringify({ path, madeIn })})`.execute(tx)
  })
  const page = {
    office: 'autologincpa',
    mail: 'autologin?by=letter',
    app: 'autologin?platform=1',
    person: 'autologin',
    dealer: 'autologin',
  }[madeIn]
  return { url: `${siteOf(app)}/${page}#${token}`, seconds: autoLoginSeconds }
}

/**
 * The page behind an emailed link: says for whom it opens, and its minute begins. The session opens only on a press:
 * programs that fetch links in emails use none up.
 */
export async function openLetterLink(ctx: OpenCtx, { token }: { token: string }) {
  const { rows } = await sql<{
    name: string
    business: string
    isUsed: boolean
    isOver: boolean
  }>`update auto_logins a set opened_at = coalesce(a.opened_at, now()) from users u, companies c
    where a.token_hash = ${hashToken(token)} and a.made_in = 'mail' and u.id = a.user_id and c.id = a.opens_in
    returning u.full_name as name, c.name as business, a.used_at is not null as "isUsed",
      a.expires_at <= now() or a.opened_at <= now() - make_interval(secs => ${autoLoginSeconds})
        or u.totp_secret is not null as "isOver"`.execute(ctx.tx)
  const [link] = rows
  if (!link) throw fail('session.autoUnknown')
  if (link.isUsed) throw fail('session.autoUsed')
  if (link.isOver) throw fail('session.autoEnded')
  return { name: link.name, business: link.business, seconds: autoLoginSeconds }
}

/**
 * A way in for a letter to one of the business's people; undefined where the account has a second factor, which no
 * letter opens: one that was sent before the factor was set up does not either.
 */
export async function letterLink(
  app: App,
  { userId, companyId, path }: Pick<Way, 'userId' | 'companyId' | 'path'>,
): Promise<string | undefined> {
  const { rows } = await sql`select 1 from users where id = ${userId} and totp_secret is null
        and blocked_at is null`.execute(app.db.kysely)
  return rows.length
    ? (await makeAutoLogin(app, { userId, companyId, path, madeBy: userId, madeIn: 'mail' })).url
    : undefined
}

/**
 * Opens the session of a link, once. Refusals say why: it was used, it ran out, somebody else is logged in,
 * or the person is shut out.
 */
export async function useAutoLogin(ctx: OpenCtx, { token }: { token: string }) {
  const hash = hashToken(token)
  // Who is logged in in this browser as somebody else does not become this person by a link.
  const { rows: here } = ctx.token
    ? await sql<{
        user_id: string
      }>`select user_id from sessions where token_hash = ${hashToken(ctx.token)}
          and expires_at > now()`.execute(ctx.tx)
    : { rows: [] }
  const { rows: known } = await sql<{
    user_id: string
    isUsed: boolean
    isOver: boolean
  }>`select user_id, used_at is not null as "isUsed", expires_at <= now()
      or (made_in = 'mail'
      and (opened_at is null or opened_at <= now() - make_interval(secs => ${autoLoginSeconds})
        or exists (select 1 from users u where u.id = user_id and u.totp_secret is not null))) as "isOver"
      from auto_logins where token_hash = ${hash}`.execute(ctx.tx)
  if (!known[0]) throw fail('session.autoUnknown')
  if (here[0] && here[0].user_id !== known[0].user_id) throw fail('session.autoOther')
  // One statement takes it: of two who come at once the second finds it used.
  const { rows } = await sql<{
    user_id: string
    company_id: string
    path: string
    made_by: string
    made_in: Way['madeIn']
  }>`update auto_logins set used_at = now() where token_hash = ${hash} and used_at is null
      and expires_at > now()
      and (made_in <> 'mail' or (opened_at > now() - make_interval(secs => ${autoLoginSeconds})
        and not exists (select 1 from users u where u.id = user_id and u.totp_secret is not null)))
      returning user_id, opens_in as company_id, path, made_by, made_in`.execute(ctx.tx)
  const way = rows[0]
  if (!way)
    throw fail(
      known[0].isUsed ? 'session.autoUsed' : known[0].isOver ? 'session.autoEnded' : 'session.autoUsed',
    )
  const { rows: member } = await sql`select 1 from memberships m join users u on u.id = m.user_id
      where m.company_id = ${way.company_id} and m.user_id = ${way.user_id}
      and m.blocked_at is null and m.removed_at is null and u.blocked_at is null`.execute(ctx.tx)
  if (!member.length) throw fail('session.autoShut')
  // It was sent to that address alone.
  if (way.made_in === 'mail') await emailProved(ctx.tx, way.user_id)
  const opened = await openSession(ctx, way.user_id, way.company_id, { way: 'link', by: 'link' })
  await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
    values (${way.company_id}, ${newId()}, ${way.user_id}, ${ctx.address}, 'session.autoLogin', 'users',
      ${way.user_id}, ${JSON.stringify({ path: way.path, madeBy: way.made_by })})`.execute(ctx.tx)
  return { ...(await sessionOf(ctx.tx, opened)), path: way.path }
}
