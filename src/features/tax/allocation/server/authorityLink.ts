import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { isTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { hashToken, encrypt, newToken, decrypt } from '#kit/server/rights/vault.ts'
import { AuthorityAway, LoginRefused, TokenRefused, type Tokens } from './authority.ts'

interface Link {
  asked_key: Buffer | null
  asked_at: string | null
  refresh_sealed: Buffer | null
  access_sealed: Buffer | null
  access_until: string | null
  connected_at: string | null
  ends_at: string | null
  ended_at: string | null
  away_until: string | null
  away_tries: number
}

/** A log-in at the authority may take so long; what comes back later is not taken. */
const loginMinutes = 20
/** A token that ends within this time is renewed first. */
const marginMs = 30_000

const dayMs = 86_400_000

/**
 * What every authority that people log in at has; calls may throw AuthorityAway, LoginRefused and
 * TokenRefused.
 */
export interface LoginDoor {
  readonly kind: 'real' | 'simulator'
  /** The address of the log-in and consent; the authority redirects to `returnTo` with a code and the same state. */
  loginAddress: (state: string, returnTo: string) => string
  exchange: (code: string, returnTo: string) => Promise<Tokens>
  /** The refresh token is good once: the answer brings the next one. */
  renew: (refresh: string) => Promise<Tokens>
}

/** Why there is no token to ask with; a person must act. */
export type NoToken = 'off' | 'notConnected' | 'ended'

export interface LinkState {
  authority: 'real' | 'simulator' | 'off'
  state: 'none' | 'connected' | 'ended'
  connectedAt: string | null
  connectedBy: string | null
  endsAt: string | null
  daysLeft: number | null
  awayUntil: string | null
}

export interface LinkOf<Door> {
  service: 'invoices' | 'donations'
  /**
   * Whose errors (`<feature>.off`, `.notConnected`, `.ended`, `.away`, `.loginRefused`) and lines of the log
   * they are.
   */
  feature: string
  /** Where people are sent back to. */
  path: string
  /** The authority of this server, or the one a test business talks to. */
  doorOf: (app: App, isTest: boolean) => Door | undefined
  /** Jobs that ask for what waited, once there is a connection or the authority answers again. */
  onConnected: readonly string[]
}

/**
 * A business's permission at an authority: log-in, tokens that renew themselves, the end of it, and its
 * silences.
 */
export function authorityLink<Door extends LoginDoor>({
  service,
  feature,
  path,
  doorOf,
  onConnected,
}: LinkOf<Door>) {
  const doorFor = async (app: App, companyId: string) => doorOf(app, await isTestBusiness(app, companyId))
  const returnAddress = (app: App): string => `${app.publicUrl()}${path}`

  const linkOf = async (ctx: Ctx, lock = false): Promise<Link | undefined> =>
    (
      await sql<Link>`select * from authority_links where company_id = ${ctx.companyId}
          and service = ${service} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
    ).rows[0]

  /** The authority of this server; refuses when there is none. */
  async function authority(ctx: Ctx): Promise<Door> {
    const found = await doorFor(ctx.app, ctx.companyId)
    if (!found) throw fail(`${feature}.off`)
    return found
  }

  async function beginLogin(ctx: Ctx): Promise<{ url: string }> {
    const door = await authority(ctx)
    const state = newToken()
    await sql`insert into authority_links (company_id, service, asked_key, asked_at)
      values (${ctx.companyId}, ${service}, ${hashToken(state)}, ${ctx.now})
      on conflict (company_id, service) do update set asked_key = excluded.asked_key,
        asked_at = excluded.asked_at, updated_at = now()`.execute(ctx.tx)
    return { url: door.loginAddress(state, returnAddress(ctx.app)) }
  }

  const isConnected = (link: Link | undefined, now: Date): boolean =>
    !!link?.refresh_sealed && new Date(link.ends_at!) > now

  async function keep(ctx: Ctx, tokens: Tokens, fresh: boolean): Promise<void> {
    const { vault } = ctx.app.secrets
    const until = (seconds: number) => new Date(ctx.now.getTime() + seconds * 1000)
    await sql`update authority_links set refresh_sealed = ${encrypt(vault, Buffer.from(tokens.refresh))},
      access_sealed = ${encrypt(vault, Buffer.from(tokens.access))},
      access_until = ${until(tokens.accessLives)}, ended_at = null, updated_at = now()
      ${
        fresh
          ? sql`, asked_key = null, asked_at = null, connected_at = ${ctx.now},
              connected_by = ${ctx.caller.userId}, ends_at = ${until(tokens.refreshLives)},
              away_until = null, away_tries = 0`
          : sql``
      }
      where company_id = ${ctx.companyId} and service = ${service}`.execute(ctx.tx)
  }

  /**
   * Takes what the authority sent back with the person; everything that waited for the connection is asked.
   */
  async function endLogin(ctx: Ctx, { code, state }: { code: string; state: string }): Promise<void> {
    const door = await authority(ctx)
    const link = await linkOf(ctx, true)
    const isOurs = link?.asked_key && link.asked_key.equals(hashToken(state))
    if (!isOurs || ctx.now.getTime() - new Date(link.asked_at!).getTime() > loginMinutes * 60_000)
      throw fail(`${feature}.loginRefused`)
    let tokens: Tokens
    try {
      tokens = await door.exchange(code, returnAddress(ctx.app))
    } catch (e) {
      if (e instanceof LoginRefused) throw fail(`${feature}.loginRefused`)
      if (e instanceof AuthorityAway) throw fail(`${feature}.away`)
      throw e
    }
    await keep(ctx, tokens, true)
    await ctx.audit(`${feature}.connect`, 'companies', ctx.companyId)
    for (const job of onConnected) await ctx.later(job, {})
  }

  /**
   * A token that is valid for a call, renewed when it is about to expire. In a separate transaction, so that the
   * rotated token is stored whatever becomes of the caller's work; of several processes one renews and the others
   * wait for it. Throws AuthorityAway.
   */
  async function accessToken(
    app: App,
    companyId: string,
    force = false,
  ): Promise<{ access: string } | { missing: NoToken }> {
    const door = await doorFor(app, companyId)
    if (!door) return { missing: 'off' }
    return asCaller(app, systemCaller(companyId), '', async (ctx) => {
      const link = await linkOf(ctx, true)
      if (!link?.refresh_sealed) return { missing: link?.ended_at ? 'ended' : 'notConnected' }
      const { vault } = app.secrets
      if (
        !force &&
        link.access_sealed &&
        new Date(link.access_until!).getTime() - ctx.now.getTime() > marginMs
      )
        return { access: decrypt(vault, link.access_sealed).toString() }
      try {
        const tokens = isConnected(link, ctx.now)
          ? await door.renew(decrypt(vault, link.refresh_sealed).toString())
          : undefined
        if (tokens) {
          await keep(ctx, tokens, false)
          return { access: tokens.access }
        }
      } catch (e) {
        if (!(e instanceof TokenRefused)) throw e
      }
      await forget(ctx)
      await ctx.audit(`${feature}.ended`, 'companies', companyId)
      return { missing: 'ended' }
    })
  }

  const forget = (ctx: Ctx) =>
    sql`update authority_links set refresh_sealed = null, access_sealed = null, access_until = null,
        asked_key = null, asked_at = null,
      ended_at = ${ctx.now}, away_until = null, away_tries = 0, updated_at = now()
      where company_id = ${ctx.companyId} and service = ${service}`.execute(ctx.tx)

  /**
   * Ends the connection from our side: the tokens are deleted. The permission itself is withdrawn in the authority's
   * own site.
   */
  async function endConnection(ctx: Ctx): Promise<void> {
    const link = await linkOf(ctx, true)
    if (!link?.refresh_sealed) return
    await forget(ctx)
    await ctx.audit(`${feature}.revoke`, 'companies', ctx.companyId)
  }

  /**
   * Calls with a token; one that is refused is renewed once. Throws AuthorityAway, or answers why there is
   * none.
   */
  async function withToken<T>(
    app: App,
    companyId: string,
    work: (access: string) => Promise<T>,
  ): Promise<{ done: T } | { missing: NoToken }> {
    for (let force = false; ; force = true) {
      const token = await accessToken(app, companyId, force)
      if ('missing' in token) return token
      try {
        return { done: await work(token.access) }
      } catch (e) {
        if (!(e instanceof TokenRefused)) throw e
        // A fresh token that is refused too: the authority is not well, the permission may be.
        if (force) throw new AuthorityAway('a fresh token was refused')
      }
    }
  }

  /** `withToken` for a person who waits for the answer: every way it can fail is a refusal in words. */
  async function withTokenOrFail<T>(ctx: Ctx, work: (access: string) => Promise<T>): Promise<T> {
    try {
      const answer = await withToken(ctx.app, ctx.companyId, work)
      if ('missing' in answer) throw fail(`${feature}.${answer.missing}`)
      return answer.done
    } catch (e) {
      if (e instanceof AuthorityAway) throw fail(`${feature}.away`)
      throw e
    }
  }

  /** A fresh token at once, for a person who wants to see that it works. */
  async function renewNow(ctx: Ctx): Promise<void> {
    let token: Awaited<ReturnType<typeof accessToken>>
    try {
      token = await accessToken(ctx.app, ctx.companyId, true)
    } catch (e) {
      if (e instanceof AuthorityAway) throw fail(`${feature}.away`)
      throw e
    }
    if ('missing' in token) throw fail(`${feature}.${token.missing}`)
    await ctx.audit(`${feature}.renew`, 'companies', ctx.companyId)
  }

  /** Refuses when nothing could be asked now. */
  async function needConnection(ctx: Ctx): Promise<void> {
    await authority(ctx)
    const link = await linkOf(ctx)
    if (!isConnected(link, ctx.now))
      throw fail(link?.ended_at || link?.refresh_sealed ? `${feature}.ended` : `${feature}.notConnected`)
  }

  /**
   * It did not answer: for so long only one call finds out for all. Answers until when, and how many silences
   * there were in a row.
   */
  async function isAway(ctx: Ctx): Promise<{ until: Date; silences: number }> {
    const { rows } = await sql<{
      until: string
      tries: number
    }>`update authority_links set away_tries = away_tries + 1,
      away_until = ${ctx.now}::timestamptz +
      make_interval(secs => least(30 * power(2, least(away_tries, 7)), 3600)), updated_at = now()
      where company_id = ${ctx.companyId} and service = ${service} returning away_until as until,
        away_tries as tries`.execute(ctx.tx)
    return { until: new Date(rows[0]!.until), silences: rows[0]!.tries }
  }

  /** It answers again: the person who waited for that is asked now. */
  async function isBack(ctx: Ctx): Promise<void> {
    const { rows } =
      await sql`update authority_links set away_until = null, away_tries = 0, updated_at = now()
      where company_id = ${ctx.companyId} and service = ${service} and away_tries > 0 returning 1`.execute(
        ctx.tx,
      )
    if (rows.length) for (const job of onConnected) await ctx.later(job, {})
  }

  /** The state of the business's connection. */
  async function stateOf(ctx: Ctx): Promise<LinkState> {
    const link = await linkOf(ctx)
    const connected = isConnected(link, ctx.now)
    const { rows } = await sql<{
      who: string | null
    }>`select u.full_name as who from authority_links l join users u on u.id = l.connected_by
      where l.company_id = ${ctx.companyId} and l.service = ${service}`.execute(ctx.tx)
    return {
      authority: (await doorFor(ctx.app, ctx.companyId))?.kind ?? 'off',
      state: connected ? 'connected' : link?.ended_at || link?.refresh_sealed ? 'ended' : 'none',
      connectedAt: connected ? link!.connected_at : null,
      connectedBy: connected ? (rows[0]?.who ?? null) : null,
      endsAt: connected ? link!.ends_at : null,
      daysLeft: connected
        ? Math.floor((new Date(link!.ends_at!).getTime() - ctx.now.getTime()) / dayMs)
        : null,
      awayUntil:
        connected && link!.away_until && new Date(link!.away_until) > ctx.now ? link!.away_until : null,
    }
  }

  return {
    linkOf,
    authority,
    beginLogin,
    endLogin,
    accessToken,
    endConnection,
    withToken,
    withTokenOrFail,
    renewNow,
    needConnection,
    isAway,
    isBack,
    stateOf,
  }
}
