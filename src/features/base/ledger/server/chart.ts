import { sql } from 'kysely'
import type { AccountKind } from '#domain/ledger/chart.ts'
import type { ProfitLine } from '#domain/ledger/codes.ts'
import type { Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { ensureCodes } from './codes.ts'

export interface ChartAccount {
  id: string
  number: string
  name: string
  kind: AccountKind
  sortCode: string
}

export interface Code {
  id: string
  code: string
  name: string
  parentId: string | null
  position: number
  side: 'debit' | 'credit'
}

export interface SortCodeOf extends Code {
  profitLine: ProfitLine | null
  balanceCodeId: string | null
}

export interface Chart {
  accounts: ChartAccount[]
  /** By the code that accounts carry. */
  sortCodes: Map<string, SortCodeOf>
  balanceCodes: Map<string, Code>
  /** The topmost code above a sort code. */
  topOf: (code: string) => SortCodeOf | undefined
}

export const isProfit = (kind: AccountKind): boolean => kind === 'income' || kind === 'expense'

export const startOfYear = (day: Day): Day => `${day.slice(0, 4)}-01-01`

/** The chart with its codes, in the order of the accounts' numbers; a few hundred rows for any business. */
export async function chartOf(ctx: Ctx): Promise<Chart> {
  await ensureCodes(ctx)
  const { rows: accounts } =
    await sql<ChartAccount>`select id, number, name, kind, sort_code as "sortCode" from accounts
    where company_id = ${ctx.companyId} order by number`.execute(ctx.tx)
  const { rows: sorts } =
    await sql<SortCodeOf>`select id, code, name, parent_id as "parentId", position, side,
        profit_line as "profitLine",
    balance_code_id as "balanceCodeId" from sort_codes where company_id = ${ctx.companyId}
    and archived_at is null`.execute(ctx.tx)
  const { rows: balances } =
    await sql<Code>`select id, code, name, parent_id as "parentId", position, side from balance_codes
    where company_id = ${ctx.companyId} and archived_at is null`.execute(ctx.tx)
  const sortCodes = new Map(sorts.map((one) => [one.code, one]))
  const byId = new Map(sorts.map((one) => [one.id, one]))
  const topOf = (code: string) => {
    let one = sortCodes.get(code)
    // The database refuses circles; a few steps are all there are.
    for (let step = 0; one?.parentId && step < 8; step++) one = byId.get(one.parentId) ?? one
    return one
  }
  return { accounts, sortCodes, balanceCodes: new Map(balances.map((one) => [one.id, one])), topOf }
}

/** By position, then by code; what has no code comes last. */
export const byPlace = (
  left: Pick<Code, 'position' | 'code'> | undefined,
  right: Pick<Code, 'position' | 'code'> | undefined,
): number =>
  !left || !right
    ? left
      ? -1
      : right
        ? 1
        : 0
    : left.position - right.position || (left.code < right.code ? -1 : left.code > right.code ? 1 : 0)

/** Whether an account is under a code, at whatever depth; every account is where none is given. */
export function underCode(
  { sortCodes }: Pick<Chart, 'sortCodes'>,
  under: string | undefined,
): (account: Pick<ChartAccount, 'sortCode'>) => boolean {
  if (under === undefined) return () => true
  const byId = new Map([...sortCodes.values()].map((one) => [one.id, one]))
  return ({ sortCode }) => {
    if (sortCode === under) return true
    let one = sortCodes.get(sortCode)
    for (let step = 0; one && step < 8; step++) {
      if (one.code === under) return true
      one = one.parentId ? byId.get(one.parentId) : undefined
    }
    return false
  }
}
