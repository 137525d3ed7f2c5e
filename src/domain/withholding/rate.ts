import { addDays, type Day } from '../day.ts'
import { timesRate, type Agorot, type BasisPoints } from '../money.ts'
import { kindOfCode, type WithholdingKind } from './kinds.ts'

/** What a certificate of the tax authority says about one supplier. */
export interface WithholdingCertificate {
  id: string
  fromDay: Day
  toDay: Day
  /** Null when the authority says there is none, and only the approval of the books is known. */
  rateBp: BasisPoints | null
  /** Up to which sum of payments it holds, VAT included. */
  ceilingAgorot: Agorot | null
  booksValid: boolean
  /** As long as the certificate itself when null. */
  booksToDay: Day | null
  /** When it was written down: of two that begin on one day the later one corrects the earlier. */
  createdAt: string
}

/**
 * Why a rate is what it is: by certificate; the certificate's sum is used up; no certificate, but approved
 * books; nothing is known of the books; the books are known not to be approved.
 */
export type WithholdingReason =
  | 'certificate'
  | 'aboveCeiling'
  | 'withoutCertificate'
  | 'booksUnknown'
  | 'booksNotApproved'

export interface WithholdingPart {
  agorot: Agorot
  rateBp: BasisPoints
  withheldAgorot: Agorot
  reason: WithholdingReason
}

export interface Withholding {
  /** Of the first agora; the parts tell where the ceiling cuts the payment. */
  rateBp: BasisPoints
  reason: WithholdingReason
  certificateId: string | null
  /** Until when this rate may be counted on. */
  validTo: Day | null
  /** What may still be paid under the certificate; null without a ceiling. */
  leftAgorot: Agorot | null
  parts: WithholdingPart[]
  withheldAgorot: Agorot
}

/** The certificate that speaks on a day: of those that cover it the one that begins last. */
export function certificateOn(
  certificates: readonly WithholdingCertificate[],
  day: Day,
): WithholdingCertificate | undefined {
  return certificates
    .filter(({ fromDay, toDay }) => fromDay <= day && day <= toDay)
    .toSorted((a, b) =>
      a.fromDay === b.fromDay
        ? compare(b.createdAt, a.createdAt) || compare(b.id, a.id)
        : compare(b.fromDay, a.fromDay),
    )[0]
}

/** Whether the supplier's books stand approved on a day, as far as a certificate says. */
export const booksHold = ({ booksValid, booksToDay }: WithholdingCertificate, day: Day): boolean =>
  booksValid && (booksToDay === null || day <= booksToDay)

/**
 * The tax to withhold from a payment, counted on the whole payment with its VAT. `paidAgorot` is what was
 * paid under the certificate before. Rounded per part, to the agora, half away from zero.
 */
export function withholdingFor(of: {
  day: Day
  /** Code of form 856; services and assets when null. */
  kind: string | null
  /** What is withheld without a certificate, where the business has custom rates. */
  rates?: Pick<WithholdingKind, 'rateBp' | 'withoutBooksBp'> | undefined
  certificates: readonly WithholdingCertificate[]
  amountAgorot?: Agorot
  paidAgorot?: Agorot
}): Withholding {
  const { day, amountAgorot = 0, paidAgorot = 0 } = of
  const kind = of.rates ?? kindOfCode(of.kind, day)
  const certificate = certificateOn(of.certificates, day)
  const booksMatter = kind.rateBp !== kind.withoutBooksBp
  const approved = certificate !== undefined && booksHold(certificate, day)
  const reasonWithout: WithholdingReason =
    !booksMatter || approved ? 'withoutCertificate' : certificate ? 'booksNotApproved' : 'booksUnknown'
  const otherwise = {
    rateBp: reasonWithout === 'withoutCertificate' ? kind.rateBp : kind.withoutBooksBp,
    reason: reasonWithout,
  }

  // A rate below the law's is a right of those whose books are approved.
  if (!certificate || certificate.rateBp === null || (booksMatter && !approved)) {
    const rate =
      certificate?.rateBp != null && certificate.rateBp > otherwise.rateBp
        ? { ...otherwise, rateBp: certificate.rateBp }
        : otherwise
    return answer([{ agorot: amountAgorot, ...rate }], certificate, certificate?.toDay ?? null, null)
  }
  const validTo =
    booksMatter && certificate.booksToDay && certificate.booksToDay < certificate.toDay
      ? certificate.booksToDay
      : certificate.toDay
  const within = { rateBp: certificate.rateBp, reason: 'certificate' as const }
  if (certificate.ceilingAgorot === null)
    return answer([{ agorot: amountAgorot, ...within }], certificate, validTo, null)
  const left = Math.max(0, certificate.ceilingAgorot - paidAgorot)
  const above = { rateBp: Math.max(otherwise.rateBp, certificate.rateBp), reason: 'aboveCeiling' as const }
  if (left === 0) return answer([{ agorot: amountAgorot, ...above }], certificate, validTo, 0)
  if (amountAgorot <= left) return answer([{ agorot: amountAgorot, ...within }], certificate, validTo, left)
  return answer(
    [
      { agorot: left, ...within },
      { agorot: amountAgorot - left, ...above },
    ],
    certificate,
    validTo,
    left,
  )
}

function answer(
  given: Omit<WithholdingPart, 'withheldAgorot'>[],
  certificate: WithholdingCertificate | undefined,
  validTo: Day | null,
  leftAgorot: Agorot | null,
): Withholding {
  const parts = given.map((part) => ({
    ...part,
    withheldAgorot: timesRate(part.agorot, part.rateBp, 'halfAwayFromZero'),
  }))
  return {
    rateBp: parts[0]!.rateBp,
    reason: parts[0]!.reason,
    certificateId: certificate?.id ?? null,
    validTo,
    leftAgorot,
    parts,
    withheldAgorot: parts.reduce((sum, { withheldAgorot }) => sum + withheldAgorot, 0),
  }
}

/** How a register shows the state of a supplier. */
export const withholdingStates = ['valid', 'expiring', 'booksNotApproved', 'none'] as const
export type WithholdingState = (typeof withholdingStates)[number]

/** So long before its end a certificate is called expiring. */
export const EXPIRING_DAYS = 30

export function withholdingState(
  certificates: readonly WithholdingCertificate[],
  day: Day,
): WithholdingState {
  const certificate = certificateOn(certificates, day)
  if (!certificate) return 'none'
  if (!booksHold(certificate, day)) return 'booksNotApproved'
  if (certificate.rateBp === null) return 'none'
  const last =
    certificate.booksToDay && certificate.booksToDay < certificate.toDay
      ? certificate.booksToDay
      : certificate.toDay
  return last <= addDays(day, EXPIRING_DAYS) ? 'expiring' : 'valid'
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
