import { sql } from 'kysely'
import type { z } from 'zod'
import {
  budgetIn,
  monthsIn,
  monthsOfYear,
  newestLike,
  raised,
  type CopySource,
} from '#domain/budget/budget.ts'
import { readBudgetSheet } from '#domain/budget/sheet.ts'
import { addMonths, monthOf, startOfMonth, yearOf, type Day, type Period } from '#domain/day.ts'
import { sum, type Agorot } from '#domain/money.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import { money, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { exportTable } from '#kit/server/described/exports/exportTable.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { say } from '#kit/server/words.ts'
import { accountSums, net } from '#features/base/ledger/server/index.ts'
import { readTables } from '#features/registers/imports/server/index.ts'
import type {
  BudgetRow,
  BudgetYear,
  copyBudget,
  keepBudget,
  readBudgetFile,
  ReadBudgetAnswer,
} from '../endpoints.ts'

interface Account {
  accountId: string
  number: string
  name: string
  kind: 'income' | 'expense'
  isArchived: boolean
}

/** Accounts of income and expense in the order of the books. */
async function accountsOf(ctx: Ctx): Promise<Account[]> {
  const { rows } =
    await sql<Account>`select id as "accountId", number, name, kind, archived_at is not null as "isArchived"
      from accounts
    where company_id = ${ctx.companyId} and kind in ('income', 'expense') order by kind desc, number`.execute(
      ctx.tx,
    )
  return rows
}

type Months = Map<string, Map<Day, Agorot>>

const put = (into: Months, id: string, month: Day, agorot: Agorot) =>
  into.set(id, (into.get(id) ?? new Map<Day, Agorot>()).set(month, agorot))

/** What accounts of income and expense really moved by month, positive as they grow. */
async function actualIn(ctx: Ctx, { from, to }: Period): Promise<Months> {
  const { rows } = await sql<{ id: string; month: Day; agorot: Agorot }>`select a.id, m.month,
      case a.kind when 'income' then m.credit_agorot - m.debit_agorot else m.debit_agorot - m.credit_agorot
      end as agorot
    from account_months m join accounts a on a.company_id = m.company_id and a.id = m.account_id
    where m.company_id = ${ctx.companyId} and a.kind in ('income', 'expense') and m.month between ${from}
      and ${to}`.execute(ctx.tx)
  const found: Months = new Map()
  for (const { id, month, agorot } of rows) put(found, id, month, agorot)
  return found
}

async function budgetsIn(ctx: Ctx, { from, to }: Period): Promise<Months> {
  const { rows } = await sql<{
    id: string
    month: Day
    agorot: Agorot
  }>`select account_id as id, month, amount_agorot as agorot from budget_sums
    where company_id = ${ctx.companyId} and month between ${from} and ${to}`.execute(ctx.tx)
  const found: Months = new Map()
  for (const { id, month, agorot } of rows) put(found, id, month, agorot)
  return found
}

const wholeYear = (year: number): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/** Of a range of days, by account: for the reports it is beside. */
export async function budgetByAccount(ctx: Ctx, period: Period): Promise<ReadonlyMap<string, Agorot>> {
  const months = await budgetsIn(ctx, { from: startOfMonth(period.from), to: period.to })
  return new Map([...months].map(([id, of]) => [id, budgetIn(of, period)]))
}

/**
 * What accounts of income and expense really moved in a stretch of days, positive as they grow; those put
 * away too.
 */
export async function realIn(ctx: Ctx, { from, to }: Period): Promise<(Account & { agorot: Agorot })[]> {
  const sums = await accountSums(ctx, from, to)
  return (await accountsOf(ctx)).map((account) => {
    const agorot = net(sums.get(account.accountId))
    return { ...account, agorot: account.kind === 'income' ? -agorot || 0 : agorot }
  })
}

