/** The details have the short address; every other tab has a separate one. */
export const supplierPath = (id: string, tab: string): string =>
  tab === 'details' ? `/invoice/suppliers/${id}` : `/invoice/editsupplier/${id}/${tab}`
