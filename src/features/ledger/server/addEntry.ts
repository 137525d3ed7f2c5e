import { systemAccounts } from '../../../domain/ledger/chart.ts'
import { balance, credit, debit } from '../../../domain/ledger/entry.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { Failure, fail } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import type { addEntry as call } from '../endpoints.ts'
import { post } from './post.ts'

/** What customers and suppliers owe changes by their papers, so that a balance is always its open items. */
const controlAccounts: readonly string[] = [systemAccounts.customers, systemAccounts.suppliers]

/** A journal entry by hand. */
export async function addEntry(ctx: Ctx, given: z.output<typeof call.input>): Promise<{ id: string }> {
  const { rows: accounts } = await sql<{ id: string; number: string }>`select id, number from accounts
    where company_id = ${ctx.companyId} and archived_at is null`.execute(ctx.tx)
  const postings = given.lines.flatMap((line, i) => {
    const account = accounts.find((a) => a.id === line.accountId || (line.accountNumber !== undefined && a.number === line.accountNumber))
    if (!account) throw new Failure('kit.badInput', {}, [{ path: `lines.${i}.accountId`, code: 'fields.ref' }])
    if (controlAccounts.includes(account.number)) throw fail('ledger.controlAccount', { number: account.number })
    return [debit(account.id, line.debitAgorot), credit(account.id, line.creditAgorot)]
  })
  if (balance(postings) !== 0) throw fail('ledger.notBalanced')
  const id = await post(ctx, {
    day: given.date,
    ...(given.valueDate ? { valueDay: given.valueDate } : {}),
    kind: 'manual',
    reference: given.reference ?? '',
    details: given.details ?? '',
    postings,
  })
  await ctx.audit('ledger.addEntry', 'entries', id, undefined, given)
  return { id }
}
