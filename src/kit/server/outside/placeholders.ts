/** Own words of a letter have gaps in braces, `{customer}`, that are filled when it is sent. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name]) => name!)),
]

/** Puts what is known into the gaps; what is no gap of ours stays as it was typed. */
export const fillPlaceholders = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{([a-zA-Z]+)\}/g, (gap, name: string) => (name in values ? String(values[name]) : gap))
