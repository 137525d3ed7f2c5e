/** A ready-made set of rights, by the names of rules; those of features that are not there are left out. */
export interface Starter {
  rules: readonly string[]
  hideTotalPrices?: boolean
  ownCustomersOnly?: boolean
  /** Of the people it is given to: 1 is the reception desk. */
  subTypeId?: 0 | 1 | 2
}

const seeing = [
  'customers.see',
  'suppliers.see',
  'items.see',
  'prices.see',
  'projects.see',
  'documents.see',
  'expenses.see',
  'files.see',
  'payments.see',
  'supplierPayments.see',
  'allocation.see',
]
const reports = ['reports.sales', 'reports.debts', 'reports.expenses', 'reports.tax', 'reports.accounting']

/**
 * What businesses begin with; each becomes a set of the business's own when it is first given to somebody.
 */
export const starters = {
  bookkeeper: {
    rules: [
      ...seeing,
      ...reports,
      'customers.change',
      'suppliers.change',
      'items.change',
      'documents.draft',
      'documents.issue',
      'documents.send',
      'expenses.enter',
      'expenses.approve',
      'files.change',
      'payments.change',
      'supplierPayments.change',
      'allocation.change',
      'imports.run',
      'ledger.see',
      'ledger.change',
      'companies.see',
    ],
  },
  sales: {
    rules: [
      'customers.see',
      'customers.change',
      'items.see',
      'prices.see',
      'projects.see',
      'documents.see',
      'documents.draft',
      'documents.issue',
      'documents.send',
      'files.see',
      'reports.sales',
      'reports.debts',
    ],
  },
  expensesOnly: { rules: ['expenses.see', 'expenses.enter', 'suppliers.see'] },
  readOnly: { rules: [...seeing, ...reports, 'ledger.see', 'companies.see'] },
  reception: {
    rules: [
      'customers.see',
      'customers.change',
      'items.see',
      'documents.see',
      'documents.draft',
      'calendar.see',
      'calendar.desk',
      'passes.see',
    ],
    hideTotalPrices: true,
    subTypeId: 1,
  },
} as const satisfies Record<string, Starter>

export type StarterName = keyof typeof starters
export const starterNames = Object.keys(starters) as [StarterName, ...StarterName[]]
