import { describe, expect, test } from 'vitest'
import { lineOf, priceOfLine } from './build.ts'
import { charsetOf, decode, encode, inCodePage } from './charset.ts'
import { checkUniform } from './check.ts'
import { dealerFolder, layouts, runFolder } from './layout.ts'
import { amount, partsOf, readUniform, text } from './read.ts'
import { fieldOf, readRecord, writeRecord, type Values } from './record.ts'

const bytes = (lines: readonly string[], end = '\r\n') =>
  encode(lines.map((line) => line + end).join(''), 'iso-8859-8')
const frame = { dealerNumber: '223344556', primaryId: '123456789012345', systemConstant: '&OF1.31&' }

/**
 * The example of the Instructions: a debt of 1,250, of which 250 were withheld; and an invoice with its
 * entry.
 */
function sample(change: { [record: string]: Values } = {}): string[] {
  const one = (code: Parameters<typeof writeRecord>[0], number: number, values: Values) =>
    writeRecord(code, { ...frame, recordNumber: number, ...values, ...change[`${code}${number}`] })
  const invoice = { documentType: 305, documentNumber: '1001', documentDate: '2026-05-03', link: 1 }
  const receipt = { documentType: 400, documentNumber: '501', documentDate: '2026-05-20', link: 2 }
  const party = {
    customerName: 'כהן בע"מ',
    customerKey: '1100-00001',
    issueDate: '2026-05-03',
    issueTime: '0915',
  }
  return [
    one('A100', 1, {}),
    one('C100', 2, {
      ...invoice,
      ...party,
      beforeDiscount: 110000,
      discount: -10000,
      netAmount: 100000,
      vat: 18000,
      total: 118000,
    }),
    one('D110', 3, {
      ...invoice,
      line: 1,
      description: 'תיקון',
      quantity: 15000,
      unitPrice: 66667,
      total: 100000,
      discount: -1,
      vatRate: 1800,
    }),
    one('D110', 4, {
      ...invoice,
      line: 2,
      description: 'חלק',
      quantity: 10000,
      unitPrice: 10000,
      total: 10000,
      vatRate: 1800,
    }),
    one('C100', 5, {
      ...receipt,
      ...party,
      beforeDiscount: 100000,
      netAmount: 100000,
      total: 100000,
      withholding: 25000,
    }),
    one('D120', 6, { ...receipt, line: 1, paymentMethod: 4, amount: 100000 }),
    one('B100', 7, {
      transaction: 1,
      line: 1,
      date: '2026-05-03',
      valueDate: '2026-05-03',
      account: '1100-00001',
      debitCredit: 1,
      amount: 118000,
      entryDate: '2026-05-03',
    }),
    one('B100', 8, {
      transaction: 1,
      line: 2,
      date: '2026-05-03',
      valueDate: '2026-05-03',
      account: '4000',
      debitCredit: 2,
      amount: 100000,
      entryDate: '2026-05-03',
    }),
    one('B100', 9, {
      transaction: 1,
      line: 3,
      date: '2026-05-03',
      valueDate: '2026-05-03',
      account: '2100',
      debitCredit: 2,
      amount: 18000,
      entryDate: '2026-05-03',
    }),
    one('B110', 10, {
      accountKey: '1100-00001',
      accountName: 'כהן בע"מ',
      sortCode: '100',
      openingBalance: 5000,
      totalDebit: 118000,
    }),
    one('B110', 11, {
      accountKey: '4000',
      accountName: 'הכנסות',
      sortCode: '700',
      openingBalance: -5000,
      totalCredit: 100000,
    }),
    one('B110', 12, { accountKey: '2100', accountName: 'מע"מ', sortCode: '410', totalCredit: 18000 }),
    one('M100', 13, { internalSku: 'A-1', itemName: 'חלק', unit: 'יח' }),
    one('Z900', 14, { records: 14 }),
  ]
}
const ini = (records = 14) =>
  bytes([
    writeRecord('A000', {
      ...frame,
      records,
      balanceLevel: 1,
      bookkeepingType: 2,
      charset: 1,
      softwareType: 2,
    }),
    ...[
      ['B100', 3],
      ['B110', 3],
      ['C100', 2],
      ['D110', 2],
      ['D120', 1],
      ['M100', 1],
    ].map(([recordCode, count]) => writeRecord('SUMMARY', { recordCode, count })),
  ])
