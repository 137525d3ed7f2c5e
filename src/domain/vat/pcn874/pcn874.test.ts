import { describe, expect, test } from 'vitest'
import { completeCheckDigit } from '../../taxId.ts'
import { buildPcn874, headerOf, tallyOf } from './build.ts'
import { faultCodes, faultsOf, type FaultCode } from './check.ts'
import {
  closingLayout,
  entryLayout,
  headerLayout,
  lengthOf,
  type Entry,
  type EntryType,
  type Header,
} from './layout.ts'
import { parsePcn874 } from './parse.ts'

const today = '2026-07-10'
const dealer = completeCheckDigit('51234567')
const customer = completeCheckDigit('51400000')
const supplier = completeCheckDigit('51500000')
const nobody = '000000000'

let running = 0
const entry = (type: EntryType, sum: number, vat: number, more: Partial<Entry> = {}): Entry => ({
  type,
  counterparty:
    type === 'L' || type === 'K'
      ? nobody
      : type === 'Y'
        ? '999999999'
        : 'TPHCR'.includes(type)
          ? supplier
          : customer,
  day: '2026-06-15',
  group: '0000',
  reference: type === 'R' ? nobody : String(++running).padStart(9, '0'),
  vat,
  isCredit: false,
  sum,
  allocation: nobody,
  ...more,
})
const facts = { dealer, period: '2026-06', reportType: '1' as const, madeOn: today, equipmentVat: 0 }

/** A report without a fault. */
const goodEntries = (): Entry[] => [
  entry('S', 1000, 180),
  entry('S', 500, 0),
  entry('S', 200, 36, { isCredit: true }),
  entry('L', 300, 54),
  entry('Y', 900, 0),
  entry('M', 100, 18),
  entry('T', 100, 18, { day: '2026-06-02' }),
  entry('K', 20, 4, { day: '2026-06-30' }),
  entry('R', 50, 90, { day: '2026-06-03' }),
  entry('H', 10, 2, { reference: nobody, day: '2026-06-04' }),
  entry('P', 100, 18, { day: '2026-06-05' }),
  entry('C', 100, 18, { counterparty: dealer, day: '2026-06-06' }),
]
const good = (): string => {
  const entries = goodEntries()
  return buildPcn874(headerOf(tallyOf(entries), facts), entries)
}
/**
 * The good report with its header, entries or text changed; unless the header is changed it follows the
 * entries.
 */
function changed({
  entries = (all) => all,
  header = (h) => h,
  text = (t) => t,
}: {
  entries?: (all: Entry[]) => Entry[]
  header?: (h: Header) => Header
  text?: (t: string) => string
}): string {
  const made = entries(goodEntries())
  return text(buildPcn874(header(headerOf(tallyOf(made), facts)), made))
}
const codes = (file: string): FaultCode[] => [...new Set(faultsOf(file, today).map((f) => f.code))]
const at =
  (line: number, position: number, put: string) =>
  (file: string): string => {
    const lines = file.split('\r\n')
    lines[line - 1] =
      lines[line - 1]!.slice(0, position - 1) + put + lines[line - 1]!.slice(position - 1 + put.length)
    return lines.join('\r\n')
  }
const with_ = (of: Entry) => ({ entries: (all: Entry[]) => [...all, of] })

