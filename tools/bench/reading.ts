import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPaper } from '#domain/papers/read.ts'
import { closeReader, readFileWords } from '#features/purchases/capture/server/reading/reader.ts'
import { root } from '#kit/server/settings.ts'
import { quantile, type Figure } from './figures.ts'

const folder = join(root, 'tests/papers/samples')
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** Photographs and a printed PDF read to their amounts, one after another as the inbox reads them. */
export async function measureReading(rounds: number): Promise<Figure[]> {
  const truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as Record<
    string,
    { total: number }
  >
  const read = async (name: string, mime: string): Promise<{ took: number; right: boolean }> => {
    const bytes = readFileSync(join(folder, name))
    const started = performance.now()
    const { pages } = await readFileWords(bytes, mime)
    const { total } = readPaper(pages, { today: '2026-03-15', ownTaxId: '514237650', ownName: 'זרם טוב' })
    return { took: performance.now() - started, right: total?.value === truth[name]!.total }
  }
  const photographs = ['till-2.jpg', 'slip-2.jpg', 'classic-2.jpg']
  const first = await read(photographs[0]!, 'image/jpeg')
  const warm: { took: number; right: boolean }[] = []
  const printed: number[] = []
  for (let n = 0; n < rounds; n++) {
    for (const name of photographs) warm.push(await read(name, 'image/jpeg'))
    printed.push((await read('classic-2.pdf', 'application/pdf')).took)
  }
  await closeReader()
  const part = 'Reading of papers: photographs by OCR, a printed PDF by its text'
  const half = quantile(
    warm.map(({ took }) => took),
    0.5,
  )
  return [
    { part, name: 'a photograph, the first after a start', value: seconds(first.took) },
    {
      part,
      name: 'a photograph, later',
      value: `p50 ${seconds(half)}`,
      goal: 'p50 <= 6 s',
      ok: half <= 6000,
    },
    {
      part,
      name: 'totals read right',
      value: `${warm.filter(({ right }) => right).length} of ${warm.length}`,
      goal: '>= 2 of 3',
      ok: warm.filter(({ right }) => right).length * 3 >= warm.length * 2,
    },
    { part, name: 'a printed PDF of one page', value: seconds(quantile(printed, 0.5)) },
  ]
}
