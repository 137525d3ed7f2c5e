import { sql } from 'kysely'
import type { z } from 'zod'
import { systemAccounts } from '../../../domain/ledger/chart.ts'
import { balance, credit, debit } from '../../../domain/ledger/entry.ts'
import { Failure, fail } from '../../../kit/describe/errors.ts'
import { newId, type Ctx } from '../../../kit/server/context.ts'
import { say } from '../../../kit/server/words.ts'
import { accountIds, post } from '../../ledger/server/index.ts'
import type { keepOpening as keepCall, openingBalances as getCall } from '../endpoints.ts'
import { newBatch } from './batches.ts'
import { linesOf } from './judge.ts'
import { closeBatch, tieEntry } from './post.ts'

interface Standing {
  id: string
  number: number
  state: 'open' | 'posted'
}

/** The opening that is being entered, or the one that was posted and not undone. */
async function standing(ctx: Ctx): Promise<Standing | undefined> {
  const { rows } =
    await sql<Standing>`select b.id, b.number, b.state from journal_batches b where b.company_id = ${ctx.companyId} and b.kind = 'opening'
    and b.state in ('open', 'posted') and not exists (select 1 from journal_batches r where r.company_id = b.company_id and r.reverses_id = b.id)
    and not exists (select 1 from batch_entries x join entries r on r.company_id = x.company_id and r.reverses_id = x.entry_id
      where x.company_id = b.company_id and x.batch_id = b.id)
    order by b.number desc limit 1 for update of b`.execute(ctx.tx)
  return rows[0]
}

export async function openingBalances(ctx: Ctx): Promise<z.input<typeof getCall.output>> {
  const now = await standing(ctx)
  const lines = now ? await linesOf(ctx, now.id) : []
  const date = lines[0]?.day ?? `${ctx.today.slice(0, 4)}-01-01`
  return {
    date,
    lines: lines.map((line) => ({
      accountId: (line.debitAccountId ?? line.creditAccountId)!,
      debitAgorot: line.debitAccountId ? line.amountAgorot : 0,
      creditAgorot: line.creditAccountId ? line.amountAgorot : 0,
    })),
    posted: now?.state === 'posted' ? { batchId: now.id, number: now.number, day: date } : null,
  }
}

/** Keeps what was entered. Customers and suppliers are no part of it: what they owe is the sum of their papers. */
export async function keepOpening(ctx: Ctx, { date, lines }: z.output<typeof keepCall.input>): Promise<{ done: true }> {
  const now = await standing(ctx)
  if (now?.state === 'posted') throw fail('journal.openingPosted')
  const { rows: accounts } = await sql<{
    id: string
    number: string
  }>`select id, number from accounts where company_id = ${ctx.companyId} and archived_at is null`.execute(ctx.tx)
  const numberOf = new Map(accounts.map(({ id, number }) => [id, number]))
  const seen = new Set<string>()
  lines.forEach(({ accountId, debitAgorot, creditAgorot }, i) => {
    const number = numberOf.get(accountId)
    const refused = (code: string, field = 'accountId') =>
      new Failure('kit.badInput', {}, [{ path: `lines.${i}.${field}`, code, params: { number: number ?? '' } }])
    if (number === undefined || number === systemAccounts.openingBalances || seen.has(accountId)) throw refused('fields.ref')
    if (number === systemAccounts.customers) throw refused('journal.controlCustomers')
    if (number === systemAccounts.suppliers) throw refused('journal.controlSuppliers')
    if (debitAgorot > 0 && creditAgorot > 0) throw refused('fields.range', 'creditAgorot')
    seen.add(accountId)
  })
  const { id } = now ?? (await newBatch(ctx, { kind: 'opening', name: say(ctx.caller.language, 'ledger.kinds.opening') }))
  await sql`delete from journal_lines where company_id = ${ctx.companyId} and batch_id = ${id}`.execute(ctx.tx)
  const rows = lines
    .filter((line) => line.debitAgorot + line.creditAgorot > 0)
    .map((line, position) => ({
      company_id: ctx.companyId,
      id: newId(),
      batch_id: id,
      position,
      day: date,
      debit_account_id: line.debitAgorot > 0 ? line.accountId : null,
      credit_account_id: line.creditAgorot > 0 ? line.accountId : null,
      amount_agorot: line.debitAgorot + line.creditAgorot,
    }))
  await sql`insert into journal_lines (company_id, id, batch_id, position, day, debit_account_id, credit_account_id, amount_agorot)
    select company_id, id, batch_id, position, day, debit_account_id, credit_account_id, amount_agorot
    from jsonb_populate_recordset(null::journal_lines, ${JSON.stringify(rows)}::jsonb)`.execute(ctx.tx)
  return { done: true }
}

/** Posts the opening as one entry; what does not balance stays on the account of opening balances, if that was said. */
export async function postOpening(
  ctx: Ctx,
  { leaveDifference }: { leaveDifference: boolean },
): Promise<{ batchId: string; number: number }> {
  const now = await standing(ctx)
  if (now?.state === 'posted') throw fail('journal.openingPosted')
  const lines = now ? await linesOf(ctx, now.id) : []
  if (!now || lines.length === 0) throw fail('journal.empty')
  const postings = lines.flatMap((line) => [
    ...(line.debitAccountId ? [debit(line.debitAccountId, line.amountAgorot)] : []),
    ...(line.creditAccountId ? [credit(line.creditAccountId, line.amountAgorot)] : []),
  ])
  const difference = balance(postings)
  if (difference !== 0 && !leaveDifference) throw fail('journal.openingDifference')
  const accounts = await accountIds(ctx)
  const entryId = await post(ctx, {
    day: lines[0]!.day,
    kind: 'opening',
    details: say(ctx.caller.language, 'ledger.kinds.opening'),
    postings: [...postings, ...(difference === 0 ? [] : [credit(accounts.of('openingBalances'), difference)])],
  })
  await tieEntry(ctx, now.id, entryId)
  await sql`update journal_lines set entry_id = ${entryId} where company_id = ${ctx.companyId} and batch_id = ${now.id}`.execute(ctx.tx)
  await closeBatch(ctx, now.id)
  await ctx.audit('journal.opening', 'journal_batches', now.id, undefined, { number: now.number, day: lines[0]!.day })
  return { batchId: now.id, number: now.number }
}
