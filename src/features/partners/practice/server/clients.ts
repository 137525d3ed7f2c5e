import { sql } from 'kysely'
import { dayInJerusalem, startOfMonth } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { allRules } from '#kit/describe/session.ts'
import { brandFor, siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import { underBrand } from '#kit/server/work/threads/currentBusiness.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { sendMailOf } from '#kit/server/outside/mail.ts'
import type { SystemJob } from '#kit/server/work/jobs.ts'
import { throttle } from '#kit/server/http/throttle.ts'
import { hashToken, encrypt, newToken, decrypt } from '#kit/server/rights/vault.ts'
import { say } from '#kit/server/words.ts'
import { newPerson, openCompany } from '#features/base/companies/server/index.ts'
import { makeAutoLogin, openSession, sessionOf } from '#features/base/session/server/index.ts'
import type { EngagementRight } from '../endpoints.ts'
import { templatesOf } from './cockpit.ts'
import { inClient, managedOffice, officeIfAny, settlePeople, type Who } from './office.ts'
import { summariseEach } from './facts.ts'

const done = { done: true as const }
const inviteDays = 14

interface NewOffice {
  name: string
  kind: 'licensedDealer' | 'partnership' | 'company' | 'nonProfit' | 'exemptDealer'
  taxId: string
  licence: string
}

/** The office as a separate business with its manager in it. */
async function makeOffice(
  tx: Tx,
  office: NewOffice,
  of: { userId: string; email: string; phone: string; language: Language; address: string },
): Promise<string> {
  const id = await openCompany(
    { tx },
    { ...office, email: of.email, phone: of.phone, language: of.language },
    of.userId,
  )
  await sql`update memberships set type_id = 6 where company_id = ${id} and user_id = ${of.userId}`.execute(
    tx,
  )
  await sql`insert into offices (company_id, licence, join_key)
    values (${id}, ${office.licence}, ${newToken().slice(0, 24)})`.execute(tx)
  await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
    values (${id}, ${newId()}, ${of.userId}, ${of.address}, 'practice.open', 'companies', ${id},
      ${JSON.stringify({ name: office.name })})`.execute(tx)
  return id
}

export async function signUpCpa(
  ctx: OpenCtx,
  given: {
    email: string
    password: string
    fullName: string
    phone?: string | undefined
    office: NewOffice
    language: Language
  },
) {
  const userId = await newPerson(ctx, { ...given, businessName: given.office.name })
  const phone = given.phone ?? ''
  const id = await makeOffice(ctx.tx, given.office, {
    userId,
    email: given.email,
    phone,
    language: given.language,
    address: ctx.address,
  })
  return sessionOf(ctx.tx, await openSession(ctx, userId, id))
}

/** A person with a log-in, such as an accountant whom clients invited one by one, opens an office. */
export async function openOffice(ctx: Ctx, office: NewOffice): Promise<{ id: string }> {
  if (await officeIfAny(ctx)) throw fail('practice.haveOne')
  const { caller } = ctx
  const id = await asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<{
      email: string
      phone: string
    }>`select email, phone from users where id = ${caller.userId}`.execute(tx)
    return makeOffice(tx, office, {
      userId: caller.userId,
      ...rows[0]!,
      language: caller.language,
      address: ctx.address,
    })
  })
  setImmediate(ctx.app.nudge)
  return { id }
}

export async function myOffice(who: Who) {
  const office = await officeIfAny(who)
  if (!office) return { office: null }
  const templates = await templatesOf(who, office)
  return asSystem(who.app.db, async (tx) => {
    const { rows } = await sql<{
      name: string
      licence: string
      joinKey: string
    }>`select c.name, o.licence, o.join_key as "joinKey" from offices o
      join companies c on c.id = o.company_id where o.company_id = ${office.id}`.execute(tx)
    const { rows: people } = await sql<{
      id: string
      name: string
      isManager: boolean
    }>`select u.id, u.full_name as name, m.type_id = 6 as "isManager" from memberships m
      join users u on u.id = m.user_id
      where m.company_id = ${office.id} and m.type_id in (5, 6) and m.blocked_at is null
        and m.removed_at is null order by u.full_name, u.id`.execute(tx)
    const { joinKey, ...rest } = rows[0]!
    return {
      office: {
        id: office.id,
        ...rest,
        isManager: office.isManager,
        isHere: who.caller.companyId === office.id,
        joinUrl: `${siteOf(who.app)}/signupinvoice?cpaid=${joinKey}`,
        people,
        templates,
      },
    }
  })
}

/**
 * Asks the owner of a business by email. Whether the owner has a log-in or a business here is not checked: the
 * answer is the same.
 */
export async function inviteClient(
  who: Who,
  { email, name, rights }: { email: string; name: string; rights: EngagementRight[] },
): Promise<{ id: string }> {
  const office = await managedOffice(who)
  await throttle(who.app, `invite:${email}`, 5)
  const id = newId()
  const token = newToken()
  await asSystem(who.app.db, async (tx) => {
    // A second invitation takes the place of the first, whose link ends.
    await sql`update office_invites set revoked_at = now() where company_id = ${office.id}
        and email = ${email} and used_at is null and revoked_at is null`.execute(tx)
    await sql`insert into office_invites (company_id, id, email, name, rights, token_hash, expires_at,
        invited_by)
      values (${office.id}, ${id}, ${email}, ${name}, ${rights}::text[], ${hashToken(token)},
        now() + make_interval(days => ${inviteDays}), ${office.userId})`.execute(tx)
    const letter = {
      token,
      to: email,
      name,
      officeId: office.id,
      by: who.caller.fullName,
      language: who.caller.language,
    }
    const sealed = encrypt(who.app.secrets.vault, Buffer.from(JSON.stringify(letter))).toString('base64')
    await sql`insert into outbox (id, company_id, name, payload)
      values (${newId()}, null, 'practice.mail', ${JSON.stringify({ sealed })})`.execute(tx)
    await sql`insert into audit_log (company_id, id, user_id, action, entity, entity_id, after)
      values (${office.id}, ${newId()}, ${office.userId}, 'practice.invite', 'engagements', ${id},
        ${JSON.stringify({ name, email, rights })})`.execute(tx)
  })
  setImmediate(who.app.nudge)
  return { id }
}

export const systemJobs: Record<string, SystemJob> = {
  'practice.mail': async (app, payload) => {
    const letter = JSON.parse(
      decrypt(app.secrets.vault, Buffer.from(String(payload.sealed), 'base64')).toString(),
    ) as {
      token: string
      to: string
      name: string
      officeId: string
      by: string
      language: Language
    }
    const { rows } = await sql<{
      name: string
      email: string
    }>`select name, email from companies where id = ${letter.officeId}`.execute(app.db.kysely)
    const [office] = rows
    if (!office) return
    const brand = await brandFor(app, letter.officeId)
    await underBrand(brand, async () => {
      const said = {
        name: letter.name,
        office: office.name,
        by: letter.by,
        days: inviteDays,
        link: `${siteOf(app)}/officeinvitation#${letter.token}`,
      }
      await sendMailOf(
        { app, companyId: letter.officeId },
        {
          to: letter.to,
          subject: say(letter.language, 'practice.mail.subject', said),
          text: say(letter.language, 'practice.mail.text', said),
          fromName: office.name,
          ...(office.email ? { replyTo: office.email } : {}),
        },
      )
    })
  },
}

