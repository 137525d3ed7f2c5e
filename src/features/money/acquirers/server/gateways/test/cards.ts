/** What a test card does; any other number is refused, so that nobody types a real one. */
export type TestDeed = 'approve' | 'decline' | 'noFunds' | 'timeout' | 'lost' | 'twice' | 'noRefund'

/**
 * By number. lost: paid, but neither the form nor a notice tells it. twice: its notice comes twice. noRefund:
 * gives nothing back.
 */
export const testCards: ReadonlyMap<string, { deed: TestDeed; brand: string }> = new Map([
  ['4242424242424242', { deed: 'approve', brand: 'visa' }],
  ['5555555555554444', { deed: 'approve', brand: 'mastercard' }],
  ['4000000000000002', { deed: 'decline', brand: 'visa' }],
  ['4000000000009995', { deed: 'noFunds', brand: 'visa' }],
  ['4000000000000119', { deed: 'timeout', brand: 'visa' }],
  ['4000000000000259', { deed: 'lost', brand: 'visa' }],
  ['4000000000003220', { deed: 'twice', brand: 'visa' }],
  ['4000000000005126', { deed: 'noRefund', brand: 'visa' }],
])
