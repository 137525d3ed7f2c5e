import { sum, timesFraction, type Agorot } from '../money.ts'
import { credit, debit, entryOf, reverse, type Posting } from './entry.ts'

/*
 * How business papers become entries in the books. Pure functions: amounts are in agorot of the books'
 * currency, accounts arrive resolved, and every result balances or throws RangeError. A paper without money
 * gives no lines.
 */

/** What an account is called in the company's own chart; ids or numbers, the caller's choice. */
export type Account = string

export interface InvoiceAmounts {
  readonly lines: readonly { readonly account: Account; readonly net: Agorot }[]
  readonly vat: Agorot
  /** total less (net + VAT); positive when the customer pays more. */
  readonly rounding: Agorot
  readonly total: Agorot
}

export interface InvoiceAccounts {
  readonly customers: Account
  readonly customer: string
  readonly outputVat: Account
  readonly rounding: Account
}

/**
 * Tax invoice: debit the customer, credit income by the account of each line, credit output VAT; rounding to
 * its own account.
 */
// example: posting
export function postTaxInvoice(invoice: InvoiceAmounts, accounts: InvoiceAccounts): Posting[] {
  return entryOf([
    debit(accounts.customers, invoice.total, accounts.customer),
    ...invoice.lines.map((line) => credit(line.account, line.net)),
    credit(accounts.outputVat, invoice.vat),
    credit(accounts.rounding, invoice.rounding),
  ])
}
// example end

/** Credit invoice: its amounts are positive as on paper, its entry is that of the invoice turned round. */
export function postCreditInvoice(creditInvoice: InvoiceAmounts, accounts: InvoiceAccounts): Posting[] {
  return reverse(postTaxInvoice(creditInvoice, accounts))
}

export interface PaidAmounts extends InvoiceAmounts {
  /** By means of payment; together they are the total. */
  readonly payments: readonly { readonly account: Account; readonly amount: Agorot }[]
}

/**
 * Invoice and receipt in one, as two entries: the debt and the money that closes it are two lines of the
 * customer's card.
 */
export function postTaxInvoiceReceipt(
  paper: PaidAmounts,
  accounts: InvoiceAccounts,
): { invoice: Posting[]; receipt: Posting[] } {
  if (sum(paper.payments.map((payment) => payment.amount)) !== paper.total)
    throw new RangeError('the payments are not the total')
  return { invoice: postTaxInvoice(paper, accounts), receipt: postReceipt(paper.payments, accounts) }
}

/** Money taken on deposit for its owner: it is owed to the owner and is nobody's income. */
export function postDeposit(payments: PaidAmounts['payments'], trustDeposits: Account): Posting[] {
  return entryOf([
    ...payments.map((payment) => debit(payment.account, payment.amount)),
    credit(trustDeposits, sum(payments.map((payment) => payment.amount))),
  ])
}

export interface ReceiptAccounts {
  readonly customers: Account
  readonly customer: string
}

/**
 * Receipt: debit the account of each means of payment, credit the customer with all of it. Tax the customer
 * withheld is a means like the others: it closes the debt and becomes a claim on the tax authority.
 */
export function postReceipt(
  payments: readonly { readonly account: Account; readonly amount: Agorot }[],
  accounts: ReceiptAccounts,
): Posting[] {
  return entryOf([
    ...payments.map((payment) => debit(payment.account, payment.amount)),
    credit(accounts.customers, sum(payments.map((payment) => payment.amount)), accounts.customer),
  ])
}

/**
 * The part of the VAT of an expense that may be deducted: 1 of 1, 2 of 3 or 1 of 4 for cars by their main
 * use, 0 of 1 for hospitality.
 */
export function recognisedVat(vat: Agorot, numerator: number, denominator: number): Agorot {
  return timesFraction(vat, numerator, denominator, 'halfAwayFromZero')
}

export interface ExpenseLine {
  readonly account: Account
  readonly net: Agorot
  readonly vat: Agorot
  /** At most the VAT; what is left of it is part of the expense. */
  readonly recognisedVat: Agorot
  readonly isFixedAsset: boolean
}

export interface ExpenseAccounts {
  /** Or the account it was paid from, when there is no supplier to owe it to. */
  readonly suppliers: Account
  readonly supplier: string | undefined
  readonly inputVat: Account
  readonly inputVatFixedAssets: Account
  /** Where the buyer owes the VAT, by a self-invoice; without it the supplier is owed it with the price. */
  readonly owedVat?: Account | undefined
}

/**
 * Supplier's bill: debit the expense with its net and the VAT not recognised, debit input VAT, credit the
 * supplier; of a self-invoice its VAT apart.
 */
export function postExpense(lines: readonly ExpenseLine[], accounts: ExpenseAccounts): Posting[] {
  const net = sum(lines.map((line) => line.net))
  const vat = sum(lines.map((line) => line.vat))
  return entryOf([
    ...lines.flatMap((line) => [
      debit(line.account, line.net + line.vat - line.recognisedVat),
      debit(line.isFixedAsset ? accounts.inputVatFixedAssets : accounts.inputVat, line.recognisedVat),
    ]),
    credit(accounts.suppliers, accounts.owedVat ? net : sum([net, vat]), accounts.supplier),
    ...(accounts.owedVat ? [credit(accounts.owedVat, vat)] : []),
  ])
}

export interface SupplierPaymentAccounts {
  readonly suppliers: Account
  readonly supplier: string
  readonly paidFrom: Account
  readonly withheldFromSuppliers: Account
}

/**
 * Payment to a supplier: the debt falls by the whole sum, the tax withheld from it is owed to the tax
 * authority.
 */
export function postSupplierPayment(
  paid: Agorot,
  withheld: Agorot,
  accounts: SupplierPaymentAccounts,
): Posting[] {
  return entryOf([
    debit(accounts.suppliers, sum([paid, withheld]), accounts.supplier),
    credit(accounts.paidFrom, paid),
    credit(accounts.withheldFromSuppliers, withheld),
  ])
}
