import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin, wholeShare } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import { create, serveResource, type ServedResource } from '#kit/server/described/resources.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import type { Customer } from '../customers.ts'
import * as calls from '../endpoints.ts'
import { customerAddresses, customerContacts } from '../people.ts'
import { agents, customerFields, customerStatuses, customerTypes, portfolios } from '../classifications.ts'
import '../rules.ts'
import './events.ts'
import { activity } from './activity.ts'
import { giveConsent, takeConsentBack } from './consent.ts'
import { servedHoldings, servedPackages } from './holdings.ts'
import { changeMany, setOrder, tagsInUse } from './bulkChange.ts'
import { merge } from './merge.ts'
import {
  decide,
  makeLink,
  page,
  pageLogo,
  proposals,
  register,
  showLink,
  switchLink,
} from './registration.ts'
import { saidTerms, served, servedOnTheWay, settledTerms } from './served.ts'
import { doubles, twinsOf } from './duplicates.ts'

registerAttachable('customers', { see: 'customers.see', change: 'customers.change', table: 'parties' })

/** How many living customers stand under it. */
const counted = (column: string) => ({
  customers: sql`(select count(*) from parties p where p.company_id = t.company_id
      and p.${sql.ref(column)} = t.id and p.archived_at is null)::int`,
})

const sharedTerms: ServedResource['beforeSave'] = (_ctx, given) => {
  const values = given.dueTerms ? { ...given, dueTerms: settledTerms(given.dueTerms) } : given
  checkWithin('discountBp', values.discountBp, wholeShare)
  return Promise.resolve(values)
}

/** Contacts and places belong to a customer the caller may see, and stay with it. */
const ofCustomer: ServedResource['beforeSave'] = async (ctx, values, before) => {
  const { partyId } = values
  if (before && partyId !== undefined && partyId !== before.partyId) throw failField('partyId', 'fields.ref')
  if (!before) {
    const { rows } = await sql`select 1 from parties where company_id = ${ctx.companyId} and id = ${partyId}
          and role = 'customer'`.execute(ctx.tx)
    if (!rows.length) throw failField('partyId', 'fields.ref')
  }
  return values
}

const partyName = {
  partyId: sql<string>`(select p.name from parties p where p.company_id = t.company_id
      and p.id = t.party_id)`,
}

const sorts: ServedResource[] = [
  {
    resource: customerTypes,
    compute: { ...counted('type_id'), priceListId: sql`t.price_list_id` },
    refNames: {
      priceListId: sql`(select l.name from price_lists l where l.company_id = t.company_id
          and l.id = t.price_list_id)`,
    },
    beforeSave: sharedTerms,
    inFiles: { dueTerms: saidTerms },
  },
  { resource: customerStatuses, compute: counted('status_id') },
  {
    resource: portfolios,
    compute: counted('portfolio_id'),
    refNames: {
      agentId: sql`(select a.name from agents a where a.company_id = t.company_id and a.id = t.agent_id)`,
    },
  },
  {
    resource: customerFields,
    beforeSave: (_ctx, values, before) => {
      const kind = values.kind ?? before?.kind
      // Values are kept as their kind; another kind would make nonsense of them.
      if (before && kind !== before.kind) throw failField('kind', 'fields.fixed')
      if (kind === 'choice' && ((values.choices ?? before?.choices ?? []) as string[]).length === 0)
        throw failField('choices', 'fields.need')
      return Promise.resolve(values)
    },
  },
  { resource: agents, verbs: ['list', 'get'], noArchive: true },
  { resource: customerContacts, refNames: partyName, beforeSave: ofCustomer },
  { resource: customerAddresses, refNames: partyName, beforeSave: ofCustomer },
]

export { bankOf, bankStays, sameAccount, settleBank, settledBank } from './bank.ts'
export { groupOf, groupOfRow, standsFor } from './group.ts'
export { ownFields, saidTerms, settledTerms } from './served.ts'
export { giveConsent } from './consent.ts'
export { registerHoldings } from './holdings.ts'
export {
  mergeParties,
  registerFollower,
  type Follower,
  type Merging,
  type MergedRegister,
} from './merging.ts'
export { doubles as doublesOf, twinsOf } from './duplicates.ts'

export const implementations = [
  // Fixed words of the path stand before `{id}`.
  implement(calls.findTwins, async (ctx, marks) => ({ rows: await twinsOf(ctx, marks) })),
  implement(calls.findDoubles, (ctx) => doubles(ctx)),
  implement(calls.listTags, tagsInUse),
  implement(calls.listProposals, proposals),
  ...serveResource(served),
  ...sorts.flatMap(serveResource),
  ...serveResource(servedPackages),
  ...serveResource(servedHoldings),
  implement(calls.mergeCustomers, merge),
  implement(calls.changeMany, changeMany),
  implement(calls.giveConsent, giveConsent),
  implement(calls.takeConsentBack, takeConsentBack),
  implement(calls.activityOf, activity),
  implement(calls.setOrder, setOrder),
  implement(calls.getLink, showLink),
  implement(calls.makeLink, makeLink),
  implement(calls.switchLink, switchLink),
  implement(calls.decideProposal, decide),
  implementOpen(calls.registrationPage, page),
  implementOpen(calls.registrationLogo, pageLogo),
  implementOpen(calls.registerMyself, register),
]

export type { Customer } from '../customers.ts'

/** Makes a customer on the way (from the document editor or the API). */
export const createCustomer = (ctx: Ctx, values: Record<string, unknown>): Promise<Customer> =>
  create(ctx, servedOnTheWay, values) as Promise<Customer>
