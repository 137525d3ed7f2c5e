import type { Reading } from '../endpoints.ts'
import { layBatches } from './batches.ts'
import { kindOfFile, readHead, readTables, type FileKind, type Head } from './rows.ts'

/** What a thread reads of a file that is brought in. */
export const readers = {
  'imports.head': async ({
    path,
    kind,
    given,
  }: {
    path: string
    kind?: FileKind
    given: Partial<Reading>
  }): Promise<Head & { kind: FileKind }> => {
    const found = kind ?? (await kindOfFile(path))
    return { kind: found, ...(await readHead(path, found, given)) }
  },
  'imports.batches': layBatches,
  'imports.tables': ({ path, most }: { path: string; most: number }) => readTables(path, most),
}

/** For the readers of features whose files are tables too. */
export { encodingOf } from './encoding.ts'
export { kindOfFile, readHead, readRows } from './rows.ts'
export type { Reading } from '../endpoints.ts'
