import { sampleIds } from '#features/open/sandbox/samples.ts'

/**
 * The way from a key to a sealed PDF and the notice of it, in a test business as it is when it is opened. The page shows
 * each step as a line to copy, and tests/documentation.test.ts runs the very same steps.
 */
export interface Step {
  /** `docs.first.<key>` says what it does. */
  key: string
  /** The call, by its name. */
  call: string
  method: 'GET' | 'POST' | 'PATCH'
  /** `<customer>` stands for what an earlier step kept. */
  path: string
  body?: object
  /** What later steps need of the answer: its path, by the name that stands for it. */
  keeps?: Readonly<Record<string, string>>
}

export const firstSteps: readonly Step[] = [
  {
    key: 'find',
    call: 'references.find',
    method: 'GET',
    path: `/api4/invoice/references/customers/${sampleIds.customers[0]}`,
    keeps: { customer: 'id' },
  },
  {
    key: 'listen',
    call: 'webhooks.create',
    method: 'POST',
    path: '/api4/invoice/webhooks',
    body: { url: 'https://example.com/pinkas', events: ['document.issued'] },
    keeps: { webhook: 'webhook.id' },
  },
  {
    key: 'issue',
    call: 'documents.create',
    method: 'POST',
    path: '/api4/invoice/documents',
    body: {
      type: 8,
      customerId: '<customer>',
      clientKey: 'first-1',
      lines: [{ sku: 'TEST-1', description: 'Consulting', quantity: '2', unitPrice: '100' }],
    },
    keeps: { document: 'id' },
  },
  {
    key: 'paper',
    call: 'documents.pdf',
    method: 'GET',
    path: '/api4/invoice/documents/<document>/pdf?variant=original',
  },
  {
    key: 'told',
    call: 'webhooks.deliveries',
    method: 'GET',
    path: '/api4/invoice/webhooks/<webhook>/deliveries',
  },
]

/** A step with what earlier ones kept in the places that stand for it. */
export const filledStep = <S extends Step>(step: S, kept: Readonly<Record<string, string>>): S =>
  JSON.parse(JSON.stringify(step).replace(/<(\w+)>/g, (whole, name: string) => kept[name] ?? whole)) as S
