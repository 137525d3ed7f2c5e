import { forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'

/** Returns are of the whole business. */
export function refusePartSight(ctx: Ctx): void {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}

/** A file is nothing but figures. */
export function refuseFigures(ctx: Ctx): void {
  refusePartSight(ctx)
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
}
