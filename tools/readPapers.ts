import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPaper } from '#domain/papers/read.ts'
import type { Proposal } from '#domain/papers/proposal.ts'
import { closeReader, readFileWords } from '#features/purchases/capture/server/reading/reader.ts'
import { buyer, makePapers, today, type MadePaper, type Truth } from '../tests/papers/layouts.ts'
import { openPress } from '../tests/papers/print.ts'

/*
 * How well papers are read: made-up ones of many layouts, printed by a browser as PDF and as pictures like
 * photographs of them.
 *
 *   node --import tsx tools/readPapers.ts [--only=pdf|photo] [--layout=till] [--per=4] [--wrong] [--json]
 *
 * --wrong prints what was misread. Printed papers are kept in the temporary folder and used again.
 */
const given = process.argv.slice(2)
const option = (name: string) => given.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = option('only')
const layout = option('layout')
const folder = join(tmpdir(), 'pinkas-made-papers')
mkdirSync(folder, { recursive: true })

const fields = [
  'total',
  'vat',
  'net',
  'number',
  'day',
  'supplierTaxId',
  'supplierName',
  'documentKind',
  'dueDay',
  'allocationNumber',
] as const satisfies readonly (keyof Truth)[]

const papers = makePapers(Number(option('per') ?? 4)).filter((paper) => !layout || paper.layout === layout)
let press: Awaited<ReturnType<typeof openPress>> | undefined
const printed = async (paper: MadePaper, kind: 'pdf' | 'photo', index: number): Promise<Buffer> => {
  const file = join(folder, `${paper.name}.${kind === 'pdf' ? 'pdf' : 'jpg'}`)
  const mark = `${file}.html`
  if (existsSync(file) && existsSync(mark) && readFileSync(mark, 'utf8') === paper.html)
    return readFileSync(file)
  press ??= await openPress()
  const bytes = kind === 'pdf' ? await press.pdf(paper) : await press.photo(paper, 7000 + index)
  writeFileSync(file, bytes)
  writeFileSync(mark, paper.html)
  return bytes
}

const results: Record<string, Record<string, { right: number; of: number }>> = {}
for (const kind of ['pdf', 'photo'] as const) {
  if (only && only !== kind) continue
  const score = (results[kind] = Object.fromEntries(fields.map((f) => [f, { right: 0, of: 0 }])))
  const times: number[] = []
  for (const [index, paper] of papers.entries()) {
    // A photograph shows one page.
    if (kind === 'photo' && paper.layout === 'long') continue
    const bytes = await printed(paper, kind, index)
    const start = performance.now()
    const { pages } = await readFileWords(bytes, kind === 'pdf' ? 'application/pdf' : 'image/jpeg')
    const proposal = readPaper(pages, {
      today,
      ownTaxId: buyer.taxId,
      ownName: paper.lang === 'he' ? buyer.name : buyer.nameEn,
    })
    times.push(performance.now() - start)
    for (const field of fields) {
      const wanted = paper.truth[field]
      if (wanted === undefined) continue
      const seen = proposal[field as keyof Proposal]
      const right =
        field === 'supplierName'
          ? plain(String(seen?.value)) === plain(String(wanted))
          : seen?.value === wanted
      score[field]!.of++
      if (right) score[field]!.right++
      else if (given.includes('--wrong'))
        console.log(
          `${kind} ${paper.name} ${field}: ${String(seen?.value)} (${seen?.confidence ?? ''} ${seen?.reason ?? ''}) for ${wanted}`,
        )
    }
  }
  times.sort((a, b) => a - b)
  if (!given.includes('--json')) {
    console.log(
      `\n${kind === 'pdf' ? 'Text of PDFs' : 'Pictures'}: ${times.length} papers, ${Math.round(times[times.length >> 1] ?? 0)} ms each (median)`,
    )
    for (const [field, { right, of }] of Object.entries(score))
      console.log(
        `  ${field.padEnd(18)} ${String(right).padStart(3)} of ${String(of).padStart(3)}  ${of ? ((right / of) * 100).toFixed(1) : '-'}%`,
      )
  }
}
if (given.includes('--json')) console.log(JSON.stringify(results))
await press?.close()
await closeReader()

function plain(text: string): string {
  return text.replace(/["'״׳`.,\-–\s]/g, '')
}
