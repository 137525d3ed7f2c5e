import { writeIn } from '../../work/threads/read.ts'
import type { FileAnswer } from '../../contract/implement.ts'
import { packed } from './packed.ts'
import type { readers } from './readers.ts'
import { writeTable, type ExportTable } from './table.ts'

/**
 * So many rows are written while nobody notices; more are written apart from the thread that answers calls.
 */
const mostHere = 500

/** The rows as a file people open in a spreadsheet, or as CSV. */
export async function exportTable(table: ExportTable): Promise<FileAnswer> {
  if (table.rows.length <= mostHere) return writeTable(table)
  const { rows, ...plain } = table
  return writeIn<typeof readers>()('kit.table', { table: plain, rows: await packed(rows) })
}
