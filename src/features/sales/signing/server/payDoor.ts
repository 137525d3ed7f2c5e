import { sql } from 'kysely'
import { formatMoney } from '#domain/format.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import type { SignField } from '../shapes.ts'
import type { StoredRequest, StoredSigner } from './load.ts'

/** What a field that asks for a payment needs of those who take money. */
export interface PayDoor {
  /** Whether a card can be charged at all. */
  isOn: (ctx: Ctx) => Promise<boolean>
  open: (
    ctx: Ctx,
    asked: {
      description: string
      agorot: number
      customerId: string | null
      email: string | null
      language: Language
      expiresOn: string
    },
  ) => Promise<{ id: string; url: string }>
  /** Of a link: its page while it can be paid, and whether it was. */
  find: (ctx: Ctx, id: string) => Promise<{ state: 'open' | 'paid' | 'over'; url: string }>
}

let door: PayDoor | undefined
export const payDoor = (): PayDoor | undefined => door

/**
 * Ties the fields that ask for a payment to those who take money; without it no paper with one can be sent.
 */
export const registerPayDoor = (given: PayDoor): void => void (door = given)

export const paysOnline = async (ctx: Ctx): Promise<boolean> => (await door?.isOn(ctx)) ?? false

/** What a field asks for: its own sum, or the paper's. */
export const sumOf = (field: Pick<SignField, 'amountAgorot'>, sumAgorot: number | null): number | null =>
  field.amountAgorot ?? sumAgorot

export const linkOf = async (ctx: Ctx, s: StoredSigner, field: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`select link_id as id from sign_payments
    where company_id = ${ctx.companyId} and signer_id = ${s.id} and field = ${field}`.execute(ctx.tx)
  return rows[0]?.id
}

/** The text of the field once it is paid, in the document's language; nothing before. */
export async function paidValue(
  ctx: Ctx,
  r: StoredRequest,
  s: StoredSigner,
  field: SignField,
): Promise<string | undefined> {
  const id = await linkOf(ctx, s, field.id)
  if (!id || !door || (await door.find(ctx, id)).state !== 'paid') return undefined
  return say(r.language, 'signing.paidValue', { sum: `₪${formatMoney(sumOf(field, r.sumAgorot) ?? 0)}` })
}
