import type { BasisPoints } from '../money.ts'
import type { VatShare } from '../vat/shares.ts'

export interface ExpenseTypeTemplate {
  /** Word key of the name, without its prefix. */
  readonly key: string
  /** Number of the account in the chart a business begins with. */
  readonly account: string
  readonly vatShare: VatShare
  /** The part income tax recognises. */
  readonly incomeTaxBp: BasisPoints
  /** For fixed assets: depreciation a year by the regulations of 1941. */
  readonly depreciationBp?: BasisPoints
}

type Row = readonly [
  key: string,
  account: string,
  vatShare?: VatShare,
  incomeTaxBp?: BasisPoints,
  depreciationBp?: BasisPoints,
]

/** Income tax recognises 45% of what a private car costs (regulations on car expenses of 1995). */
const car = 4500

const rows: readonly Row[] = [
  ['materials', '5000'],
  ['importedGoods', '5010'],
  ['subcontractors', '5020'],
  ['rent', '6010'],
  ['cleaningAndUpkeep', '6010'],
  ['guarding', '6010'],
  ['municipalTax', '6150', 'none'],
  ['electricity', '6020'],
  ['water', '6020'],
  // A room at home: the part of the flat that serves the business.
  ['homeOffice', '6020', 'quarter', 2500],
  ['phoneAndInternet', '6030'],
  // Mixed use; income tax leaves out half of it (regulations on mobile phones of 2002).
  ['mobilePhone', '6030', 'twoThirds', 5000],
  ['postAndCouriers', '6030'],
  ['officeSupplies', '6000'],
  ['software', '6000'],
  ['smallTools', '6000'],
  // 80% of clothes that serve for work alone (income tax regulations of 1972, section 2).
  ['workClothes', '6000', 'full', 8000],
  ['accountant', '6040'],
  ['consultants', '6040'],
  ['legal', '6160'],
  ['advertising', '6050'],
  ['fuel', '6060', 'twoThirds', car],
  ['vehicleUpkeep', '6070', 'twoThirds', car],
  ['vehicleLease', '6070', 'twoThirds', car],
  ['parkingAndTolls', '6070', 'twoThirds', car],
  ['vehicleLicence', '6070', 'none', car],
  ['vehicleInsurance', '6080', 'none', car],
  // Over 3.5 tonnes, or by its kind no private car.
  ['fuelCommercial', '6060'],
  ['vehicleUpkeepCommercial', '6070'],
  ['insurance', '6080', 'none'],
  ['travel', '6090'],
  ['travelAbroad', '6100', 'none'],
  ['repairs', '6110'],
  // 80% of what is served at the place of business.
  ['refreshments', '6120', 'none', 8000],
  ['hospitality', '6120', 'none', 0],
  ['gifts', '6120', 'none'],
  ['wages', '6130', 'none'],
  ['wageAdditions', '6140', 'none'],
  ['feesAndMemberships', '6150', 'none'],
  ['training', '6170'],
  ['literature', '6170'],
  ['bankFees', '6200', 'none'],
  ['cardCommissions', '6210'],
  ['fines', '6900', 'none', 0],
  ['otherExpenses', '6900'],
  ['equipment', '1500', 'full', 10_000, 1000],
  ['computers', '1520', 'full', 10_000, 3300],
  ['furniture', '1530', 'full', 10_000, 600],
  ['commercialVehicle', '1510', 'full', 10_000, 2000],
  // The VAT of a private car's purchase is never deducted.
  ['privateCar', '1510', 'none', 10_000, 1500],
]

/**
 * The kinds of expense a business begins with; it may change all of them. Shares and rates are the customary
 * ones and no advice.
 */
export const expenseTypeTemplates: readonly ExpenseTypeTemplate[] = rows.map(
  ([key, account, vatShare = 'full', incomeTaxBp = 10_000, depreciationBp]) => ({
    key,
    account,
    vatShare,
    incomeTaxBp,
    ...(depreciationBp === undefined ? {} : { depreciationBp }),
  }),
)
