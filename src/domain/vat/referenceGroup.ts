import { documentTypes, type DocumentTypeName } from '../documents/kinds.ts'

/** Of papers of no series of ours: journal lines, self-invoices, what suppliers sent. */
export const plainGroup = '0000'

/**
 * The reference group of the detailed report: four letters or digits that, with the number, tell two papers
 * apart. Every series numbers from one, so a tax invoice 1 and an invoice receipt 1 to one dealer on one day
 * would be one paper twice (rule 214). The first place tells the type, `0` a tax invoice; the others are
 * zeros for the main series and tell a branch, a paper book or another program's numbers by the name of the
 * series, which a document keeps for good: the same paper always has the same group.
 */
export function referenceGroup(series: string): string {
  const [, type = '', more = ''] = /^(\w+)(.*)$/s.exec(series) ?? []
  const id = type in documentTypes ? documentTypes[type as DocumentTypeName].id : 35
  // 0000 is what most programs write, so most papers keep it.
  const first = id === documentTypes.taxInvoice.id ? '0' : id.toString(36).toUpperCase()
  return first + (more === '' ? '000' : threePlaces(more))
}

/** Never 000, which is the main series'. FNV-1a, 32 bits, over the letters of the name. */
function threePlaces(name: string): string {
  let hash = 0x811c9dc5
  for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0
  return ((hash % (36 ** 3 - 1)) + 1).toString(36).toUpperCase().padStart(3, '0')
}
