import { sql } from 'kysely'
import { startOfMonth } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { bankBalanceOn, startOf } from '#features/money/bank/server/index.ts'
import { amountIn, matchedAccount, postingColumnsIn, restIn, unmatchedPosting } from '../open.ts'

const parts = ['bank', 'line', 'posting', 'timing', 'before', 'gap', 'books'] as const

/**
 * From what the bank says to what the books say on a day, and everything between the two: lines that are not
 * booked, postings the bank does not know, matches whose sides fall on both sides of the day, and what was
 * before the first statement.
 */
export const bankReconciliation = defineReport({
  name: 'bankReconciliation',
  feature: 'matching',
  group: 'books',
  path: '/invoice/bankreconciliation',
  allow: 'matching.see',
  filters: { bankAccount: ref('bankaccounts', { need: true }), day: day() },
  columns: { part: choice(parts), day: day(), text: text(), reference: text(), amountAgorot: money() },
  totals: [],
  rows: (ctx, { bankAccount, day: on }) => reconcile(ctx, bankAccount, on ?? ctx.today),
  must: {
    explained: (_totals, rows) => {
      const books = rows.find((row) => row.part === 'books')
      const rest = rows
        .filter((row) => row.part !== 'books')
        .reduce((sum, row) => sum + Number(row.amountAgorot ?? 0), 0)
      return !books || rest === Number(books.amountAgorot ?? 0)
    },
  },
})

type Row = { day: string; text: string; reference: string; amount: number; open?: string | null }

async function reconcile(ctx: Ctx, id: string, on: string): Promise<ReportRow[]> {
  const { accountId, bankAccountIds, currency } = await matchedAccount(ctx, id)
  let bank = 0
  let opening = 0
  let since: string | null = null
  for (const one of bankAccountIds) {
    const start = await startOf(ctx, one)
    if (!start || start.day > on) continue
    bank += (await bankBalanceOn(ctx, one, on)) ?? 0
    opening += start.openingAgorot
    if (since === null || start.day < since) since = start.day
  }
  const ofAccount = sql`p.company_id = ${ctx.companyId} and p.account_id = ${accountId} and p.day <= ${on}`
  const ofBank = sql`l.company_id = ${ctx.companyId} and l.bank_account_id = any(${bankAccountIds}::uuid[])
      and l.day <= ${on}`
  const { rows: sums } = await sql<{ ledger: number; lines: number }>`select
      ${
        currency === 'ILS'
          ? sql`(coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m
            where m.company_id = ${ctx.companyId} and m.account_id = ${accountId}
              and m.month < ${startOfMonth(on)}), 0)
        + coalesce((select sum(p.amount_agorot) from postings p
        where ${ofAccount} and p.day >= ${startOfMonth(on)}), 0))`
          : sql`coalesce((select sum(${amountIn(currency)}) from postings p where ${ofAccount}), 0)`
      }::bigint as ledger,
      coalesce((select sum(l.amount_agorot) from bank_lines l where ${ofBank}), 0)::bigint as lines`.execute(
    ctx.tx,
  )
  const { ledger, lines: moved } = sums[0]!
  const { rows: lines } = await sql<Row>`select l.day, trim(l.text || ' ' || l.details) as text, l.reference,
        l.amount_agorot as amount from bank_lines l
    where ${ofBank} and not exists (select 1 from match_lines x where x.company_id = l.company_id
      and x.line_id = l.id) order by l.day, l.statement_id, l.position`.execute(ctx.tx)
  const { rows: postings } = await sql<{
    day: string
    kind: string
    party: string | null
    counter: string
    details: string
    reference: string
    amountAgorot: number
    open: string | null
  }>`select ${postingColumnsIn(currency, restIn(currency))}
    from postings p join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where ${ofAccount} and ${amountIn(currency)} <> 0 and ${unmatchedPosting}
    order by p.day, p.entry_id`.execute(ctx.tx)
  // Of a match one side may lie before the day and the other after it.
  const { rows: timing } = await sql<{
    number: number
    amount: number
    day: string
  }>`select m.number, sum(s.amount)::bigint as amount, max(s.day) as day from matches m join (
      select x.match_id, l.amount_agorot as amount, l.day from match_lines x
      join bank_lines l on l.company_id = x.company_id and l.id = x.line_id where ${ofBank}
      union all
      select x.match_id, -matched_part(${amountIn(currency)}, x.amount_agorot, p.amount_agorot), p.day
      from match_postings x join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id
        and p.line = x.line where ${ofAccount}
    ) s on s.match_id = m.id where m.company_id = ${ctx.companyId} and m.account_id = ${accountId}
    group by m.number having sum(s.amount) <> 0 order by m.number`.execute(ctx.tx)
  const isOlder = (posting: { day: string }) => since === null || posting.day < since
  const older = postings.filter(isOlder).reduce((sum, posting) => sum + posting.amountAgorot, 0)
  const before = older - opening
  const gap = bank - opening - moved
  const one = (part: (typeof parts)[number], amount: number, more: Partial<ReportRow> = {}): ReportRow => ({
    part,
    day: null,
    text: '',
    reference: '',
    amountAgorot: amount,
    ...more,
  })
  return [
    one('bank', bank, { day: on, sum: true }),
    ...lines.map((line) =>
      one('line', -line.amount, {
        day: line.day,
        text: line.text,
        reference: line.reference,
        open: `/invoice/atamotbank?account=${id}`,
      }),
    ),
    ...postings
      .filter((posting) => !isOlder(posting))
      .map((posting) =>
        one('posting', posting.amountAgorot, {
          day: posting.day,
          text: [posting.party, posting.counter, posting.details].filter(Boolean).join(' · '),
          reference: posting.reference,
          open: posting.open,
        }),
      ),
    ...timing.map((match) =>
      one('timing', -match.amount, { day: match.day, reference: String(match.number) }),
    ),
    ...(before ? [one('before', before, { day: since })] : []),
    ...(gap ? [one('gap', -gap)] : []),
    one('books', ledger, { day: on, sum: true }),
  ]
}
