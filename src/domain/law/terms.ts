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
