import type { Access } from './accountants.ts'

const reports = ['reports.sales', 'reports.debts', 'reports.expenses', 'reports.tax', 'reports.accounting']
const books = [
  'documents.see',
  'customers.see',
  'suppliers.see',
  'expenses.see',
  'files.see',
  'ledger.see',
  'payments.see',
  'supplierPayments.see',
  'allocation.see',
  'requests.see',
  'requests.make',
]
const all = [
  'items.see',
  'prices.see',
  'projects.see',
  'companies.see',
  'companies.audit',
  'workers.see',
  'accountant.see',
]

/**
 * Names of the rules behind what is chosen for an accountant; those of features that are not there are left
 * out by the person who asks.
 */
export function rulesFor({
  access,
  mayExpenses,
  mayPost,
}: {
  access: Access
  mayExpenses: boolean
  mayPost: boolean
}): string[] {
  return [
    ...reports,
    ...(access === 'reports' ? [] : books),
    ...(access === 'all' ? all : []),
    ...(mayExpenses ? ['expenses.see', 'expenses.enter', 'suppliers.see'] : []),
    ...(mayPost ? ['ledger.see', 'ledger.change'] : []),
  ]
}
