import { forbidden } from '#kit/describe/errors.ts'
import { seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'

/**
 * Budget and forecast are totals of the whole business: they contain nothing for people who see a part of it, or no
 * amounts.
 */
export const seesSums = ({ caller }: Pick<Ctx, 'caller'>): boolean =>
  seesWhole(caller) && !caller.hideTotalPrices

export const whole =
  <I, O>(work: (ctx: Ctx, input: I) => Promise<O>) =>
  (ctx: Ctx, input: I): Promise<O> => {
    if (!seesSums(ctx)) throw forbidden({ sight: 'whole' })
    return work(ctx, input)
  }
