import iconv from 'iconv-lite'
import type { encodings } from '../endpoints.ts'

export type Encoding = (typeof encodings)[number]

/**
 * Letters by how often they stand in ordinary text, the commonest first: enough to tell one script's code
 * page from another's.
 */
const common: Partial<Record<Encoding, string>> = {
  'windows-1255': 'יוהלארמתנבשםדקכעטחפפגצסןזךץףך',
  cp862: 'יוהלארמתנבשםדקכעטחפפגצסןזךץףך',
  'windows-1256': 'المينوترهبدعسقفةحكجشطصخزثضذغءظىأإآئؤ',
  'windows-1251': 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёОЕАИНТСРВЛКМДПУЯЫЬГЗБЧЙХЖШЮЦЩЭФЪЁ',
  'windows-1252': 'éèàçêùîôâûëïœöüäÉÈÀÇÊ',
}

/** What may stand beside letters without speaking against a code page. */
const neutral = /[\u0000-\u007f₪€£°«»“”‘’„–—…×½§№\u00a0\u05be\u05f3\u05f4\u200e\u200f،؛؟־]/

/**
 * The code page of a text by evidence: its mark, what UTF-8 allows, every second byte empty, and then which
 * reading gives letters of one script and few odd signs. ISO-8859-8 has the letters of Windows-1255 in the
 * same places, so it is never found, only chosen.
 */
export function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const wide = wideOf(head)
  if (wide) return wide
  if (isUtf8(head) || isMostlyUtf8(head)) return 'utf-8'
  const scores = Object.entries(common).map(([encoding, letters]) => ({
    encoding: encoding as Encoding,
    score: scoreOf(head, encoding, letters),
  }))
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).encoding
}

/** UTF-16 without a mark: Latin signs and digits leave every second byte empty. */
function wideOf(head: Buffer): Encoding | undefined {
  const sample = head.subarray(0, 4096)
  let even = 0
  let odd = 0
  for (let i = 0; i + 1 < sample.length; i += 2) {
    if (sample[i] === 0) even++
    if (sample[i + 1] === 0) odd++
  }
  const pairs = sample.length / 2
  if (odd > pairs * 0.2 && even < pairs * 0.02) return 'utf-16le'
  return even > pairs * 0.2 && odd < pairs * 0.02 ? 'utf-16be' : undefined
}

function isUtf8(head: Buffer): boolean {
  try {
    // The last sign may be cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * UTF-8 with a few bytes that are not: another reading would garble all the rest. Letters of a code page hardly ever
 * make a valid sequence.
 */
function isMostlyUtf8(head: Buffer): boolean {
  let [valid, broken] = [0, 0]
  for (const sign of iconv.decode(head, 'utf-8'))
    if (sign === '\ufffd') broken++
    else if (sign > '\u007f') valid++
  return valid >= 5 && valid > broken * 5
}

function scoreOf(head: Buffer, encoding: string, letters: string): number {
  const text = iconv.decode(head, encoding, { stripBOM: false })
  let score = 0
  let seen = 0
  for (const sign of text) {
    if (sign < '\u0080') continue
    seen++
    const rank = letters.indexOf(sign)
    if (rank >= 0) score += 1 + (letters.length - rank) / letters.length
    else if (!neutral.test(sign)) score -= 2
  }
  // French is Latin letters with a few others among them: a run of several is another script.
  if (encoding === 'windows-1252') score -= (text.match(/[\u0080-\u00ff]{3,}/g) ?? []).length * 6
  // The small Cyrillic letters of Windows-1251 are the Hebrew ones of 1255; without a capital or one of its
  // last five it is no Russian.
  if (encoding === 'windows-1251' && !/[А-Яы-я]/.test(text)) return 0
  return seen ? score / seen : 0
}

/** Text out of bytes as they come, a sign never torn between two pieces. */
export async function* decoded(pieces: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding)
  let isFirst = true
  for await (const piece of pieces) {
    const text = decoder.write(piece)
    yield isFirst ? text.replace(/^\ufeff/, '') : text
    if (text) isFirst = false
  }
  const rest = decoder.end()
  if (rest) yield rest
}
