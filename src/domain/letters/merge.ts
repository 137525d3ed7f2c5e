/** The fields a letter may be filled with, in the order they are offered. */
export const mergeFields = [
  'customer.name',
  'customer.contact',
  'customer.taxId',
  'customer.address',
  'customer.balance',
  'document.type',
  'document.number',
  'document.date',
  'document.total',
  'document.open',
  'today',
  'business.name',
  'business.phone',
  'user.name',
] as const
export type MergeField = (typeof mergeFields)[number]

/** Fields that say a sum. */
export const sumFields: readonly MergeField[] = ['customer.balance', 'document.total', 'document.open']

const hole = /\{([a-z]+(?:\.[a-zA-Z]+)?)\}/g
const isField = (name: string): name is MergeField => (mergeFields as readonly string[]).includes(name)

/** The fields a text uses, each once; what looks like one and is none is in `unknown`. */
export function fieldsIn(text: string): { known: MergeField[]; unknown: string[] } {
  const names = [...new Set([...text.matchAll(hole)].map((match) => match[1]!))]
  return { known: names.filter(isField), unknown: names.filter((name) => !isField(name)) }
}

/**
 * Puts values in the place of the fields, once: braces inside a value stay what they are. A field without a
 * value becomes nothing; when it stood alone in its line, the line goes with it, so that an address nobody
 * knows leaves no gap.
 */
export function merge(text: string, values: Partial<Record<MergeField, string>>): string {
  const known = (name: string) => (isField(name) ? (values[name] ?? '') : undefined)
  return text
    .split('\n')
    .filter((line) => {
      const alone = /^\s*\{([a-z]+(?:\.[a-zA-Z]+)?)\}\s*$/.exec(line)?.[1]
      return alone === undefined || known(alone) !== ''
    })
    .map((line) => line.replace(hole, (whole, name: string) => known(name) ?? whole))
    .join('\n')
}
