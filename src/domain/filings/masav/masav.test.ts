import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildMasav, problemsOf, readMasav, type MasavFile } from './file.ts'
import { detail, header, recordLength, total } from './layout.ts'
import { nameBytes, nameFrom } from './letters.ts'

const file: MasavFile = {
  direction: 'credit',
  institution: '12345678',
  sender: '54321',
  name: 'זרם טוב בע״מ',
  // A Sunday.
  payDay: '2026-11-22',
  madeOn: '2026-11-20',
  serial: 1,
  code: 'B',
  payments: [
    {
      bank: '12',
      branch: '345',
      account: '12-345678',
      taxId: '512345678',
      name: 'חשמל ABC 2000',
      amountAgorot: 117_000,
      reference: '1001',
    },
    { bank: '4', branch: '7', account: '99', taxId: '', name: 'Levi & Sons', amountAgorot: 1, reference: '' },
  ],
}
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

test.each([
  ['header', header],
  ['detail', detail],
  ['total', total],
])('the fields of a %s make 128 columns', (_name, fields) =>
  expect(fields.reduce((n, f) => n + f.length, 0)).toBe(recordLength),
)

test('every figure stands in its columns', () => {
  const lines = text(buildMasav(file)).split('\r\n')
  expect(lines).toHaveLength(6)
  expect(lines.slice(0, 5).map((l) => l.length)).toEqual([128, 128, 128, 128, 128])
  const [head, first, second, sum, end] = lines as [string, string, string, string, string]
  expect(head.slice(0, 39)).toBe(
    ['K', '12345678', '00', '261122', '0', '001', '0', '261120', '54321', '000000'].join(''),
  )
  expect(head.slice(125)).toBe('KOT')
  expect(first.slice(17, 45)).toBe(['12', '345', '0000', '012345678', '0', '512345678'].join(''))
  expect(first.slice(61, 128)).toBe(
    ['0000000117000', '00000000000000001001', '00000000', '000', '006', '0'.repeat(18), '  '].join(''),
  )
  expect(second.slice(17, 45)).toBe(['04', '007', '0000', '000000099', '0', '000000000'].join(''))
  expect(sum).toBe(
    [
      '5',
      '12345678',
      '00',
      '261122',
      '0',
      '001',
      '000000000117001',
      '0'.repeat(15),
      '0000002',
      '0000000',
      ' '.repeat(63),
    ].join(''),
  )
  expect(end).toBe('9'.repeat(128))
})

test('a debit file has its sums and its code on the other side', () => {
  const lines = text(buildMasav({ ...file, direction: 'debit' })).split('\r\n')
  expect(lines[1]!.slice(105, 108)).toBe('504')
  expect(lines[3]!.slice(21, 65)).toBe(['0'.repeat(15), '000000000117001', '0000000', '0000002'].join(''))
})

test.each([
  ['אבג', 'B', [0x82, 0x81, 0x80]],
  ['אבג', 'A', [...'BA&'].map((c) => c.charCodeAt(0))],
  ['שרף 12', 'B', [0x31, 0x32, 0x20, 0x93, 0x98, 0x99]],
  ['Levi', 'B', [...'Levi'].map((c) => c.charCodeAt(0))],
] as const)('%s in code %s', (name, code, bytes) => {
  expect([...nameBytes(name, bytes.length, code)]).toEqual([...bytes])
  expect(nameFrom(nameBytes(name, 16, code), code)).toBe(name)
})

test('of a name that is too long the end goes, in both scripts', () => {
  expect(nameFrom(nameBytes('חברת החשמל לישראל בעמ', 16, 'B'), 'B')).toBe('חברת החשמל לישרא')
  expect(nameFrom(nameBytes('Electric Company of Israel', 16, 'B'), 'B')).toBe('Electric Company')
})

