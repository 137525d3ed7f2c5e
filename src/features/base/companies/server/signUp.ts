import { sql } from 'kysely'
import type { z } from 'zod'
import { allAreas } from '#kit/describe/area.ts'
import { Failure } from '#kit/describe/errors.ts'
import { newId, type OpenCtx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { openBooks } from '#features/base/ledger/server/index.ts'
import { versions } from '#features/base/legal/versions.ts'
import {
  askEmailVerification,
  googlePerson,
  hashChosen,
  openSession,
  sessionOf,
} from '#features/base/session/server/index.ts'
import type { signUp as call } from '../endpoints.ts'

type SignUp = z.output<typeof call.input>

/**
 * What else a sign-up means to somebody above: who sent the person here. Told inside the transaction of the
 * sign-up.
 */
type Follower = (ctx: OpenCtx, made: { companyId: string; userId: string; given: SignUp }) => Promise<void>

const followers: Follower[] = []

export const onSignUp = (follower: Follower): void => void followers.push(follower)

/**
 * A new account under an address that no other account has: with a password, with a Google account or with both.
 * Answers its id. A password that is easy to guess, also by the name of the business, is refused. Unless Google vouches for the address, a link and a code are sent there; until one of them comes back
 * the address identifies nobody.
 */
export async function newPerson(
  ctx: Pick<OpenCtx, 'app' | 'tx'>,
  given: Pick<SignUp, 'email' | 'fullName' | 'language' | 'password'> & {
    businessName: string
    phone?: string | undefined
    google?: { subject: string; email: string } | undefined
  },
): Promise<string> {
  const { tx } = ctx
  const subject = given.google?.subject ?? null
  const isVerified = given.google?.email === given.email
  const { rows } =
    await sql`select 1 from users where email = ${given.email} or google_subject = ${subject}`.execute(tx)
  if (rows.length) throw new Failure('kit.badInput', {}, [{ path: 'email', code: 'session.emailTaken' }])
  const id = newId()
  const about = [given.fullName, given.email, given.businessName]
  const hash = given.password === undefined ? null : await hashChosen(given.password, about)
  await sql`insert into users (id, email, phone, full_name, language, password_hash, google_subject,
      email_verified_at)
    values (${id}, ${given.email}, ${given.phone ?? ''}, ${given.fullName}, ${given.language}, ${hash},
      ${subject}, ${isVerified ? sql`now()` : null})`.execute(tx)
  if (!isVerified)
    await askEmailVerification(ctx, { userId: id, email: given.email, language: given.language })
  return id
}

/** Opens a business: the company, its owner, its books and the first session. */
export async function signUp(ctx: OpenCtx, given: SignUp) {
  if (given.termsAccepted === false)
    throw new Failure('kit.badInput', {}, [{ path: 'termsAccepted', code: 'session.termsNeeded' }])
  if (given.password === undefined && given.googleToken === undefined)
    throw new Failure('kit.badInput', {}, [{ path: 'password', code: 'fields.need' }])
  const google = given.googleToken === undefined ? undefined : await googlePerson(ctx, given.googleToken)
  const userId = await newPerson(ctx, { ...given, businessName: given.business.name, google })
  const companyId = await openCompany(
    ctx,
    { ...given.business, email: given.email, phone: given.phone ?? '', language: given.language },
    userId,
  )
  // The day is on the line itself. A caller without the form's tick agrees by calling.
  const terms = {
    version: versions.terms.version,
    day: versions.terms.day,
    by: given.termsAccepted ? 'form' : 'call',
  }
  await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
    values (${companyId}, ${newId()}, ${userId}, ${ctx.address}, 'companies.signUp', 'companies',
      ${companyId},
      ${JSON.stringify({ name: given.business.name, aff: given.aff, catid: given.catid, cpaid: given.cpaid, terms })})`.execute(
    ctx.tx,
  )
  if (given.area && allAreas().some(({ name }) => name === given.area))
    await sql`update companies set areas_switched = ${JSON.stringify({ [given.area]: true })}::jsonb
      where id = ${companyId}`.execute(ctx.tx)
  for (const follow of followers) await follow(ctx, { companyId, userId, given })
  return sessionOf(ctx.tx, await openSession(ctx, userId, companyId))
}

/**
 * A company with its chart of accounts and its owner; the signing certificate is made right after, behind the
 * commit.
 */
export async function openCompany(
  { tx }: Pick<OpenCtx, 'tx'>,
  business: {
    name: string
    kind: SignUp['business']['kind']
    taxId: string
    email: string
    phone: string
    language: SignUp['language']
    demo?: boolean
  },
  ownerId: string,
): Promise<string> {
  const id = newId()
  await sql`insert into companies (id, name, kind, tax_id, email, phone, language, demo, mail_subject,
      mail_text)
    values (${id}, ${business.name}, ${business.kind}, ${business.taxId}, ${business.email},
      ${business.phone}, ${business.language}, ${business.demo ?? false},
      ${say(business.language, 'companies.start.mailSubject')},
      ${say(business.language, 'companies.start.mailText')})`.execute(tx)
  await sql`insert into memberships (company_id, user_id, type_id) values (${id}, ${ownerId}, 4)`.execute(tx)
  await openBooks(tx, id, business.kind, business.language)
  await sql`insert into outbox (id, company_id, name, payload)
    values (${newId()}, ${id}, 'companies.certificate', '{}')`.execute(tx)
  return id
}
