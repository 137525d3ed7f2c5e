import { expect, test } from 'vitest'
import { combinationsOf, keyOfValues, readValues } from './combinations.ts'

test('values are read as people write them, each once', () => {
  expect(readValues(' S, M;L\nM ,, ')).toEqual(['S', 'M', 'L'])
})

test('every combination once, and the same whatever order its names stand in', () => {
  const made = combinationsOf([
    { name: 'size', values: ['S', 'M'] },
    { name: 'colour', values: ['blue', 'red', 'grey'] },
  ])
  expect(made.map((one) => Object.values(one).join('/'))).toEqual([
    'S/blue',
    'S/red',
    'S/grey',
    'M/blue',
    'M/red',
    'M/grey',
  ])
  expect(new Set(made.map(keyOfValues)).size).toBe(6)
  expect(keyOfValues({ colour: 'red', size: 'S' })).toBe(keyOfValues({ size: 'S', colour: 'red' }))
  expect(combinationsOf([])).toEqual([])
})
