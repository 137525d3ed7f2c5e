import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { hashToken } from '#kit/server/rights/vault.ts'
import {
  emailProved,
  hashChosen,
  openSession,
  proveAccount,
  sessionOf,
} from '#features/base/session/server/index.ts'
import { passwordValue } from '../endpoints.ts'
import { isWithin } from '../rights.ts'

interface Invitation {
  company_id: string
  id: string
  company: string
  inviter: string
  email: string
  full_name: string
  job: string
  language: Language
  type_id: number
  sub_type_id: number
  rule_id: number
  rules: number[]
  docs_allow: number[]
  hide_nav_header: boolean
  hide_total_prices: boolean
  own_customers_only: boolean
  is_active_button: boolean
  invited_by: string
  set_name: string | null
  user_id: string | null
  totp: boolean
  inviter_rules: number[]
  inviter_docs: number[]
  inviter_hides: boolean
  inviter_own: boolean
  refund_limit_agorot: number | null
  charge_limit_agorot: number | null
}

/**
 * The invitation behind a link: open, in time, and still within what its sender may give. Always the same
 * refusal.
 */
async function invitationOf(tx: Tx, token: string, lock = false): Promise<Invitation> {
  const { rows } = await sql<Invitation>`
    select i.*, c.name as company, by_user.full_name as inviter, s.name as set_name, u.id as user_id,
      u.totp_secret is not null as totp,
      m.rules as inviter_rules, m.docs_allow as inviter_docs, m.hide_total_prices as inviter_hides,
      m.own_customers_only as inviter_own
    from invitations i join companies c on c.id = i.company_id
      join memberships m on m.company_id = i.company_id and m.user_id = i.invited_by and m.blocked_at is null
        and m.removed_at is null
      join users by_user on by_user.id = i.invited_by left join users u on u.email = i.email
      left join permission_sets s on s.company_id = i.company_id and s.number = i.rule_id
    where i.token_hash = ${hashToken(token)} and i.used_at is null and i.revoked_at is null
      and i.expires_at > now() ${lock ? sql`for update of i` : sql``}`.execute(tx)
  const one = rows[0]
  const within =
    one &&
    isWithin(
      {
        rules: one.rules,
        docsAllow: one.docs_allow,
        hideTotalPrices: one.hide_total_prices,
        ownCustomersOnly: one.own_customers_only,
      },
      {
        rules: one.inviter_rules,
        docsAllow: one.inviter_docs,
        hideTotalPrices: one.inviter_hides,
        ownCustomersOnly: one.inviter_own,
      },
    )
  if (!within) throw fail('team.linkEnded')
  return one
}

export async function see(ctx: OpenCtx, { token }: { token: string }) {
  const one = await invitationOf(ctx.tx, token)
  return {
    company: one.company,
    invitedBy: one.inviter,
    email: one.email,
    fullName: one.full_name,
    typeId: one.type_id,
    setName: one.set_name,
    language: one.language,
    known: one.user_id !== null,
    factor: one.totp,
  }
}

/** Opens an account with the link, or proves the one there is, and joins. */
export async function accept(
  ctx: OpenCtx,
  given: {
    token: string
    fullName?: string | undefined
    password: string
    code?: string | undefined
    language?: Language | undefined
  },
) {
  const one = await invitationOf(ctx.tx, given.token, true)
  const userId = one.user_id
    ? await proveAccount(ctx, { ...given, email: one.email })
    : await openAccount(ctx, one, given)
  await join(ctx.tx, one, userId, ctx.address)
  return sessionOf(ctx.tx, await openSession(ctx, userId, one.company_id, { by: 'invitation' }))
}

async function openAccount(
  ctx: OpenCtx,
  one: Invitation,
  {
    fullName,
    password,
    language,
  }: { fullName?: string | undefined; password: string; language?: Language | undefined },
): Promise<string> {
  if (!passwordValue.safeParse(password).success) throw failField('password', 'fields.password')
  const { rows } = await sql<{ name: string }>`select name from companies
    where id = ${one.company_id}`.execute(ctx.tx)
  const about = [fullName ?? one.full_name, one.email, ...rows.map(({ name }) => name)]
  const id = newId()
  await sql`insert into users (id, email, full_name, language, password_hash)
    values (${id}, ${one.email}, ${fullName ?? one.full_name}, ${language ?? one.language},
      ${await hashChosen(password, about)})`.execute(ctx.tx)
  return id
}

/** Joins as the person of this session; the invitation must be addressed to that person. */
export async function joinAsMe(ctx: Ctx, { token }: { token: string }) {
  return asSystem(ctx.app.db, async (tx) => {
    const one = await invitationOf(tx, token, true)
    if (one.user_id !== ctx.caller.userId) throw fail('team.otherPerson')
    await join(tx, one, one.user_id, ctx.address)
    return sessionOf(
      tx,
      await openSession({ app: ctx.app, tx, address: ctx.address, agent: '' }, one.user_id, one.company_id, {
        by: 'session',
        sameBrowser: true,
      }),
    )
  })
}

async function join(tx: Tx, one: Invitation, userId: string, address: string): Promise<void> {
  // A former member returns with the rights of the invitation; a present one keeps theirs.
  const { rows } = await sql`
    insert into memberships as m (company_id, user_id, type_id, sub_type_id, rules, docs_allow,
      hide_nav_header, hide_total_prices, own_customers_only, is_active_button, rule_id, job, invited_by,
      refund_limit_agorot, charge_limit_agorot)
    values (${one.company_id}, ${userId}, ${one.type_id}, ${one.sub_type_id}, ${one.rules}::int[],
      ${one.docs_allow}::smallint[], ${one.hide_nav_header}, ${one.hide_total_prices},
      ${one.own_customers_only}, ${one.is_active_button}, ${one.rule_id}, ${one.job}, ${one.invited_by},
      ${one.refund_limit_agorot}, ${one.charge_limit_agorot})
    on conflict (company_id, user_id) do update set type_id = excluded.type_id,
      sub_type_id = excluded.sub_type_id, rules = excluded.rules, docs_allow = excluded.docs_allow,
      hide_nav_header = excluded.hide_nav_header, hide_total_prices = excluded.hide_total_prices,
      own_customers_only = excluded.own_customers_only,
      is_active_button = excluded.is_active_button, rule_id = excluded.rule_id, job = excluded.job,
      invited_by = excluded.invited_by, refund_limit_agorot = excluded.refund_limit_agorot,
      charge_limit_agorot = excluded.charge_limit_agorot, blocked_at = null, removed_at = null
    where m.removed_at is not null returning 1`.execute(tx)
  if (!rows.length) throw fail('team.linkEnded')
  // The link was sent to that address alone.
  await emailProved(tx, userId)
  await sql`update invitations set used_at = now(), used_by = ${userId} where company_id = ${one.company_id}
      and id = ${one.id}`.execute(tx)
  await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
    values (${one.company_id}, ${newId()}, ${userId}, ${address}, 'workers.join', 'workers', ${userId},
      ${JSON.stringify({ email: one.email })})`.execute(tx)
}
