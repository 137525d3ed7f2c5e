import iconv from 'iconv-lite'
import { fail } from '#kit/describe/errors.ts'

/**
 * The text of bytes that came from outside, or a refusal: a replaced character would be stored, and nobody could tell
 * what had been sent. The mark at the beginning of a text is left out.
 * @throws {Failure} http.badText
 */
export function strictText(bytes: Uint8Array, charset = 'utf-8'): string {
  const decoder = strictDecoder(charset)
  return decoder.write(bytes) + decoder.end()
}

/** The same for bytes that come in pieces. */
export function strictDecoder(charset: string): { write: (piece: Uint8Array) => string; end: () => string } {
  const refuse = (): never => {
    throw fail('http.badText', { charset })
  }
  if (/^utf-?(8|16)/i.test(charset)) {
    const decoder = new TextDecoder(charset.replace(/^utf(8|16)/i, 'utf-$1'), { fatal: true })
    const run = (decode: () => string): string => {
      try {
        return decode()
      } catch {
        return refuse()
      }
    }
    return {
      write: (piece) => run(() => decoder.decode(piece, { stream: true })),
      end: () => run(() => decoder.decode()),
    }
  }
  const decoder = iconv.getDecoder(charset)
  const whole = (text: string): string => (text.includes('\ufffd') ? refuse() : text)
  return {
    write: (piece) => whole(decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))),
    end: () => whole(decoder.end() ?? ''),
  }
}
