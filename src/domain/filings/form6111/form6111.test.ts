import { describe, expect, test } from 'vitest'
import { build6111, problemsOfHead, write6111, type Record6111 } from './build.ts'
import { codes6111 } from '../../ledger/codes6111.ts'
import { formCodes } from './codes.ts'
import { HEAD_LENGTH, RECORD_LENGTH, type Head } from './layout.ts'
import { parse6111 } from './parse.ts'
import { mayBeNegative, partOf, totalsOf } from './sums.ts'
import { workOut6111, type FormAccount } from './workOut.ts'

const listed = formCodes(codes6111(2026))

const head: Head = {
  incomeTaxFile: '512345674',
  year: '2025',
  taxId: '512345674',
  vatFile: '512345674',
  withholdingFile: '912345678',
  branch: '4321',
  description: 'חשמל',
  businessKind: '3',
  method: '2',
  bookkeeping: '2',
  computerised: '2',
  partnership: '2',
  hasProfitAndLoss: '1',
  hasTaxAdjustment: '1',
  hasBalanceSheet: '1',
  profitAndLossRows: '',
  taxAdjustmentRows: '',
  balanceSheetRows: '',
  ifrsYear: '9999',
  ifrsOption: '9',
  software: '99999999',
  partners: '999',
  partnersShare: '999999',
  currency: '1',
  opinion: '9',
  thousands: '2',
  filler: '',
}
const record: Record6111 = {
  head,
  lines: {
    profitAndLoss: [
      { code: 1010, shekels: 12_345 },
      { code: 6666, shekels: -77 },
    ],
    taxAdjustment: [{ code: 100, shekels: -77 }],
    balanceSheet: [{ code: 9999, shekels: 5 }],
  },
}

describe('the file', () => {
  test('stands byte by byte where the specification says', () => {
    const text = write6111(record)
    expect([HEAD_LENGTH, RECORD_LENGTH, text.length]).toEqual([512, 8612, 8612])
    const at = (from: number, to: number) => text.slice(from - 1, to)
    expect(at(1, 9)).toBe('512345674')
    expect(at(10, 13)).toBe('2025')
    expect(at(41, 44)).toBe('4321')
    expect(at(45, 94)).toBe('חשמל'.padStart(50))
    expect(at(95, 102)).toBe('03020202')
    expect(at(103, 106)).toBe('2111')
    expect(at(107, 115)).toBe('002001001')
    expect(at(116, 120)).toBe('99999')
    expect(at(121, 142)).toBe('9999999999999999901092')
    expect(at(143, 512)).toBe('0'.repeat(370))
    expect(at(513, 530)).toBe('010100000000012345')
    expect(at(531, 548)).toBe('06666-000000000077')
    expect(at(549, 566)).toBe('0'.repeat(18))
    expect(at(3213, 3230)).toBe('00100-000000000077')
    expect(at(5913, 5930)).toBe('099990000000000005')
    expect(build6111([record, record]).slice(-3)).toBe('\r\n\u001a')
  })

  test('is read back as it was written', () => {
    const read = parse6111(build6111([record, { ...record, head: { ...head, year: '2024' } }]))
    expect(read.problems).toEqual([])
    expect(read.records.map((one) => one.head.year)).toEqual(['2025', '2024'])
    expect(read.records[0]!.lines).toEqual(record.lines)
    expect(read.records[0]!.head.description).toBe('חשמל')
  })

  test('refuses what does not fit, and a reader tells a broken file', () => {
    expect(
      problemsOfHead({ ...head, taxId: '1234567890', branch: 'x', description: 'é', method: '3' }).map(
        (p) => [p.field, p.code],
      ),
    ).toEqual([
      ['taxId', 'tooLong'],
      ['branch', 'notDigits'],
      ['description', 'letters'],
      ['method', 'notAllowed'],
    ])
    expect(() =>
      write6111({ ...record, lines: { ...record.lines, taxAdjustment: [{ code: 100, shekels: 10 ** 12 }] } }),
    ).toThrow(RangeError)
    expect(parse6111(build6111([record]).replace('-000000000077', '-00000000x077')).problems).toContainEqual({
      record: 1,
      what: 'sum',
    })
    expect(parse6111(write6111(record)).problems).toContainEqual({ record: 0, what: 'end' })
  })
})

describe('the codes', () => {
  test('each stands once, in its part, and every total is made of lines that exist', () => {
    const codes = listed
    const known = new Set(codes.map(({ code }) => code))
    expect(known.size).toBe(codes.length)
    for (const { code, part } of codes) expect([code, partOf(code)]).toEqual([code, part])
    for (const { code, of } of totalsOf(listed)) {
      expect(known.has(code)).toBe(true)
      for (const one of of) expect(known.has(Math.abs(one))).toBe(true)
    }
    // Every line of the profit and loss and of the balance sheet comes into exactly one total, but for the
    // last ones.
    const counted = totalsOf(listed).flatMap(({ of }) => of.map(Math.abs))
    const outside = codes.filter(
      ({ code, part }) => part !== 'taxAdjustment' && counted.filter((one) => one === code).length !== 1,
    )
    expect(outside.map(({ code }) => code)).toEqual([5600, 5700, 5800, 8888, 9999])
  })
})

let ids = 0
const account = (
  kind: FormAccount['kind'],
  code: number,
  end: number,
  more: Partial<FormAccount> = {},
): FormAccount => ({
  id: String(++ids),
  number: String(ids),
  name: 'x',
  kind,
  code,
  year: end,
  start: 0,
  end,
  ...more,
})
const shekels = (form: ReturnType<typeof workOut6111>) =>
  Object.fromEntries(
    Object.values(form.lines).flatMap((lines) => lines.map((line) => [line.code, line.shekels])),
  )

