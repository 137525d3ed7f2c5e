import type { Day } from '../../../../domain/day.ts'
import { paymentMeans, type PaymentMeans } from '../../../../domain/documents/kinds.ts'
import { timesFraction, timesRate } from '../../../../domain/money.ts'
import type { DocumentInput } from '../../endpoints.ts'
import { typeById } from '../../types/index.ts'

/** One paper of a book, as it is keyed. Sums in agorot. */
export interface HandRow {
  type: number
  number: number
  day: Day
  customerId: string
  netAgorot: number
  vatAgorot: number
  means: PaymentMeans
}

export const takesPayments = (type: number): boolean => typeById(type)?.parts.includes('payments') ?? false
export const takesLines = (type: number): boolean => {
  const found = typeById(type)
  return found !== undefined && found.parts.includes('lines') && !found.linesOptional
}

/** The VAT of a net at a rate in basis points, as the paper usually has it. */
export const usualVat = (netAgorot: number, rateBp: number): number => timesRate(netAgorot, rateBp, 'halfAwayFromZero')

/** The VAT on the paper is above what its net can bear: a slip of the finger. */
export const isTooMuchVat = (row: Pick<HandRow, 'netAgorot' | 'vatAgorot'>, rateBp: number): boolean =>
  row.vatAgorot < 0 || row.vatAgorot > usualVat(row.netAgorot, rateBp)

const units = (agorot: number): string => `${Math.trunc(agorot / 100)}.${String(Math.abs(agorot % 100)).padStart(2, '0')}`

/**
 * A paper of the book as a document. What its VAT says is taxed; the rest of the net is without VAT, so that net and VAT are those of the
 * paper to the agora.
 */
export function handInput(row: HandRow, rateBp: number, description: string): DocumentInput {
  const { netAgorot, vatAgorot } = row
  const taxed = vatAgorot === usualVat(netAgorot, rateBp) ? netAgorot : timesFraction(vatAgorot, 10_000, rateBp || 1, 'halfAwayFromZero')
  const exempt = vatAgorot === 0 ? netAgorot : netAgorot - taxed
  const line = (agorot: number, vatKind: 1 | 4) => ({ description, quantity: '1', unitPrice: units(agorot), vatKind })
  const isTaxed = vatAgorot !== 0
  return {
    type: row.type,
    customerId: row.customerId,
    date: row.day,
    handNumber: row.number,
    rounding: 'none',
    lines: takesLines(row.type) ? [...(isTaxed ? [line(taxed, 1)] : []), ...(exempt !== 0 || !isTaxed ? [line(exempt, 4)] : [])] : [],
    ...(takesPayments(row.type)
      ? { payments: [{ means: paymentMeans[row.means], amountAgorot: netAgorot + (takesLines(row.type) ? vatAgorot : 0) }] }
      : {}),
  }
}
