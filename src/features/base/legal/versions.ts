/** When each text was last changed, and its number. */
export const versions = {
  terms: { version: '2.0', day: '2026-11-01' },
  termsOld: { version: '1.0', day: '2025-01-01' },
  privacy: { version: '2.0', day: '2026-11-01' },
  accessibility: { version: '1.1', day: '2026-11-20' },
  pricing: { version: '1.0', day: '2026-11-01' },
} as const
