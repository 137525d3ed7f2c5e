import { readMasav } from '#domain/filings/masav/file.ts'

/** What a thread reads of the bank's file of returns. */
export const readers = { 'masav.file': ({ bytes }: { bytes: Uint8Array }) => readMasav(bytes) }
