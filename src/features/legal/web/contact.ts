/** Who runs this installation and where to write. Whoever runs his own puts his own here. */
export const contact = {
  mail: 'hello@pinkas.example',
  privacy: 'privacy@pinkas.example',
  accessibility: 'accessibility@pinkas.example',
} as const

/** When each text was last changed, and its number. */
export const versions = {
  terms: { version: '2.0', day: '2026-11-01' },
  termsOld: { version: '1.0', day: '2025-01-01' },
  privacy: { version: '2.0', day: '2026-11-01' },
  accessibility: { version: '1.1', day: '2026-11-20' },
  pricing: { version: '1.0', day: '2026-11-01' },
} as const

/** A month's price in agorot before VAT, and what a plan holds; undefined is without limit. */
export const plans = [
  { name: 'small', monthAgorot: 29_00, documents: 50, users: 1, companies: 1 },
  { name: 'business', monthAgorot: 69_00, documents: undefined, users: 5, companies: 1 },
  { name: 'office', monthAgorot: 149_00, documents: undefined, users: 15, companies: 30 },
] as const
