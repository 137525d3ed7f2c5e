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
  deed: 'charge' | 'hold' | 'card'
  keeps_card: boolean
  token: string
  /** 'YYYY-MM' of the card that is kept. */
  expiry: string
  state: 'open' | 'declined' | 'paid' | 'held' | 'released' | 'saved' | 'closed'
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
  const { rows } = await sql<TestCharge>`select * from test_charges where company_id = ${ctx.companyId}
        and reference = ${reference} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

export async function testChargeByKey(ctx: Ctx, key: string): Promise<TestCharge | undefined> {
  const { rows } = await sql<TestCharge>`select * from test_charges where company_id = ${ctx.companyId}
        and merchant_key = ${key}`.execute(ctx.tx)
  return rows[0]
}

/** Its payer is through with it. */
export const isDone = ({ state }: TestCharge): boolean =>
  state === 'paid' || state === 'held' || state === 'saved' || state === 'released'

export const isOver = (charge: TestCharge, now: Date): boolean =>
  !isDone(charge) && new Date(charge.expires_at) < now