describe('the layout', () => {
  test('is 131, 60 and 10 signs', () => {
    expect([headerLayout, entryLayout, closingLayout].map(lengthOf)).toEqual([131, 60, 10])
  })

  test('has its fields where the circular puts them', () => {
    const startOf = (layout: typeof headerLayout | typeof entryLayout, name: string) => {
      const index = layout.findIndex((f) => f.name === name)
      return lengthOf(layout.slice(0, index)) + 1
    }
    expect(
      [
        'dealer',
        'period',
        'reportType',
        'madeOn',
        'taxableSales',
        'salesVat',
        'salesCount',
        'untaxedSales',
        'otherInputVat',
        'equipmentVat',
        'inputCount',
        'total',
      ].map((name) => startOf(headerLayout, name)),
    ).toEqual([2, 11, 17, 18, 26, 38, 70, 79, 91, 101, 111, 120])
    expect(
      ['counterparty', 'day', 'group', 'reference', 'vat', 'sign', 'sum', 'allocation'].map((name) =>
        startOf(entryLayout, name),
      ),
    ).toEqual([2, 11, 19, 23, 32, 41, 42, 52])
  })

  test('sign by sign', () => {
    const entries = [
      entry('S', 12_345, 2222, { reference: '000001044', allocation: '123456789' }),
      entry('T', 100, 12, { reference: '000000077', isCredit: true }),
    ]
    expect(buildPcn874(headerOf(tallyOf(entries), { ...facts, equipmentVat: 0 }), entries)).toBe(
      [
        `O${dealer}202606120260710+00000012345+000002222+00000000000+000000000000000001+00000000000-000000012+000000000000000001+00000002234`,
        `S${customer}202606150000000001044000002222+0000012345123456789`,
        `T${supplier}202606150000000000077000000012-0000000100000000000`,
        `X${dealer}`,
        '',
      ].join('\r\n'),
    )
  })

  test('what was built is read back as it was', () => {
    const entries = goodEntries()
    const header = headerOf(tallyOf(entries), { ...facts, equipmentVat: 15 })
    const read = parsePcn874(buildPcn874(header, entries))
    expect(read.headers.map((h) => h.record)).toMatchObject([header])
    expect(read.entries.map((e) => e.record)).toEqual(entries)
    expect(read.closings.map((c) => c.record)).toEqual([{ dealer }])
    expect(parsePcn874(buildPcn874(header, entries).replaceAll('\r', '')).entries).toEqual(read.entries)
  })

  test.each<[string, Partial<Entry>]>([
    ['a sum of eleven digits', { sum: 10_000_000_000 }],
    ['a negative sum', { sum: -1 }],
    ['half a shekel', { vat: 0.5 }],
    ['a number of ten digits', { reference: '1234567890' }],
    ['letters for a dealer', { counterparty: 'A12345678' }],
  ])('%s is not written', (_, more) => {
    const bad = [entry('S', 1, 0, more)]
    expect(() => buildPcn874({ ...headerOf(tallyOf(goodEntries()), facts) }, bad)).toThrow(RangeError)
  })
})

