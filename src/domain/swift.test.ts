import { describe, expect, test } from 'vitest'
import { normaliseSwift } from './swift.ts'

describe('the code of a bank', () => {
  test.each([
    ['LUMIILIT', 'LUMIILIT'],
    ['poal il it', 'POALILIT'],
    ['IDBLILITXXX', 'IDBLILITXXX'],
    ['DEUTDEFF500', 'DEUTDEFF500'],
    ['NCBVXKPR', 'NCBVXKPR'],
  ])('%s is right', (text, code) => {
    expect(normaliseSwift(text)).toBe(code)
  })

  test.each([
    ['it is too short', 'LUMIILI'],
    ['a branch has two signs', 'LUMIILIT80'],
    ['its country is none', 'LUMIZZIT'],
    ['digits stand where the bank has letters', 'LUM1ILIT'],
    ['it is the number of an account', 'IL620108000000099999999'],
    ['it is empty', ''],
  ])('is refused when %s', (_why, text) => {
    expect(normaliseSwift(text)).toBeUndefined()
  })
})
