import { expect, test } from 'vitest'

test('a link to a screen goes through the router: a plain one would load the whole product again and lose the cursor', () => {
  const files = import.meta.glob<string>(['../**/*.tsx', '../../../features/*/*/web/**/*.tsx'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  expect(Object.keys(files).length).toBeGreaterThan(100)
  const plain = Object.entries(files).flatMap(([file, text]) =>
    [...text.matchAll(/<a\s[^>]*href=(?:"\/|\{`\/|\{\w*[pP]ath\w*\()[^>]*>/g)]
      .filter(([link]) => !link.includes('target='))
      .map(([link]) => `${file}: ${link}`),
  )
  expect(plain).toEqual([])
})