export async function listInvites(who: Who) {
  const office = await managedOffice(who)
  return asSystem(who.app.db, async (tx) => {
    const { rows } = await sql<{
      id: string
      name: string
      email: string
      expiresAt: string
      isOver: boolean
    }>`select id, name, email, expires_at as "expiresAt", expires_at < now() as "isOver" from office_invites
      where company_id = ${office.id} and used_at is null and revoked_at is null order by created_at desc
      limit 200`.execute(tx)
    return { rows }
  })
}

export async function dropInvite(who: Who, { id }: { id: string }) {
  const office = await managedOffice(who)
  const { rows } =
    await sql`update office_invites set revoked_at = now() where company_id = ${office.id} and id = ${id}
        and used_at is null and revoked_at is null returning 1`.execute(who.app.db.kysely)
  if (!rows.length) throw fail('kit.notFound')
  return done
}

interface Invite {
  company_id: string
  id: string
  office: string
  by: string
  by_id: string
  licence: string
  email: string
  name: string
  rights: EngagementRight[]
}

async function inviteOf(tx: Tx, token: string, lock = false): Promise<Invite> {
  const { rows } =
    await sql<Invite>`select i.company_id, i.id, c.name as office, u.full_name as by, i.invited_by as by_id,
        o.licence, i.email, i.name, i.rights
      from office_invites i join offices o on o.company_id = i.company_id
      join companies c on c.id = i.company_id join users u on u.id = i.invited_by
      where i.token_hash = ${hashToken(token)} and i.used_at is null and i.revoked_at is null
        and i.expires_at > now() ${lock ? sql`for update of i` : sql``}`.execute(tx)
  if (!rows[0]) throw fail('practice.linkEnded')
  return rows[0]
}

