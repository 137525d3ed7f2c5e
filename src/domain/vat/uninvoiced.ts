import { addDays, type Day } from '../day.ts'

/** A tax invoice is issued within fourteen days of the day on which the tax is charged (VAT law, section 47(a)). */
const invoiceDays = 14

/** The last day for the tax invoice of money that was received on a day: an advance is charged when it is received. */
export const invoiceDueDay = (received: Day): Day => addDays(received, invoiceDays)
