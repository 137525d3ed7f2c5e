import type { VatShare } from '../vat/shares.ts'
import type { AccountKind } from './chart.ts'

/*
 * The codes a business begins with round its chart of accounts. All of them are customary, none is law, and
 * every business may change them. The words of the names are `ledger.template.<table>.<key>`.
 */

export type Side = 'debit' | 'credit'

/** Where income and expense stand in profit and loss, in the order of the statement. */
export const profitLines = [
  'revenue',
  'costOfSales',
  'production',
  'selling',
  'general',
  'other',
  'finance',
  'taxes',
] as const
export type ProfitLine = (typeof profitLines)[number]

/** What happens to VAT under a code: owed on sales, deducted on purchases and on equipment, none. */
export const vatKinds = ['sale', 'input', 'equipment', 'exempt', 'zero'] as const
export type VatKind = (typeof vatKinds)[number]

/** The line of the periodic return that a code is reported in. */
export const returnLines = ['taxedSales', 'exemptSales', 'inputs', 'equipmentInputs', 'none'] as const

export const cardKindTemplates: readonly (readonly [
  key: string,
  kind: AccountKind,
  from: string,
  to: string,
])[] = [
  ['money', 'asset', '1000', '1099'],
  ['customers', 'asset', '1100', '1199'],
  ['institutions', 'asset', '1200', '1319'],
  ['currentAssets', 'asset', '1320', '1499'],
  ['fixedAssets', 'asset', '1500', '1999'],
  ['suppliers', 'liability', '2000', '2099'],
  ['vatPayable', 'liability', '2100', '2199'],
  ['liabilities', 'liability', '2200', '2999'],
  ['capital', 'equity', '3000', '3999'],
  ['income', 'income', '4000', '4999'],
  ['costOfSales', 'expense', '5000', '5999'],
  ['expenses', 'expense', '6000', '8899'],
  ['differences', 'expense', '8900', '8999'],
  ['opening', 'equity', '9000', '9999'],
]

export const balanceCodeTemplates: readonly (readonly [
  code: string,
  key: string,
  side: Side,
  parent?: string,
])[] = [
  ['10', 'currentAssets', 'debit'],
  ['11', 'cash', 'debit', '10'],
  ['12', 'customers', 'debit', '10'],
  ['13', 'debtors', 'debit', '10'],
  ['14', 'stock', 'debit', '10'],
  ['20', 'fixedAssets', 'debit'],
  ['21', 'cost', 'debit', '20'],
  ['22', 'depreciation', 'credit', '20'],
  ['30', 'currentLiabilities', 'credit'],
  ['31', 'suppliers', 'credit', '30'],
  ['32', 'creditors', 'credit', '30'],
  ['40', 'longTerm', 'credit'],
  ['41', 'loans', 'credit', '40'],
  ['50', 'equity', 'credit'],
  ['51', 'capital', 'credit', '50'],
  ['52', 'opening', 'credit', '50'],
]

interface SortCodeTemplate {
  readonly code: string
  readonly key: string
  readonly side: Side
  readonly parent?: string
  readonly profitLine?: ProfitLine
  readonly balance?: string
}

export const sortCodeTemplates: readonly SortCodeTemplate[] = [
  { code: '10', key: 'currentAssets', side: 'debit', balance: '10' },
  { code: '100', key: 'customers', side: 'debit', parent: '10', balance: '12' },
  { code: '110', key: 'money', side: 'debit', parent: '10', balance: '11' },
  { code: '115', key: 'toCollect', side: 'debit', parent: '10', balance: '12' },
  { code: '120', key: 'debtors', side: 'debit', parent: '10', balance: '13' },
  { code: '130', key: 'stock', side: 'debit', parent: '10', balance: '14' },
  { code: '400', key: 'institutionsReceivable', side: 'debit', parent: '10', balance: '13' },
  { code: '20', key: 'fixedAssets', side: 'debit', balance: '20' },
  { code: '200', key: 'cost', side: 'debit', parent: '20', balance: '21' },
  { code: '210', key: 'depreciation', side: 'credit', parent: '20', balance: '22' },
  { code: '30', key: 'currentLiabilities', side: 'credit', balance: '30' },
  { code: '300', key: 'suppliers', side: 'credit', parent: '30', balance: '31' },
  { code: '310', key: 'toPay', side: 'credit', parent: '30', balance: '31' },
  { code: '320', key: 'advances', side: 'credit', parent: '30', balance: '32' },
  { code: '410', key: 'institutionsPayable', side: 'credit', parent: '30', balance: '32' },
  { code: '420', key: 'staff', side: 'credit', parent: '30', balance: '32' },
  { code: '430', key: 'owners', side: 'credit', parent: '30', balance: '32' },
  { code: '50', key: 'longTerm', side: 'credit', balance: '40' },
  { code: '500', key: 'loans', side: 'credit', parent: '50', balance: '41' },
  { code: '60', key: 'equity', side: 'credit', balance: '50' },
  { code: '600', key: 'capital', side: 'credit', parent: '60', balance: '51' },
  { code: '900', key: 'opening', side: 'credit', parent: '60', balance: '52' },
  { code: '70', key: 'allIncome', side: 'credit', profitLine: 'revenue' },
  { code: '700', key: 'income', side: 'credit', parent: '70', profitLine: 'revenue' },
  { code: '710', key: 'otherIncome', side: 'credit', parent: '70', profitLine: 'other' },
  { code: '80', key: 'allExpenses', side: 'debit', profitLine: 'general' },
  { code: '800', key: 'costOfSales', side: 'debit', parent: '80', profitLine: 'costOfSales' },
  { code: '840', key: 'selling', side: 'debit', parent: '80', profitLine: 'selling' },
  { code: '850', key: 'general', side: 'debit', parent: '80', profitLine: 'general' },
  { code: '860', key: 'finance', side: 'debit', parent: '80', profitLine: 'finance' },
  { code: '870', key: 'taxes', side: 'debit', parent: '80', profitLine: 'taxes' },
]

interface VatCodeTemplate {
  readonly code: string
  readonly key: string
  readonly kind: VatKind
  readonly share: VatShare
  readonly line: (typeof returnLines)[number]
  /** The number of the account it posts to. */
  readonly account?: string
}

export const vatCodeTemplates: readonly VatCodeTemplate[] = [
  { code: '1', key: 'sale', kind: 'sale', share: 'full', line: 'taxedSales', account: '2100' },
  { code: '2', key: 'exempt', kind: 'exempt', share: 'none', line: 'exemptSales' },
  { code: '3', key: 'zero', kind: 'zero', share: 'none', line: 'exemptSales' },
  { code: '4', key: 'input', kind: 'input', share: 'full', line: 'inputs', account: '1200' },
  { code: '5', key: 'equipment', kind: 'equipment', share: 'full', line: 'equipmentInputs', account: '1210' },
  { code: '6', key: 'carTwoThirds', kind: 'input', share: 'twoThirds', line: 'inputs', account: '1200' },
  { code: '7', key: 'carQuarter', kind: 'input', share: 'quarter', line: 'inputs', account: '1200' },
  { code: '8', key: 'notDeducted', kind: 'input', share: 'none', line: 'none', account: '1200' },
]