describe('what the centre would refuse', () => {
  test.each([
    ['no number of the institution', { institution: '' }, { field: 'institution', code: 'need' }],
    ['a day before the file', { payDay: '2026-11-19' }, { field: 'payDay', code: 'beforeMade' }],
    ['the first day of Passover', { payDay: '2027-04-22' }, { field: 'payDay', code: 'notBankingDay' }],
    ['a Saturday', { payDay: '2026-11-21' }, { field: 'payDay', code: 'notBankingDay' }],
    ['nothing to pay', { payments: [] }, { field: 'payments', code: 'need' }],
    [
      'nothing in a payment',
      { payments: [{ ...file.payments[0]!, amountAgorot: 0 }] },
      { row: 0, field: 'amount', code: 'notPositive' },
    ],
    [
      'no account',
      { payments: [file.payments[1]!, { ...file.payments[0]!, account: '' }] },
      { row: 1, field: 'account', code: 'need' },
    ],
    [
      'a long account',
      { payments: [{ ...file.payments[0]!, account: '1234567890' }] },
      { row: 0, field: 'account', code: 'tooLong' },
    ],
    [
      'letters in a branch',
      { payments: [{ ...file.payments[0]!, branch: '3a' }] },
      { row: 0, field: 'branch', code: 'notDigits' },
    ],
  ])('%s', (_name, change, problem) => {
    const wrong = { ...file, ...change } as MasavFile
    expect(problemsOf(wrong)).toContainEqual(problem)
    expect(() => buildMasav(wrong)).toThrow(RangeError)
  })
  test('nothing of a right file', () => expect(problemsOf(file)).toEqual([]))
})

test('what is written is read again, whatever it is', () => {
  const digits = (most: number) => fc.integer({ min: 1, max: 10 ** most - 1 }).map(String)
  const payment = fc.record({
    bank: digits(2),
    branch: digits(3),
    account: digits(9),
    taxId: fc.oneof(fc.constant(''), fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String)),
    name: fc.constantFrom('כהן', 'חשמל 2000', 'לוי ובניו', 'דוד (יבוא)'),
    amountAgorot: fc.integer({ min: 1, max: 10 ** 12 }),
    reference: fc.oneof(fc.constant(''), digits(9)),
  })
  fc.assert(
    fc.property(
      fc.array(payment, { minLength: 1, maxLength: 30 }),
      fc.constantFrom('A', 'B'),
      fc.constantFrom('credit', 'debit'),
      (payments, code, direction) => {
        const { files, faults } = readMasav(
          buildMasav({ ...file, name: 'זרם טוב', payments, code, direction } as MasavFile),
        )
        expect(faults).toEqual([])
        expect(files).toEqual([{ ...file, name: 'זרם טוב', payments, code, direction }])
      },
    ),
  )
})

describe('a file with a fault says the line', () => {
  const good = text(buildMasav(file))
  test.each([
    ['a short line', (t: string) => t.replace('KOT', 'KO'), { line: 1, code: 'length' }],
    ['another sum', (t: string) => t.replace('000000000117001', '000000000117002'), { line: 4, code: 'sum' }],
    ['another count', (t: string) => t.replace('0000002', '0000003'), { line: 4, code: 'count' }],
    [
      'another institution in a payment',
      (t: string) => t.replace('\n112345678', '\n112345679'),
      { line: 2, code: 'institution' },
    ],
    ['no closing nines', (t: string) => t.replace('9'.repeat(128), ''), { line: 4, code: 'noEnd' }],
    [
      'letters where digits stand',
      (t: string) => t.replace('12345000', '1234a000'),
      { line: 2, code: 'notDigits' },
    ],
    ['a kind nobody knows', (t: string) => t.replace('000006000', '000007000'), { line: 2, code: 'kind' }],
    ['nothing', () => '', { line: 1, code: 'empty' }],
  ])('%s', (_name, change, fault) =>
    expect(readMasav(Buffer.from(change(good), 'latin1')).faults).toContainEqual(fault),
  )
})
