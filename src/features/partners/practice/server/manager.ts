import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { allRules } from '#kit/describe/session.ts'
import { asCaller, newId } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { callerElsewhere } from '#features/base/session/server/index.ts'
import { invite, settleRights } from '#features/base/team/server/index.ts'
import { rowsOf, usualMonth } from './cockpit.ts'
import { managedOffice, settlePeople, type Office, type Who } from './office.ts'

const done = { done: true as const }

/**
 * The office as its manager sees it: people, who has which clients, what is late, and what was done where.
 */
export async function load(who: Who, { month }: { month?: string | undefined }) {
  const office = await managedOffice(who)
  const first = month ? `${month}-01` : usualMonth(who)
  const rows = await rowsOf(who, office, first)
  return asSystem(who.app.db, async (tx) => {
    const { rows: people } = await sql<{
      id: string
      name: string
      email: string
      isManager: boolean
      isInvited: boolean
      allClients: boolean
      given: number
      seenAt: string | null
    }>`select t.id, t.name, t.email, t.type_id = 6 as "isManager", t.state = 'invited' as "isInvited",
        t.type_id = 6 or coalesce(p.all_clients, false) as "allClients",
        (select count(*)::int from engagements e where e.company_id = t.company_id and e.state = 'active'
        and (e.responsible_id = t.id
          or exists (select 1 from office_clients c where c.company_id = e.company_id
          and c.client_id = e.client_id and c.user_id = t.id))) as given,
        (select max(m.seen_at) from memberships m
        where m.user_id = t.id and (m.company_id = t.company_id or m.office_id = t.company_id)) as "seenAt"
      from team t left join office_people p on p.company_id = t.company_id and p.user_id = t.id
      where t.company_id = ${office.id} and t.type_id in (5, 6) and t.state <> 'blocked'
      order by t.state = 'invited', t.name, t.id`.execute(tx)
    const { rows: clients } = await sql<{
      id: string
      name: string
      taxId: string
      state: 'asked' | 'active' | 'paused' | 'ended'
      responsibleId: string | null
      templateId: string | null
      feeAgorot: number | null
      people: string[]
    }>`select e.client_id as id, c.name, c.tax_id as "taxId", e.state, e.responsible_id as "responsibleId",
        e.template_id as "templateId", e.fee_agorot as "feeAgorot",
        array(select o.user_id::text from office_clients o where o.company_id = e.company_id
        and o.client_id = e.client_id order by 1) as people
      from engagements e join companies c on c.id = e.client_id where e.company_id = ${office.id}
        and e.state <> 'ended' order by c.name, c.id`.execute(tx)
    // The log of each client, of what people of this office did there, while they may be there.
    const { rows: deeds } = await sql<{
      id: string
      at: string
      by: string
      client: string
      action: string
    }>`select a.id, a.at, u.full_name as by, c.name as client, a.action from engagements e
      join companies c on c.id = e.client_id
        join memberships m on m.company_id = e.client_id and m.office_id = e.company_id
        join lateral (select l.id, l.at, l.action, l.user_id from audit_log l where l.company_id = e.client_id
          and l.user_id = m.user_id and l.at > now() - interval '60 days'
          order by l.at desc, l.id desc limit 30) a on true
        join users u on u.id = a.user_id
      where e.company_id = ${office.id} and e.state = 'active' order by a.at desc, a.id desc
      limit 100`.execute(tx)
    return {
      month: first.slice(0, 7),
      people: people.map(({ given, ...person }) => {
        const own = rows.filter(({ responsible }) => responsible?.id === person.id)
        const isDone = (closing: string | null) => closing === 'filed' || closing === 'paid'
        return {
          ...person,
          responsible: own.length,
          clients: person.allClients ? rows.filter(({ state }) => state === 'active').length : given,
          late: own.filter(({ closing, daysLeft }) => daysLeft < 0 && !isDone(closing)).length,
          done: own.filter(({ closing }) => isDone(closing)).length,
          waiting: own.filter(({ closing }) => closing === 'waiting').length,
        }
      }),
      clients,
      deeds,
    }
  })
}

interface Assign {
  clientIds: string[]
  responsibleId?: string | null | undefined
  templateId?: string | null | undefined
  feeAgorot?: number | null | undefined
  people?: string[] | undefined
}

