import { sum, timesFraction, type Agorot } from '../money.ts'
import type { Day } from '../day.ts'
import type { Header } from './pcn874/layout.ts'
import type { ExpensePaper } from './shares.ts'

/*
 * The input of a VAT return: documents with amounts in agorot of the shekel. The sign carries the meaning: amounts
 * of a credit are negative, whatever is printed.
 */

/**
 * Who bought: somebody at home; abroad, where what is untaxed is an export; under the Palestinian Authority;
 * or we ourselves, by a self-invoice whose VAT we owe in the seller's stead.
 */
export type SaleKind = 'home' | 'abroad' | 'palestinian' | 'selfInvoice'

export interface SalePaper {
  /** What it is found by: `document:<id>`, `entry:<id>`, `expense:<id>` of a self-invoice. */
  key: string
  number: string
  /** Which series the number is of, as the detailed report tells it (`referenceGroup`). */
  group: string
  day: Day
  /** Nine digits, or null for a customer (of a self-invoice: a seller) without a number. */
  taxId: string | null
  name: string
  kind: SaleKind
  /** The number of the export declaration; empty where there is none, as of services. */
  exportEntry: string
  /** Of a self-invoice: what its bill owes the seller for things without VAT, which are no turnover. */
  beside: Agorot
  /** Of a self-invoice: the amount on the seller's card for it; null of all else, and of its reversal. */
  gross: Agorot | null
  taxable: Agorot
  /** Exempt and zero rate. */
  untaxed: Agorot
  vat: Agorot
  /** At which its VAT was worked out; null when it is not one rate. */
  rateBp: number | null
  isForeign: boolean
  allocation: string
}

export interface InputPaper {
  /** `expense:<id>`, `document:<id>` of a self-billed invoice without a separate bill, `entry:<id>`. */
  key: string
  paper: ExpensePaper
  number: string
  day: Day
  taxId: string | null
  name: string
  /** All of it, whatever part of its VAT is recognised. */
  net: Agorot
  /** The recognised VAT; the equipment's is part of it. */
  vat: Agorot
  equipmentVat: Agorot
  /** The amount on the supplier's card for it; null when it is on nobody's card. */
  gross: Agorot | null
  allocation: string
  /**
   * What its lines with recognized VAT charge, and what they reverse, where the total and its VAT have different
   * signs: goods that were returned on a bill of other goods.
   */
  bySign?: readonly Pick<InputPaper, 'net' | 'vat' | 'equipmentVat'>[] | null
}

export interface ReturnFigures {
  taxableSales: Agorot
  untaxedSales: Agorot
  outputVat: Agorot
  inputVatEquipment: Agorot
  inputVatOther: Agorot
  /** Negative: a refund. */
  toPay: Agorot
}

export const figureNames = [
  'taxableSales',
  'untaxedSales',
  'outputVat',
  'inputVatEquipment',
  'inputVatOther',
  'toPay',
] as const

export function figuresOf(sales: readonly SalePaper[], inputs: readonly InputPaper[]): ReturnFigures {
  const outputVat = sum(sales.map((s) => s.vat))
  const inputVatEquipment = sum(inputs.map((i) => i.equipmentVat))
  const inputVatOther = sum(inputs.map((i) => i.vat)) - inputVatEquipment
  return {
    taxableSales: sum(sales.map((s) => s.taxable)),
    untaxedSales: sum(sales.map((s) => s.untaxed)),
    outputVat,
    inputVatEquipment,
    inputVatOther,
    toPay: outputVat - inputVatEquipment - inputVatOther,
  }
}

/** Half away from zero to a whole shekel, still in agorot. */
export const wholeShekels = (agorot: Agorot): Agorot =>
  Math.sign(agorot) * Math.round(Math.abs(agorot) / 100) * 100 || 0

/**
 * As the return is filed: each figure rounded to a shekel separately; the amount to pay follows from the rounded
 * ones, so that it adds up.
 */
export function inShekels(exact: ReturnFigures): ReturnFigures {
  const [taxableSales, untaxedSales, outputVat, inputVatEquipment, inputVatOther] = (
    ['taxableSales', 'untaxedSales', 'outputVat', 'inputVatEquipment', 'inputVatOther'] as const
  ).map((name) => wholeShekels(exact[name])) as [number, number, number, number, number]
  return {
    taxableSales,
    untaxedSales,
    outputVat,
    inputVatEquipment,
    inputVatOther,
    toPay: outputVat - inputVatEquipment - inputVatOther,
  }
}

/**
 * The return as the detailed report makes it, in agorot: every entry of the file is rounded to a shekel and its
 * header adds them up, and the authority takes the return's figures from there (circular 874).
 */
export const detailedFigures = (
  header: Pick<
    Header,
    'taxableSales' | 'untaxedSales' | 'salesVat' | 'equipmentVat' | 'otherInputVat' | 'total'
  >,
): ReturnFigures => ({
  taxableSales: header.taxableSales * 100,
  untaxedSales: header.untaxedSales * 100,
  outputVat: header.salesVat * 100,
  inputVatEquipment: header.equipmentVat * 100,
  inputVatOther: header.otherInputVat * 100,
  toPay: header.total * 100,
})

/**
 * Figures that the return cannot carry: credits above the sales, or suppliers' credits above their bills. A
 * person has to decide.
 */
export const negativeFigures = (figures: ReturnFigures): (keyof ReturnFigures)[] =>
  figureNames.filter((name) => name !== 'toPay' && figures[name] < 0)

/** How much of an amount is due when so much of the total was paid; all of it is exact once all is paid. */
export const paidPart = (amount: Agorot, paid: Agorot, total: Agorot): Agorot =>
  total === 0 || paid === total ? amount : timesFraction(amount, paid, total, 'halfAwayFromZero')

/**
 * On cash basis a document counts as far as it was paid in the period: what was due at its end less what was due
 * before it. Taxed and untaxed parts keep their proportion to the total in the books: the smaller is rounded and the
 * larger takes the rest.
 */
export function partInPeriod<T extends Pick<SalePaper, 'taxable' | 'untaxed' | 'vat'>>(
  paper: T,
  { before, after, total }: { before: Agorot; after: Agorot; total: Agorot },
): T {
  const part = (amount: Agorot) =>
    paidPart(amount, after, total) - (before === 0 ? 0 : paidPart(amount, before, total))
  const net = part(paper.taxable + paper.untaxed)
  const vat = part(paper.vat)
  if (Math.abs(paper.untaxed) > Math.abs(paper.taxable)) {
    const taxable = part(paper.taxable)
    return { ...paper, taxable, untaxed: net - taxable, vat }
  }
  const untaxed = part(paper.untaxed)
  return { ...paper, taxable: net - untaxed, untaxed, vat }
}
