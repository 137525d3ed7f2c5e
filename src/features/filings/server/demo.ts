import { sql } from 'kysely'
import type { Ctx } from '../../../kit/server/context.ts'

/** A made-up business pays advances like any other. */
export const showFilings = (ctx: Ctx): Promise<unknown> =>
  sql`update companies set income_tax_advance_bp = 450 where id = ${ctx.companyId} and demo and income_tax_advance_bp = 0`.execute(ctx.tx)