export async function budgetOf(ctx: Ctx, { year }: { year: number }): Promise<BudgetYear> {
  const [accounts, budget, actual, before] = await Promise.all([
    accountsOf(ctx),
    budgetsIn(ctx, wholeYear(year)),
    actualIn(ctx, wholeYear(year)),
    actualIn(ctx, wholeYear(year - 1)),
  ])
  const months = monthsIn(year)
  const row = ({ isArchived: _, ...account }: Account): BudgetRow => ({
    ...account,
    budget: months.map((month) => budget.get(account.accountId)?.get(month) ?? null),
    actual: months.map((month) => actual.get(account.accountId)?.get(month) ?? 0),
    before: months.map((month) => before.get(account.accountId)?.get(addMonths(month, -12)) ?? 0),
  })
  const now = yearOf(ctx.today)
  return {
    year,
    rows: accounts
      .filter(({ accountId, isArchived }) => !isArchived || budget.has(accountId) || actual.has(accountId))
      .map(row),
    monthsPast: year < now ? monthsOfYear : year > now ? 0 : monthOf(ctx.today) - 1,
  }
}

interface Cell {
  accountId: string
  month: number
  agorot: Agorot | null
}

/** Writes what differs from what is kept, and tells the log what each was before. */
async function write(
  ctx: Ctx,
  action: string,
  year: number,
  cells: readonly Cell[],
  more: object = {},
): Promise<{ changed: number }> {
  const accounts = new Map((await accountsOf(ctx)).map((one) => [one.accountId, one]))
  const wrong = cells.flatMap(({ accountId }, i) =>
    accounts.has(accountId) ? [] : [{ path: `cells.${i}.accountId`, code: 'fields.ref' }],
  )
  if (wrong.length) throw new Failure('kit.badInput', {}, wrong.slice(0, 50))
  const months = monthsIn(year)
  const kept = await budgetsIn(ctx, wholeYear(year))
  // Of a cell that is named twice the last word holds.
  const last = new Map(cells.map((cell) => [`${cell.accountId} ${cell.month}`, cell]))
  const changed = [...last.values()].filter(
    ({ accountId, month, agorot }) => (kept.get(accountId)?.get(months[month - 1]!) ?? null) !== agorot,
  )
  if (changed.length === 0) return { changed: 0 }
  const rows = changed.map(({ accountId, month, agorot }) => ({
    account_id: accountId,
    month: months[month - 1],
    amount_agorot: agorot,
  }))
  await sql`delete from budget_sums b using jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as
      c(account_id uuid, month date, amount_agorot bigint)
    where b.company_id = ${ctx.companyId} and b.account_id = c.account_id and b.month = c.month
      and c.amount_agorot is null`.execute(ctx.tx)
  await sql`insert into budget_sums (company_id, account_id, month, amount_agorot)
    select ${ctx.companyId}::uuid, c.account_id, c.month, c.amount_agorot
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as
        c(account_id uuid, month date, amount_agorot bigint) where c.amount_agorot is not null
    on conflict (company_id, account_id, month) do update set amount_agorot = excluded.amount_agorot,
      updated_at = now()`.execute(ctx.tx)
  const told = (of: (cell: Cell) => Agorot | null) => {
    const byAccount: Record<string, Record<string, Agorot | null>> = {}
    for (const cell of changed)
      (byAccount[accounts.get(cell.accountId)!.number] ??= {})[String(cell.month)] = of(cell)
    return byAccount
  }
  await ctx.audit(
    action,
    'budget',
    null,
    { year, sums: told(({ accountId, month }) => kept.get(accountId)?.get(months[month - 1]!) ?? null) },
    { year, sums: told(({ agorot }) => agorot), ...more },
  )
  return { changed: changed.length }
}

export const keep = (ctx: Ctx, { year, cells }: z.output<typeof keepBudget.input>) =>
  write(ctx, 'budget.keep', year, cells)

/** What each month of a budget is copied from. */
async function sourceOf(
  ctx: Ctx,
  from: CopySource,
  year: number,
): Promise<(id: string, month: Day) => Agorot | undefined> {
  if (from === 'lastBudget') {
    const last = await budgetsIn(ctx, wholeYear(year - 1))
    return (id, month) => last.get(id)?.get(addMonths(month, -12))
  }
  const like = (month: Day) => (from === 'lastYear' ? addMonths(month, -12) : newestLike(month, ctx.today))
  const months = monthsIn(year).map(like).toSorted()
  const found = await actualIn(ctx, { from: months[0]!, to: months.at(-1)! })
  return (id, month) => found.get(id)?.get(like(month))
}

