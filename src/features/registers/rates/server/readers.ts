import { readRates } from './read.ts'

/** What a thread reads of a file of rates. */
export const readers = {
  'rates.file': ({
    bytes,
    currency,
    mayBeEmpty,
  }: {
    bytes: Uint8Array
    currency: string | undefined
    mayBeEmpty?: boolean
  }) => readRates(bytes, currency, mayBeEmpty),
}

export { cellsOf } from './read.ts'
