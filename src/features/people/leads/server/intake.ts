import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { deal, type DealRule, type DealtLead } from '#domain/leads/deal.ts'
import { failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { create } from '#kit/server/described/resources.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { hear } from '#features/people/contacts/server/index.ts'
import type { Channel } from '#features/people/contacts/contacts.ts'
import { served, settle } from './served.ts'

export interface Source {
  id: string
  name: string
  channel: 'form' | 'mail' | 'api' | 'link' | 'hand' | 'facebook'
  campaign: string
  kind_id: string | null
  owner_id: string | null
}

export interface Given {
  name: string
  phone: string
  email: string
  company: string
  city: string
  message: string
  campaign: string
  own: Record<string, unknown>
}

export interface How {
  externalId?: string | undefined
  address: string
  state: 'taken' | 'toCheck' | 'dropped'
  doubts: readonly string[]
}

const digitsOf = (phone: string): string => phone.replace(/\D/g, '').replace(/^(00)?972/, '0')
const reached: Record<Source['channel'], Channel> = {
  form: 'form',
  link: 'form',
  api: 'form',
  mail: 'mail',
  hand: 'note',
  facebook: 'form',
}
const mailShape = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,250}\.[^\s@<>".]{2,}$/

/** What can be used of a way to reach somebody; a phone of four digits and a mail without a host are none. */
export function ways({ phone, email }: Pick<Given, 'phone' | 'email'>): {
  phone: string | null
  email: string | null
} {
  const mail = email.trim().toLowerCase()
  return {
    phone: digitsOf(phone).length >= 7 ? phone.trim().slice(0, 40) : null,
    email: mailShape.test(mail) ? mail : null,
  }
}

/**
 * Takes in what a source sent. A person known by phone or email as an open lead gets another contact and no second
 * lead. The marks are keys: of thirty submissions at once, one creates the lead and the others wait for it. What the
 * sender knows by its own number is taken once.
 */
export async function takeIn(
  ctx: Ctx,
  source: Source,
  given: Given,
  how: How,
): Promise<{ leadId: string | null; isNew: boolean; intakeId: string | null }> {
  const intakeId = newId()
  const { rows } = await sql<{
    id: string
  }>`insert into lead_intakes (company_id, id, source_id, external_id, given, address, state, doubts)
    values (${ctx.companyId}, ${intakeId}, ${source.id}, ${how.externalId ?? null},
      ${JSON.stringify(given)}::jsonb, ${how.address}, ${how.state}, ${[...how.doubts]}::text[])
    on conflict (company_id, source_id, external_id) where external_id is not null do nothing
    returning id`.execute(ctx.tx)
  if (!rows[0]) {
    const before = await sql<{
      lead_id: string | null
    }>`select lead_id from lead_intakes where company_id = ${ctx.companyId} and source_id = ${source.id}
        and external_id = ${how.externalId!}`.execute(ctx.tx)
    return { leadId: before.rows[0]?.lead_id ?? null, isNew: false, intakeId: null }
  }
  if (how.state !== 'taken') return { leadId: null, isNew: false, intakeId }
  return { ...(await makeOrAdd(ctx, source, given, intakeId)), intakeId }
}

/** The lead of an intake: the one there is, or a new one. */
export async function makeOrAdd(
  ctx: Ctx,
  source: Source,
  given: Given,
  intakeId: string,
): Promise<{ leadId: string; isNew: boolean }> {
  const { phone, email } = ways(given)
  if (!phone && !email && source.channel !== 'mail') throw failField('phone', 'fields.phone')
  const freshId = newId()
  // In one order everywhere, so that two who hold one each never wait for each other.
  const marks = [
    ...(email ? [`email:${email}`] : []),
    ...(phone ? [`phone:${digitsOf(phone)}`] : []),
  ].toSorted()
  let leadId: string | undefined
  for (const mark of marks) {
    await sql`insert into lead_marks (company_id, mark, lead_id)
      values (${ctx.companyId}, ${mark}, ${leadId ?? freshId}) on conflict do nothing`.execute(ctx.tx)
    const { rows } = await sql<{
      lead_id: string
    }>`select lead_id from lead_marks where company_id = ${ctx.companyId} and mark = ${mark}`.execute(ctx.tx)
    if (rows[0] && rows[0].lead_id !== freshId) leadId ??= rows[0].lead_id
  }
  // One that was written down by hand or brought in from a file has no mark yet.
  if (leadId === undefined) {
    const { rows } = await sql<{
      id: string
    }>`select id from leads where company_id = ${ctx.companyId} and outcome = 'open' and archived_at is null
      and (phone_key = ${phone ? digitsOf(phone) : null} or email = ${email}) order by created_at
      limit 1`.execute(ctx.tx)
    leadId = rows[0]?.id
  }
  const isNew = leadId === undefined
  if (leadId === undefined) {
    leadId = freshId
    const row = (await create(
      ctx,
      served,
      {
        name: given.name || email || phone || '?',
        company: given.company,
        phone,
        email,
        city: given.city,
        sourceId: source.id,
        campaign: given.campaign || source.campaign,
        kindId: source.kind_id,
        ownerId:
          source.owner_id ??
          (await nextOwner(ctx, {
            id: freshId,
            sourceId: source.id,
            kindId: source.kind_id,
            city: fold(given.city),
          })),
        own: given.own,
      },
      freshId,
    )) as Record<string, unknown>
    await settle(ctx, row)
    // One that is nobody's is news for the owners: it must not wait unseen.
    if (!row.ownerId) {
      const { rows } = await sql<{
        id: string
      }>`select user_id as id from memberships where company_id = ${ctx.companyId} and type_id = 4
          and removed_at is null`.execute(ctx.tx)
      await ring(
        ctx,
        'lead.new',
        { entity: 'leads', id: leadId },
        { title: String(row.name), source: source.name },
        rows.map(({ id }) => id),
      )
    }
  } else {
    // Marks that were taken for a lead that is not made after all are those of the one there is.
    await sql`delete from lead_marks where company_id = ${ctx.companyId} and lead_id = ${freshId}`.execute(
      ctx.tx,
    )
    for (const mark of marks)
      await sql`insert into lead_marks (company_id, mark, lead_id)
        values (${ctx.companyId}, ${mark}, ${leadId}) on conflict do nothing`.execute(ctx.tx)
    await sql`update leads set phone = coalesce(phone, ${phone}), email = coalesce(email, ${email}),
        updated_at = now() where company_id = ${ctx.companyId} and id = ${leadId}
      and ((phone is null and ${phone}::text is not null)
      or (email is null and ${email}::text is not null))`.execute(ctx.tx)
    const { rows } = await sql<{
      name: string
      owner_id: string | null
    }>`select name, owner_id from leads where company_id = ${ctx.companyId} and id = ${leadId}`.execute(
      ctx.tx,
    )
    await ring(
      ctx,
      'lead.new',
      { entity: 'leads', id: leadId },
      { title: rows[0]?.name ?? given.name, source: source.name },
      [rows[0]?.owner_id],
    )
  }
  await hear(ctx, {
    leadId,
    channel: reached[source.channel],
    direction: 'in',
    text: [given.message, given.campaign && `(${given.campaign})`].filter(Boolean).join('\n') || source.name,
    sender: [given.name, email ?? phone].filter(Boolean).join(' · '),
  })
  await sql`update lead_intakes set lead_id = ${leadId}, state = 'taken' where company_id = ${ctx.companyId}
      and id = ${intakeId}`.execute(ctx.tx)
  return { leadId, isNew }
}

export const readRules = async (ctx: Ctx, forUpdate = false): Promise<DealRule[]> => {
  const { rows } =
    await sql<DealRule>`select id, source_id as "sourceId", kind_id as "kindId", cities, how, people,
        last_person as "lastPerson" from lead_rules
    where company_id = ${ctx.companyId} and is_on and archived_at is null order by position, created_at,
      id ${forUpdate ? sql`for update` : sql``}`.execute(ctx.tx)
  return rows.map((rule) => ({ ...rule, cities: rule.cities.map(fold) }))
}

export async function readAway(ctx: Ctx): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string
  }>`select user_id as id from lead_absences where company_id = ${ctx.companyId}
      and until_day >= ${ctx.today}::date
    union select user_id from memberships where company_id = ${ctx.companyId}
      and (removed_at is not null or blocked_at is not null)`.execute(ctx.tx)
  return new Set(rows.map(({ id }) => id))
}

export async function readLoads(ctx: Ctx): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; n: number }>`select owner_id as id, count(*)::int as n from leads
    where company_id = ${ctx.companyId} and outcome = 'open' and archived_at is null and owner_id is not null
    group by 1`.execute(ctx.tx)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/**
 * The next person in turn, locked until the lead is assigned: of two leads at once the second sees the turn of the
 * first.
 */
async function nextOwner(ctx: Ctx, lead: DealtLead): Promise<string | null> {
  const rules = await readRules(ctx, true)
  if (!rules.length) return null
  const [dealt] = deal([lead], rules, await readLoads(ctx), await readAway(ctx))
  if (!dealt) return null
  await sql`update lead_rules set last_person = ${dealt.to} where company_id = ${ctx.companyId}
      and id = ${dealt.ruleId}`.execute(ctx.tx)
  return dealt.to
}
