import type { BusinessKind } from '../documents/kinds.ts'

/** The nature of an account decides on which side it grows and in which statement it is. */
export type AccountKind = 'asset' | 'liability' | 'equity' | 'income' | 'expense'

export interface AccountTemplate {
  readonly number: string
  /** Word key of the name, without its prefix. */
  readonly key: string
  readonly kind: AccountKind
  /** Groups the trial balance (kod miyun); free per business, these are the customary groups. */
  readonly sortCode: string
  /** Line of form 6111, by the authority's list of 2023; undefined for accounts that stay out of the form. */
  readonly form6111: number | undefined
}

type Row = readonly [number: string, key: string, kind: AccountKind, sortCode: string, form6111?: number]

const forEverybody: readonly Row[] = [
  ['1000', 'cash', 'asset', '110', 7110],
  ['1010', 'bank', 'asset', '110', 7110],
  ['1015', 'bankForeignCurrency', 'asset', '110', 7120],
  ['1020', 'chequesInHand', 'asset', '115', 7330],
  ['1030', 'cardClearing', 'asset', '115', 7360],
  ['1100', 'customers', 'asset', '100', 7310],
  ['1300', 'withheldByCustomers', 'asset', '400', 7430],
  ['1310', 'incomeTaxAdvances', 'asset', '400', 7430],
  ['1320', 'advancesToSuppliers', 'asset', '120', 7410],
  ['1330', 'prepaidExpenses', 'asset', '120', 7420],
  ['1400', 'stock', 'asset', '130', 7890],
  ['1500', 'equipment', 'asset', '200', 8030],
  ['1510', 'vehicles', 'asset', '200', 8040],
  ['1520', 'computers', 'asset', '200', 8050],
  ['1530', 'furniture', 'asset', '200', 8060],
  ['1590', 'accumulatedDepreciation', 'asset', '210', 8190],
  ['2000', 'suppliers', 'liability', '300', 9210],
  ['2010', 'chequesGiven', 'liability', '310', 9230],
  ['2200', 'withheldFromSuppliers', 'liability', '410', 9350],
  ['2300', 'advancesFromCustomers', 'liability', '320', 9370],
  ['2310', 'trustDeposits', 'liability', '320', 9490],
  ['2400', 'wagesPayable', 'liability', '420', 9310],
  ['2410', 'payrollInstitutions', 'liability', '420', 9330],
  ['2420', 'incomeTaxPayable', 'liability', '410', 9340],
  ['2500', 'loans', 'liability', '500', 9620],
  ['3900', 'retainedEarnings', 'equity', '600', 9980],
  ['4000', 'incomeServices', 'income', '700', 1030],
  ['4010', 'incomeGoods', 'income', '700', 1010],
  ['4020', 'incomeExport', 'income', '700', 1020],
  ['4030', 'incomeServicesAbroad', 'income', '700', 1040],
  ['4040', 'incomeExempt', 'income', '700', 1090],
  ['4900', 'otherIncome', 'income', '710', 5290],
  ['5000', 'purchases', 'expense', '800', 1320],
  ['5010', 'purchasesAbroad', 'expense', '800', 1340],
  ['5020', 'subcontractors', 'expense', '800', 1310],
  ['5090', 'stockChange', 'expense', '800', 1450],
  ['6000', 'office', 'expense', '850', 3680],
  ['6010', 'rent', 'expense', '850', 3570],
  ['6020', 'electricityAndWater', 'expense', '850', 3590],
  ['6030', 'postAndPhone', 'expense', '850', 3650],
  ['6040', 'professionalServices', 'expense', '850', 3540],
  ['6050', 'advertising', 'expense', '840', 3075],
  ['6060', 'fuel', 'expense', '850', 3567],
  ['6070', 'vehicleUpkeep', 'expense', '850', 3566],
  ['6080', 'insurance', 'expense', '850', 3515],
  ['6090', 'travel', 'expense', '850', 3560],
  ['6100', 'travelAbroad', 'expense', '850', 3660],
  ['6110', 'repairs', 'expense', '850', 3550],
  ['6120', 'hospitalityAndGifts', 'expense', '850', 3620],
  ['6130', 'wages', 'expense', '850', 3511],
  ['6140', 'wageAdditions', 'expense', '850', 3512],
  ['6150', 'taxesAndFees', 'expense', '850', 3575],
  ['6160', 'legal', 'expense', '850', 3665],
  ['6170', 'trainingAndLiterature', 'expense', '840', 3100],
  ['6180', 'depreciation', 'expense', '850', 3580],
  ['6190', 'badDebts', 'expense', '850', 3600],
  ['6200', 'bankFees', 'expense', '860', 5010],
  ['6210', 'cardCommissions', 'expense', '840', 3120],
  ['6900', 'otherExpenses', 'expense', '850', 3690],
  ['8900', 'rounding', 'expense', '850', 3690],
  ['8910', 'exchangeDifferences', 'income', '860', 5130],
  ['9000', 'openingBalances', 'equity', '900'],
]

