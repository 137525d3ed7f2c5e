/** Pages that may stand inside a page of somebody else, and of whom: every other page stands alone. */
const framed = new Map<string, readonly string[]>()

export const allowInside = (path: string, ancestors: readonly string[]): void => void framed.set(path.toLowerCase(), ancestors)

/** What the header says of who may frame a page. */
export const framedBy = (url: string | undefined): string => (framed.get((url ?? '').split('?')[0]!.toLowerCase()) ?? ["'none'"]).join(' ')
