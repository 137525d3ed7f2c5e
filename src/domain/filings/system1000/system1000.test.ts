import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { completeCheckDigit } from '../../taxId.ts'
import { buildQueries, problemsOfQuery, queryFileName, type Query } from './build.ts'
import { answer, closing, lengthOf, opening, query, refusal } from './layout.ts'
import { parseSystem1000, rateOf } from './parse.ts'
import { problemsOf, readRecord, writeRecord } from './record.ts'

const sample = (name: string) => readFileSync(new URL(`samples/${name}`, import.meta.url), 'latin1')
const number = (n: number) => completeCheckDigit(String(51_000_000 + n))
const queries = (count: number): Query[] =>
  Array.from({ length: count }, (_, i) => ({
    key: number(i),
    incomeTaxFile: i % 3 ? number(i) : null,
    vatFile: number(i),
  }))

describe('the query', () => {
  test('is the sample, sign by sign', () => {
    const built = buildQueries('912345678', '2026-11-20', [
      { key: '514567890', incomeTaxFile: '514567890', vatFile: '514567890' },
      { key: '557654324', incomeTaxFile: null, vatFile: '557654324' },
    ])
    expect(built).toEqual([sample('D_912345678.20112026.dat')])
    expect(queryFileName('912345678', '2026-11-20')).toBe('D_912345678.20112026.dat')
  })

  test.each([0, 1, 999, 1000, 1001, 2500])('of %i suppliers comes back as it was', (count) => {
    const rows = queries(count)
    const files = buildQueries('912345678', '2026-01-02', rows)
    expect(files).toHaveLength(Math.ceil(count / 1000))
    const read = files.map(parseSystem1000)
    expect(read.flatMap((file) => file.queries)).toEqual(rows)
    for (const file of read)
      expect(file).toMatchObject({
        withholdingFile: '912345678',
        day: '2026-01-02',
        badLines: [],
        countsDiffer: false,
        answers: [],
        refusals: [],
      })
    for (const line of files.flatMap((file) => file.split('\r\n').slice(1, -2))) expect(line).toHaveLength(34)
  })

  test.each<[string, Query, string]>([
    ['a wrong check digit', { key: 'x', incomeTaxFile: '514567891', vatFile: null }, 'checkDigit'],
    ['letters in a number', { key: 'x', incomeTaxFile: null, vatFile: '51456789x' }, 'notDigits'],
    ['a key too long', { key: 'x'.repeat(16), incomeTaxFile: null, vatFile: null }, 'tooLong'],
  ])('says what is wrong: %s', (_what, row, code) => {
    expect(problemsOfQuery(row)).toMatchObject([{ code }])
    expect(() => buildQueries('912345678', '2026-01-02', [row])).toThrow(RangeError)
  })

  test('is not written for a file that is no withholding file, nor with a Hebrew key', () => {
    expect(() => buildQueries('512345678', '2026-01-02', queries(1))).toThrow(RangeError)
    expect(() =>
      buildQueries('912345678', '2026-01-02', [{ key: 'ספק', incomeTaxFile: null, vatFile: null }]),
    ).toThrow(RangeError)
  })
})

describe('what comes back', () => {
  test('the answers', () => {
    const file = parseSystem1000(sample('answers.dat'))
    expect(file.badLines).toEqual([])
    expect(file.answers).toMatchObject([
      {
        key: '514567890',
        incomeTaxFile: '514567890',
        hasCertificate: true,
        booksValid: true,
        fromDay: '2026-01-01',
        toDay: '2026-12-31',
        ceilingAgorot: null,
      },
      {
        key: '557654324',
        incomeTaxFile: null,
        vatFile: '557654324',
        hasCertificate: true,
        booksValid: true,
        toDay: '2026-06-30',
        ceilingAgorot: 25_000_000,
      },
      { key: '301234563', hasCertificate: false, booksValid: false, fromDay: null, toDay: null },
    ])
    expect(file.answers.map((one) => rateOf(one, '06'))).toEqual([0, 500, 0])
    expect(rateOf(file.answers[1]!, '02')).toBe(1000)
    expect(rateOf(file.answers[1]!, null)).toBe(500)
  })

  test('the refusals, with reason and text', () => {
    const file = parseSystem1000(sample('errors.dat'))
    expect(file.refusals).toMatchObject([
      { key: '557654324', errorCode: '02', known: 'incomeTaxFileOfPartnership' },
      { key: '514567890', errorCode: '41', known: null, errorText: 'SOMETHING NEW' },
    ])
    expect(file).toMatchObject({ countsDiffer: false, badLines: [], withholdingFile: '912345678' })
  })

  test('a day is understood both ways round, and a wrong one is refused', () => {
    for (const [raw, day] of [
      ['20112026', '2026-11-20'],
      ['20261120', '2026-11-20'],
      ['20122020', '2020-12-20'],
      ['20201220', '2020-12-20'],
      ['00000000', ''],
      ['        ', ''],
    ] as const)
      expect(readRecord([{ name: 'd', length: 8, kind: 'day' }], raw)).toEqual({ d: day })
    expect(
      problemsOf(
        [{ name: 'd', length: 8, kind: 'day' }],
        readRecord([{ name: 'd', length: 8, kind: 'day' }], '31022026'),
      ),
    ).toMatchObject([{ code: 'notADay' }])
  })

  test('lines of something else are named, not guessed at', () => {
    const file = parseSystem1000(['hello', 'B12', `1${' '.repeat(62)}1${'x'.repeat(60)}`, ''].join('\n'))
    expect(file.badLines).toEqual([1, 2, 3])
    expect(file.answers).toEqual([])
  })

  test('an answer that was cut off within its ceiling is no answer', () => {
    const lines = sample('answers.dat').split('\r\n')
    const cut = (length: number) => parseSystem1000([lines[0], lines[1]!.slice(0, length)].join('\r\n'))
    expect(cut(112).answers.at(-1)).toMatchObject({ ceilingAgorot: 25_000_000 })
    expect(cut(110)).toMatchObject({ answers: [{}], badLines: [2] })
  })

  test('a count that does not agree is noticed', () => {
    const [text] = buildQueries('912345678', '2026-01-02', queries(3))
    expect(parseSystem1000(text!.split('\r\n').toSpliced(1, 1).join('\r\n')).countsDiffer).toBe(true)
  })
})

test('what is written by a layout is read by it', () => {
  const values = {
    key: 'K1',
    name: 'DOE',
    incomeTaxFile: number(1),
    vatFile: number(2),
    partnership: '000000000',
    hasCertificate: '1',
    services: '05',
    agriculture: '00',
    insurance: '10',
    regulations: '20',
    interest: '25',
    booksValid: '1',
    fromDay: '2026-01-01',
    toDay: '2026-12-31',
    madeOn: '2026-01-03',
    ceiling: '0000000250000',
  }
  const line = writeRecord(answer, values)
  expect(line).toHaveLength(112)
  expect(readRecord(answer, line)).toEqual({ type: '', ...values })
  expect([opening, query, refusal, closing].map(lengthOf)).toEqual([18, 34, 95, 22])
})
