import { sql } from 'kysely'
import { failField } from '../../../kit/describe/errors.ts'
import { create, serveResource, type ServedResource } from '../../../kit/server/resources.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { customers, type Customer } from '../customers.ts'
import '../rules.ts'

/** The customer's card in the books: what he owes, negative when we owe him. */
const balance = sql`coalesce((select sum(m.debit_agorot - m.credit_agorot) from party_months m where m.company_id = t.company_id and m.party_id = t.id), 0)::bigint`

const served: ServedResource = {
  resource: customers,
  compute: { balanceAgorot: balance },
  beforeSave: async (_ctx, values) => {
    if (values.dueTerms && !/^(now|net:\d{1,3}|eom:\d{1,3})$/.test(String(values.dueTerms))) throw failField('dueTerms', 'fields.choice')
    return values
  },
}

export const implementations = serveResource(served)

export type { Customer } from '../customers.ts'

/** Makes a customer on the way (from the document editor or the API). */
export const createCustomer = (ctx: Ctx, values: Record<string, unknown>): Promise<Customer> =>
  create(ctx, served, values) as Promise<Customer>
