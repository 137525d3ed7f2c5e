import { expect, test } from 'vitest'
import { flatOfTransfer, type FlatOfPayer } from './transfers.ts'

const flats: FlatOfPayer[] = [
  { id: 'a3', entrance: 'א', number: '3', payers: ['רונית אשל'] },
  { id: 'b3', entrance: 'ב', number: '3', payers: ['דוד כהן'] },
  { id: 'a12', entrance: 'א', number: '12', payers: ['משפחת לוי', 'Anna Petrova'] },
  { id: 'b5', entrance: 'ב', number: '05', payers: ['דוד כהן'] },
]

test.each([
  ['העברה מלוי ועד בית דירה 12', 'a12 number'],
  ['ועד בית, דירה מס׳ 12 - יוני', 'a12 number'],
  ['זיכוי ד.12 ועד', 'a12 number'],
  ['APT. 5 dues', 'b5 number'],
  ['ועד א/3 יולי', 'a3 number'],
  ['кв 12 июнь', 'a12 number'],
  ['شقة 12', 'a12 number'],
  // The third flat of either entrance: the name says which.
  ['דוד כהן דירה 3', 'b3 number'],
  ['דירה 3', undefined],
  ['העברה מאת אשל רונית', 'a3 name'],
  ['PETROVA ANNA JUNE', 'a12 name'],
  // Two flats of one name: which of them is not said.
  ['דוד כהן', undefined],
  // A number that no flat has is not assigned by a name.
  ['רונית אשל דירה 77', undefined],
  ['דירה 12 ודירה 5', undefined],
  ['משכורת 12', undefined],
])('%s', (text, wanted) => {
  const found = flatOfTransfer(text, flats)
  expect(found && `${found.id} ${found.by}`).toBe(wanted)
})