const withVat: readonly Row[] = [
  ['1200', 'inputVat', 'asset', '400', 7440],
  ['1210', 'inputVatFixedAssets', 'asset', '400', 7440],
  ['2100', 'outputVat', 'liability', '410', 9350],
  ['2110', 'vatSettlement', 'liability', '410', 9350],
]

const owner: readonly Row[] = [
  ['3000', 'ownerCapital', 'equity', '600', 9910],
  ['3010', 'ownerDrawings', 'equity', '600', 9910],
]

const byKind: Readonly<Record<BusinessKind, readonly Row[]>> = {
  licensedDealer: [...withVat, ...owner],
  exemptDealer: owner,
  partnership: [
    ...withVat,
    ['3000', 'partnersCapital', 'equity', '600', 9910],
    ['3010', 'partnersDrawings', 'equity', '600', 9910],
  ],
  company: [
    ...withVat,
    ['2430', 'shareholders', 'liability', '430', 9435],
    ['3000', 'shareCapital', 'equity', '600', 9910],
    ['6220', 'companyTax', 'expense', '870', 5610],
  ],
  nonProfit: [
    ['3000', 'netAssets', 'equity', '600', 9910],
    ['4050', 'donations', 'income', '700', 1090],
    ['4060', 'grants', 'income', '700', 5270],
    ['4070', 'membershipFees', 'income', '700', 1090],
    ['6230', 'payrollTax', 'expense', '850', 3575],
  ],
}

/**
 * The chart of accounts a new business begins with, in the order of the numbers. No statutory chart exists in
 * Israel; the 6111 codes are official, tying them to these accounts is customary, and every business may
 * change all of it. A business that charges no VAT has no VAT accounts, because the VAT it pays is part of
 * its expenses.
 */
export function chartFor(kind: BusinessKind): AccountTemplate[] {
  return [...forEverybody, ...byKind[kind]]
    .map(([number, key, accountKind, sortCode, form6111]) => ({
      number,
      key,
      kind: accountKind,
      sortCode,
      form6111,
    }))
    .toSorted((left, right) => (left.number < right.number ? -1 : 1))
}

/**
 * Whether income of an account stays out of the turnover on which advances are paid (Income Tax Ordinance,
 * section 175: income from the business): by form 6111 that of finance and all other income, whose lines
 * begin with 5, such as gains from selling assets, interest and differences of exchange.
 */
export const outsideTurnover = (kind: AccountKind, code6111: string): boolean =>
  kind === 'income' && Number(code6111) >= 5000

/**
 * Numbers of the accounts that postings look for; a business may rename them but not remove them while they
 * are in use.
 */
export const systemAccounts = {
  cash: '1000',
  bank: '1010',
  cheques: '1020',
  cardClearing: '1030',
  customers: '1100',
  inputVat: '1200',
  inputVatFixedAssets: '1210',
  withheldByCustomers: '1300',
  stock: '1400',
  suppliers: '2000',
  outputVat: '2100',
  vatSettlement: '2110',
  withheldFromSuppliers: '2200',
  trustDeposits: '2310',
  purchases: '5000',
  badDebts: '6190',
  bankFees: '6200',
  rounding: '8900',
  exchangeDifferences: '8910',
  openingBalances: '9000',
} as const
export type SystemAccount = keyof typeof systemAccounts
