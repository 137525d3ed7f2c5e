import { readRates } from './read.ts'

/** What a thread reads of a file of rates. */
export const readers = {
  'rates.file': ({ bytes, currency }: { bytes: Uint8Array; currency: string | undefined }) =>
    readRates(bytes, currency),
}

export { cellsOf } from './read.ts'
