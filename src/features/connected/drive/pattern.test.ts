import { describe, expect, test } from 'vitest'
import { foldersOf, isPattern, nameOf } from './pattern.ts'

const facts = { year: '2026', month: '11', day: '25', type: 'חשבונית מס', customer: 'כהן/לוי' }

describe('folders', () => {
  test.each([
    ['{year}/{month}/{type}', ['2026', '11', 'חשבונית מס']],
    ['Pinkas/{year}-{month}', ['Pinkas', '2026-11']],
    ['{customer}', ['כהן-לוי']],
    ['/{year}//', ['2026']],
  ])('%s', (pattern, folders) => expect(foldersOf(pattern, facts)).toEqual(folders))

  test.each([
    ['{year}/{month}/{type}', true],
    ['{yaer}', false],
    ['{year', false],
    ['', false],
    ['a/b/c/d/e/f/g', false],
  ])('%s is a pattern: %s', (pattern, good) => expect(isPattern(pattern)).toBe(good))

  test.each([
    ['a/b', 'a-b'],
    ['..', '-'],
    ['../../etc', '-..-etc'],
    ['מס\u202etxt.exe', 'מס txt.exe'],
    ['a\u0000b', 'a b'],
    ['  x. ', 'x'],
    ['', '-'],
  ])('a name %j becomes %j', (text, name) => expect(nameOf(text)).toBe(name))
})
