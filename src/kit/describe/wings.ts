/**
 * The wings of the source, lowest first: a feature may use those of its wing and of the wings before it in this
 * list, never of those after it. Each is a folder of `src/features`; ARCHITECTURE says what it is for.
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
  money: 'Money',
  calendar: 'Calendar and classes',
  tax: 'Tax and filing',
  books: 'Bookkeeping',
  reports: 'Reports',
  open: 'Open to programs',
  connected: 'Connected elsewhere',
  partners: 'Accountant, hours and partners',
  office: 'Office',
}