const codesOf = (lines: string[], head: Uint8Array | undefined = ini()) => [
  ...checkUniform(readUniform(bytes(lines), head)).counts.keys(),
]

describe('the layout', () => {
  test.each([
    ['A000', 466],
    ['SUMMARY', 19],
    ['A100', 95],
    ['B100', 317],
    ['B110', 376],
    ['C100', 444],
    ['D110', 339],
    ['D120', 222],
    ['M100', 298],
    ['Z900', 110],
  ] as const)('of %s is %i bytes long', (code, length) => expect(layouts[code].length).toBe(length))

  test.each([
    ['C100', 'total', 347, 15],
    ['C100', 'documentDate', 400, 8],
    ['B100', 'amount', 206, 15],
    ['B110', 'openingBalance', 277, 15],
    ['D110', 'vatRate', 285, 4],
    ['D120', 'amount', 103, 15],
    ['M100', 'openingQuantity', 192, 12],
    ['A000', 'charset', 395, 1],
  ] as const)('has %s %s behind %i bytes', (code, name, at, length) =>
    expect(layouts[code].byName.get(name)).toMatchObject({ at, length }),
  )

  test('names the folders', () => {
    expect(dealerFolder('002233447', '2008-09-11')).toBe('00223344.08')
    expect(runFolder('2008-09-11', '10:30')).toBe('09111030')
  })
})

describe('a record', () => {
  test('is written as the Instructions show it', () => {
    const line = writeRecord('D120', {
      dealerNumber: '223344556',
      recordNumber: 7,
      amount: -12345,
      dueDate: '2026-05-01',
      cardName: 'ויזה',
    })
    expect(line.slice(0, 22)).toBe('D120000000007223344556')
    expect(line.slice(103, 118)).toBe('-00000000012345')
    expect(line.slice(95, 103)).toBe('20260501')
    expect(line.slice(119, 123)).toBe('ויזה')
    expect(line).toHaveLength(222)
  })
  test('comes back as it was written, for every record', () => {
    for (const line of sample()) {
      const code = line.slice(0, 4) as 'C100'
      const odd: string[] = []
      expect(
        writeRecord(
          code,
          readRecord(code, line, (_, what) => odd.push(what)),
        ),
      ).toBe(line)
      expect(odd).toEqual([])
    }
  })
  test('refuses a number that does not fit', () => {
    expect(() => writeRecord('C100', { withholding: 1e12 })).toThrow(RangeError)
    expect(() => writeRecord('C100', { documentType: 1000 })).toThrow(RangeError)
  })
  test.each([
    ['               ', 0, 'blank'],
    ['            100', 100, 'noSign'],
    ['000000000012345', 12345, 'noSign'],
    ['-00000000012345', -12345, undefined],
    ['+       123.45 ', 12345, 'point'],
    ['      12345-   ', -12345, undefined],
    ['+abc           ', 0, 'notAmount'],
  ])('reads an amount written %j', (raw, value, oddity) => {
    const line = writeRecord('B100', {}).slice(0, 206) + raw + ' '.repeat(96)
    const odd: string[] = []
    expect(readRecord('B100', line, (field, what) => field.name === 'amount' && odd.push(what)).amount).toBe(
      value,
    )
    expect(odd).toEqual(oddity ? [oddity] : [])
  })
  test('understands a day that was turned round', () => {
    const line = `${writeRecord('B100', {}).slice(0, 156)}0305202603052026`
    expect(fieldOf('B100', line, 'date')).toBe('2026-05-03')
  })
})

