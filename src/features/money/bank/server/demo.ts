import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isType, isUntouched } from '#kit/server/data/documentFacts.ts'
import type { BankAccount } from '../bankAccounts.ts'
import { takeStatement, uploadStatement } from './statements.ts'

/** So many days the statement of a demo business covers. */
const days = 35

interface Movement {
  day: string
  text: string
  reference: string
  amount: number
}

/**
 * Gives a demo business a bank account with the statement of its last weeks, made of what its books say: the
 * payments as the bank would word them, a day or two later, with fees and one payer nobody has written down.
 * It comes in by the same way as any file.
 */
export async function showBank(
  ctx: Ctx,
  open: (ctx: Ctx, values: Record<string, unknown>) => Promise<BankAccount>,
): Promise<void> {
  const account = await open(ctx, { name: 'עו״ש הפועלים', bankCode: 12, branch: '600', number: '123456' })
  const [from, to] = [addDays(ctx.today, -days), addDays(ctx.today, -1)]
  const { rows } = await sql<{
    day: string
    kind: string
    amount: number
    party: string | null
    reference: string
  }>`select p.day, e.kind, p.amount_agorot as amount, e.reference,
      (select a.name from postings o join parties a on a.company_id = o.company_id and a.id = o.party_id
        where o.company_id = p.company_id and o.entry_id = p.entry_id and o.party_id is not null limit 1) as
          party
    from postings p join entries e on e.company_id = p.company_id and e.id = p.entry_id
    where p.company_id = ${ctx.companyId} and p.account_id = ${account.accountId} and p.day between ${from}
      and ${to} order by p.day, p.entry_id, p.line limit 300`.execute(ctx.tx)
  const { rows: before } = await sql<{
    opening: number
  }>`select coalesce(sum(amount_agorot), 0)::bigint as opening from postings
    where company_id = ${ctx.companyId} and account_id = ${account.accountId} and day < ${from}`.execute(
    ctx.tx,
  )
  const { rows: debt } = await sql<{
    name: string
    open: number
  }>`select customer->>'name' as name, open_agorot as open from documents where company_id = ${ctx.companyId}
      and ${isType('', 'taxInvoice')}
    and ${isUntouched()} and open_agorot > 0 and currency = 'ILS' and day < ${addDays(ctx.today, -6)}
    order by day desc, id limit 1`.execute(ctx.tx)
  const moved: Movement[] = rows.map((row, i) => {
    const day = addDays(row.day, i % 3)
    const out = row.amount < 0
    return {
      day: day > to ? to : day,
      text:
        row.kind === 'deposit'
          ? 'הפקדת שיקים'
          : row.party
            ? `${out ? 'העברה אל' : 'זיכוי מאת'} ${row.party}`
            : out
              ? 'חיוב בהעברה'
              : 'זיכוי בהעברה',
      reference: String(410_000 + i * 37),
      amount: row.amount,
    }
  })
  for (const [i, fee] of [1_290, 590, 2_400].entries())
    moved.push({
      day: addDays(from, 3 + i * 11),
      text: ['עמלת פעולה בערוץ ישיר', 'עמלת העברה', 'דמי ניהול חשבון'][i]!,
      reference: String(77 + i),
      amount: -fee,
    })
  moved.push({ day: addDays(to, -2), text: 'ריבית זכות', reference: '91', amount: 342 })
  if (debt[0])
    moved.push({
      day: addDays(to, -1),
      text: `זיכוי מאת ${debt[0].name}`,
      reference: '419999',
      amount: debt[0].open,
    })

  await bring(ctx, account.id, { opening: before[0]!.opening, moved, name: 'תנועות בחשבון.csv' })
}

/**
 * Gives a demo business a second account, in dollars, with what moved there: what its owner paid in, a fee, a
 * purchase abroad and interest. Answers the account, and its lines in the order of their days.
 */
export async function showBankInDollars(
  ctx: Ctx,
  open: (ctx: Ctx, values: Record<string, unknown>) => Promise<BankAccount>,
): Promise<{ account: BankAccount; lines: { id: string; amount: number }[] }> {
  const account = await open(ctx, {
    name: 'פועלים, דולרים',
    currency: 'USD',
    bankCode: 12,
    branch: '600',
    number: '123457',
  })
  const moved: Movement[] = [
    { day: addDays(ctx.today, -30), text: 'הפקדת בעלים', reference: '70011', amount: 250_000 },
    { day: addDays(ctx.today, -30), text: 'עמלת מט״ח', reference: '70012', amount: -1_200 },
    { day: addDays(ctx.today, -12), text: 'רכישה AQUATECH TOOLS', reference: '70044', amount: -64_000 },
    { day: addDays(ctx.today, -3), text: 'ריבית זכות', reference: '70051', amount: 118 },
  ]
  await bring(ctx, account.id, { opening: 0, moved, name: 'תנועות בחשבון דולרי.csv' })
  const { rows: lines } = await sql<{
    id: string
    amount: number
  }>`select id, amount_agorot as amount from bank_lines
    where company_id = ${ctx.companyId} and bank_account_id = ${account.id}
    order by day, amount_agorot desc`.execute(ctx.tx)
  return { account, lines }
}

interface Statement {
  opening: number
  moved: readonly Movement[]
  name: string
}

/** A statement with a running balance, taken in as any file is. */
async function bring(ctx: Ctx, accountId: string, { opening, moved, name }: Statement): Promise<void> {
  let balance = opening
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const shekels = (agorot: number) => (agorot / 100).toFixed(2)
  const lines = moved
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .map((one) => {
      balance += one.amount
      const [debit, credit] = one.amount < 0 ? [shekels(-one.amount), ''] : ['', shekels(one.amount)]
      return [one.day, cell(one.text), one.reference, debit, credit, shekels(balance)].join(',')
    })
  const bytes = Buffer.from(['תאריך,תיאור,אסמכתא,חובה,זכות,יתרה', ...lines].join('\n'))
  const folder = await mkdtemp(join(tmpdir(), 'pinkas-demo-'))
  try {
    const path = join(folder, 'statement.csv')
    await writeFile(path, bytes, { mode: 0o600 })
    const file = { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    const seen = await uploadStatement(ctx, { id: accountId, name, file })
    await takeStatement(ctx, { id: seen.id, suspects: false })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
