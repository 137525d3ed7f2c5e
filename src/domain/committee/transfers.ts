import { fold } from '../fold.ts'

/** A flat of a house and who pays for it now. */
export interface FlatOfPayer {
  readonly id: string
  readonly entrance: string
  readonly number: string
  readonly payers: readonly string[]
}

/** How people write 'flat' in the text of a transfer: Hebrew, Arabic, English, Russian, French. */
const flatWords = [
  'דירה',
  'דירות',
  'דיר',
  'ד',
  'شقة',
  'شقه',
  'apartment',
  'apt',
  'flat',
  'квартира',
  'кв',
  'appartement',
  'appt',
]

/**
 * The flat of a bank transfer: the flat whose number is in its text ('דירה 12', 'apt. 3', 'א/12'), or else the flat
 * whose payer's name is in it. Nothing where it names two, or none: money is never assigned by a guess.
 */
export function flatOfTransfer(
  text: string,
  flats: readonly FlatOfPayer[],
): { id: string; by: 'number' | 'name' } | undefined {
  const said = ` ${fold(text)
    .replace(/[.,:;()"'״׳#_-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `
  const numbers = new Set<string>()
  for (const word of flatWords)
    for (const found of said.matchAll(
      new RegExp(` [ול]?${fold(word)} ?(?:מס |no |номер )?(\\d{1,4})(?= )`, 'g'),
    ))
      numbers.add(String(Number(found[1])))
  const only = (those: readonly FlatOfPayer[]) => (those.length === 1 ? those[0] : undefined)
  const byEntrance = only(
    flats.filter((one) => one.entrance && said.includes(` ${fold(one.entrance)}/${fold(one.number)} `)),
  )
  if (byEntrance) return { id: byEntrance.id, by: 'number' }
  const numbered = flats.filter((one) => numbers.has(one.number.replace(/^0+/, '')))
  // The same number in two entrances is distinguished by the name.
  const named = (one: FlatOfPayer) =>
    one.payers.some((name) => {
      const words = fold(name)
        .split(/\s+/)
        .filter((word) => word.length > 1)
      return words.length > 1 && words.every((word) => said.includes(` ${word} `))
    })
  const byNumber = only(numbered) ?? only(numbered.filter(named))
  if (byNumber) return { id: byNumber.id, by: 'number' }
  if (numbers.size) return undefined
  const byName = only(flats.filter(named))
  return byName && { id: byName.id, by: 'name' }
}
