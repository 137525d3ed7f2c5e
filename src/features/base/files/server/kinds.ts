import { inflateRawSync } from 'node:zlib'

/** What a file is by its own bytes: a name or a type that somebody claims is not believed. */
export interface FoundKind {
  mime: string
  extension: string
}

/** What a browser shows without running anything; the rest is saved. */
export const isShownInside = (mime: string): boolean =>
  /^(image\/(jpeg|png|gif|webp)|application\/pdf)$/.test(mime)

const starts = (bytes: Buffer, hex: string, at = 0): boolean =>
  bytes.subarray(at, at + hex.length / 2).toString('hex') === hex

/**
 * The kind of a file, or undefined when it is none of those we keep: pictures (JPEG, PNG, WebP, GIF), PDF,
 * XML, CSV and plain text, spreadsheets and letters of Office, ZIP, mails. Anything a browser could run
 * (HTML, SVG, scripts in text) is kept as none of these.
 */
export function kindOf(bytes: Buffer, name: string): FoundKind | undefined {
  if (starts(bytes, 'ffd8ff')) return { mime: 'image/jpeg', extension: 'jpg' }
  if (starts(bytes, '89504e470d0a1a0a')) return { mime: 'image/png', extension: 'png' }
  if (starts(bytes, '47494638')) return { mime: 'image/gif', extension: 'gif' }
  if (starts(bytes, '52494646') && starts(bytes, '57454250', 8))
    return { mime: 'image/webp', extension: 'webp' }
  // The mark may stand a little inside the file (ISO 32000 readers accept the first 1024 bytes), but then it
  // could be something else too.
  if (starts(bytes, '255044462d')) return { mime: 'application/pdf', extension: 'pdf' }
  if (starts(bytes, '504b0304') || starts(bytes, '504b0506')) return zipKind(bytes)
  return textKind(bytes, name)
}

/** Office files are ZIPs whose first part names the kind. */
function zipKind(bytes: Buffer): FoundKind {
  const head = bytes.toString('latin1', 0, Math.min(bytes.length, 65_536))
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 65_536))
  const holds = (part: string) => head.includes(part) || tail.includes(part)
  if (holds('[Content_Types].xml')) {
    if (holds('xl/workbook.xml') || holds('xl/worksheets'))
      return { mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', extension: 'xlsx' }
    if (holds('word/document.xml'))
      return {
        mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        extension: 'docx',
      }
  }
  return { mime: 'application/zip', extension: 'zip' }
}

function textKind(bytes: Buffer, name: string): FoundKind | undefined {
  const sample = bytes.subarray(0, 65_536)
  const wide = starts(bytes, 'fffe') || starts(bytes, 'feff')
  if (!wide && sample.some((b) => b < 9 || (b > 13 && b < 32 && b !== 27))) return undefined
  const text = (wide ? sample.toString('utf16le') : sample.toString('utf8'))
    .replace(/^\ufeff/, '')
    .trimStart()
  if (/^<(!doctype\s+html|html|head|body|script|svg)/i.test(text) || /<script|<svg|<html/i.test(text))
    return undefined
  if (text.startsWith('<?xml') || /^<[\w:]+[\s>]/.test(text))
    return { mime: 'application/xml', extension: 'xml' }
  if (/\.eml$/i.test(name) && /^[\w-]+:\s/.test(text)) return { mime: 'message/rfc822', extension: 'eml' }
  if (/\.csv$/i.test(name)) return { mime: 'text/csv', extension: 'csv' }
  return { mime: 'text/plain', extension: 'txt' }
}

const mostUnpacked = 300 * 1024 * 1024

/**
 * Whether a ZIP unpacks to something sane, by its own table of contents and, because that may lie, by the
 * first parts themselves. A bomb is refused before anybody opens it.
 */
export function zipIsSane(bytes: Buffer): boolean {
  let end = -1
  for (let i = bytes.length - 22; i >= 0 && i >= bytes.length - 65_557; i--)
    if (bytes.readUInt32LE(i) === 0x06054b50) {
      end = i
      break
    }
  if (end < 0) return false
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  let total = 0
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) return false
    const packed = bytes.readUInt32LE(at + 20)
    const unpacked = bytes.readUInt32LE(at + 24)
    const method = bytes.readUInt16LE(at + 10)
    const local = bytes.readUInt32LE(at + 42)
    total += unpacked
    if (total > mostUnpacked || (packed > 0 && unpacked / packed > 1000 && unpacked > 10_000_000))
      return false
    if (method === 8 && local + 30 <= bytes.length) {
      const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
      try {
        // Larger than its own table says: the table lies.
        inflateRawSync(bytes.subarray(from, from + packed), { maxOutputLength: unpacked + 1024 })
      } catch (e) {
        if ((e as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return false
      }
    }
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return true
}
