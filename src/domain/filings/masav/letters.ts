import type { Code } from './layout.ts'

const hebrew = 'אבגדהוזחטיךכלםמןנסעףפץצקרשת'
const codeA = '&ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const isHebrew = (text: string): boolean => [...text].some((c) => hebrew.includes(c))
const plain: Record<string, string> = { '״': '"', '׳': "'", '–': '-', '—': '-', '’': "'", '“': '"', '”': '"' }
const mirrored: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[' }

/**
 * From the order in which a line is read to the order in which it is seen from the left, and back: it is its
 * own opposite.
 */
function turned(text: string): string {
  if (!isHebrew(text)) return text
  // Runs of what is read from the left keep their order inside the line that is turned.
  const runs = text.match(/[A-Za-z0-9]+(?:[.,/-][A-Za-z0-9]+)*|[\s\S]/gu) ?? []
  return runs
    .reverse()
    .map((run) => mirrored[run] ?? run)
    .join('')
}

/**
 * A name as the centre wants it: Hebrew in the order in which it is seen from the left, Latin words and
 * figures as they are read, and nothing the code has no sign for. In code A Latin capitals are Hebrew
 * letters, so Latin ones are left out.
 */
export function nameBytes(name: string, length: number, code: Code): Uint8Array {
  const clean = [...name.normalize('NFC')].map((c) => plain[c] ?? c).join('')
  const bytes: number[] = []
  for (const c of turned(clean)) {
    const at = hebrew.indexOf(c)
    if (at >= 0) bytes.push(code === 'A' ? codeA.charCodeAt(at) : 0x80 + at)
    else if (/[\x20-\x7e]/.test(c) && !(code === 'A' && /[&A-Za-z]/.test(c))) bytes.push(c.charCodeAt(0))
  }
  // The beginning of a Hebrew name is on the right: what is cut off is its end.
  const kept = isHebrew(clean) ? bytes.slice(-length) : bytes.slice(0, length)
  return Uint8Array.from([...Array<number>(length - kept.length).fill(0x20), ...kept])
}

/** A name from a file, in the order in which it is read. */
export function nameFrom(bytes: Uint8Array, code: Code): string {
  const seen = [...bytes].map((b) => {
    const at = code === 'A' ? codeA.indexOf(String.fromCharCode(b)) : b - 0x80
    return at >= 0 && at < hebrew.length ? hebrew[at]! : String.fromCharCode(b)
  })
  return turned(seen.join('').trim())
}
