import { seesWhole } from '#kit/describe/session.ts'
import type { Period } from '#domain/day.ts'
import type { Ctx } from '../context.ts'

/** A budget that reports stand beside: a sum for each account, positive as it grows. */
export interface Budgets {
  /** Whether the caller may see it. */
  may: (ctx: Ctx) => boolean
  in: (ctx: Ctx, period: Period) => Promise<ReadonlyMap<string, number>>
}

let kept: Budgets | undefined

/** Called by the feature that keeps budgets. */
export const registerBudgets = (budgets: Budgets): void => void (kept = budgets)

/**
 * The budget of a range of days by account; nothing for people who may not see it, or see a part of the business or
 * no amounts.
 */
export async function budgetFor(ctx: Ctx, period: Period): Promise<ReadonlyMap<string, number> | undefined> {
  if (!kept || !seesWhole(ctx.caller) || ctx.caller.hideTotalPrices || !kept.may(ctx)) return undefined
  return kept.in(ctx, period)
}

/** Whether there may be one for the caller. */
export const hasBudgets = (ctx: Ctx): boolean =>
  kept !== undefined && seesWhole(ctx.caller) && !ctx.caller.hideTotalPrices && kept.may(ctx)
