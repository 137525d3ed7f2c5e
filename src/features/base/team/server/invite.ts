import { sql } from 'kysely'
import { fail, failField } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { mailAfterCommit } from '#kit/server/outside/mail.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { hashToken, encrypt, newToken, decrypt } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { onePerson, refuseBeyond, grantOf, type Settled } from './people.ts'
import { sumLimitOf } from './sumLimits.ts'
import type { Worker } from '../workers.ts'

/** How long the link of an invitation opens. */
const lifeDays = 7

export interface Invited {
  email: string
  fullName: string
  job?: string | undefined
  language?: Language | undefined
  typeId: 4 | 5 | 6 | 8 | 9
  subTypeId: 0 | 1 | 2
  /** Demo people have no mailbox. */
  noLetter?: boolean
}

/**
 * Invites a person by email. Whether the person has an account elsewhere is not checked here: the answer is the
 * same. Refuses with team.alreadyHere a person who is in this business or has been invited.
 */
export async function invite(ctx: Ctx, who: Invited, rights: Settled): Promise<Worker> {
  if (!who.noLetter) {
    if (!ctx.caller.emailVerified) throw fail('session.verifyFirst')
    await throttle(ctx.app, `invite:${ctx.companyId}`, 60)
    await throttle(ctx.app, `invite:${who.email}`, 5)
  }
  const { rows: here } =
    await sql`select 1 from team where company_id = ${ctx.companyId} and email = ${who.email}`.execute(ctx.tx)
  if (here.length) throw failField('email', 'team.alreadyHere')
  const language = who.language ?? (await companyOf(ctx)).language
  const id = newId()
  const token = newToken()
  await sql`insert into invitations (company_id, id, email, full_name, job, language, type_id, sub_type_id,
      rule_id, rules, docs_allow, hide_total_prices, own_customers_only,
      hide_nav_header, is_active_button, token_hash, expires_at, invited_by, refund_limit_agorot,
      charge_limit_agorot)
    values (${ctx.companyId}, ${id}, ${who.email}, ${who.fullName}, ${who.job ?? ''}, ${language},
      ${who.typeId}, ${who.subTypeId}, ${rights.ruleId}, ${rights.rules}::int[],
      ${rights.docsAllow}::smallint[], ${rights.hideTotalPrices}, ${rights.ownCustomersOnly},
      ${rights.hideNavHeader}, ${rights.isActiveButton}, ${hashToken(token)},
      now() + make_interval(days => ${lifeDays}), ${ctx.caller.userId}, ${await sumLimitOf(ctx, 'refund')},
      ${await sumLimitOf(ctx, 'charge')})`.execute(ctx.tx)
  if (!who.noLetter)
    await queue(ctx, {
      token,
      to: who.email,
      name: who.fullName,
      language,
      accountant: who.typeId === 5 || who.typeId === 6,
    })
  await ctx.audit('workers.invite', 'workers', id, undefined, {
    name: who.fullName,
    email: who.email,
    rules: rights.rules,
    docsAllow: rights.docsAllow,
  })
  return onePerson(ctx, id)
}

/** A new link by mail; the one before ends. */
export async function resend(ctx: Ctx, person: Worker): Promise<Worker> {
  if (person.state !== 'invited') throw fail('team.notInvited')
  refuseBeyond(ctx, grantOf(person))
  await throttle(ctx.app, `invite:${person.email}`, 5)
  const token = newToken()
  // The person who sends it again answers for it from now on.
  await sql`update invitations set token_hash = ${hashToken(token)},
      expires_at = now() + make_interval(days => ${lifeDays}), invited_by = ${ctx.caller.userId},
    updated_at = now() where company_id = ${ctx.companyId} and id = ${person.id}`.execute(ctx.tx)
  await queue(ctx, {
    token,
    to: person.email,
    name: person.name,
    language: person.language,
    accountant: person.typeId === 5,
  })
  await ctx.audit('workers.resend', 'workers', person.id, undefined, {
    name: person.name,
    email: person.email,
  })
  return onePerson(ctx, person.id)
}

interface Letter {
  token: string
  to: string
  name: string
  language: Language
  accountant: boolean
}

/** The letter is sealed until it leaves, because it holds a key. */
async function queue(ctx: Ctx, letter: Letter): Promise<void> {
  const sealed = encrypt(
    ctx.app.secrets.vault,
    Buffer.from(JSON.stringify({ ...letter, by: ctx.caller.fullName })),
  ).toString('base64')
  await ctx.later('team.mail', { sealed })
}

export const mailInvitation: Job = async (ctx, payload) => {
  const { token, to, name, language, accountant, by } = JSON.parse(
    decrypt(ctx.app.secrets.vault, Buffer.from(String(payload.sealed), 'base64')).toString(),
  ) as Letter & { by: string }
  const company = await companyOf(ctx)
  // The key is after '#', which browsers never send to a server.
  const link = `${siteOf(ctx.app)}/invitation?lang=${language}#${token}`
  mailAfterCommit(ctx, {
    to,
    subject: say(language, 'team.mail.subject', { business: company.name }),
    text: say(language, accountant ? 'team.mail.accountant' : 'team.mail.text', {
      name,
      by,
      business: company.name,
      link,
      days: lifeDays,
    }),
    fromName: company.name,
    ...(company.email ? { replyTo: company.email } : {}),
  })
}
