import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { TryKey } from '../door.ts'
import type { State } from './states.ts'

export interface Payer {
  name: string
  email?: string | undefined
  phone?: string | undefined
  taxId?: string | undefined
}

export interface Charge {
  id: string
  purpose: string
  kind: 'pay' | 'hold' | 'save'
  means: 'page' | 'card'
  our_key: string
  link_id: string | null
  document_id: string | null
  customer_id: string | null
  card_id: string | null
  card_link_id: string | null
  terminal_id: string
  /** Of the acquirer's form. */
  reference: string | null
  form_url: string
  /** Of the deal. */
  uid: string
  amount_agorot: number
  held_agorot: number | null
  currency: string
  most_instalments: number
  description: string
  return_to: string
  payer: Partial<Payer>
  language: 'he' | 'en' | 'ar' | 'ru' | 'fr'
  state: State
  decline_code: string
  decline_class: string
  instalments: number | null
  card_brand: string
  card_last4: string
  approval: string
  keeps_card: boolean
  consent: string
  paid_at: string | null
  surplus: boolean
  paper_id: string | null
  paper_failure: string
  given_back_agorot: number
  ask_at: string | null
  asks: number
  unknown_since: string | null
  lapses_at: string
  created_by: string | null
  created_at: string
}

export async function chargeOf(ctx: Ctx, id: string, lock = false): Promise<Charge> {
  const { rows } = await sql<Charge>`select * from charges where company_id = ${ctx.companyId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** Writes what happened to a charge; nobody changes it. No secret and no token may stand in it. */
export const tell = (ctx: Ctx, chargeId: string, kind: string, details: Record<string, unknown> = {}) =>
  sql`insert into charge_events (company_id, id, charge_id, at, kind, details)
    values (${ctx.companyId}, ${newId()}, ${chargeId}, ${ctx.now}, ${kind}, ${JSON.stringify(details)})`.execute(ctx.tx)

export const setCharge = (ctx: Ctx, id: string, values: Partial<Record<keyof Charge, unknown>>) =>
  sql`update charges set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

export type TryDeed = 'page' | 'charge' | 'hold' | 'capture' | 'release' | 'refund'

export interface Try extends TryKey {
  no: number
  deed: TryDeed
  agorot: number
  askedAt: string
}

/** Writes down that something is about to be asked, under a key of its own. To be committed before the call. */
export async function beginTry(ctx: Ctx, charge: Charge, deed: TryDeed, agorot: number, refundId?: string): Promise<Try> {
  const number = randomInt(1, 2_147_483_647)
  const { rows } = await sql<{ no: number; gateway_key: string }>`
    insert into charge_tries (company_id, charge_id, no, terminal_id, deed, refund_id, gateway_key, gateway_number, amount_agorot, asked_at)
    select ${ctx.companyId}, ${charge.id}, n.no, ${charge.terminal_id}, ${deed}, ${refundId ?? null},
      replace(${charge.id}, '-', '') || '-' || n.no, ${number}, ${agorot}, ${ctx.now}
    from (select coalesce(max(no), 0) + 1 as no from charge_tries where company_id = ${ctx.companyId} and charge_id = ${charge.id}) n
    returning no, gateway_key`.execute(ctx.tx)
  const [made] = rows
  return { no: made!.no, text: made!.gateway_key, number, deed, agorot, askedAt: ctx.now.toISOString() }
}

export const endTry = (ctx: Ctx, chargeId: string, no: number, outcome: string, code = '') =>
  sql`update charge_tries set answered_at = ${ctx.now}, outcome = ${outcome}, code = ${code.slice(0, 40)}
    where company_id = ${ctx.companyId} and charge_id = ${chargeId} and no = ${no} and answered_at is null`.execute(ctx.tx)

/** The last try of some deeds, answered or not; of a refund that refund's. */
export async function lastTry(ctx: Ctx, chargeId: string, deeds: readonly TryDeed[], refundId?: string): Promise<(Try & { open: boolean }) | undefined> {
  const { rows } = await sql<Try & { open: boolean }>`select no, deed, gateway_key as text, gateway_number as number, amount_agorot as agorot, asked_at as "askedAt",
      answered_at is null as open
    from charge_tries where company_id = ${ctx.companyId} and charge_id = ${chargeId} and deed = any(${deeds}::text[])
      ${refundId ? sql`and refund_id = ${refundId}` : sql``} order by no desc limit 1`.execute(ctx.tx)
  return rows[0]
}

/** The code of a refusal, the innermost one. */
export function codeOf(e: unknown): string {
  const { code, errors } = e as { code?: string; errors?: { code: string }[] }
  return (errors?.[0]?.code ?? code ?? 'kit.failed').slice(0, 60)
}
