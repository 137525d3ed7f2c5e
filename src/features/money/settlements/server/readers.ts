import { readDeals } from './readFile.ts'

export const readers = { 'settlements.deals': ({ bytes }: { bytes: Uint8Array }) => readDeals(bytes) }
