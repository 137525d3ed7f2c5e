import { unzipSync } from 'fflate'
import { readFile } from 'node:fs/promises'
import { withoutMark } from '#domain/filings/uniform/charset.ts'
import { fail } from '#kit/describe/errors.ts'

/** What a file may come to when it is unpacked. */
const mostBytes = 160 * 1024 * 1024

interface Unpacked {
  ini?: Uint8Array
  data: Uint8Array
}

const startsWith = (bytes: Uint8Array, sign: string): boolean =>
  [...sign].every((letter, i) => bytes[i] === letter.charCodeAt(0))
const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 'PK\u0003\u0004')
/** What only another program opens: RAR, 7z, gzip. */
const isOtherArchive = (bytes: Uint8Array): boolean =>
  ['Rar!', '7z\u00bc\u00af', '\u001f\u008b'].some((sign) => startsWith(bytes, sign))
/** The first file of a ZIP is behind a password. */
const isLocked = (zip: Uint8Array): boolean => (zip[6]! & 1) === 1

/**
 * The files of an archive that may matter, by their paths. What unpacks to more than its directory says is
 * cut there, so a bomb stays small.
 */
function filesIn(bytes: Uint8Array, room: { left: number }): Map<string, Uint8Array> {
  if (isLocked(bytes)) throw fail('uniform.archive')
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/(^|[/\\])(bkmvdata|ini)[^/\\]*$|\.(txt|zip|ini|dat)$/i.test(name)) return false
        room.left -= originalSize
        return room.left >= 0
      },
    })
    if (room.left >= 0) return new Map(Object.entries(files))
  } catch {
    throw fail('uniform.archive')
  }
  throw fail('uniform.unpacksLarge', { most: mostBytes / 1024 / 1024 })
}

/**
 * INI.TXT and BKMVDATA.TXT out of whatever is handed over: the folder of the law as an archive, BKMVDATA.zip
 * alone, or BKMVDATA.TXT plain. What a file is shows in its bytes, never in its name. Of an archive with
 * several runs the last is taken.
 */
export async function unpackUniform(path: string): Promise<Unpacked> {
  const bytes = new Uint8Array(await readFile(path))
  if (!isZip(bytes)) {
    if (isOtherArchive(bytes)) throw fail('uniform.archive')
    const data = withoutMark(bytes)
    if (isIni(data)) throw fail('uniform.onlyIni')
    if (!looksLikeData(data)) throw fail('uniform.notUniform')
    return { data }
  }
  const room = { left: mostBytes }
  const found: { folder: string; ini?: Uint8Array; data?: Uint8Array }[] = []
  const at = (folder: string) => {
    let one = found.find((each) => each.folder === folder)
    if (!one) found.push((one = { folder }))
    return one
  }
  let shut = false
  const look = (files: Map<string, Uint8Array>, inside: string): void => {
    for (const [name, packed] of files) {
      const folder = inside || name.replace(/[^/\\]*$/, '')
      if (isZip(packed)) {
        if (!inside) look(filesIn(packed, room), folder || '/')
        continue
      }
      const content = withoutMark(packed)
      if (isIni(content)) at(folder).ini = content
      else if (looksLikeData(content)) at(folder).data = content
      else if (isOtherArchive(content)) shut = true
    }
  }
  look(filesIn(bytes, room), '')
  const best = found
    .filter(({ data }) => data)
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
    .at(-1)
  if (!best?.data)
    throw fail(shut ? 'uniform.archive' : found.length > 0 ? 'uniform.onlyIni' : 'uniform.notUniform')
  const ini = best.ini ?? found.find((one) => one.ini)?.ini
  return { data: best.data, ...(ini ? { ini } : {}) }
}

const isIni = (bytes: Uint8Array): boolean => startsWith(bytes, 'A000')

/** A record of the file is at its beginning. */
const looksLikeData = (bytes: Uint8Array): boolean =>
  ['A100', 'B100', 'B110', 'C100', 'D110', 'D120', 'M100'].some((code) => startsWith(bytes, code))
