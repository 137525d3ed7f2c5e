/**
 * The default price list, shown where the operator of the installation charges nothing: a month's price in agorot
 * before VAT, and the limits of a plan; undefined is without limit.
 */
export const plans = [
  { name: 'small', monthAgorot: 29_00, documents: 50, users: 1, companies: 1 },
  { name: 'business', monthAgorot: 69_00, documents: undefined, users: 5, companies: 1 },
  { name: 'office', monthAgorot: 149_00, documents: undefined, users: 15, companies: 30 },
] as const
