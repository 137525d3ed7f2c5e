import { expect, test } from 'vitest'
import { checkStyle } from './style.ts'

test.each([
  ['en', 'x.text', 'Whoever has the link may pay.', 1],
  ['en', 'x.text', 'Anyone with the link can pay.', 0],
  ['en', 'x.text', 'This cannot be undone.', 1],
  ['en', 'legal.terms', 'This cannot be undone.', 0],
  ['en', 'x.text', '{sum} is paid already', 1],
  ['en', 'x.text', '{he} was paid', 0],
  ['en', 'terms.home', 'worker', 0],
  ['en', 'x.text', 'Send `whoever`', 0],
  ['he', 'x.text', 'רשות המיסים', 1],
  ['ar', 'x.text', 'للعميل', 1],
  ['ru', 'x.text', 'без номера распределения', 1],
  ['fr', 'x.text', 'par courriel', 1],
  ['fr', 'agents.search.send', 'courriel', 0],
] as const)('%s %s: %s', (language, key, text, count) => {
  expect(checkStyle(language, key, text)).toHaveLength(count)
})