describe('letters', () => {
  test.each([
    ['₪ 5 – “שלום”', 'ש"ח 5 - "שלום"'],
    ['Émile Zola', 'Emile Zola'],
    ['Щукин', 'Shchukin'],
    ['محمد', 'mhmd'],
    ['שָׁלוֹם', 'שלום'],
    ['a\u200eb\nc', 'ab c'],
    ['漢', '?'],
  ])('%j becomes %j', (given, wanted) => expect(inCodePage(given)).toBe(wanted))
  test('are one byte each and come back, in both pages', () => {
    for (const charset of ['iso-8859-8', 'cp862'] as const)
      expect(decode(encode('שלום ABC', charset), charset)).toBe('שלום ABC')
    expect([...encode('א', 'iso-8859-8'), ...encode('ת', 'cp862')]).toEqual([0xe0, 0x9a])
  })

  test('a file of many megabytes keeps every sign in its place', () => {
    const bytes = new Uint8Array(2_500_000).fill(0xe0)
    bytes.set(encode('שלום ABC', 'iso-8859-8'), 2_400_000)
    const read = decode(bytes, 'iso-8859-8')
    expect([
      read.length,
      read.slice(2_400_000, 2_400_008),
      read.replace('שלום ABC', 'אאאאאאאא') === 'א'.repeat(2_500_000),
    ]).toEqual([2_500_000, 'שלום ABC', true])
  })
  test('tell their code page', () => {
    expect(charsetOf(encode('שלום', 'iso-8859-8'))).toBe('iso-8859-8')
    expect(charsetOf(encode('שלום', 'cp862'))).toBe('cp862')
    expect(charsetOf(new Uint8Array([...encode('שלום', 'iso-8859-8'), 0xa4]))).toBe('windows-1255')
    expect(charsetOf(new TextEncoder().encode('שלום'))).toBe('utf-8')
    expect(charsetOf(encode('abc', 'cp862'), '2')).toBe('cp862')
  })
})

describe('the price of a line', () => {
  test('always gives the total, and never a surcharge', () => {
    let seed = 7
    const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n
    for (let i = 0; i < 5_000; i++) {
      const quantity = (random(2) ? 1 : -1) * (1 + random(3_000_000))
      const list = random(1_000_000) / 100
      const total =
        Math.sign(quantity) * Math.round((Math.abs(quantity) * list * (1 - random(3) / 10)) / 10_000)
      const { unitPrice, discount } = priceOfLine(quantity, list, total)
      expect(lineOf(quantity, unitPrice) + discount).toBe(total)
      expect(discount * Math.sign(quantity)).toBeLessThanOrEqual(0)
    }
  })
})

