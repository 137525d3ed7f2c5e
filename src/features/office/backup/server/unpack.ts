import { createHash } from 'node:crypto'
import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import { backedUp, type Manifest } from './archive.ts'

/** Why a file was not put back, in words for the person who runs the server. */
export class NotRestored extends Error {}

const noBackup = 'this is no backup of Pinkas'

/** Every table, the business and its people, and the manifest at the end. */
const partsOfAll = backedUp.length + 3

/**
 * The parts of a backup by their names. A file that is damaged is refused, and how much of it is whole is
 * said.
 */
export function unpackArchive(archive: Uint8Array): {
  manifest: Manifest
  files: Record<string, Uint8Array>
} {
  // The sign of a ZIP at its beginning, without which nothing in it can be told.
  if (Buffer.from(archive.subarray(0, 4)).toString('hex') !== '504b0304') throw new NotRestored(noBackup)
  let files: Record<string, Uint8Array>
  try {
    files = unzipSync(archive)
  } catch {
    const whole = wholeParts(archive)
    if (!whole.some((name) => /^(tables\/\w+\.ndjson|manifest\.json)$/.test(name)) && archive.length > 1000)
      throw new NotRestored(noBackup)
    throw new NotRestored(
      `the file is damaged or was cut off: ${whole.length} of its ${partsOfAll} parts are whole. Nothing was put back; take another copy of the backup`,
    )
  }
  const manifest = manifestOf(files['manifest.json'])
  const wrong = Object.entries(manifest.tables).filter(
    ([table, told]) => !isWhole(files[`tables/${table}.ndjson`], told),
  )
  if (wrong.length) {
    const all = Object.keys(manifest.tables).length
    const names = wrong.map(([table]) => table)
    throw new NotRestored(
      `the file is damaged: ${all - wrong.length} of its ${all} tables are what was written, and not ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}. Nothing was put back; take another copy of the backup`,
    )
  }
  return { manifest, files }
}

function manifestOf(bytes: Uint8Array | undefined): Manifest {
  if (!bytes) throw new NotRestored(noBackup)
  try {
    const manifest = JSON.parse(Buffer.from(bytes).toString()) as Manifest
    if (
      manifest.program === 'pinkas' &&
      manifest.form === 1 &&
      manifest.tables.companies &&
      manifest.tables.users
    )
      return manifest
  } catch {
    // Told below.
  }
  throw new NotRestored(noBackup)
}

const isWhole = (bytes: Uint8Array | undefined, told: Manifest['tables'][string]): boolean =>
  bytes !== undefined &&
  createHash('sha256').update(bytes).digest('hex') === told.sha256 &&
  rowsIn(bytes) === told.rows

function rowsIn(bytes: Uint8Array): number {
  let rows = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows++
  return rows
}

/**
 * The names of the parts that can be unpacked to their end, read from the front: half a file has no table of
 * contents.
 */
function wholeParts(archive: Uint8Array): string[] {
  const whole: string[] = []
  const reader = new Unzip((file) => {
    file.ondata = (error, _data, isLast) => {
      if (!error && isLast) whole.push(file.name)
    }
    file.start()
  })
  reader.register(UnzipInflate)
  try {
    reader.push(archive, true)
  } catch {
    // What comes after the first fault cannot be told.
  }
  return whole
}
