/**
 * The wings of the house, lowest first: a feature may use those of its own wing and of the wings above it in this list, never of those below.
 * Each is a folder of `src/features`; what it is for stands in ARCHITECTURE.
 */
export const wings = ['base', 'registers', 'sales', 'people', 'purchases', 'money', 'tax', 'books', 'office'] as const

export type Wing = (typeof wings)[number]
