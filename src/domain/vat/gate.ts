import { vatDifference } from './bills.ts'
import { lastVatDay } from '../law/terms.ts'
import { papers, type ExpensePaper } from './shares.ts'
import type { Day, Period } from '../day.ts'
import { isInside } from '../day.ts'
import type { Agorot } from '../money.ts'
import { isTaxId } from '../taxId.ts'
import { allocationThresholdOn, needsAllocation } from './allocation.ts'
import { vatRateOn } from './rates.ts'

/** A supplier's bill as the gate looks at it; amounts in agorot of the shekel, a credit negative. */
export interface GateBill {
  paper: ExpensePaper
  day: Day
  vatDay: Day
  supplierTaxId: string | null
  number: string
  net: Agorot
  vat: Agorot
  recognised: Agorot
  isForeign: boolean
  allocation: string
  /** What the authority said of the number last. */
  answer: 'confirmed' | 'differs' | 'found' | 'notFound' | null
  hasTwin: boolean
}

export const gateReasons = [
  'noAllocation',
  'allocationWrong',
  'noTaxId',
  'badTaxId',
  'noNumber',
  'noImportEntry',
  'duplicate',
  'tooOld',
  'tooEarly',
  'arithmetic',
  'allocationUnchecked',
] as const
export type GateReason = (typeof gateReasons)[number]

/** A number nobody asked about yet is no fault, only a thing to do. */
export const isAtRisk = (reason: GateReason): boolean => reason !== 'allocationUnchecked'

/**
 * Why the VAT of a bill might not be allowed. VAT law: section 38(a) (original tax invoice, six months),
 * 38(a1) (allocation number above the threshold of the bill's day), 47 (what an invoice says).
 */
export function reasonsOf(
  bill: GateBill,
  period: Period,
  thresholdOn: (day: Day) => Agorot | undefined = allocationThresholdOn,
): GateReason[] {
  if (bill.recognised === 0) return []
  const reasons: GateReason[] = []
  const isInvoice = bill.paper === 'taxInvoice'
  const needs = needsAllocation(
    {
      documentAllows: papers[bill.paper].mayNeedAllocation,
      day: bill.day,
      net: bill.net,
      vat: bill.vat,
      customerIsDealer: true,
    },
    thresholdOn,
  )
  if (needs && !bill.allocation) reasons.push('noAllocation')
  if (bill.allocation && (bill.answer === 'differs' || bill.answer === 'notFound'))
    reasons.push('allocationWrong')
  if (isInvoice && !bill.supplierTaxId) reasons.push('noTaxId')
  if (bill.supplierTaxId && !isTaxId(bill.supplierTaxId)) reasons.push('badTaxId')
  if ((isInvoice || bill.paper === 'palestinian') && !/[1-9]/.test(bill.number)) reasons.push('noNumber')
  if (bill.paper === 'import' && !/[1-9]/.test(bill.number)) reasons.push('noImportEntry')
  if (bill.hasTwin) reasons.push('duplicate')
  if (bill.vatDay > lastVatDay(bill.day) && !isInside(bill.day, period)) reasons.push('tooOld')
  if (bill.day > period.to) reasons.push('tooEarly')
  if (
    bill.paper !== 'import' &&
    !bill.isForeign &&
    vatDifference(bill.net, bill.vat, vatRateOn(bill.day)) !== 0
  )
    reasons.push('arithmetic')
  if (needs && bill.allocation && bill.answer === null) reasons.push('allocationUnchecked')
  return reasons
}
