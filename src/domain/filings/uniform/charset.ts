/*
 * The code pages of the uniform file: ISO-8859-8 in logical order, or CP862. Neither has the shekel sign,
 * curly quotes, Arabic or Russian; what a page lacks is written in letters it has.
 */

export type Charset = 'iso-8859-8' | 'cp862'

/** What files of other programs come in. */
export type ReadCharset = Charset | 'windows-1255' | 'utf-8'

const alef = 0x5d0
const unknown = '?'.charCodeAt(0)
const firstByte: Record<Charset, number> = { 'iso-8859-8': 0xe0, cp862: 0x80 }

const signs: Readonly<Record<string, string>> = {
  '₪': 'ש"ח',
  '€': 'EUR',
  '£': 'GBP',
  '״': '"',
  '׳': "'",
  '־': '-',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '`': "'",
  '´': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
  '…': '...',
  '•': '*',
  '·': '*',
  '×': 'x',
  '№': 'No',
  '™': '(TM)',
  '®': '(R)',
  '©': '(C)',
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '°': 'deg',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
}

const letters = (from: string, to: string): Record<string, string> =>
  Object.fromEntries([...from].map((letter, i) => [letter, to.split(' ')[i] ?? '']))

const cyrillic = letters(
  'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ',
  'a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya e i yi ye g',
)
const arabic = letters(
  'ءآأإؤئابةتثجحخدذرزسشصضطظعغفقكلمنهويى٠١٢٣٤٥٦٧٨٩،؛؟',
  "' a a i u i a b a t th j h kh d dh r z s sh s d t z ' gh f q k l m n h w y a 0 1 2 3 4 5 6 7 8 9 , ; ?",
)

const invisible =
  /[\u0591-\u05bd\u05bf\u05c1-\u05c7\u064b-\u065f\u0670\u0640\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]/g

/**
 * The text in signs both code pages have: Latin without accents, figures, Hebrew. Ends of lines become
 * blanks.
 */
export function inCodePage(text: string): string {
  let out = ''
  for (const sign of text.normalize('NFC').replace(invisible, '')) {
    if (/[\x20-\x7e\u05d0-\u05ea]/.test(sign)) out += sign
    else if (/\s/.test(sign)) out += ' '
    else {
      const lower = sign.toLowerCase()
      const plain = signs[sign] ?? signs[lower] ?? cyrillic[lower] ?? arabic[sign]
      if (plain !== undefined) out += sign === lower ? plain : plain.charAt(0).toUpperCase() + plain.slice(1)
      else {
        const bare = sign.normalize('NFKD').replace(/\p{M}/gu, '')
        out += /^[\x20-\x7e\u05d0-\u05ea]+$/.test(bare) ? bare : bare === '' ? '' : '?'
      }
    }
  }
  return out
}

/** Bytes of a text that `inCodePage` gave; one byte a sign. RangeError for a sign the page has not. */
export function encode(text: string, charset: Charset): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) bytes[i] = code
    else if (code >= alef && code <= alef + 26) bytes[i] = code - alef + firstByte[charset]
    else throw new RangeError(`not in ${charset}: ${text[i]}`)
  }
  return bytes
}

// What Windows-1255 has beyond ISO-8859-8 and files of other programs use.
const windowsExtras: Readonly<Record<number, string>> = {
  0x80: '€',
  0x82: '‚',
  0x84: '„',
  0x85: '…',
  0x91: '‘',
  0x92: '’',
  0x93: '“',
  0x94: '”',
  0x95: '•',
  0x96: '–',
  0x97: '—',
  0xa0: ' ',
  0xa4: '₪',
  0xd4: 'װ',
  0xd5: 'ױ',
  0xd6: 'ײ',
  0xd7: '׳',
  0xd8: '״',
}

/** Text of bytes; one sign a byte (UTF-8 apart), so that positions stay those of the layout. */
export function decode(bytes: Uint8Array, charset: ReadCharset): string {
  if (charset === 'utf-8') return new TextDecoder('utf-8').decode(bytes)
  const first = firstByte[charset === 'cp862' ? 'cp862' : 'iso-8859-8']
  const table = Uint16Array.from({ length: 256 }, (_, byte) => {
    if (byte < 0x80) return byte
    if (byte >= first && byte <= first + 26) return alef + byte - first
    const extra = charset === 'windows-1255' ? windowsExtras[byte] : undefined
    return extra?.charCodeAt(0) ?? (charset !== 'cp862' && byte >= 0xa0 && byte < 0xc0 ? byte : unknown)
  })
  // Code units first, as much at once as a decoder takes: a text that grows letter by letter takes thirty
  // times its room.
  const decoder = new TextDecoder('utf-16le', { ignoreBOM: true })
  const parts: string[] = []
  const units = new Uint16Array(Math.min(atOnce, bytes.length))
  for (let from = 0; from < bytes.length; from += atOnce) {
    const count = Math.min(atOnce, bytes.length - from)
    for (let i = 0; i < count; i++) units[i] = table[bytes[from + i]!]!
    parts.push(decoder.decode(units.subarray(0, count)))
  }
  return parts.join('')
}

const atOnce = 1 << 20

/** Without the mark some programs put before UTF-8. */
export const withoutMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/**
 * The code page by its letters; `declared` is field 1029 of INI.TXT and decides where there are no letters.
 */
export function charsetOf(bytes: Uint8Array, declared?: string): ReadCharset {
  let low = 0
  let high = 0
  let extras = 0
  for (const byte of bytes) {
    if (byte < 0x80) continue
    if (byte <= 0x9a) low++
    if (byte >= 0xe0 && byte <= 0xfa) high++
    if (windowsExtras[byte] && byte !== 0xa0) extras++
  }
  if (low + high === 0) return declared === '2' ? 'cp862' : 'iso-8859-8'
  if (isUtf8(bytes)) return 'utf-8'
  if (low > high) return 'cp862'
  return extras > 0 ? 'windows-1255' : 'iso-8859-8'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
