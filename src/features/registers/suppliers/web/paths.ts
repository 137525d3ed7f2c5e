/** The details have the short address; every other tab stands in its own. */
export const supplierPath = (id: string, tab: string): string =>
  tab === 'details' ? `/invoice/suppliers/${id}` : `/invoice/editsupplier/${id}/${tab}`
