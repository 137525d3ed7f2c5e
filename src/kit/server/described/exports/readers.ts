import { unpacked } from './packed.ts'
import { writeTable, type ExportTable } from './table.ts'

/** What a thread writes: long tables. */
export const readers = {
  'kit.table': ({ table, rows }: { table: Omit<ExportTable, 'rows'>; rows: Uint8Array[] }) =>
    writeTable({ ...table, rows: unpacked(rows) }),
}
