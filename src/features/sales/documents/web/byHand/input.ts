import { timesFraction, timesRate } from '#domain/money.ts'
import type { DocumentInput } from '../../endpoints.ts'
import { typeById } from '../../types/index.ts'

/** The totals of a document of the paper book. Amounts in agorot. */
export interface HandSums {
  netAgorot: number
  vatAgorot: number
}

export const takesPayments = (type: number): boolean => typeById(type)?.parts.includes('payments') ?? false
export const takesCloses = (type: number): boolean => typeById(type)?.parts.includes('closes') ?? false
export const takesLines = (type: number): boolean => {
  const found = typeById(type)
  return found !== undefined && found.parts.includes('lines') && !found.linesOptional
}

/** The VAT of a net at a rate in basis points, as the paper usually has it. */
export const usualVat = (netAgorot: number, rateBp: number): number =>
  timesRate(netAgorot, rateBp, 'halfAwayFromZero')

/** The VAT on the paper is above what its net can bear: a slip of the finger. */
export const isTooMuchVat = (row: HandSums, rateBp: number): boolean =>
  row.vatAgorot < 0 || row.vatAgorot > usualVat(row.netAgorot, rateBp)

const units = (agorot: number): string =>
  `${Math.trunc(agorot / 100)}.${String(Math.abs(agorot % 100)).padStart(2, '0')}`

/**
 * The lines of a paper of the book. What its VAT says is taxed; the rest of the net is without VAT, so that
 * net and VAT are those of the paper to the agora.
 */
export function handLines(
  { netAgorot, vatAgorot }: HandSums,
  rateBp: number,
  description: string,
): NonNullable<DocumentInput['lines']> {
  const taxed =
    vatAgorot === usualVat(netAgorot, rateBp)
      ? netAgorot
      : timesFraction(vatAgorot, 10_000, rateBp || 1, 'halfAwayFromZero')
  const exempt = vatAgorot === 0 ? netAgorot : netAgorot - taxed
  const line = (agorot: number, vatKind: 1 | 4) => ({
    description,
    quantity: '1',
    unitPrice: units(agorot),
    vatKind,
  })
  const isTaxed = vatAgorot !== 0
  return [...(isTaxed ? [line(taxed, 1)] : []), ...(exempt !== 0 || !isTaxed ? [line(exempt, 4)] : [])]
}
