import type { z } from 'zod'
import type { Day } from '#domain/day.ts'
import type { DocumentTotals } from '#domain/documents/arithmetic.ts'
import type { ExemptGround, ZeroGround } from '#domain/vat/grounds.ts'
import type { DocumentType } from '#kit/describe/documentType.ts'
import type { Company } from '#features/base/companies/endpoints.ts'
import type { DeliverTo, documentInput } from '../../endpoints.ts'

/** As it was asked for; a line of the catalogue may leave its price to us. */
export type Given = Omit<z.output<typeof documentInput>, 'payments'> & {
  payments?: GivenPayment[] | undefined
}
/** isHeld: money that was taken in trust before and pays now; nobody from outside may say so. */
export type GivenPayment = NonNullable<z.output<typeof documentInput>['payments']>[number] & {
  isHeld?: true | undefined
}
/** The same with every price settled. */
export type Content = Omit<Given, 'lines'> & { lines: (Given['lines'][number] & { unitPrice: string })[] }

/** The customer as printed on the document: names and addresses of the day it was issued. */
export interface CustomerSnapshot {
  name: string
  taxId: string | null
  isDealer: boolean
  contact: string | null
  email: string | null
  phone: string | null
  street: string | null
  city: string | null
  zip: string | null
  country: string | null
}

/**
 * A rate of exchange, where it came from (the Bank of Israel, the business's own table, a person) and the day
 * it was published for.
 */
export interface Exchange {
  /** Shekels for one unit, up to six decimals. */
  rate: string
  source: 'bank' | 'own' | 'typed' | null
  /** A rate that a person typed has none. */
  day: Day | null
}

/**
 * A document ready to be kept or issued: everything the input left open is settled and every sum is worked
 * out.
 */
export interface Prepared {
  type: DocumentType
  content: Content
  company: Company
  day: string
  dueDay: string | null
  dueTerms: string
  currency: string
  rate: string
  /** Where the rate came from, and its own day; nothing in shekels. */
  rateSource: Exchange['source'] | null
  rateDay: string | null
  language: Company['language']
  customerId: string | null
  customer: CustomerSnapshot | null
  shut: Shut | null
  /** The worker who sold it. */
  agentId: string | null
  zeroRate: boolean
  /** Why it is at zero rate or exempt; null where nobody chose. */
  zeroGround: ZeroGround | null
  exemptGround: ExemptGround | null
  /** Of a document in a foreign currency: its amounts in shekels are left out. */
  hidesIls: boolean | null
  vatRateBp: number
  /** Whether its money is at once its income. Money for a debt that stood in the income before is not. */
  isIncome: boolean
  /** It writes a debt off, or charges what was paid of one that was written off: its net is no income. */
  isBadDebt: boolean
  /**
   * The paper it corrects comes to less than zero, as some did that were issued before such papers were
   * refused.
   */
  correctsNegative: boolean
  deliverTo: DeliverTo | null
  totals: DocumentTotals
  ils: DocumentTotals
  payments: PreparedPayment[]
  /**
   * Above which sum before VAT an invoice of its day needs an allocation number, in agorot; undefined before
   * the law began.
   */
  allocationFrom: number | undefined
}

/** One means of payment, everything settled. */
export interface PreparedPayment {
  means: number
  amount: number
  ils: number
  day: string
  dueDay: string
  given: GivenPayment
}

/** Why nothing new is issued to a customer: put away, blocked, or found to be another. */
export interface Shut {
  archived: boolean
  blocked: boolean
  reason: string | null
}
