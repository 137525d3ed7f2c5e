import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import type { PlanAnswer } from '../endpoints.ts'

/**
 * Where a developer's machine remembers which demo business sells the product: all processes of it read the
 * same.
 */
const remembered = ({ settings }: App): string => join(settings.dataDir, 'demo-operator')

/**
 * The business that sells the product in this installation; undefined where nobody does. On a developer's
 * machine it may be a demo.
 */
export function operatorOf(app: App): string | undefined {
  const { billingCompany, development } = app.settings
  if (billingCompany || !development) return billingCompany
  return existsSync(remembered(app)) ? readFileSync(remembered(app), 'utf8') : undefined
}

export const rememberOperator = (app: App, companyId: string): void =>
  writeFileSync(remembered(app), companyId)

/** A demo that is thrown away sells nothing any more. */
export function forgetOperator(app: App, companyId: string): void {
  if (app.settings.development && !app.settings.billingCompany && operatorOf(app) === companyId)
    rmSync(remembered(app), { force: true })
}

/**
 * Works in the operator's business, as the system: for an affiliate, whose session is in another business, and for
 * the sweep.
 */
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
  const { rows } = await sql<PlanAnswer>`select from_day as "fromDay", steps, months, hold_days as "holdDays",
        least_agorot as "leastAgorot"
    from affiliate_plans where company_id = ${ctx.companyId} order by from_day desc`.execute(ctx.tx)
  return rows
}
