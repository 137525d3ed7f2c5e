/**
 * The wings of the house, lowest first: a feature may use those of its own wing and of the wings above it in
 * this list, never of those below. Each is a folder of `src/features`; what it is for stands in ARCHITECTURE.
 */
export const wings = [
  'base',
  'registers',
  'sales',
  'people',
  'purchases',
  'money',
  'calendar',
  'tax',
  'books',
  'reports',
  'open',
  'connected',
  'partners',
  'office',
] as const

export type Wing = (typeof wings)[number]

/**
 * What a wing is called to the person who programs against it: as the menu calls it, where the menu has it (a test
 * holds them together).
 */
export const wingTitles: Record<Wing, string> = {
  base: 'Business, people and rights',
  registers: 'Customers, suppliers, items',
  sales: 'Sales',
  people: 'Customers & leads',
  purchases: 'Expenses & suppliers',
  money: 'Getting paid',
  calendar: 'Calendar and classes',
  tax: 'Tax and filing',
  books: 'Bookkeeping',
  reports: 'Reports',
  open: 'Open to programs',
  connected: 'Connected elsewhere',
  partners: 'Accountant, hours and partners',
  office: 'The house',
}
