import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inForceOn, knownOn, laws, lawKeys, stepOn, unknownOn, type LawKey } from './figures.ts'

const words = JSON.parse(readFileSync('src/features/base/law/text/en.json', 'utf8')) as Record<string, string>

describe('what is known of the law', () => {
  test('every figure has its source, the day it was checked, and an end of what is known', () => {
    for (const key of lawKeys) {
      const law = laws[key]
      expect(words[`law.sources.${law.source}`]?.length, key).toBeGreaterThan(10)
      expect(law.checked <= law.knownTo, key).toBe(true)
      expect(law.steps.at(-1)![0] <= law.knownTo, key).toBe(true)
      expect(law.steps.map(([from]) => from)).toEqual(law.steps.map(([from]) => from).toSorted())
    }
  })

  test('after its end nothing is answered silently', () => {
    expect(knownOn('exemptCeiling', '2026-12-31')).toBe(12_283_300)
    expect(knownOn('exemptCeiling', '2027-01-01')).toBeUndefined()
    expect(inForceOn('exemptCeiling', '2027-01-01')).toBeUndefined()
    // A rate without an end is in force, and the answer says that nobody checked it.
    expect(inForceOn('vatRate', '2028-01-01')).toBe(1800)
    expect(unknownOn(['vatRate', 'exemptCeiling'], '2028-01-01')).toEqual([
      { key: 'vatRate', after: '2027-12-31' },
      { key: 'exemptCeiling', after: '2026-12-31' },
    ])
    expect(unknownOn(lawKeys as readonly LawKey[], '2026-11-29')).toEqual([])
  })
})

test('a figure holds from its own day on', () => {
  expect([
    inForceOn('allocationThreshold', '2026-05-31'),
    inForceOn('allocationThreshold', '2026-06-01'),
  ]).toEqual([1_000_000, 500_000])
  expect(stepOn('allocationThreshold', '2026-06-01')).toBe('2026-06-01')
  expect(inForceOn('allocationThreshold', '2024-05-04')).toBeUndefined()
})

/** Says how a rate travels, by an example. */
const unitsExplained = 'docs.topics.amounts.text'

test('no text of the product spells a figure of the law: it would stay when the law changes', () => {
  const rates = new Set<number>(laws.vatRate.steps.slice(-3).map(([, value]) => value))
  const figures = lawKeys
    .filter((key) => laws[key].unit === 'agorot')
    .flatMap((key) => laws[key].steps.map(([, value]) => `₪${(value / 100).toLocaleString('en-US')}`))
  const spelled = [...figures, ...[...rates].map((rate) => `${rate / 100}%`)]
  const texts = readdirSync('src/features', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('text/en.json'),
  )
  expect(texts.length).toBeGreaterThan(50)
  for (const file of texts)
    for (const [key, text] of Object.entries(
      JSON.parse(readFileSync(`src/features/${file}`, 'utf8')) as Record<string, string>,
    ))
      for (const one of key === unitsExplained ? [] : spelled)
        if (new RegExp(`(?<![\\d,.])${one.replace(/[.$]/g, '\\$&')}(?![\\d,.]\\d|\\d)`).test(text))
          expect.fail(`${key} spells ${one}`)
})
