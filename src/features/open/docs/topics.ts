/** What is read before any single call, in reading order; `docs.topics.<key>.title` and `.text`. */
export const topics = [
  'start',
  'first',
  'amounts',
  'errors',
  'repeats',
  'lists',
  'own',
  'versions',
  'limits',
  'webhooks',
  'tools',
  'stripe',
  'changes',
] as const
export type Topic = (typeof topics)[number]

/**
 * Jobs people have, with the calls each takes, in the order they are made; `docs.jobs.<key>.title` and
 * `.text`.
 */
export const jobs = {
  invoice: ['customers.create', 'documents.create', 'documents.send'],
  receipt: ['documents.openItems', 'payments.create', 'documents.pdf'],
  getPaid: ['paymentLinks.create', 'documents.byKey', 'webhooks.create'],
  expense: ['suppliers.create', 'expenses.create', 'files.upload'],
  sync: ['customers.list', 'customers.change', 'webhooks.create'],
  month: ['reports.list', 'reports.run', 'reports.export'],
} as const satisfies Record<string, readonly string[]>
export type Job = keyof typeof jobs

/**
 * What changed in the API, newest first; `docs.changes.<key>` says it. What is taken away is announced a year
 * before.
 */
export const changes: readonly { day: string; key: string }[] = [
  { day: '2026-11-30', key: 'notices' },
  { day: '2026-11-30', key: 'records' },
  { day: '2026-11-30', key: 'made' },
  { day: '2026-11-30', key: 'shapes' },
  { day: '2026-11-30', key: 'repeats' },
  { day: '2026-11-29', key: 'drafts' },
  { day: '2026-11-27', key: 'numbers' },
  { day: '2026-11-25', key: 'sandbox' },
  { day: '2026-11-25', key: 'conventions' },
  { day: '2026-11-25', key: 'described' },
  { day: '2026-11-24', key: 'webhooks' },
  { day: '2026-11-24', key: 'trade' },
]
