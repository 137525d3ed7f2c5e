import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { isDraft } from '#kit/server/data/documentFacts.ts'
import { bankFields } from '../bank.ts'
import { bankOf, bankStays } from './bank.ts'
import { mergeParties, registerFollower, type MergedRegister } from './merging.ts'
import { served, servedOnTheWay, type OwnValues } from './served.ts'

const register: MergedRegister = {
  role: 'customer',
  served,
  saving: servedOnTheWay,
  errors: { merged: 'customers.merged', itself: 'customers.mergeItself' },
  apart: bankFields,
  valuesAfter: (values, keep, merged, from) => {
    const all = [keep, ...merged]
    const tags = [...new Set(all.flatMap((one) => one.tags as string[]))].slice(0, 20)
    if (tags.length > (keep.tags as string[]).length) values.tags = tags
    values.own = Object.assign(
      {},
      ...merged.map((one) => one.own as OwnValues).toReversed(),
      keep.own,
      from.own ? values.own : {},
    )
    // Own values that no longer fit their field are no reason to refuse: they came from this very register.
    if (JSON.stringify(values.own) === JSON.stringify(keep.own)) delete values.own
    const source = bankStays(all, from.bank)
    if (source && source !== keep) Object.assign(values, bankOf(source))
  },
}

/** Several records of customers become one. */
export async function merge(
  ctx: Ctx,
  given: { keepId: string; ids: string[]; from: Record<string, string> },
) {
  const { keep, merged } = await mergeParties(ctx, register, given)
  return { id: keep.id, merged: merged.length }
}

registerFollower('customer', async (ctx, keepId, gone) => {
  for (const table of ['customer_contacts', 'customer_addresses', 'customer_proposals'])
    await sql`update ${sql.table(table)} set party_id = ${keepId} where company_id = ${ctx.companyId}
        and party_id = any(${gone}::uuid[])`.execute(ctx.tx)
  // A draft is not issued yet: it goes with its customer.
  await sql`update documents set customer_id = ${keepId}, updated_at = now()
    where company_id = ${ctx.companyId} and ${isDraft()}
    and customer_id = any(${gone}::uuid[])`.execute(ctx.tx)
})
