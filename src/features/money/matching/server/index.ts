import { sql } from 'kysely'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { asks, isLive } from '#kit/server/data/documentFacts.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { bankRules } from '../bankRules.ts'
import { openingNumber } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { acceptCertain } from './accept.ts'
import { bookLine } from './book.ts'
import { cardOf, matchCard, partyCardOf } from './card.ts'
import { deskAnswer } from './facts.ts'
import { matchBank, matchesOf, matchNamed, undoMatch } from './match.ts'
import { billsIn, loadAccount, openInCurrency, whole } from './open.ts'
import { bankReconciliation } from './reports/bankReconciliation.ts'

export { acceptCertain } from './accept.ts'
export { bookLine } from './book.ts'
export { keepMatch } from './match.ts'
export { bankReconciliation } from './reports/bankReconciliation.ts'

const name = (table: 'accounts' | 'parties' | 'bank_accounts', column: string) =>
  sql`(select a.name from ${sql.table(table)} a where a.company_id = t.company_id
      and a.id = t.${sql.ref(column)})`

/** What an action of a rule requires, and what it may have besides. */
const needs = {
  fee: null,
  interest: null,
  transfer: 'bankAccountId',
  account: 'accountId',
  receipt: 'customerId',
  supplier: 'supplierId',
} as const

async function checkRule(
  ctx: Ctx,
  values: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
) {
  const now = { ...before, ...values }
  if (String(now.contains ?? '').trim().length < 2) throw failField('contains', 'fields.need')
  const need = needs[now.deed as keyof typeof needs]
  if (need && !now[need]) throw failField(need, 'fields.need')
  await checkRef(ctx, 'accountId', 'accounts', values.accountId)
  await checkRef(ctx, 'customerId', 'parties', values.customerId, sql`role = 'customer'`)
  await checkRef(ctx, 'supplierId', 'parties', values.supplierId, sql`role = 'supplier'`)
  await checkRef(ctx, 'bankAccountId', 'bank_accounts', values.bankAccountId)
  // Documents and payments are made by people.
  const isPaper = now.deed === 'receipt' || now.deed === 'supplier'
  return { ...values, ...(isPaper && now.automatic ? { automatic: false } : {}) }
}

type Card = OutputOf<typeof calls.cardDesk>

/** The two sides of a match on one account: only the person who sees the business whole comes near them. */
const guarded =
  <I, O>(work: (ctx: Ctx, given: I) => Promise<O>) =>
  async (ctx: Ctx, given: I): Promise<O> => {
    whole(ctx)
    return work(ctx, given)
  }

export const implementations = [
  ...serveResource({
    resource: bankRules,
    only: (ctx) => (seesWhole(ctx.caller) ? [] : [sql<boolean>`false`]),
    refNames: {
      accountId: name('accounts', 'account_id'),
      customerId: name('parties', 'customer_id'),
      supplierId: name('parties', 'supplier_id'),
      bankAccountId: name('bank_accounts', 'bank_account_id'),
    },
    beforeSave: async (ctx, values, before) => {
      whole(ctx)
      return checkRule(ctx, values, before)
    },
    beforeMove: async (ctx) => whole(ctx),
  }),
  implement(
    calls.bankDesk,
    guarded((ctx, { id }) => deskAnswer(ctx, id)),
  ),
  implement(calls.matchBank, guarded(matchBank)),
  implement(
    calls.acceptCertain,
    guarded((ctx, { id }) => acceptCertain(ctx, id)),
  ),
  implement(
    calls.bookLine,
    guarded((ctx, given) => bookLine(ctx, given)),
  ),
  implement(
    calls.bookingFacts,
    guarded(async (ctx, { id, partyId, role }) => {
      const { currency } = await loadAccount(ctx, id)
      const group = sql`(select g.id from parties g where g.company_id = ${ctx.companyId}
          and (g.id = ${partyId} or g.merged_into = ${partyId}))`
      const { rows } = await sql<{ id: string; number: string; day: string; openAgorot: number }>`${
        role === 'customer'
          ? sql`select id, coalesce(nullif(${openingNumber('documents')}, ''), number::text) as number, day,
              case when ${asks()} then asked_agorot else open_in_currency_agorot end as "openAgorot"
              from documents
            where company_id = ${ctx.companyId} and customer_id in ${group}
              and ${isLive()} and currency = ${currency}
              and (open_agorot > 0 or asked_agorot > 0)`
          : sql`select x.id, coalesce(x.supplier_number, '') as number, x.day, ${openInCurrency(currency)} as
              "openAgorot" from expenses x
            where x.company_id = ${ctx.companyId} and x.supplier_id in ${group} and x.state = 'approved'
              and x.open_agorot > 0 and ${billsIn(currency)}`
      } order by day, id limit 300`.execute(ctx.tx)
      return { rows }
    }),
  ),
  implement(
    calls.bankMatches,
    guarded(async (ctx, { id, before }) => matchesOf(ctx, (await loadAccount(ctx, id)).accountId, before)),
  ),
  implement(
    calls.cardDesk,
    guarded(async (ctx, { accountId, partyId, all }): Promise<Card> => {
      if (partyId) return partyCardOf(ctx, { partyId, all: all === 'true' })
      if (accountId) return cardOf(ctx, { accountId, all: all === 'true' })
      throw fail('kit.notFound')
    }),
  ),
  implement(calls.matchCard, guarded(matchCard)),
  implement(
    calls.matchOf,
    guarded((ctx, { id }) => matchNamed(ctx, id)),
  ),
  implement(
    calls.undoMatch,
    guarded((ctx, { id }) => undoMatch(ctx, id)),
  ),
]

export const reports = [bankReconciliation]
