import { describe, expect, test } from 'vitest'
import { convertToIls, totalsOf, type DocumentLine } from '../documents/arithmetic.ts'
import { billedParts, workedOfParts } from './selfBilled.ts'

const line = (unitPrice: number, more: Partial<DocumentLine> = {}): DocumentLine => ({
  quantity: 10_000,
  unitPrice,
  vatKind: 'beforeVat',
  ...more,
})
const totals = (lines: DocumentLine[], rounding: 'none' | 'whole' = 'none') =>
  totalsOf({ lines, vatRate: 1800, vatTreatment: 'standard', rounding })

describe('a self-billed invoice as a bill', () => {
  test('lines of one key are one line, what is rounded stands by itself, lines of nothing are left out', () => {
    const document = totals(
      [line(1_000_000), line(2_000_000), line(0), line(500_030, { vatKind: 'withoutVat' })],
      'whole',
    )
    const parts = billedParts(document, document, (place) => (place < 2 ? 'work' : `line ${place}`))
    expect(parts.map(({ key, places, net, vat }) => [key, places, net, vat])).toEqual([
      ['work', [0, 1], 30_000, 5_400],
      ['line 3', [3], 5_000, 0],
    ])
    const odd = totals([line(1_000_500)], 'whole')
    expect(billedParts(odd, odd, () => 'a').at(-1)).toMatchObject({
      key: 'rounding',
      places: [],
      net: odd.rounding,
      vat: 0,
    })
  })

  test('comes to the document’s own sums in both currencies, however lines are joined', () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let run = 0; run < 300; run++) {
      const lines = Array.from({ length: 1 + random(6) }, () =>
        line((1 + random(9_000_000)) * (random(6) ? 1 : -1), {
          quantity: 1 + random(90_000),
          vatKind: (['beforeVat', 'includingVat', 'withoutVat'] as const)[random(3)]!,
        }),
      )
      const document = totals(lines, random(2) ? 'whole' : 'none')
      if (!document.net) continue
      const ils = convertToIls(document, 1 + random(9_000_000))
      const keys = lines.map(() => String(random(3)))
      const parts = billedParts(document, ils, (place) => keys[place]!).map((part) => ({
        ...part,
        isFixedAsset: part.key === '1',
        incomeTax: 0,
      }))
      const worked = workedOfParts(parts)
      expect([worked.paper.total, worked.paper.vat]).toEqual([document.total, document.vat])
      expect([worked.total, worked.vat, worked.recognisedVat]).toEqual([ils.total, ils.vat, ils.vat])
    }
  })
})
