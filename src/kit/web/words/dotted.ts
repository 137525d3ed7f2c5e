/**
 * Short things in one line, a dot between them; what there is nothing of is left out. Each keeps its own
 * direction: a name in another script never draws the figure behind it to its other side.
 */
export const dotted = (parts: readonly (string | null | undefined | false)[]): string =>
  parts
    .filter(Boolean)
    .map((part) => `\u2068${part}\u2069`)
    .join(' · ')
