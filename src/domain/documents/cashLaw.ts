import type { Day } from '../day.ts'
import { inForceOn, type LawKey } from '../law/figures.ts'
import { timesRate, type Agorot } from '../money.ts'

/**
 * Who pays whom. 'business': a deal in which either side is a business, so every deal of ours but those with
 * a tourist; 'private' and 'privateCar': between private persons; 'tourist': a tourist pays a business.
 */
export type CashDeal = 'business' | 'private' | 'privateCar' | 'tourist'

/** Law for Reducing the Use of Cash: which ceiling is whose. */
const ceilings: Readonly<Record<CashDeal, LawKey>> = {
  business: 'cashBusiness',
  private: 'cashPrivate',
  privateCar: 'cashPrivateCar',
  tourist: 'cashTourist',
}

export interface CashPayment {
  readonly day: Day
  /**
   * The price of the whole deal with VAT, in shekels: splitting a deal into several receipts does not raise
   * the limit.
   */
  readonly price: Agorot
  /** All the cash of the deal: what was taken before and what is offered now. */
  readonly cash: Agorot
  readonly deal: CashDeal
}

export interface CashRefusal {
  readonly code: 'payments.cashAboveLimit'
  readonly params: { readonly cash: Agorot; readonly limit: Agorot; readonly ceiling: Agorot }
}

/**
 * The most cash the law allows in the deal: anything while the price is not above the ceiling, else the lower
 * of a tenth of the price and the ceiling. Undefined = no limit.
 */
export function cashLimit(day: Day, price: Agorot, deal: CashDeal): Agorot | undefined {
  const ceiling = ceilingOn(day, deal)
  if (ceiling === undefined || price <= ceiling) return undefined
  return Math.min(timesRate(price, 1000, 'halfAwayFromZero'), ceiling)
}

/** Why the cash may not be taken, or undefined when it may. */
export function refuseCash({ day, price, cash, deal }: CashPayment): CashRefusal | undefined {
  const limit = cashLimit(day, price, deal)
  if (limit === undefined || cash <= limit) return undefined
  return { code: 'payments.cashAboveLimit', params: { cash, limit, ceiling: ceilingOn(day, deal) ?? limit } }
}

const ceilingOn = (day: Day, deal: CashDeal): Agorot | undefined => inForceOn(ceilings[deal], day)
