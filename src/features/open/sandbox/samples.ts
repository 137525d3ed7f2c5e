/** By what programs find the records that every test business begins with. */
export const sampleIds = {
  customers: ['sample-customer', 'sample-customer-2'],
  suppliers: ['sample-supplier'],
  items: ['sample-item', 'sample-item-2'],
} as const
