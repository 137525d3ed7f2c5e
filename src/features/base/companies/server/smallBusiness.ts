import { sql } from 'kysely'
import { maySmall, takesSmall, type SmallElection } from '#domain/filings/smallBusiness.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from './company.ts'

/** From which years the business takes the fixed deduction of a small business, or stopped; in order. */
export async function smallElections(ctx: Ctx): Promise<SmallElection[]> {
  const { rows } = await sql<SmallElection>`select from_year as "fromYear", takes from small_elections
    where company_id = ${ctx.companyId} order by from_year`.execute(ctx.tx)
  return rows
}

/** Whether the business takes the fixed deduction in a year. */
export async function smallIn(ctx: Ctx): Promise<(year: number) => boolean> {
  const { kind } = await companyOf(ctx)
  if (!maySmall(kind)) return () => false
  const elections = await smallElections(ctx)
  return (year) => takesSmall(elections, year)
}
