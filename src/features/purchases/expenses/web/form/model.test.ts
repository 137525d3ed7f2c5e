import { describe, expect, test } from 'vitest'
import {
  emptyForm,
  emptyLine,
  inputOf,
  withBillTotal,
  withNet,
  withTotal,
  worked,
  type Facts,
} from './model.ts'

const type = (id: string, vatShare: 'full' | 'twoThirds' | 'none', incomeTaxBp = 10_000) => ({
  id,
  name: id,
  accountNumber: '6000',
  vatShare,
  incomeTaxBp,
  isFixedAsset: false,
})
const facts: Facts = {
  deductsVat: true,
  today: '2026-05-20',
  approvalAboveAgorot: 0,
  mayApprove: true,
  types: [type('fuel', 'twoThirds', 4500), type('rent', 'full'), type('wages', 'none')],
}
const form = { ...emptyForm('2026-05-20'), supplier: { id: 's', name: 'S', taxId: '' } }

describe('what is typed', () => {
  test('the net brings its VAT, the sum to pay gives it back', () => {
    expect(withNet(emptyLine('rent'), 100_00, 1800, true)).toMatchObject({ net: 100_00, vat: 18_00 })
    expect(withTotal(emptyLine('rent'), 118_00, 1800, true)).toMatchObject({ net: 100_00, vat: 18_00 })
    expect(withTotal(emptyLine('rent'), 100_01, 1800, true)).toMatchObject({ net: 84_75, vat: 15_26 })
    expect(withTotal(emptyLine('wages'), 100_01, 1800, false)).toMatchObject({ net: 100_01, vat: 0 })
    expect(withTotal(emptyLine('rent'), null, 1800, true)).toMatchObject({ net: null, vat: null })
  })

  test('a bill’s sum is shared as its lines are, or as the supplier’s bills usually are, to the agora', () => {
    const change = (line: ReturnType<typeof emptyLine>, total: number) => withTotal(line, total, 1800, false)
    const empty = [emptyLine('rent'), emptyLine('wages')]
    expect(withBillTotal(empty, 100_01, [7500, 2500], change).map((l) => l.net)).toEqual([75_01, 25_00])
    const typed = withBillTotal(empty, 100_00, [5000, 5000], change)
    expect(withBillTotal(typed, 99_99, [1, 9], change).map((l) => l.net)).toEqual([50_00, 49_99])
  })

  test('the sums are those the server keeps', () => {
    const line = { ...emptyLine('fuel'), net: 100_00, vat: 18_00 }
    expect(worked({ ...form, lines: [line] }, facts)).toMatchObject({
      total: 118_00,
      recognisedVat: 12_00,
      incomeTax: 47_70,
    })
    expect(worked({ ...form, lines: [line], claimsVat: false }, facts)).toMatchObject({ recognisedVat: 0 })
    expect(worked({ ...form, lines: [line], paper: 'receipt' }, facts)).toMatchObject({ recognisedVat: 0 })
    expect(worked({ ...form, lines: [{ ...line, vatShare: 'full' }], isCredit: true }, facts)).toMatchObject({
      recognisedVat: -18_00,
    })
  })

  test('a credit is sent with a minus, an empty line not at all', () => {
    const lines = [{ ...emptyLine('rent'), net: 100_00, vat: 0 }, emptyLine('fuel')]
    expect(inputOf({ ...form, isCredit: true, lines }).lines).toEqual([
      { typeId: 'rent', details: '', netAgorot: -100_00, vatAgorot: 0, projectId: null },
    ])
  })
})