export async function seeInvite(ctx: OpenCtx, { token }: { token: string }) {
  const { office, by, licence, email, name, rights } = await inviteOf(ctx.tx, token)
  return { office, by, licence, email, name, rights }
}

/** Only the owner of the business lets strangers into its books. */
function refuseNoOwner({ caller }: Ctx): void {
  if (
    caller.typeId !== 4 ||
    caller.rules.length > 0 ||
    caller.docsAllow.length > 0 ||
    caller.ownCustomersOnly ||
    caller.hideTotalPrices
  )
    throw fail('practice.notOwner')
}

export async function acceptInvite(
  ctx: Ctx,
  { token, rights }: { token: string; rights: EngagementRight[] },
) {
  refuseNoOwner(ctx)
  await asSystem(ctx.app.db, async (tx) => {
    const invite = await inviteOf(tx, token, true)
    if (invite.company_id === ctx.companyId) throw fail('practice.ownOffice')
    await sql`update office_invites set used_at = now(), client_id = ${ctx.companyId}
      where company_id = ${invite.company_id} and id = ${invite.id}`.execute(tx)
    await agree(tx, ctx, invite.company_id, rights, invite.by_id)
  })
  await ctx.audit('practice.consent', 'engagements', null, undefined, { rights })
  setImmediate(() => void summariseEach(ctx.app, [ctx.companyId], [usual(ctx)]).catch(() => undefined))
  return done
}

const usual = (ctx: Ctx) => {
  const now = startOfMonth(dayInJerusalem(ctx.now))
  const [year, month] = now.split('-').map(Number) as [number, number]
  return month === 1 ? `${year - 1}-12-01` : `${year}-${String(month - 1).padStart(2, '0')}-01`
}

async function agree(
  tx: Tx,
  ctx: Ctx,
  officeId: string,
  rights: EngagementRight[],
  askedBy: string,
): Promise<void> {
  await sql`insert into engagements (company_id, client_id, state, rights, asked_by, consented_by,
      consented_at)
    values (${officeId}, ${ctx.companyId}, 'active', ${rights}::text[], ${askedBy}, ${ctx.caller.userId},
      now())
    on conflict (company_id, client_id) do update set state = 'active', rights = excluded.rights,
      consented_by = excluded.consented_by, consented_at = now(),
      ended_at = null, ended_by = null, end_reason = ''`.execute(tx)
  await settlePeople(tx, allRules(), officeId)
}

/** A business that signed up by an office's link asks for it; its owner still has to agree. */
export async function askByLink(tx: Tx, companyId: string, userId: string, joinKey: string): Promise<void> {
  await sql`insert into engagements (company_id, client_id, state, rights, asked_by)
    select o.company_id, ${companyId}, 'asked', '{enter,post,close,file}', ${userId} from offices o
    where o.join_key = ${joinKey} and o.company_id <> ${companyId}
    on conflict do nothing`.execute(tx)
}

export async function myOffices(ctx: Ctx) {
  const { companyId } = ctx
  return asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<{
      officeId: string
      name: string
      licence: string
      state: 'asked' | 'active' | 'paused' | 'ended'
      rights: EngagementRight[]
      askedBy: string
      askedAt: string
      consentedAt: string | null
      people: { name: string; seenAt: string | null }[]
    }>`select e.company_id as "officeId", c.name, o.licence, e.state, e.rights, u.full_name as "askedBy",
        e.asked_at as "askedAt", e.consented_at as "consentedAt",
        coalesce((select jsonb_agg(jsonb_build_object('name', p.full_name, 'seenAt', m.seen_at)
        order by p.full_name) from memberships m join users p on p.id = m.user_id
          where m.company_id = e.client_id and m.office_id = e.company_id and m.removed_at is null), '[]') as
            people
      from engagements e join offices o on o.company_id = e.company_id join companies c on c.id = e.company_id
      join users u on u.id = e.asked_by
      where e.client_id = ${companyId} and e.state <> 'ended' order by c.name`.execute(tx)
    const { rows: months } = await sql<{
      month: string
      signed: number
      note: string
      isClosed: boolean
      isPaid: boolean
    }>`select to_char(c.month, 'YYYY-MM') as month, c.note, c.paid_at is not null as "isPaid",
        (select count(*)::int
        from (select distinct on (line) deed from closing_marks m where m.company_id = c.company_id
          and m.month = c.month order by line, at desc) l where l.deed = 'signed') as signed,
        exists (select 1 from locked_periods p where p.company_id = c.company_id and p.reopened_at is null
        and p.kind in ('month', 'year') and c.month between p.from_day and p.to_day) as "isClosed"
      from closings c where c.company_id = ${companyId} order by c.month desc limit 12`.execute(tx)
    return { rows, months }
  })
}

