import { expect, test } from 'vitest'
import { grown, phrasesIn, proseOf } from './plainEnglish.ts'

test('phrases count in comments and documentation, not in code', () => {
  const source = [
    '/** Whoever calls is told. */',
    'const he = "whoever stands" // it stands',
    "const url = 'https://his.example/deed'",
  ].join('\n')
  expect(phrasesIn(proseOf('src/kit/x.ts', source))).toEqual({ whoever: 1, 'is told': 1, stands: 1 })
  expect(phrasesIn(proseOf('x.md', 'A page of its own.\n```\nhe\n```\nThe `deed` of it.'))).toEqual({
    'of its own': 1,
  })
  expect(phrasesIn(proseOf('x.css', '.he { } /* he */'))).toEqual({ he: 1 })
})

test('a count may fall and not rise', () => {
  expect(grown({ tools: { he: 2 } }, { tools: { he: 2, deed: 4 } })).toEqual([])
  expect(grown({ tools: { he: 3 }, docs: { deed: 1 } }, { tools: { he: 2 } })).toEqual([
    expect.stringContaining('tools: ‘he’ 3 times in comments, 2 before'),
    expect.stringContaining('docs: ‘deed’ 1 times in comments, 0 before'),
  ])
})
