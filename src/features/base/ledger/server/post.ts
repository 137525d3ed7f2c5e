import { sql } from 'kysely'
import { systemAccounts, type SystemAccount } from '#domain/ledger/chart.ts'
import type { Posting } from '#domain/ledger/entry.ts'
import { entryOf } from '#domain/ledger/entry.ts'
import type { Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { authorize } from '#kit/server/rights/authority.ts'

databaseFailures.PK002 = () => fail('ledger.notBalanced')
databaseFailures.PK003 = (e) =>
  fail('ledger.periodClosed', { day: /\d{4}-\d\d-\d\d/.exec(e.message)?.[0] ?? '' })
databaseFailures.PK006 = (e) => fail('ledger.controlAccount', { number: e.message })

export interface Entry {
  id: string
  day: Day
  valueDay?: Day
  /**
   * What it comes of: 'taxInvoice', 'receipt', 'manual' …; the word is `documents.types.<kind>` or
   * `ledger.kinds.<kind>`.
   */
  kind: string
  reference?: string
  details?: string
  documentId?: string
  reversesId?: string
  postings: Posting[]
}

/**
 * The entry as the database function takes it: debit positive, credit negative. RangeError when it does not
 * balance.
 */
export const entryForDatabase = (ctx: Ctx, entry: Entry): Record<string, unknown> => {
  const { postings, ...rest } = entry
  return {
    ...rest,
    by: byOf(ctx),
    lines: entryOf(postings).map((p) => ({
      account: p.account,
      party: p.party ?? null,
      amount: p.debit - p.credit,
      ...(p.foreign ? { currency: p.foreign.currency, foreign: p.foreign.amount } : {}),
    })),
  }
}

/** Books change by this visible call, by `postAll` and by issuing, nowhere else. */
export async function post(ctx: Ctx, entry: Omit<Entry, 'id'> & { id?: string }): Promise<string> {
  const id = entry.id ?? newId()
  await postAll(ctx, [{ ...entry, id }])
  return id
}

/**
 * Several entries in one statement, in their order. It takes the rows of the accounts' months, which
 * everybody of the business waits for: a command that people carry out at once makes it its last statement,
 * and ties what it writes to the entries' ids before.
 */
export async function postAll(ctx: Ctx, entries: readonly Entry[]): Promise<void> {
  if (!entries.length) return
  // Here, where no command that changes the books can forget it.
  for (const { postings } of entries)
    await authorize(ctx, 'post', { agorot: postings.reduce((sum, { debit }) => sum + debit, 0) })
  await sql`select
      post_entries(${ctx.companyId},
      ${JSON.stringify(entries.map((entry) => entryForDatabase(ctx, entry)))}::jsonb)`.execute(ctx.tx)
}

export interface AccountIds {
  /** The id of a system account, e.g. `accounts.of('outputVat')`. */
  of: (name: SystemAccount) => string
  /** The id of an account number; undefined when the chart has none. */
  byNumber: (number: string) => string | undefined
}

/** The business's own accounts behind the names postings use. */
export async function accountIds(ctx: Ctx): Promise<AccountIds> {
  const { rows } = await sql<{
    id: string
    number: string
  }>`/*=*/ select id, number from accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const ids = new Map(rows.map((r) => [r.number, r.id]))
  return {
    of: (name) => {
      const id = ids.get(systemAccounts[name])
      if (!id) throw fail('ledger.noAccount', { number: systemAccounts[name] })
      return id
    },
    byNumber: (number) => ids.get(number),
  }
}
