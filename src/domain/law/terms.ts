import { addMonths, type Day } from '../day.ts'

/*
 * Times that the law sets and days on which its duties began, each with the place it was read and the day that was
 * checked. `npm run check` rejects such a day elsewhere.
 */

/** VAT Law, section 38(a): input VAT is claimed within six months of the invoice; checked on 2026-11-20. */
const inputVatMonths = 6

/** The last day on which a bill's VAT may still be claimed. */
export const lastVatDay = (day: Day): Day => addMonths(day, inputVatMonths)

/**
 * From this day every donation to an institution of section 46 is reported (Execution Instruction 11/2025); checked on
 * 2026-11-20.
 */
export const donationsReportedFrom: Day = '2026-01-01'

/**
 * The first tax year of small businesses (Economic Efficiency Law of 2023, section 37), and the first whose turnover
 * holds compensation for indirect war damage (regulations of 2025); both from professional publications, checked on
 * 2026-11-30.
 */
export const smallBusinessFrom = 2024
export const warCountsFrom = 2025