describe('the rules of the authority', () => {
  test('a good report has no fault', () => {
    expect(faultsOf(good(), today)).toEqual([])
    // Nothing at all is a report too.
    expect(faultsOf(buildPcn874(headerOf(tallyOf([]), facts), []), today)).toEqual([])
  })

  const cases: Record<FaultCode, () => string> = {
    101: () => changed({ header: (h) => ({ ...h, taxableSales: -1 }) }),
    102: () => changed({ header: (h) => ({ ...h, salesVat: -1 }) }),
    103: () => changed({ text: at(1, 48, '-') }),
    104: () => changed({ header: (h) => ({ ...h, otherRateVat: -5 }) }),
    105: () => changed({ entries: (all) => [...all, entry('S', 90_000, 0, { isCredit: true })] }),
    106: () => changed({ entries: (all) => [...all, entry('T', 90_000, 16_200, { isCredit: true })] }),
    107: () => changed({ header: (h) => ({ ...h, equipmentVat: -7, otherInputVat: h.otherInputVat + 7 }) }),
    108: () => changed({ text: at(1, 120, ' ') }),
    110: () =>
      changed({ header: (h) => ({ ...h, dealer: '512345670' === dealer ? '512345671' : '512345670' }) }),
    111: () => changed({ text: at(1, 15, '13') }),
    112: () => changed({ text: at(1, 11, '0000') }),
    113: () => changed({ text: at(1, 11, '202608') }),
    114: () => changed({ text: at(1, 11, '201706') }),
    119: () => changed({ header: (h) => ({ ...h, otherRateSales: 10 }) }),
    120: () => changed({ header: (h) => ({ ...h, otherRateVat: 10 }) }),
    125: () => changed({ header: (h) => ({ ...h, total: h.total + 1 }) }),
    126: () => changed({ text: (t) => t.replace(/X\d{9}\r\n$/, '') }),
    127: () => changed({ text: (t) => t.replace(/X\d{9}\r\n$/, `X${customer}\r\n`) }),
    128: () => changed({ header: (h) => ({ ...h, salesVat: h.salesVat * 2 }) }),
    129: () => changed({ entries: (all) => [...all, entry('S', 90_000, 16_200, { isCredit: true })] }),
    130: () => changed({ header: (h) => ({ ...h, reportType: '6' }) }),
    131: () => changed({ header: (h) => ({ ...h, reportType: '6', taxableSales: 0 }) }),
    132: () => changed({ header: (h) => ({ ...h, reportType: '6', taxableSales: 0, salesVat: 0 }) }),
    201: () => changed(with_(entry('T', 100, 18, { counterparty: nobody }))),
    202: () => changed(with_(entry('S', 100, 18, { counterparty: '123456789' }))),
    203: () => changed(with_(entry('L', 100, 18, { counterparty: customer }))),
    204: () => changed(with_(entry('T', 100, 18, { counterparty: dealer }))),
    205: () => changed(with_(entry('T', 100, 18, { reference: nobody }))),
    206: () => changed(with_(entry('S', 100, 18, { day: '2026-02-30' }))),
    207: () => changed(with_(entry('S', 100, 18, { day: '2026-07-01' }))),
    208: () => changed(with_(entry('T', 100, 18, { day: '2025-11-30' }))),
    209: () => changed(with_(entry('K', 10, 1, { day: '2026-03-31' }))),
    212: () => changed(with_(entry('T', 100, 21))),
    213: () => changed(with_(entry('R', 100, 18, { counterparty: nobody }))),
    214: () => changed({ entries: (all) => [...all, { ...all[0]! }] }),
    215: () => changed(with_(entry('C', 1000, 180))),
    216: () => changed({ entries: () => [entry('K', 100, 18), entry('T', 100, 18)] }),
    217: () => changed({ entries: () => Array.from({ length: 5 }, () => entry('T', 100, 18)) }),
    301: () => changed({ header: (h) => ({ ...h, salesCount: 9 }) }),
    302: () => changed({ header: (h) => ({ ...h, inputCount: 9 }) }),
    303: () => changed({ entries: () => [entry('K', 100, 18), entry('T', 100, 18)] }),
    304: () => changed({ entries: () => Array.from({ length: 5 }, () => entry('T', 100, 18)) }),
    305: () => changed({ header: (h) => ({ ...h, taxableSales: h.taxableSales + 1 }) }),
    306: () => changed({ header: (h) => ({ ...h, salesVat: h.salesVat + 1, total: h.total + 1 }) }),
    307: () => changed({ header: (h) => ({ ...h, untaxedSales: h.untaxedSales + 1 }) }),
    308: () => changed({ header: (h) => ({ ...h, otherInputVat: h.otherInputVat + 1, total: h.total - 1 }) }),
    309: () => changed({ header: (h) => ({ ...h, equipmentVat: 100_000 }) }),
    310: () => changed({ header: (h) => ({ ...h, total: h.total + 5 }) }),
    311: () => changed({ entries: (all) => [...all, entry('S', 100_000, 5000)] }),
    801: () => changed({ text: (t) => t.replace('\r\nS', '\r\nQ') }),
    802: () => changed({ text: (t) => t.replace(/\r\nT/, '\r\nT0') }),
    803: () => changed({ text: (t) => t.slice(133) }),
    804: () => changed({ text: (t) => t.slice(0, 133) + t }),
    805: () =>
      changed({
        text: (t) =>
          t.replace(/(X\d{9}\r\n)$/, '') +
          `S${customer}202606150000000009999000000000+0000000001000000000\r\n`,
      }),
    806: () => changed({ text: at(2, 23, '12A') }),
  }
  // 805: something behind the closing.
  cases[805] = () =>
    changed({ text: (t) => `${t}S${customer}202606150000000009999000000000+0000000001000000000\r\n` })

  test('each has a case', () => expect(Object.keys(cases).map(Number)).toEqual([...faultCodes]))

  test.each(faultCodes.map((code) => [code]))('%i', (code) => {
    expect(codes(cases[code]())).toContain(code)
  })

  test.each<[string, Entry, FaultCode]>([
    ['a bill six months old', entry('T', 100, 18, { day: '2025-12-01' }), 208],
    ['a credit at the rate of its invoice', entry('S', 100, 17, { isCredit: true, day: '2026-06-01' }), 212],
    ['two thirds of a car’s VAT', entry('T', 100, 12), 212],
    ['petty cash of the first month of two', entry('K', 10, 1, { day: '2026-05-02' }), 209],
    ['the wrong record again with the other sign', { ...entry('S', 1000, 180), reference: '000000001' }, 214],
    ['an import whose goods another paper billed', entry('R', 0, 90), 212],
    ['another document by law without a number', entry('H', 20, 4, { reference: nobody }), 205],
  ])('%s is no fault', (_, one, code) => {
    expect(codes(changed(with_(one)))).not.toContain(code)
  })

  test('warnings do not refuse', () => {
    const found = faultsOf(
      changed({ entries: () => Array.from({ length: 5 }, () => entry('T', 100, 18)) }),
      today,
    )
    expect(found.every((f) => f.isWarning)).toBe(true)
  })

  test('a fault names its line', () => {
    expect(faultsOf(changed(with_(entry('T', 100, 18, { counterparty: nobody }))), today)).toEqual([
      { code: 201, line: 14 },
    ])
  })
})