describe('the check', () => {
  test('finds nothing in a right file', () => {
    const file = readUniform(bytes(sample()), ini())
    expect(file.faults.kept).toEqual([])
    expect(checkUniform(file).kept).toEqual([])
    expect(file.records).toHaveLength(14)
    expect(text(file.records[1]!, 'customerName')).toBe('כהן בע"מ')
    expect(amount(file.records[4]!, 'withholding')).toBe(25_000)
  })
  test.each([
    ['recordNumber', { C1002: { recordNumber: 9 } }],
    ['dealerNumber', { D1103: { dealerNumber: '1' } }],
    ['primaryId', { Z90014: { primaryId: '7' } }],
    ['systemConstant', { A1001: { systemConstant: 'X' } }],
    ['closingCount', { Z90014: { records: 13 } }],
    ['netAmount', { C1002: { discount: -9999 } }],
    ['total', { C1002: { vat: 17999 } }],
    ['discountSign', { C1002: { beforeDiscount: 90000, discount: 10000 } }],
    ['withholdingSign', { C1005: { withholding: -25000 } }],
    ['noParty', { C1002: { customerKey: '' } }],
    ['documentType', { C1002: { documentType: 306 } }],
    ['duplicateNumber', { C1005: { documentType: 305, documentNumber: '01001' } }],
    ['lineWithoutHeader', { D1103: { documentNumber: '1002' } }],
    ['lineDate', { D1103: { documentDate: '2026-05-04' } }],
    ['link', { D1103: { link: 5 } }],
    ['lineNumber', { D1104: { line: 3 } }],
    ['lineTotal', { D1103: { total: 100001 } }],
    ['linesSum', { D1104: { unitPrice: 9999, total: 9999 } }],
    ['paymentsSum', { D1206: { amount: 125000 } }],
    ['unbalanced', { B1008: { amount: 99999 } }],
    ['side', { B1008: { debitCredit: 3 } }],
    ['turnoverDebit', { B11010: { totalDebit: 1 } }],
    ['turnoverCredit', { B11012: { totalCredit: 1 } }],
    ['unknownAccount', { B1008: { account: '4001' } }],
    ['duplicateAccount', { B11011: { accountKey: '2100' } }],
    ['openingSum', { B11010: { openingBalance: 0 } }],
    ['missing', { D1103: { description: '' } }],
  ] as [string, { [record: string]: Values }][])('finds %s', (code, change) =>
    expect(codesOf(sample(change))).toContain(code),
  )

  test('finds wrong counts in INI.TXT', () => {
    expect(codesOf(sample(), ini(15))).toEqual(['iniCount'])
    expect(codesOf(sample().filter((line) => !line.startsWith('M100')))).toContain('iniSummary')
  })
  test('balances batches where the file says that it does', () => {
    const head = bytes([writeRecord('A000', { ...frame, records: 14, balanceLevel: 2, charset: 1 })])
    expect([
      ...checkUniform(readUniform(bytes(sample({ B1008: { batch: 5 } })), head)).counts.keys(),
    ]).toContain('batchUnbalanced')
  })
})

test.each([
  ['ab\r\ncd\r\nef', 4, ['ab\r\n', 'cd\r\n', 'ef']],
  ['ab\r\ncd\r\nef', 5, ['ab\r\ncd\r\n', 'ef']],
  ['ab\r\ncd\r\n', 3, ['ab\r\n', 'cd\r\n']],
  ['abcdef', 2, ['abcdef']],
  ['', 2, []],
])(
  'a file longer than a text may be is read in parts that end where a line does: %j by %i',
  (file, most, parts) => {
    expect(
      [...partsOf(new TextEncoder().encode(file), most)].map((part) => new TextDecoder().decode(part)),
    ).toEqual(parts)
  },
)

describe('files of other programs', () => {
  test('are read whatever ends their lines', () => {
    const lines = sample()
    for (const end of ['\n', '\r', '']) {
      const file = readUniform(bytes(lines, end), ini())
      expect(file.records.map((record) => record.text)).toEqual(lines)
    }
    expect(readUniform(bytes(lines, '\n')).faults.counts.get('noCr')).toBe(1)
  })
  test('may have bytes too many, a mark at the end, and lines of another kind', () => {
    const lines = sample().map((line, i) => (i === 1 ? `${line}  7` : line))
    const file = readUniform(bytes([...lines.slice(0, -1), 'X999 own record', lines.at(-1)!, '\u001a']))
    expect(file.records).toHaveLength(14)
    expect([...file.faults.counts]).toEqual([
      ['noIni', 1],
      ['longRecord', 1],
      ['unknownRecord', 1],
    ])
    expect(file.faults.kept.map(({ line }) => line)).toEqual([0, 2, 14])
  })
  test('may lack the filler at the end of a record', () => {
    const file = readUniform(bytes(sample().map((line) => line.trimEnd())), ini())
    expect(checkUniform(file).kept).toEqual([])
    expect(file.faults.counts.get('shortRecord')).toBeGreaterThan(0)
  })
})
