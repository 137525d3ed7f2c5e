import { zipIsSane } from './kinds.ts'
import { thumbnailOf } from './thumbnail.ts'

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** What a thread looks at in a file of anybody's. */
export const readers = {
  'files.zipIsSane': ({ bytes }: { bytes: Uint8Array }) => zipIsSane(asBuffer(bytes)),
  'files.thumbnail': async ({ bytes }: { bytes: Uint8Array }): Promise<Uint8Array> =>
    thumbnailOf(asBuffer(bytes)),
}

/** For the readers of features that store files themselves. */
export { kindOf, zipIsSane } from './kinds.ts'