describe('the form of a year', () => {
  test('a small company: profit, balance sheet, what stands on the other side', () => {
    const form = workOut6111(listed, [
      account('asset', 7110, -50_000),
      account('asset', 7310, 236_000),
      account('asset', 7310, -6_000),
      account('liability', 9210, 20_000),
      account('asset', 8050, 365_000),
      account('asset', 8150, -120_450),
      account('liability', 9350, -30_000),
      account('equity', 9910, -264_550),
      account('income', 1030, -300_000),
      account('expense', 3580, 120_450),
      account('expense', 3680, 29_550),
    ])
    expect(form.problems).toEqual([])
    expect(form.identities.every(({ ok }) => ok)).toBe(true)
    expect(shekels(form)).toMatchObject({
      1e3: 3e3,
      1030: 3e3,
      3500: 1501,
      3580: 1205,
      3680: 296,
      6666: 1499,
      100: 1499,
      400: 1499,
      500: 1499,
      9110: 500,
      7310: 2360,
      9370: 60,
      7410: 200,
      8050: 3650,
      8150: 1205,
      8e3: 2445,
      9350: 300,
      9910: 2646,
      9900: 4145,
      8888: 5005,
      9999: 5005,
    })
  })

  test('profit of earlier years that nothing closed is accumulated, and is not of this year', () => {
    const form = workOut6111(listed, [
      account('asset', 7110, 150_000),
      account('income', 1010, -150_000, { year: -50_000 }),
    ])
    expect(shekels(form)).toMatchObject({ 1010: 500, 6666: 500, 9980: 1500, 8888: 1500, 9999: 1500 })
  })

  test('both ends of the stock come out of its change', () => {
    const form = workOut6111(listed, [
      account('asset', 7890, 80_000, { start: 30_000 }),
      account('expense', 1450, -80_000, { year: -50_000 }),
    ])
    expect(shekels(form)).toMatchObject({ 1400: 300, 1450: 800, 1300: -500, 7800: 800, 6666: 500 })
    expect(form.identities.find(({ name }) => name === 'stock')!.ok).toBe(true)
  })

  test('an exchange loss is an expense of finance', () => {
    expect(
      shekels(workOut6111(listed, [account('income', 5130, 700), account('asset', 7110, -700)])),
    ).toMatchObject({
      5030: 7,
      5000: 7,
      6666: -7,
    })
  })

  test('adjustments for tax make the taxable income', () => {
    const form = workOut6111(listed, [account('income', 1010, -100_000), account('asset', 7110, 100_000)], {
      110: 50,
      130: 20,
      480: 30,
      9999: 7,
    })
    expect(shekels(form)).toMatchObject({ 100: 1000, 110: 50, 370: 30, 400: 1030, 500: 1000, 9999: 1000 })
  })

  test('names what it cannot place', () => {
    const form = workOut6111(listed, [
      account('asset', 0, 500),
      account('asset', 1234, 500),
      account('asset', 7000, 500),
      account('expense', 7110, 500),
      account('equity', 9910, 500),
    ])
    expect(form.problems.map(({ code }) => code)).toEqual([
      'noCode',
      'unknownCode',
      'unknownCode',
      'wrongPart',
      'negative',
    ])
    expect(form.identities[0]!.ok).toBe(false)
  })

  test('random companies balance, whatever is rounded', () => {
    const places: [FormAccount['kind'], number][] = [
      ...([7110, 7120, 7310, 7330, 7410, 7430, 7440, 8030, 8040, 8130] as const).map(
        (code): [FormAccount['kind'], number] => ['asset', code],
      ),
      ...([9210, 9350, 9340, 9370] as const).map((code): [FormAccount['kind'], number] => [
        'liability',
        code,
      ]),
      ...([1010, 1030, 5130] as const).map((code): [FormAccount['kind'], number] => ['income', code]),
      ...([1320, 3540, 3680, 5010, 3580] as const).map((code): [FormAccount['kind'], number] => [
        'expense',
        code,
      ]),
    ]
    let seed = 7
    const roll = (most: number) => (
      (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0),
      Math.floor((seed / 2 ** 32) * most)
    )
    for (let company = 0; company < 300; company++) {
      const accounts = Array.from({ length: 5 + roll(40) }, () => {
        const [kind, code] = places[roll(places.length)]!
        return account(kind, code, roll(2_000_000) - 1_000_000)
      })
      accounts.push(account('equity', 9980, -accounts.reduce((sum, one) => sum + one.end, 0)))
      const form = workOut6111(listed, accounts)
      expect(form.identities.find(({ name }) => name === 'balanced')).toMatchObject({ ok: true })
      const values = shekels(form)
      for (const { code, of } of totalsOf(listed))
        expect(values[code] ?? 0).toBe(
          of.reduce((sum, one) => sum + Math.sign(one) * (values[Math.abs(one)] ?? 0), 0) || 0,
        )
      const profit = accounts
        .filter((one) => ['income', 'expense'].includes(one.kind))
        .reduce((sum, one) => sum - one.year, 0)
      expect(Math.abs(values[6666]! - profit / 100)).toBeLessThan(accounts.length)
      for (const [code, value] of Object.entries(values))
        if (value < 0 && !totalsOf(listed).some((total) => total.code === Number(code)))
          expect(
            mayBeNegative(Number(code)) || form.problems.some((problem) => problem.line === Number(code)),
          ).toBe(true)
    }
  })
})
