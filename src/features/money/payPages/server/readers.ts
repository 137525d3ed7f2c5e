import { imageSize } from '#kit/server/paper/image.ts'
import { kindOf } from '#features/base/files/server/readers.ts'

const mimes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
}
/** Above this a picture is made to fill a memory, and not to be looked at. */
const mostPixels = 100_000_000

/**
 * What a payer's file is by its own bytes; nothing where it is none of the three kinds, or tells of no page
 * and no picture.
 */
function fileKind({ bytes: given }: { bytes: Uint8Array }): { mime: string; extension: string } | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const extension = kindOf(bytes, '')?.extension ?? ''
  const mime = mimes[extension]
  if (!mime) return null
  if (extension === 'pdf')
    return bytes.includes('%%EOF', Math.max(0, bytes.length - 4096), 'latin1') ? { mime, extension } : null
  const size = imageSize(bytes)
  return size && size.width > 0 && size.height > 0 && size.width * size.height <= mostPixels
    ? { mime, extension }
    : null
}

/** What a thread looks at in a file of a payer. */
export const readers = { 'payPages.fileKind': fileKind }
