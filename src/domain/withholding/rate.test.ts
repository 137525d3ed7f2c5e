import { describe, expect, test } from 'vitest'
import { certificateOn, withholdingFor, withholdingState, type WithholdingCertificate } from './rate.ts'

const certificate = (values: Partial<WithholdingCertificate> = {}): WithholdingCertificate => ({
  id: 'a',
  fromDay: '2026-01-01',
  toDay: '2026-12-31',
  rateBp: 0,
  ceilingAgorot: null,
  booksValid: true,
  booksToDay: null,
  createdAt: '2026-01-02T08:00:00Z',
  ...values,
})

describe('the rate on a day', () => {
  const noBooks = { booksValid: false }
  test.each<[string, string, string | null, Partial<WithholdingCertificate>[], number, string]>([
    ['an exemption', '2026-06-01', '06', [{}], 0, 'certificate'],
    ['a rate of five', '2026-06-01', '06', [{ rateBp: 500 }], 500, 'certificate'],
    ['on its first day', '2026-01-01', '06', [{ rateBp: 500 }], 500, 'certificate'],
    ['on its last day', '2026-12-31', '06', [{ rateBp: 500 }], 500, 'certificate'],
    ['the day after', '2027-01-01', '06', [{ rateBp: 500 }], 3000, 'booksUnknown'],
    ['the day before', '2025-12-31', '06', [{ rateBp: 500 }], 3000, 'booksUnknown'],
    ['nothing known', '2026-06-01', '06', [], 3000, 'booksUnknown'],
    ['nothing known, no kind either', '2026-06-01', null, [], 3000, 'booksUnknown'],
    ['a code that is in no table', '2026-06-01', '99', [], 3000, 'booksUnknown'],
    [
      'approved books without a certificate',
      '2026-06-01',
      '06',
      [{ rateBp: null }],
      2000,
      'withoutCertificate',
    ],
    [
      'books refused without a certificate',
      '2026-06-01',
      '06',
      [{ rateBp: null, ...noBooks }],
      3000,
      'booksNotApproved',
    ],
    ['an exemption whose books are not approved', '2026-06-01', '06', [noBooks], 3000, 'booksNotApproved'],
    [
      'a rate above the law’s stays',
      '2026-06-01',
      '06',
      [{ rateBp: 4700, ...noBooks }],
      4700,
      'booksNotApproved',
    ],
    [
      'books approved until yesterday',
      '2026-06-02',
      '06',
      [{ booksToDay: '2026-06-01' }],
      3000,
      'booksNotApproved',
    ],
    ['books approved until today', '2026-06-01', '06', [{ booksToDay: '2026-06-01' }], 0, 'certificate'],
    ['rent without a certificate', '2026-06-01', '13', [], 3500, 'withoutCertificate'],
    ['rent: books mean nothing', '2026-06-01', '13', [{ rateBp: 1000, ...noBooks }], 1000, 'certificate'],
    ['a foreign resident', '2026-06-01', '07', [], 2500, 'withoutCertificate'],
    [
      'the one that begins last',
      '2026-08-01',
      '06',
      [{ rateBp: 500 }, { id: 'b', fromDay: '2026-07-01', rateBp: 700 }],
      700,
      'certificate',
    ],
    [
      'and not before it begins',
      '2026-06-30',
      '06',
      [{ rateBp: 500 }, { id: 'b', fromDay: '2026-07-01', rateBp: 700 }],
      500,
      'certificate',
    ],
    [
      'the correction written later',
      '2026-06-01',
      '06',
      [
        { rateBp: 500, createdAt: '2026-01-03T00:00:00Z' },
        { id: 'b', rateBp: 700 },
      ],
      500,
      'certificate',
    ],
  ])('%s', (_what, day, kind, certificates, rateBp, reason) => {
    expect(withholdingFor({ day, kind, certificates: certificates.map(certificate) })).toMatchObject({
      rateBp,
      reason,
    })
  })

  test('the order in which certificates come does not matter', () => {
    const all = [
      certificate(),
      certificate({ id: 'b', fromDay: '2026-03-01' }),
      certificate({ id: 'c', fromDay: '2026-03-01', createdAt: '2026-04-01T00:00:00Z' }),
    ]
    for (const order of [all, all.toReversed(), [all[1]!, all[2]!, all[0]!]])
      expect(certificateOn(order, '2026-05-01')?.id).toBe('c')
  })
})

describe('the sum of a payment', () => {
  const of = (amountAgorot: number, paidAgorot: number, values: Partial<WithholdingCertificate> = {}) =>
    withholdingFor({
      day: '2026-06-01',
      kind: '06',
      certificates: [certificate({ rateBp: 500, ceilingAgorot: 1_000_00, ...values })],
      amountAgorot,
      paidAgorot,
    })

  test.each<[string, number, number, Partial<WithholdingCertificate>, [number, number, string][], number]>([
    ['below the ceiling', 400_00, 0, {}, [[400_00, 500, 'certificate']], 20_00],
    ['up to the ceiling', 400_00, 600_00, {}, [[400_00, 500, 'certificate']], 20_00],
    [
      'across it',
      400_00,
      700_00,
      {},
      [
        [300_00, 500, 'certificate'],
        [100_00, 2000, 'aboveCeiling'],
      ],
      35_00,
    ],
    ['above it', 400_00, 1_000_00, {}, [[400_00, 2000, 'aboveCeiling']], 80_00],
    ['long above it', 400_00, 9_000_00, {}, [[400_00, 2000, 'aboveCeiling']], 80_00],
    ['without a ceiling', 400_00, 9_000_00, { ceilingAgorot: null }, [[400_00, 500, 'certificate']], 20_00],
    ['rounded half away from zero', 10, 0, {}, [[10, 500, 'certificate']], 1],
    ['a payment taken back', -400_00, 0, {}, [[-400_00, 500, 'certificate']], -20_00],
  ])('%s', (_what, amount, paid, values, parts, withheld) => {
    const got = of(amount, paid, values)
    expect(got.parts.map((part) => [part.agorot, part.rateBp, part.reason])).toEqual(parts)
    expect(got.withheldAgorot).toBe(withheld)
    expect(got.parts.reduce((sum, part) => sum + part.agorot, 0)).toBe(amount)
  })

  test('says how much may still be paid, and until when', () => {
    expect(of(0, 700_00)).toMatchObject({ leftAgorot: 300_00, validTo: '2026-12-31' })
    expect(of(0, 0, { booksToDay: '2026-09-30' })).toMatchObject({ validTo: '2026-09-30' })
    expect(of(0, 0, { ceilingAgorot: null })).toMatchObject({ leftAgorot: null })
  })
})

describe('where a supplier stands', () => {
  test.each<[string, Partial<WithholdingCertificate>[], string]>([
    ['none', [], '2026-06-01'],
    ['none', [{ rateBp: null }], '2026-06-01'],
    ['none', [{}], '2027-01-01'],
    ['valid', [{}], '2026-11-30'],
    ['expiring', [{}], '2026-12-01'],
    ['expiring', [{}], '2026-12-02'],
    ['expiring', [{}], '2026-12-31'],
    ['expiring', [{ booksToDay: '2026-06-20' }], '2026-06-01'],
    ['booksNotApproved', [{ booksValid: false }], '2026-06-01'],
  ])('%s: %j on %s', (state, certificates, day) => {
    expect(withholdingState(certificates.map(certificate), day)).toBe(state)
  })
})
