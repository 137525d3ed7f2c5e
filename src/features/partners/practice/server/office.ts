import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, type App, type Caller, type Ctx } from '#kit/server/context.ts'
import { asSystem, type Tx } from '#kit/server/data/db.ts'
import { callerElsewhere } from '#features/base/session/server/index.ts'
import type { EngagementRight } from '../endpoints.ts'

/*
 * The wall of the office. A session is in the office or in one of its clients, and the office lies outside of both:
 * what a person reads of it is read as the system, always by that person's id, through this file.
 */

export interface Office {
  id: string
  userId: string
  isManager: boolean
}

/** The caller, in whatever business the session is. */
export interface Who {
  app: App
  caller: Caller
}

/** The office of a person: the one the session is in, else the first the person belongs to; 404 for everybody else. */
export async function officeOf({ app, caller }: Who): Promise<Office> {
  const found = await officeIfAny({ app, caller })
  if (!found) throw fail('kit.notFound')
  return found
}

export async function officeIfAny({ app, caller }: Who): Promise<Office | undefined> {
  // A program's key belongs to one business and sees no other.
  if (caller.apiKey) return undefined
  const { rows } = await app.db.pool.query<{ id: string; isManager: boolean }>({
    name: 'office-of',
    text: `select o.company_id as id, m.type_id = 6 as "isManager" from offices o join memberships m on m.company_id = o.company_id
      where m.user_id = $1 and m.type_id in (5, 6) and m.blocked_at is null and m.removed_at is null and (allows_all(m.rules) or 260 = any(m.rules))
      order by o.company_id = $2 desc, m.created_at limit 1`,
    values: [caller.userId, caller.companyId],
  })
  return rows[0] && { ...rows[0], userId: caller.userId }
}

export async function managedOffice(who: Who): Promise<Office> {
  const office = await officeOf(who)
  if (!office.isManager) throw fail('practice.managerOnly')
  return office
}

/**
 * The clients a person of the office may enter: all for its manager and for people with that right, else those
 * assigned to the person.
 */
export const entersClient = (office: Office) => sql<boolean>`(${office.isManager}
  or e.responsible_id = ${office.userId}
  or exists (select 1 from office_people p where p.company_id = e.company_id and p.user_id = ${office.userId}
  and p.all_clients)
  or exists (select 1 from office_clients c where c.company_id = e.company_id and c.client_id = e.client_id
  and c.user_id = ${office.userId}))`

export interface Engagement {
  clientId: string
  name: string
  rights: EngagementRight[]
  templateId: string | null
  kind: string
}

/** The engagements of these clients that stand and that the person may enter, by their names. */
export async function engagementsOf(
  { app }: Who,
  office: Office,
  clientIds?: readonly string[],
): Promise<Engagement[]> {
  return asSystem(app.db, async (tx) => {
    const { rows } =
      await sql<Engagement>`select e.client_id as "clientId", c.name, e.rights, e.template_id as "templateId",
          c.kind
      from engagements e join companies c on c.id = e.client_id
      where e.company_id = ${office.id}
        and e.state = 'active' ${clientIds ? sql`and e.client_id = any(${[...clientIds]}::uuid[])` : sql``}
        and ${entersClient(office)}
      order by c.name, c.id`.execute(tx)
    return rows
  })
}

/**
 * Works inside a client, as the office's person there: with the rights that the client agreed to, recorded in the
 * client's log. 404 when nothing is agreed, or no longer, at this very moment.
 */
export async function inClient<T>(
  who: Who,
  clientId: string,
  work: (ctx: Ctx, engagement: Engagement) => Promise<T>,
): Promise<T> {
  const office = await officeOf(who)
  const [engagement] = await engagementsOf(who, office, [clientId])
  const caller = engagement && (await callerElsewhere(who.app, clientId, who.caller))
  if (!engagement || !caller) throw fail('kit.notFound')
  return asCaller(who.app, caller, 'office', (ctx) => work(ctx, engagement))
}

