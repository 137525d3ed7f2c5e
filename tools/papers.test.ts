import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { unanswered, unlisted } from './papers.ts'

const asvs = readFileSync(join(root, 'docs/asvs.md'), 'utf8')

test('every requirement of ASVS has one answer', () => {
  expect(unanswered(asvs)).toEqual([])
  const without = asvs.replace(/^\| 6\.2\.4 .*\n/m, '')
  expect(unanswered(without)).toEqual(['chapter 6 has 34 requirements, not 35'])
  const row = /^\| 6\.2\.4 .*\n/m.exec(asvs)![0]
  expect(unanswered(asvs.replace(row, row + row))).toEqual(['6.2.4 is there twice'])
  expect(unanswered(asvs.replace(row, row.replace(/\| [^|]*\|\n$/, '|  |\n')))).toEqual([
    '6.2.4 has no answer',
  ])
})

test('the page of settings names what is read, and nothing else', () => {
  const page =
    '| Name | Default | Meaning |\n| --- | --- | --- |\n| `PORT` | 3000 | … |\n| `HOST`, `OLD_HOST` | … | `X` |\n'
  expect(unlisted(page, new Set(['PORT', 'HOST', 'OLD_HOST']))).toEqual([])
  expect(unlisted(page, new Set(['PORT', 'HOST', 'WORKERS']))).toEqual([
    'lacks WORKERS',
    'names OLD_HOST, which nothing reads',
  ])
})
