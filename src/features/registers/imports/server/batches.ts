import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '#kit/describe/errors.ts'
import type { Reading } from '../endpoints.ts'
import { readRows, type FileKind, type ReadRow } from './rows.ts'

/** Longer than any field takes; what is longer is refused by its field all the same. */
const longestCell = 10_000
const rowsPerBatch = 500
/** A batch is taken in at once by the person who judges it, so it is bounded by its text too. */
const signsPerBatch = 500_000
/** All batches together, in signs: wider than any register, and room on the disk. */
const mostSigns = 400_000_000

/** Rows of a file as they lie on the disk, ready to be judged. */
export interface Batch {
  file: string
  rows: number
  lastRow: number
}

/**
 * Reads every row of a file to its end and lays the rows beside it in batches: a file that is broken
 * somewhere is refused as a whole before anything is judged, and it is read once.
 */
export async function layBatches({
  path,
  kind,
  reading,
  folder,
}: {
  path: string
  kind: FileKind
  reading: Reading
  folder: string
}): Promise<Batch[]> {
  const batches: Batch[] = []
  let rows: ReadRow[] = []
  let signs = 0
  let all = 0
  const lay = async () => {
    const file = join(folder, `rows-${batches.length}`)
    await writeFile(file, JSON.stringify(rows), { mode: 0o600 })
    batches.push({ file, rows: rows.length, lastRow: rows.at(-1)!.row })
    all += signs
    rows = []
    signs = 0
    if (all > mostSigns) throw fail('kit.tooMuch')
  }
  for await (const one of readRows(path, kind, reading)) {
    if (one.row <= reading.headRow) continue
    const cells = one.cells.map((cell) => (cell.length > longestCell ? cell.slice(0, longestCell) : cell))
    rows.push({ row: one.row, cells })
    for (const cell of cells) signs += cell.length
    if (rows.length >= rowsPerBatch || signs >= signsPerBatch) await lay()
  }
  if (rows.length) await lay()
  return batches
}

export const rowsOf = async (batch: Batch): Promise<ReadRow[]> =>
  JSON.parse(await readFile(batch.file, 'utf8')) as ReadRow[]
