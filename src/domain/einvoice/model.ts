import type { Day } from '../day.ts'
import type { Agorot, BasisPoints } from '../money.ts'

/*
 * An invoice as the European standard EN 16931-1 knows it. The names are ours, the standard's numbers are beside
 * them. Amounts are in hundredths of the invoice's currency, so no amount can have a third decimal (BR-DEC);
 * quantities and prices are decimals as text.
 */

/** UNTDID 5305: standard rate, zero rate, exempt, outside VAT. */
export type VatCategory = 'S' | 'Z' | 'E' | 'O'

export interface InvoiceParty {
  /** BT-27, BT-44 */
  readonly name: string
  /** BT-46: a person's own number, which is no VAT number. */
  readonly id?: string | undefined
  /** BT-30, BT-47 */
  readonly registration?: string | undefined
  /** BT-31, BT-48: with the country's letters before the digits. */
  readonly vatId?: string | undefined
  /** BT-34, BT-49 */
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly contact?: string | undefined
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly zip?: string | undefined
  /** BT-40, BT-55: ISO 3166-1, two letters. */
  readonly country?: string | undefined
}

export interface Delivery {
  /** BT-70 */
  readonly name?: string | undefined
  /** BT-75 */
  readonly street?: string | undefined
  /** BT-77 */
  readonly city?: string | undefined
  /** BT-78 */
  readonly zip?: string | undefined
  /** BT-80: ISO 3166-1, two letters; an address without one is none (BR-57). */
  readonly country: string
}

/** BG-20 and BG-27 take away, BG-21 and BG-28 add; the amount is never below zero. */
export interface AllowanceOrCharge {
  readonly isCharge: boolean
  readonly amount: Agorot
  readonly reason: string
  /** UNTDID 5189, of an allowance. */
  readonly reasonCode?: string | undefined
}

export interface ElectronicLine {
  /** BT-126 */
  readonly id: string
  /** BT-129 */
  readonly quantity: string
  /** BT-130, UN/ECE Recommendation 20 */
  readonly unit: string
  /** BT-146, before VAT; never below zero. */
  readonly price: string
  /** BT-131, before VAT and before the discount of the whole document. */
  readonly net: Agorot
  readonly allowance?: AllowanceOrCharge | undefined
  /** BT-153 */
  readonly name: string
  /** BT-154 */
  readonly description?: string | undefined
  /** BT-155 */
  readonly sellersId?: string | undefined
  readonly category: VatCategory
  readonly rateBp: BasisPoints
}

/** BG-23 */
export interface VatBreakdown {
  readonly category: VatCategory
  readonly rateBp: BasisPoints
  /** BT-116 */
  readonly taxable: Agorot
  /** BT-117 */
  readonly vat: Agorot
  /** BT-120 */
  readonly reason?: string | undefined
}

export interface EInvoice {
  /** BT-1 */
  readonly number: string
  /** BT-2 */
  readonly day: Day
  /**
   * BT-3: 380 is an invoice, 389 one that the buyer wrote on behalf of the seller, 381 a credit note, whose amounts
   * are above zero.
   */
  readonly typeCode: 380 | 381 | 389
  /** BT-5 */
  readonly currency: string
  /** BT-6: only when it is another than the invoice's. */
  readonly vatCurrency?: string | undefined
  /** BT-9 */
  readonly dueDay?: Day | undefined
  /** BT-13 */
  readonly orderNumber?: string | undefined
  /** BT-20 */
  readonly terms?: string | undefined
  /** BT-22 */
  readonly notes: readonly string[]
  /** BG-3 */
  readonly preceding?: { readonly number: string; readonly day: Day } | undefined
  /** BG-24: the number that the tax authority gave. */
  readonly allocation?: { readonly number: string; readonly name: string } | undefined
  readonly seller: InvoiceParty
  readonly buyer: InvoiceParty | undefined
  /** BG-13, BG-15: where the goods go. */
  readonly deliverTo?: Delivery | undefined
  /** BG-16 */
  readonly payment?: {
    /** BT-81, UNTDID 4461 */
    readonly code: string
    /** BT-82 */
    readonly text?: string | undefined
    /** BT-84 */
    readonly iban?: string | undefined
    /** BT-87: the last digits. */
    readonly card?: string | undefined
  }
  readonly lines: readonly ElectronicLine[]
  /** BG-20, BG-21: one for each VAT category, together the document's discount before VAT. */
  readonly allowances: readonly (AllowanceOrCharge & {
    readonly category: VatCategory
    readonly rateBp: BasisPoints
  })[]
  readonly breakdown: readonly VatBreakdown[]
  /** BT-106, BT-107, BT-108, BT-109, BT-110, BT-111, BT-112, BT-113, BT-114, BT-115 */
  readonly totals: {
    readonly lines: Agorot
    readonly allowances: Agorot
    readonly charges: Agorot
    readonly net: Agorot
    readonly vat: Agorot
    readonly vatInVatCurrency?: Agorot | undefined
    readonly total: Agorot
    readonly paid: Agorot
    readonly rounding: Agorot
    readonly payable: Agorot
  }
}

/** BT-24: the core standard, without a country's own additions. */
export const specification = 'urn:cen.eu:en16931:2017'

/** What the allocation number's reference is called in every language, so that a program finds it again. */
export const allocationReference = 'IL-ALLOCATION'

/** Hundredths as '12.50', and a rate in basis points as '18.00'. */
export function amountText(agorot: Agorot): string {
  const digits = String(Math.abs(agorot)).padStart(3, '0')
  return `${agorot < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
