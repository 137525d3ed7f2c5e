import { strictText } from '#kit/server/http/strictText.ts'
import { readCodes6111 } from '#domain/ledger/codes6111.ts'

/** What a thread reads of a file of codes. */
export const readers = {
  'ledger.codes6111': ({ bytes }: { bytes: Uint8Array }) =>
    readCodes6111(strictText(bytes).replaceAll('\u0000', '')),
}