export async function consentOffice(
  ctx: Ctx,
  { officeId, rights }: { officeId: string; rights: EngagementRight[] },
) {
  refuseNoOwner(ctx)
  await asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<{
      asked_by: string
      state: string
    }>`select asked_by, state from engagements where company_id = ${officeId} and client_id = ${ctx.companyId}
        and state <> 'ended' for update`.execute(tx)
    if (!rows[0]) throw fail('kit.notFound')
    // A pause is the office's own; changing the rights does not end it.
    if (rows[0].state === 'paused')
      await sql`update engagements set rights = ${rights}::text[] where company_id = ${officeId}
          and client_id = ${ctx.companyId}`.execute(tx)
    else await agree(tx, ctx, officeId, rights, rows[0].asked_by)
  })
  await ctx.audit('practice.consent', 'engagements', officeId, undefined, { rights })
  setImmediate(() => void summariseEach(ctx.app, [ctx.companyId], [usual(ctx)]).catch(() => undefined))
  return done
}

export async function endOffice(ctx: Ctx, { officeId, reason }: { officeId: string; reason: string }) {
  refuseNoOwner(ctx)
  await asSystem(ctx.app.db, async (tx) => {
    const { rows } =
      await sql`update engagements set state = 'ended', ended_at = now(), ended_by = ${ctx.caller.userId},
          end_reason = ${reason}
      where company_id = ${officeId} and client_id = ${ctx.companyId} and state <> 'ended'
      returning 1`.execute(tx)
    if (!rows.length) throw fail('kit.notFound')
    await forget(tx, officeId, ctx.companyId)
  })
  await ctx.audit('practice.end', 'engagements', officeId, undefined, { reason })
  return done
}

/** Nothing of what the office knew of a client stays with it, and nobody of it stays inside. */
async function forget(tx: Tx, officeId: string, clientId: string): Promise<void> {
  await sql`delete from duty_summaries where company_id = ${officeId} and client_id = ${clientId}`.execute(tx)
  await sql`delete from office_clients where company_id = ${officeId} and client_id = ${clientId}`.execute(tx)
  await settlePeople(tx, allRules(), officeId)
}

export async function pauseClient(
  who: Who,
  { clientId, as }: { clientId: string; as: 'active' | 'paused' | 'ended' },
) {
  const office = await managedOffice(who)
  await asSystem(who.app.db, async (tx) => {
    const { rows } =
      await sql`update engagements set state = ${as}, ended_at = case when ${as} = 'ended' then now() end,
        ended_by = case when ${as} = 'ended' then ${office.userId}::uuid end
      where company_id = ${office.id} and client_id = ${clientId} and state in ('active', 'paused')
        and consented_by is not null returning 1`.execute(tx)
    if (!rows.length) throw fail('kit.notFound')
    await (as === 'ended' ? forget(tx, office.id, clientId) : settlePeople(tx, allRules(), office.id))
    await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
      values (${clientId}, ${newId()}, ${office.userId}, 'office', 'practice.pause', 'engagements',
        ${office.id}, ${JSON.stringify({ state: as })})`.execute(tx)
  })
  return done
}

export async function wayIn(who: Who, { clientId }: { clientId: string }) {
  return makeAutoLogin(
    who.app,
    await inClient(who, clientId, async ({ caller }) => ({
      userId: caller.userId,
      companyId: clientId,
      path: '/cpa/main',
      madeBy: caller.userId,
      madeIn: 'office' as const,
    })),
  )
}
