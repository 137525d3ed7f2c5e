import { readIndices } from './readIndices.ts'

export const readers = { 'standingOrders.indices': ({ bytes }: { bytes: Uint8Array }) => readIndices(bytes) }
