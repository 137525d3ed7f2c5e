import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import type { refundStates } from '../../acquirers.ts'

export interface Refund {
  id: string
  charge_id: string
  amount_agorot: number
  reason: string
  state: (typeof refundStates)[number]
  tries: number
  /** Of the money that went back, as the acquirer knows it. */
  reference: string
  paper_failure: string
  created_at: string
}

export const setRefund = (ctx: Ctx, id: string, values: Record<string, unknown>) =>
  sql`update charge_refunds
    set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

/** A refund, locked. */
export async function refundOf(ctx: Ctx, id: string): Promise<Refund | undefined> {
  const { rows } =
    await sql<Refund>`select * from charge_refunds where company_id = ${ctx.companyId} and id = ${id} for
      update`.execute(ctx.tx)
  return rows[0]
}
