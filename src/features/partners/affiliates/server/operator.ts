import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import type { PlanAnswer } from '../endpoints.ts'

/** The business that sells the product in this installation; undefined where nobody does. */
export const operatorOf = (app: App): string | undefined => app.settings.billingCompany

/** Works in the operator's business, as the system: for an affiliate, who stands in his own, and for the sweep. */
export function atOperator<T>(app: App, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const operatorId = operatorOf(app)
  if (!operatorId) throw fail('kit.notFound')
  return asCaller(app, systemCaller(operatorId), '', work)
}

/** To everybody but the operator there are no affiliates. */
export function beOperator(ctx: Ctx): void {
  if (ctx.companyId !== operatorOf(ctx.app)) throw fail('kit.notFound')
}

export async function plansOf(ctx: Pick<Ctx, 'tx' | 'companyId'>): Promise<PlanAnswer[]> {
  const { rows } = await sql<PlanAnswer>`select from_day as "fromDay", steps, months, hold_days as "holdDays", least_agorot as "leastAgorot"
    from affiliate_plans where company_id = ${ctx.companyId} order by from_day desc`.execute(ctx.tx)
  return rows
}
