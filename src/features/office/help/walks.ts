/** The time of a caption, in seconds. Its words: `help.walk.<name>.<n>`, n from 1. */
export interface Cues {
  seconds: number
  cues: { from: number; to: number }[]
}

/**
 * The videos of the help, in the order they are watched; each leads to its screen and to its guide. Its
 * words: `help.walk.<name>.title`.
 */
export const walkList = [
  { name: 'invoice', wing: 'sales', path: '/invoice/InvoiceDocument', article: 'first-invoice' },
  { name: 'find', wing: 'home', path: '/invoice/main', article: 'finding' },
  { name: 'report', wing: 'sales', path: '/invoice/reportpercustomer', article: 'sales-reports' },
  { name: 'expense', wing: 'purchases', path: '/invoice/expensesspage', article: 'incoming-papers' },
  { name: 'bank', wing: 'money', path: '/invoice/atamotbank', article: 'bank-matching' },
  { name: 'standingOrder', wing: 'money', path: '/invoice/retainers', article: 'standing-orders' },
  { name: 'payPage', wing: 'money', path: '/invoice/paypages', article: 'payment-pages' },
  { name: 'board', wing: 'home', path: '/invoice/kanban', article: 'board' },
  { name: 'vat', wing: 'tax', path: '/invoice/reportpcn', article: 'pcn874' },
] as const
export type WalkName = (typeof walkList)[number]['name']

/** The languages whose screens were filmed; others see English ones, with captions in their language. */
export const filmed = ['he', 'en'] as const
