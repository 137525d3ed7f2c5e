import type { Step } from './firstSteps.ts'

/**
 * The points by which this API is compared with Stripe's, each with the call that shows it. tests/stripe.test.ts makes
 * the same calls in this order in a test business that was just opened; `docs.stripe.<key>` says how both do it.
 */
export interface Point extends Step {
  verdict: 'equal' | 'better'
  /** Headers beside the key. */
  headers?: Readonly<Record<string, string>>
  /** The status that the call answers with. */
  status: number
}

const line = { description: 'Consulting', quantity: '2', unitPrice: '100' }

export const points: readonly Point[] = [
  {
    key: 'auth',
    verdict: 'better',
    call: 'references.find',
    method: 'GET',
    path: '/api4/invoice/references/customers/sample-customer',
    keeps: { customer: 'id' },
    status: 200,
  },
  {
    key: 'idempotency',
    verdict: 'better',
    call: 'documents.create',
    method: 'POST',
    path: '/api4/invoice/documents',
    body: { type: 8, clientKey: 'compare-1', customerId: '<customer>', lines: [line] },
    keeps: { document: 'id' },
    status: 201,
  },
  {
    key: 'pages',
    verdict: 'equal',
    call: 'customers.list',
    method: 'GET',
    path: '/api4/invoice/customers?limit=1&sort=-createdAt',
    status: 200,
  },
  {
    key: 'errors',
    verdict: 'better',
    call: 'customers.create',
    method: 'POST',
    path: '/api4/invoice/customers',
    body: { name: '', email: 'nobody' },
    status: 422,
  },
  {
    key: 'versions',
    verdict: 'equal',
    call: 'documents.byKey',
    method: 'GET',
    path: '/api4/invoice/documents/bykey/compare-1',
    status: 200,
  },
  {
    key: 'expand',
    verdict: 'equal',
    call: 'documents.list',
    method: 'GET',
    path: '/api4/invoice/documents?fields=number,date&expand=lines,customerId&limit=1',
    status: 200,
  },
  {
    key: 'metadata',
    verdict: 'better',
    call: 'customers.create',
    method: 'POST',
    path: '/api4/invoice/customers',
    body: { name: 'Compared', externalId: 'compare-1', metadata: { shop: 7 } },
    status: 201,
  },
  {
    key: 'webhooks',
    verdict: 'better',
    call: 'webhooks.create',
    method: 'POST',
    path: '/api4/invoice/webhooks',
    body: {
      url: 'https://example.com/compared',
      events: ['document.issued'],
      filter: { sumAgorot: 100_000, fields: {} },
    },
    status: 200,
  },
  {
    key: 'testMode',
    verdict: 'equal',
    call: 'references.find',
    method: 'GET',
    path: '/api4/invoice/references/items/sample-item',
    status: 200,
  },
  {
    key: 'docs',
    verdict: 'better',
    call: 'docs.call',
    method: 'GET',
    path: '/api/docs/calls/documents.create',
    status: 200,
  },
  {
    key: 'clients',
    verdict: 'equal',
    call: 'server.describe',
    method: 'GET',
    path: '/api/openapi.json?tag=customers,documents',
    status: 200,
  },
  {
    key: 'limits',
    verdict: 'equal',
    call: 'items.list',
    method: 'GET',
    path: '/api4/invoice/items?limit=1',
    status: 200,
  },
  {
    key: 'search',
    verdict: 'better',
    call: 'customers.list',
    method: 'GET',
    path: '/api4/invoice/customers?metadata.shop=7&q=Compared',
    status: 200,
  },
  {
    key: 'bulk',
    verdict: 'better',
    call: 'customers.createMany',
    method: 'POST',
    path: '/api4/invoice/customers/many',
    body: { rows: [{ name: 'First' }, { name: 'Second' }] },
    status: 200,
  },
  {
    key: 'files',
    verdict: 'equal',
    call: 'documents.pdf',
    method: 'GET',
    path: '/api4/invoice/documents/<document>/pdf',
    status: 200,
  },
  {
    key: 'concurrency',
    verdict: 'better',
    call: 'customers.change',
    method: 'PATCH',
    path: '/api4/invoice/customers/<customer>',
    headers: { 'if-match': '"another"' },
    body: { city: 'Haifa' },
    status: 412,
  },
]
