import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { dayInJerusalem } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { tellEach } from '#kit/server/data/events.ts'
import type { Wallet } from '../../acquirers.ts'
import type { Made, TryKey } from '../door.ts'
import type { State } from './states.ts'

interface Payer {
  name: string
  email?: string | undefined
  phone?: string | undefined
  taxId?: string | undefined
}

/** What charges are called where it is kept who ordered them. */
export const chargeKind = 'charges'

export interface Charge {
  id: string
  purpose: string
  link_id: string | null
  document_id: string | null
  /** What it is for, where that is neither a link nor a document. */
  subject_id: string | null
  customer_id: string | null
  terminal_id: string
  /** The kept card it is charged to; null: by a form. */
  card_id: string | null
  /** Of the person who asked for it, for charges of kept cards. */
  our_key: string | null
  deed: 'charge' | 'hold' | 'card'
  /** Its form is open for this payment method only; '' for all the acquirer accepts. */
  wallet: Wallet | ''
  consent: string
  consent_address: string
  held_until: string | null
  renews_card_id: string | null
  /** Proofs that its payer or a notice brought, one a line, as far as the gateway declares them. */
  told: string
  /** Of the acquirer's form. */
  reference: string | null
  form_url: string
  /** Of the deal. */
  uid: string
  amount_agorot: number
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
  paid_at: string | null
  surplus: boolean
  paper_id: string | null
  paper_failure: string
  given_back_agorot: number
  ask_at: string | null
  asks: number
  lapses_at: string
  created_at: string
}

export async function chargeOf(ctx: Ctx, id: string, lock = false): Promise<Charge> {
  const { rows } = await sql<Charge>`select * from charges where company_id = ${ctx.companyId}
        and id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** Writes what happened to a charge; nobody changes it. No secret and no token may stand in it. */
export async function tell(
  ctx: Ctx,
  chargeId: string,
  kind: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await sql`insert into charge_events (company_id, id, charge_id, at, kind, details)
    values (${ctx.companyId}, ${newId()}, ${chargeId}, ${ctx.now}, ${kind},
      ${JSON.stringify(details)})`.execute(ctx.tx)
  await tellEach(ctx, `cardCharges.${kind}`, [{ id: chargeId, after: details }])
}

export const setCharge = (ctx: Ctx, id: string, values: Partial<Record<keyof Charge, unknown>>) =>
  sql`update charges
    set ${sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)

/** What a charge is known by at its acquirer. */
export const madeOf = (charge: Charge): Made => ({
  uid: charge.uid,
  approval: charge.approval,
  reference: charge.reference ?? '',
  agorot: charge.amount_agorot,
  currency: charge.currency,
  day: dayInJerusalem(new Date(charge.paid_at ?? charge.created_at)),
})

export type TryDeed = 'page' | 'card' | 'capture' | 'release' | 'refund' | 'void'

export interface Try extends TryKey {
  no: number
  deed: TryDeed
  agorot: number
  askedAt: string
}

/** Records that a request is about to be made, under a new key. To be committed before the call. */
export async function beginTry(
  ctx: Ctx,
  charge: Charge,
  deed: TryDeed,
  agorot: number,
  refundId?: string,
): Promise<Try> {
  const number = randomInt(1, 2_147_483_647)
  const { rows } = await sql<{ no: number; gateway_key: string }>`
    insert into charge_tries (company_id, charge_id, no, terminal_id, deed, refund_id, gateway_key,
      gateway_number, amount_agorot, asked_at)
    select ${ctx.companyId}, ${charge.id}, n.no, ${charge.terminal_id}, ${deed}, ${refundId ?? null},
      replace(${charge.id}, '-', '') || '-' || n.no, ${number}, ${agorot}, ${ctx.now}
    from (select coalesce(max(no), 0) + 1 as no from charge_tries where company_id = ${ctx.companyId}
      and charge_id = ${charge.id}) n
    returning no, gateway_key`.execute(ctx.tx)
  const [made] = rows
  return { no: made!.no, text: made!.gateway_key, number, deed, agorot, askedAt: ctx.now.toISOString() }
}

export const endTry = (ctx: Ctx, chargeId: string, no: number, outcome: string, code = '') =>
  sql`update charge_tries set answered_at = ${ctx.now}, outcome = ${outcome}, code = ${code.slice(0, 40)}
    where company_id = ${ctx.companyId} and charge_id = ${chargeId} and no = ${no}
      and answered_at is null`.execute(ctx.tx)

/** The code of a refusal, the innermost one. */
export function codeOf(e: unknown): string {
  const { code, errors } = e as { code?: string; errors?: { code: string }[] }
  return (errors?.[0]?.code ?? code ?? 'kit.failed').slice(0, 60)
}
