import PostalMime, { type Email } from 'postal-mime'
import { readElectronicInvoice } from './einvoice.ts'

/** What a thread reads of papers that come by upload or mail. */
export const readers = {
  'capture.einvoice': ({ bytes }: { bytes: Uint8Array }) => readElectronicInvoice(bytes),
  'capture.letter': ({ bytes }: { bytes: Uint8Array }): Promise<Email> =>
    PostalMime.parse(bytes, {
      attachmentEncoding: 'arraybuffer',
      maxNestingDepth: 20,
      maxHeadersSize: 512 * 1024,
    }),
}
