import type { PaymentMeans } from './kinds.ts'

/*
 * What a document says of each payment besides its amount. The form of the editor, the check before issuing, the API, what
 * is read from files and the uniform file all derive from this one table.
 *
 * A receipt for a cheque names its bank, branch, account, number and due date (bookkeeping rules, section 5; uniform
 * file, fields 1307 to 1311, where 1306 is 2). An issued receipt cannot be corrected, so a cheque without them is refused.
 */

/** The details of a payment, in the order in which forms ask for them. */
export const paymentDetailNames = [
  'date',
  'bank',
  'branch',
  'account',
  'cardBrand',
  'cardLast4',
  'instalments',
  'number',
  'dueDate',
  'reference',
] as const
export type PaymentDetail = (typeof paymentDetailNames)[number]

/** Assumed: it is always known, because without a value it is the day of the payment, or of its document. */
export type DetailNeed = 'required' | 'optional' | 'assumed'

/** The details of each payment method. A detail that is left out does not belong to the method. */
export const paymentDetails: Readonly<
  Record<PaymentMeans, Readonly<Partial<Record<PaymentDetail, DetailNeed>>>>
> = {
  cash: {},
  cheque: {
    bank: 'required',
    branch: 'required',
    account: 'required',
    number: 'required',
    dueDate: 'assumed',
  },
  transfer: {
    date: 'assumed',
    bank: 'optional',
    branch: 'optional',
    account: 'optional',
    reference: 'optional',
  },
  card: { cardBrand: 'optional', cardLast4: 'optional', instalments: 'optional', number: 'optional' },
  paymentApp: { date: 'assumed', reference: 'optional' },
  payPal: { date: 'assumed', reference: 'optional' },
  withheldTax: {},
  other: { date: 'assumed', reference: 'optional' },
}

/** The details of a payment method, in the order of forms. */
export const detailsOfMeans = (means: PaymentMeans): readonly PaymentDetail[] =>
  paymentDetailNames.filter((detail) => paymentDetails[means][detail] !== undefined)

/** The details without which no payment by this method is entered. */
export const requiredDetails = (means: PaymentMeans): readonly PaymentDetail[] =>
  paymentDetailNames.filter((detail) => paymentDetails[means][detail] === 'required')

/** The required details that a payment does not have: absent, or nothing but zeros, dashes and spaces. */
export const missingDetails = (
  means: PaymentMeans,
  given: Readonly<Partial<Record<PaymentDetail, unknown>>>,
): readonly PaymentDetail[] => requiredDetails(means).filter((detail) => isBlank(given[detail]))

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && /^[\s0-]*$/.test(value))

/** The details of a payment that belong to its method; whatever else was given is left out. */
export const ownDetails = <Given extends Readonly<Partial<Record<PaymentDetail, unknown>>>>(
  means: PaymentMeans,
  given: Given,
): Partial<Given> =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => !isDetail(name) || paymentDetails[means][name] !== undefined),
  ) as Partial<Given>

const isDetail = (name: string): name is PaymentDetail =>
  (paymentDetailNames as readonly string[]).includes(name)
