import { createDeflateRaw, crc32, type DeflateRaw } from 'node:zlib'
import type { ZipInputFile } from 'fflate'

/** What an empty file becomes. */
const nothing = Uint8Array.of(3, 0)

/**
 * A file of an archive (`Zip` of fflate) that is compressed piece by piece beside the thread that answers calls: fflate
 * compresses within it, and the pictures of a business kept it busy for seconds.
 */
export class PackedFile implements ZipInputFile {
  readonly filename: string
  readonly compression = 8
  size = 0
  crc = 0
  /** Set by the archive that it is added to. */
  ondata: ZipInputFile['ondata']
  /** Made with the first bytes: most tables of a business are empty. */
  #deflate: DeflateRaw | undefined

  constructor(filename: string) {
    this.filename = filename
  }

  /** Takes some bytes, and waits until they are compressed. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!bytes.length) return
    this.size += bytes.length
    this.crc = crc32(bytes, this.crc)
    const deflate = (this.#deflate ??= this.#begin())
    await new Promise<void>((done, failed) => void deflate.write(bytes, (e) => (e ? failed(e) : done())))
  }

  async end(): Promise<void> {
    const deflate = this.#deflate
    if (!deflate) return this.ondata?.(null, nothing, true)
    await new Promise<void>((done, failed) => void deflate.once('end', done).once('error', failed).end())
    this.ondata?.(null, new Uint8Array(), true)
  }

  /** Frees what compresses, when the archive is not written to its end. */
  drop(): void {
    this.#deflate?.destroy()
  }

  #begin(): DeflateRaw {
    const deflate = createDeflateRaw({ level: 6 })
    deflate.on('data', (piece: Buffer<ArrayBuffer>) => this.ondata?.(null, piece, false))
    // Told by the write that it broke.
    deflate.on('error', () => {})
    return deflate
  }
}
