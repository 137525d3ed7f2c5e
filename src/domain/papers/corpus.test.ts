import { describe, expect, test } from 'vitest'
import {
  corpusBuyer,
  corpusQualities,
  corpusToday,
  makeCorpus,
  type CorpusTruth,
} from '../../../tests/papers/corpus.ts'
import { readPaper } from './read.ts'

/** What a screen shows without a question. */
const sure = 0.85
/** Of a hundred values: how many are right at least, by the quality of the reading. */
const least = { pdf: 99, scan: 97, photo: 92 }
const bills = makeCorpus(480)
const fields = [
  'supplierName',
  'supplierTaxId',
  'number',
  'day',
  'net',
  'vat',
  'total',
  'documentKind',
  'prepaid',
] as const

const outcomes = bills.flatMap(({ language, layout, quality, pages, truth }) => {
  const read = readPaper(pages, {
    today: corpusToday,
    ownTaxId: corpusBuyer.taxId,
    ownName: corpusBuyer.name[language],
  })
  return fields.map((field) => {
    const wanted = truth[field as keyof CorpusTruth]
    const guess = read[field]
    return {
      field,
      quality,
      where: `${language} layout ${layout} ${quality} ${field}: ${guess?.value} (${guess?.confidence}) for ${wanted}`,
      right: guess?.value === wanted,
      sure: (guess?.confidence ?? 0) >= sure,
    }
  })
})
const wrong = outcomes.filter((one) => !one.right)
if (process.env.CORPUS) {
  console.log(wrong.map((one) => one.where).join('\n'))
  for (const quality of corpusQualities)
    for (const field of fields) {
      const own = outcomes.filter((one) => one.quality === quality && one.field === field)
      console.log(
        `| ${quality} | ${field} | ${((own.filter((one) => one.right).length / own.length) * 100).toFixed(1)} % | ${own.filter((one) => !one.right && one.sure).length} of ${own.length} |`,
      )
    }
}

describe('480 made-up bills in five languages', () => {
  test.each(corpusQualities)('%s: values are right', (quality) => {
    const own = outcomes.filter((one) => one.quality === quality)
    const share = (own.filter((one) => one.right).length / own.length) * 100
    expect([
      share >= least[quality],
      wrong.filter((one) => one.quality === quality).map((one) => one.where),
    ]).toEqual([true, expect.anything()])
  })
  test('at most one value in two hundred is wrong and shown without a question', () => {
    const confident = wrong.filter((one) => one.sure)
    expect([confident.length / outcomes.length <= 0.005, confident.map((one) => one.where)]).toEqual([
      true,
      expect.anything(),
    ])
  })
})