export async function copy(
  ctx: Ctx,
  { year, from, percentBp, accountIds, onlyEmpty }: z.output<typeof copyBudget.input>,
) {
  const [accounts, kept, source] = await Promise.all([
    accountsOf(ctx),
    budgetsIn(ctx, wholeYear(year)),
    sourceOf(ctx, from, year),
  ])
  const known = new Set(accounts.map(({ accountId }) => accountId))
  const wrong = (accountIds ?? []).flatMap((id, i) =>
    known.has(id) ? [] : [{ path: `accountIds.${i}`, code: 'fields.ref' }],
  )
  if (wrong.length) throw new Failure('kit.badInput', {}, wrong.slice(0, 50))
  const months = monthsIn(year)
  const of = accounts.filter(({ accountId, isArchived }) =>
    accountIds ? accountIds.includes(accountId) : !isArchived,
  )
  // An account in which nothing was is left out whole; of one in which something was, an empty month is a
  // zero.
  const moved = of.filter(({ accountId }) => months.some((month) => source(accountId, month)))
  if (moved.length === 0) throw fail('budget.nothingToCopy')
  const cells = moved.flatMap(({ accountId }) =>
    months.flatMap((month, i) =>
      onlyEmpty && kept.get(accountId)?.has(month)
        ? []
        : [{ accountId, month: i + 1, agorot: raised(source(accountId, month) ?? 0, percentBp) }],
    ),
  )
  return write(ctx, 'budget.copy', year, cells, { from, percentBp })
}

/** Longer than any chart of accounts, with its sub-totals. */
const maxRows = 5000

/**
 * A file is read in a separate thread; the meaning of its cells is found here, and saved only on confirmation.
 */
export async function readFile(
  ctx: Ctx,
  { year, bytes }: z.output<typeof readBudgetFile.input>,
): Promise<ReadBudgetAnswer> {
  const tables = await readTables(bytes.path, maxRows)
  const accounts = await accountsOf(ctx)
  const named = accounts.map(({ accountId, number, name }) => ({ id: accountId, number, name }))
  const read = tables.map(({ rows }) => readBudgetSheet(rows, named, year))
  // Of a workbook the sheet that says most is the budget.
  const best = read.reduce((most, one) => (one.months.size > most.months.size ? one : most))
  if (best.months.size === 0 && best.faults.length === 0) throw fail('budget.nothingRead')
  const kindOf = new Map(accounts.map(({ accountId, kind }) => [accountId, kind]))
  const cells = [...best.months].flatMap(([accountId, months]) =>
    months.flatMap((agorot, i) => (agorot === null ? [] : [{ accountId, month: i + 1, agorot }])),
  )
  const totalOf = (kind: Account['kind']) =>
    sum(cells.filter(({ accountId }) => kindOf.get(accountId) === kind).map(({ agorot }) => agorot))
  return {
    cells,
    accounts: best.months.size,
    totalAgorot: { income: totalOf('income'), expense: totalOf('expense') },
    faults: best.faults.slice(0, 200),
  }
}

/** As it can be brought in again: number, name, a column for each month, and the sum of the year. */
export async function exportFile(
  ctx: Ctx,
  { file, year }: { file: string; year: number },
): Promise<FileAnswer> {
  const { rows } = await budgetOf(ctx, { year })
  const columns = Array.from({ length: monthsOfYear }, (_, i) => `m${i + 1}`)
  const filled = rows.filter(({ budget, actual, before }) =>
    [...budget, ...actual, ...before].some((sum) => sum),
  )
  return exportTable({
    format: file.split('.')[1] as 'csv' | 'xlsx',
    language: ctx.caller.language,
    name: `budget-${year}`,
    title: 'screens.budget',
    heading: `${say(ctx.caller.language, 'screens.budget')} ${year}`,
    columns: [
      { name: 'number', field: text(), title: 'accounts.fields.number', words: 'accounts' },
      { name: 'name', field: text(), title: 'accounts.fields.name', words: 'accounts' },
      ...columns.map((name, i) => ({
        name,
        field: money(),
        title: 'budget.month',
        heading: `${String(i + 1).padStart(2, '0')}/${year}`,
        words: 'budget',
      })),
      { name: 'total', field: money(), title: 'budget.total', words: 'budget' },
    ],
    rows: filled.map(({ number, name, budget }) => ({
      number,
      name,
      ...Object.fromEntries(columns.map((column, i) => [column, budget[i]])),
      total: sum(budget.map((agorot) => agorot ?? 0)),
    })),
  })
}