export async function assign(who: Who, given: Assign) {
  const office = await managedOffice(who)
  const people = [
    ...new Set([...(given.people ?? []), ...(given.responsibleId ? [given.responsibleId] : [])]),
  ]
  await asSystem(who.app.db, async (tx) => {
    const { rows: known } = await sql<{
      id: string
    }>`select user_id as id from memberships where company_id = ${office.id}
        and user_id = any(${people}::uuid[]) and type_id in (5, 6) and blocked_at is null
        and removed_at is null`.execute(tx)
    if (known.length !== people.length) throw fail('kit.notFound')
    if (given.templateId) {
      const { rows } =
        await sql`select 1 from closing_templates where company_id = ${office.id} and id = ${given.templateId}
            and archived_at is null`.execute(tx)
      if (!rows.length) throw fail('kit.notFound')
    }
    const { rows } = await sql<{ id: string }>`update engagements set
        responsible_id = case when ${given.responsibleId === undefined} then responsible_id
        else ${given.responsibleId ?? null}::uuid end,
        template_id = case when ${given.templateId === undefined} then template_id
        else ${given.templateId ?? null}::uuid end,
        fee_agorot = case when ${given.feeAgorot === undefined} then fee_agorot
        else ${given.feeAgorot ?? null}::bigint end
      where company_id = ${office.id} and client_id = any(${given.clientIds}::uuid[]) and state <> 'ended'
      returning client_id as id`.execute(tx)
    if (rows.length !== new Set(given.clientIds).size) throw fail('kit.notFound')
    if (given.people) {
      await sql`delete from office_clients where company_id = ${office.id}
          and client_id = any(${given.clientIds}::uuid[])`.execute(tx)
      await sql`insert into office_clients (company_id, client_id, user_id) select ${office.id}, c, p
        from unnest(${given.clientIds}::uuid[]) c, unnest(${given.people}::uuid[]) p
        on conflict do nothing`.execute(tx)
    }
    await keepInLog(tx, office, 'practice.assign', { entity: 'engagements', after: given })
    await settlePeople(tx, allRules(), office.id)
  })
  return done
}

/** Records a manager's action in the office's own log. */
const keepInLog = (
  tx: Tx,
  office: Office,
  action: string,
  { entity, id, after }: { entity: string; id?: string; after: object },
) =>
  sql`insert into audit_log (company_id, id, user_id, action, entity, entity_id, after)
    values (${office.id}, ${newId()}, ${office.userId}, ${action}, ${entity}, ${id ?? null},
      ${JSON.stringify(after)})`.execute(tx)

export async function seeAll(who: Who, { id, all }: { id: string; all: boolean }) {
  const office = await managedOffice(who)
  await asSystem(who.app.db, async (tx) => {
    const { rows } =
      await sql`select 1 from memberships where company_id = ${office.id} and user_id = ${id} and type_id = 5
          and removed_at is null`.execute(tx)
    if (!rows.length) throw fail('kit.notFound')
    await sql`insert into office_people (company_id, user_id, all_clients)
      values (${office.id}, ${id}, ${all})
      on conflict (company_id, user_id) do update set all_clients = excluded.all_clients`.execute(tx)
    await keepInLog(tx, office, 'practice.seeAll', { entity: 'users', id, after: { all } })
    await settlePeople(tx, allRules(), office.id)
  })
  return done
}

/** Rights in the office's own business: an assistant works in the office and has no look at its books. */
const colleague = ['practice.use', 'tasks.see', 'tasks.change']

export async function inviteColleague(
  who: Who,
  { email, fullName, isManager }: { email: string; fullName: string; isManager: boolean },
) {
  const office = await managedOffice(who)
  const caller = await callerElsewhere(who.app, office.id, who.caller)
  if (!caller) throw fail('kit.notFound')
  await asCaller(who.app, caller, '', async (ctx) => {
    const numbers = colleague.flatMap((name) => allRules().get(name) ?? [])
    const rights = await settleRights(
      ctx,
      isManager ? { rules: [], everything: true } : { rules: numbers },
      undefined,
    )
    await invite(ctx, { email, fullName, typeId: isManager ? 6 : 5, subTypeId: 0 }, rights)
  })
  return done
}

export async function keepTemplate(
  who: Who,
  {
    id,
    name,
    kinds,
    skips,
    own,
  }: { id: string | null; name: string; kinds: string[]; skips: string[]; own: string[] },
) {
  const office = await managedOffice(who)
  const kept = id ?? newId()
  await asSystem(who.app.db, async (tx) => {
    const { rows } = id
      ? await sql`update closing_templates set name = ${name}, kinds = ${kinds}::text[],
          skips = ${skips}::text[], own = ${own}::text[], updated_at = now()
          where company_id = ${office.id} and id = ${id} and archived_at is null returning 1`.execute(tx)
      : await sql`insert into closing_templates (company_id, id, name, kinds, skips, own)
          values (${office.id}, ${kept}, ${name}, ${kinds}::text[], ${skips}::text[], ${own}::text[])
          returning 1`.execute(tx)
    if (!rows.length) throw fail('kit.notFound')
    await keepInLog(tx, office, 'practice.keepTemplate', {
      entity: 'closings',
      id: kept,
      after: { name, kinds, skips, own },
    })
  })
  return { id: kept }
}

export async function dropTemplate(who: Who, { id }: { id: string }) {
  const office = await managedOffice(who)
  await asSystem(who.app.db, async (tx) => {
    const { rows } = await sql<{
      name: string
    }>`update closing_templates set archived_at = now() where company_id = ${office.id} and id = ${id}
        and archived_at is null returning name`.execute(tx)
    if (!rows[0]) throw fail('kit.notFound')
    await keepInLog(tx, office, 'practice.dropTemplate', {
      entity: 'closings',
      id,
      after: { name: rows[0].name },
    })
    await sql`update engagements set template_id = null where company_id = ${office.id}
        and template_id = ${id}`.execute(tx)
  })
  return done
}
