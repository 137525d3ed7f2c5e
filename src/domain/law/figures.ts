import type { Day } from '../day.ts'
import { answerOf, stepOf, type Law, type LawAnswer } from './dated.ts'

/*
 * Every dated figure of the law that the product uses is here and nowhere else (`npm run check` looks for others). A
 * release adds a step; an operator enters one without a release.
 */

const agorot = (law: Omit<Law, 'unit'>): Law => ({ unit: 'agorot', ...law })
const rate = (law: Omit<Law, 'unit'>): Law => ({ unit: 'basisPoints', ...law })

const cash = (ceiling: number): Law =>
  agorot({
    steps: [['2022-08-01', ceiling]],
    knownTo: '2027-12-31',
    ends: 'open',
    // Law for Reducing the Use of Cash, amounts from 1 August 2022.
    source: 'cashLaw',
    checked: '2026-11-20',
  })

/** Rates without a certificate, by the code of form 856, as professional pages tell them. */
const withheld = (basisPoints: number): Law =>
  rate({
    steps: [['2000-01-01', basisPoints]],
    knownTo: '2027-12-31',
    ends: 'open',
    // Income tax regulations on withholding, from professional pages.
    source: 'withholding',
    checked: '2026-11-22',
  })

const depreciation = (basisPoints: number): Law =>
  rate({
    steps: [['1941-09-01', basisPoints]],
    knownTo: '2027-12-31',
    ends: 'open',
    // Income Tax Regulations (Depreciation), 1941, from professional pages.
    source: 'depreciation',
    checked: '2026-11-22',
  })

const turnoverOf = (steps: Law['steps']): Law =>
  agorot({
    steps,
    knownTo: '2026-12-31',
    ends: 'yearly',
    // Announcements of the Tax Authority for the year.
    source: 'announcements',
    checked: '2026-11-28',
  })

const smallBusiness = (basisPoints: number): Law =>
  rate({
    steps: [['2024-01-01', basisPoints]],
    knownTo: '2026-12-31',
    ends: 'open',
    // Income Tax Ordinance, sections 87b to 87g (amendment 265, May 2023), from publications that quote the text.
    source: 'smallBusiness',
    checked: '2026-11-30',
  })

export const laws = {
  vatRate: rate({
    steps: [
      ['1976-07-01', 800],
      ['1977-11-01', 1200],
      ['1982-08-01', 1500],
      ['1985-06-01', 1700],
      ['1985-10-01', 1500],
      ['1990-03-01', 1600],
      ['1991-01-01', 1800],
      ['1993-01-01', 1700],
      ['2002-06-15', 1800],
      ['2004-03-01', 1700],
      ['2005-09-01', 1650],
      ['2006-07-01', 1550],
      ['2009-07-01', 1650],
      ['2010-01-01', 1600],
      ['2012-09-01', 1700],
      ['2013-06-02', 1800],
      ['2015-10-01', 1700],
      ['2025-01-01', 1800],
    ],
    knownTo: '2027-12-31',
    ends: 'open',
    // VAT orders, dates compared with open tables.
    source: 'vatOrders',
    checked: '2026-11-28',
  }),
  // example: datedTable
  allocationThreshold: agorot({
    steps: [
      ['2024-05-05', 2_500_000],
      ['2025-01-01', 2_000_000],
      ['2026-01-01', 1_000_000],
      ['2026-06-01', 500_000],
    ],
    knownTo: '2027-12-31',
    ends: 'open',
    // “Invoices Israel”, order of January 2025 as published on 31 December 2025.
    source: 'invoicesIsrael',
    checked: '2026-11-28',
  }),
  // example end
  exemptCeiling: turnoverOf([
    ['2024-01-01', 12_000_000],
    ['2025-01-01', 12_000_000],
    ['2026-01-01', 12_283_300],
  ]),
  // What a small business deducts of its turnover, and how much of its income may come from relatives.
  smallDeduction: smallBusiness(3000),
  smallFromRelatives: smallBusiness(2500),
  monthlyVat: turnoverOf([['2026-01-01', 177_500_000]]),
  detailedVat: turnoverOf([['2026-01-01', 50_000_000]]),
  // Above this amount before VAT the detailed report names the customer of a sale.
  namedSale: agorot({
    steps: [['2010-01-01', 500_000]],
    knownTo: '2027-12-31',
    ends: 'open',
    // Tax Authority, structure of the detailed VAT report.
    source: 'detailedVat',
    checked: '2026-11-20',
  }),
  cashBusiness: cash(600_000),
  cashPrivate: cash(1_500_000),
  cashPrivateCar: cash(5_000_000),
  cashTourist: cash(4_000_000),
  withheld01: withheld(2000),
  withheld02: withheld(2000),
  withheld03: withheld(2000),
  withheld06: withheld(2000),
  withheld07: withheld(2500),
  withheld08: withheld(2500),
  withheld11: withheld(2000),
  withheld13: withheld(3500),
  withheldNoBooks01: withheld(3000),
  withheldNoBooks02: withheld(3000),
  withheldNoBooks03: withheld(3000),
  withheldNoBooks06: withheld(3000),
  withheldNoBooks07: withheld(2500),
  withheldNoBooks08: withheld(2500),
  withheldNoBooks11: withheld(3000),
  withheldNoBooks13: withheld(3500),
  depreciationBuilding: depreciation(400),
  depreciationSolidBuilding: depreciation(200),
  depreciationImprovements: depreciation(1000),
  depreciationEquipment: depreciation(1000),
  depreciationVehicle: depreciation(1500),
  depreciationCommercialVehicle: depreciation(2000),
  depreciationComputers: depreciation(3300),
  depreciationFurniture: depreciation(600),
} as const satisfies Record<string, Law>

export type LawKey = keyof typeof laws
export const lawKeys = Object.keys(laws) as [LawKey, ...LawKey[]]

/** A figure of the law on a day, or that it is not known. */
export const lawOn = (key: LawKey, day: Day): LawAnswer => answerOf(key, laws[key], day)

/** What is known on the day; undefined before the law, and after what is known of it. */
export function knownOn(key: LawKey, day: Day): number | undefined {
  const answer = lawOn(key, day)
  return answer.known ? answer.value : undefined
}

/**
 * What is in force on a day as far as is known: a figure without an end goes on until another is set. `isKnownOn`
 * tells whether it was checked for that day, and the screens that work with it say where it was not.
 */
export function inForceOn(key: LawKey, day: Day): number | undefined {
  const answer = lawOn(key, day)
  if (answer.known) return answer.value
  const law: Law = laws[key]
  return law.ends === 'open' ? answer.last : undefined
}

/** The figures among these that are not known on a day, though they were before it. */
export const unknownOn = (keys: readonly LawKey[], day: Day): { key: LawKey; after: Day }[] =>
  keys.flatMap((key) => {
    const answer = lawOn(key, day)
    return answer.known || answer.after === null ? [] : [{ key, after: answer.after }]
  })

/** The day on which the figure of a day began to hold. */
export const stepOn = (key: LawKey, day: Day): Day | undefined => stepOf(key, laws[key], day)
