import type { Agorot } from '#domain/money.ts'

/**
 * No answer: the network, an outage, too many calls. What was asked may be asked again later and answers the
 * same.
 */
export class AuthorityAway extends Error {}
/** The token is not good any more. */
export class TokenRefused extends Error {}
/** The log-in of a person was refused, or its code was used before. */
export class LoginRefused extends Error {}

export interface Tokens {
  access: string
  refresh: string
  /** Seconds. */
  accessLives: number
  refreshLives: number
}

/** A line as the authority takes it; money in shekels with two decimals. */
export interface RequestLine {
  index: number
  catalog_id: string
  description: string
  measure_unit_description: string
  quantity: number
  price_per_unit: number
  discount: number
  total_amount: number
  vat_rate: number
  vat_amount: number
}

/** The body of a request, named as in the authority's document (v2, table 2.2). */
export interface AllocationRequest {
  invoice_id: string
  invoice_type: number
  vat_number: number
  union_vat_number?: number
  invoice_reference_number: string
  customer_vat_number: number
  customer_name: string
  invoice_date: string
  invoice_issuance_date: string
  branch_id: string
  accounting_software_number: number
  client_software_key: string
  user_name: string
  amount_before_discount: number
  discount: number
  payment_amount: number
  vat_amount: number
  payment_amount_including_vat: number
  invoice_note: string
  action: number
  items: RequestLine[]
}

export type Answer =
  | { state: 'granted'; number: string }
  | { state: 'refused'; code: string; message: string }

export interface NumberQuestion {
  supplierTaxId: string
  customerTaxId: string
  invoiceNumber: string
  day: string
  net: Agorot
  vat: Agorot
  /** Empty: which number does this invoice have? */
  number: string
}

/** What the authority has under a number, or under an invoice; undefined when it has nothing. */
export type Known = { number: string; day: string; net: Agorot; vat: Agorot } | undefined

export type Told = 'cancel' | 'continue' | 'objection'

/**
 * The tax authority as the product sees it. Every call may throw AuthorityAway, those with a token
 * TokenRefused too.
 */
export interface TaxAuthority {
  readonly kind: 'real' | 'simulator'
  /**
   * The address of the log-in and consent; the authority redirects to `returnTo` with a code and the same state.
   */
  loginAddress: (state: string, returnTo: string) => string
  /** Throws LoginRefused. */
  exchange: (code: string, returnTo: string) => Promise<Tokens>
  /** The refresh token is good once: the answer brings the next one. Throws TokenRefused. */
  renew: (refresh: string) => Promise<Tokens>
  /** Asked again with the same invoice_id it answers the same number. */
  ask: (access: string, request: AllocationRequest) => Promise<Answer>
  /** The choice after a refusal; reported twice it counts once. */
  tell: (access: string, invoiceKey: string, dealer: string, choice: Told) => Promise<void>
  emergencyNumbers: (access: string, dealer: string, count: number) => Promise<string[]>
  reportEmergency: (access: string, number: string, request: AllocationRequest) => Promise<void>
  verify: (access: string, question: NumberQuestion) => Promise<Known>
  /**
   * Above which sum before VAT an invoice of today needs a number; undefined when the answer cannot be read.
   */
  minimumAmount: (access: string) => Promise<Agorot | undefined>
}
