/*
 * An archive whose every byte follows from its table of contents: pictures and PDFs are packed already, so
 * they are stored as they are, and any part of it can be given without the parts before.
 */

export interface Stored {
  /** As it is called in the archive, with its folders. */
  name: string
  size: number
  /** CRC-32 of the bytes. */
  crc: number
}

/** A piece of the archive: given bytes, or a part of what is stored at a place. */
type Part = { bytes: Uint8Array } | { place: number; size: number }

/** Sizes and places of this form have four bytes, the count of files two. */
export const mostBytes = 2 ** 32 - 1
export const mostFiles = 2 ** 16 - 1

/** Names are UTF-8. */
const flags = 0x0800

function header(
  signature: number,
  fields: readonly (readonly [value: number, bytes: 2 | 4])[],
  ...more: Uint8Array[]
): Buffer {
  const head = Buffer.alloc(4 + fields.reduce((sum, [, bytes]) => sum + bytes, 0))
  head.writeUInt32LE(signature)
  let at = 4
  for (const [value, bytes] of fields) {
    if (bytes === 2) head.writeUInt16LE(value, at)
    else head.writeUInt32LE(value, at)
    at += bytes
  }
  return Buffer.concat([head, ...more])
}

/** A day and an hour as archives have written them since 1980. */
function dosTime(at: Date): [time: number, day: number] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [
    time,
    (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  ]
}

/** What the archive is made of, one after another, and how long it is. */
export function layOut(files: readonly Stored[], at: Date): { parts: Part[]; size: number } {
  const [time, day] = dosTime(at)
  const parts: Part[] = []
  const contents: Buffer[] = []
  let size = 0
  const put = (part: Part) => {
    parts.push(part)
    size += 'bytes' in part ? part.bytes.length : part.size
  }
  for (const [place, file] of files.entries()) {
    const name = Buffer.from(file.name)
    const facts = [
      [flags, 2],
      [0, 2],
      [time, 2],
      [day, 2],
      [file.crc, 4],
      [file.size, 4],
      [file.size, 4],
      [name.length, 2],
      [0, 2],
    ] as const
    contents.push(
      header(0x02014b50, [[20, 2], [20, 2], ...facts, [0, 2], [0, 2], [0, 2], [0, 4], [size, 4]], name),
    )
    put({ bytes: header(0x04034b50, [[20, 2], ...facts], name) })
    put({ place, size: file.size })
  }
  const table = Buffer.concat(contents)
  const begins = size
  put({ bytes: table })
  put({
    bytes: header(0x06054b50, [
      [0, 2],
      [0, 2],
      [files.length, 2],
      [files.length, 2],
      [table.length, 4],
      [begins, 4],
      [0, 2],
    ]),
  })
  return { parts, size }
}

const atOnce = 1024 * 1024

/**
 * The bytes from `from` up to `to`, no more than a megabyte held at a time; `read` gives a part of what is
 * stored.
 */
export async function* bytesOf(
  parts: readonly Part[],
  { from, to }: { from: number; to: number },
  read: (place: number, from: number, size: number) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let begins = 0
  for (const part of parts) {
    const size = 'bytes' in part ? part.bytes.length : part.size
    const [first, last] = [Math.max(0, from - begins), Math.min(size, to - begins)]
    if ('bytes' in part) {
      if (first < last) yield part.bytes.subarray(first, last)
    } else
      for (let at = first; at < last; at += atOnce)
        yield await read(part.place, at, Math.min(atOnce, last - at))
    begins += size
    if (begins >= to) return
  }
}