/** What a client's person of the office may do, by what was agreed; numbers of rules stand in memberships. */
export const sees = [
  'documents.see',
  'customers.see',
  'suppliers.see',
  'items.see',
  'prices.see',
  'projects.see',
  'payments.see',
  'supplierPayments.see',
  'expenses.see',
  'files.see',
  'ledger.see',
  'bank.see',
  'matching.see',
  'assets.see',
  'vat.see',
  'filings.see',
  'allocation.see',
  'companies.see',
  'requests.see',
  'requests.make',
  'reports.sales',
  'reports.debts',
  'reports.expenses',
  'reports.tax',
  'reports.accounting',
] as const
export const opens: Record<EngagementRight, readonly string[]> = {
  enter: ['expenses.enter', 'suppliers.change', 'bank.change', 'files.change'],
  post: [
    'ledger.change',
    'journal.enter',
    'journal.post',
    'matching.change',
    'codingRules.change',
    'assets.change',
  ],
  close: ['periods.change'],
  file: ['vat.file', 'filings.make', 'allocation.change', 'uniform.export'],
}

/**
 * Runs after every change of offices, people and engagements: who may enter which client follows from them,
 * and those who may no longer are out at once.
 */
export async function settlePeople(
  tx: Tx,
  numbers: ReadonlyMap<string, number>,
  officeId?: string,
): Promise<void> {
  const of = (names: readonly string[]): number[] => names.flatMap((name) => numbers.get(name) ?? [])
  const base = of(sees)
  const more = Object.fromEntries(Object.entries(opens).map(([right, names]) => [right, of(names)]))
  const ofOffice = officeId ? sql`and e.company_id = ${officeId}` : sql``
  const wanted = sql`select e.company_id as office_id, e.client_id, m.user_id,
      (select array_agg(distinct n order by n) from unnest(${base}::int[]
        || case when 'enter' = any(e.rights) then ${more.enter!}::int[] else '{}' end || case
        when 'post' = any(e.rights) then ${more.post!}::int[] else '{}' end
        || case when 'close' = any(e.rights) then ${more.close!}::int[] else '{}' end || case
        when 'file' = any(e.rights) then ${more.file!}::int[] else '{}' end) n) as rules
    from engagements e join memberships m on m.company_id = e.company_id and m.type_id in (5, 6)
      and m.blocked_at is null and m.removed_at is null
    where e.state = 'active' ${ofOffice} and (m.type_id = 6 or e.responsible_id = m.user_id
      or exists (select 1 from office_people p where p.company_id = e.company_id and p.user_id = m.user_id
      and p.all_clients)
      or exists (select 1 from office_clients c where c.company_id = e.company_id
      and c.client_id = e.client_id and c.user_id = m.user_id))`
  await sql`insert into memberships as t (company_id, user_id, type_id, rules, office_id)
    select w.client_id, w.user_id, 5, w.rules, w.office_id from (${wanted}) w order by w.client_id, w.user_id
    on conflict (company_id, user_id) do update set type_id = 5, rules = excluded.rules, docs_allow = '{}',
      hide_total_prices = false, own_customers_only = false,
      office_id = excluded.office_id, removed_at = null
    where (t.office_id = excluded.office_id and (t.removed_at is not null or t.rules is distinct
    from excluded.rules)) or (t.removed_at is not null and t.office_id is null and t.type_id = 5)`.execute(tx)
  const { rows: gone } = await sql<{
    company_id: string
    user_id: string
    office_id: string
  }>`update memberships t set removed_at = now()
    where t.office_id is not null
      and t.removed_at is null ${officeId ? sql`and t.office_id = ${officeId}` : sql``}
      and not exists (select 1 from (${wanted}) w where w.client_id = t.company_id and w.user_id = t.user_id
      and w.office_id = t.office_id)
    returning t.company_id, t.user_id, t.office_id`.execute(tx)
  // A session that is in the client at this moment returns to the office it came from, or is logged out.
  for (const { company_id: clientId, user_id: userId, office_id: office } of gone) {
    await sql`update sessions set company_id = ${office} where company_id = ${clientId}
        and user_id = ${userId}
      and exists (select 1 from memberships m where m.company_id = ${office} and m.user_id = ${userId}
      and m.blocked_at is null and m.removed_at is null)`.execute(tx)
    await sql`delete from sessions where company_id = ${clientId} and user_id = ${userId}`.execute(tx)
  }
}
