import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'

/** A charge as the test acquirer remembers it. */
export interface TestCharge {
  company_id: string
  reference: string
  merchant_key: string
  amount_agorot: number
  most_instalments: number
  description: string
  language: string
  return_to: string
  state: 'open' | 'declined' | 'paid' | 'closed'
  code: string
  brand: string
  last4: string
  instalments: number | null
  approval: string
  given_back: Record<string, number>
  refuses_refunds: boolean
  expires_at: string
}

export async function testChargeOf(ctx: Ctx, reference: string, lock = false): Promise<TestCharge> {
  const { rows } =
    await sql<TestCharge>`select * from test_charges where company_id = ${ctx.companyId} and reference = ${reference} ${lock ? sql`for update` : sql``}`.execute(
      ctx.tx,
    )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export const isOver = (charge: TestCharge, now: Date): boolean => charge.state !== 'paid' && new Date(charge.expires_at) < now
