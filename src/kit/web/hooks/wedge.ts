import { useEffect, useEffectEvent } from 'react'

/** A scanner types faster than any hand: so many milliseconds between its keys at most. */
const burst = 35
const least = 3
/** Longer than any code that is typed. */
const most = 512

/**
 * One key as the browser tells it: what it wrote, and which key of the board it was, whatever language the
 * board writes.
 */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/**
 * What was read: as it came out in the language of the keys (a field that has the cursor got that), the
 * likeliest code, and all that it may have been, the likeliest first: nothing tells which board a scanner
 * believes it is.
 */
export interface Reading {
  typed: string
  best: string
  readings: string[]
}

/** What the keys of a board write, without and with shift. */
type Board = (pressed: Pressed) => string | undefined

/** The keys beside letters and digits. */
const american: Record<string, string> = {
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
}
const french: Record<string, string> = {
  Minus: ')°',
  Equal: '=+',
  BracketLeft: '^¨',
  BracketRight: '$£',
  Backslash: '*µ',
  Semicolon: 'mM',
  Quote: 'ù%',
  Backquote: '²²',
  Comma: ';.',
  Period: ':/',
  Slash: '!§',
  IntlBackslash: '<>',
  KeyM: ',?',
  KeyA: 'qQ',
  KeyQ: 'aA',
  KeyZ: 'wW',
  KeyW: 'zZ',
}
const overDigits = ')!@#$%^&*('
const underDigits = 'à&é"\'(-è_ç'
const separator = '\u001d'

const isWritten = ({ key }: Pressed): boolean => key !== '' && !/^[A-Z][A-Za-z0-9]+$/.test(key)
/** A shortcut writes nothing; AltGr is both at once, or neither. */
const isShortcut = ({ ctrlKey, altKey, metaKey }: Pressed): boolean => metaKey || ctrlKey !== altKey

const ofCode = (start: string, code: string): string | undefined =>
  code.length === start.length + 1 && code.startsWith(start) ? code.at(-1) : undefined

const board =
  (marks: Record<string, string>, signs: string, isDigitShifted: boolean): Board =>
  ({ code, shiftKey }) => {
    if (code === 'Space') return ' '
    if (marks[code]) return marks[code][shiftKey ? 1 : 0]
    const letter = ofCode('Key', code)
    if (letter) return shiftKey ? letter : letter.toLowerCase()
    const digit = ofCode('Digit', code)
    if (digit) return shiftKey === isDigitShifted ? digit : signs[Number(digit)]
    return ofCode('Numpad', code)
  }
const americanBoard = board(american, overDigits, false)
const frenchBoard = board(french, underDigits, true)

const byKey = (pressed: Pressed, of: Board): string => of(pressed) ?? (isWritten(pressed) ? pressed.key : '')

/**
 * Signs that codes do not have: what of a reading is strange comes from a board that writes another language.
 */
const strange = (text: string): number => text.replace(/[\w :\-./+\u001d]/g, '').length

/**
 * The meaning of a burst of keys. A scanner is configured to type as some keyboard, nearly always the American one
 * or else the French, and the computer to read as another: most readings have characters that no code has, and a
 * code with a digit in it has one reading. Letters alone may have two that are both codes: the American one comes
 * first, and the code that looks them up tries each, opens the one that exists and asks where two do.
 */
export function readKeys(pressed: readonly Pressed[]): Reading {
  let [typed, us, fr] = ['', '', '']
  for (const one of pressed) {
    // The mark between the parts of a code of the trade is typed as a shortcut.
    if (one.ctrlKey && !one.altKey && one.code === 'BracketRight') {
      typed += separator
      us += separator
      fr += separator
    } else if (!isShortcut(one)) {
      // An accent waits for the next letter, and no code has one.
      if (isWritten(one) || one.key === 'Dead') typed += one.key === 'Dead' ? '\u00b4' : one.key
      us += byKey(one, americanBoard)
      fr += byKey(one, frenchBoard)
    }
  }
  // As it came out it is one of the two where the computer reads the board the scanner types as; another
  // board than those is believed where they fail.
  const isOther = strange(typed) < Math.min(strange(us), strange(fr))
  const all = [...new Set([us, fr, ...(isOther ? [typed] : [])])].toSorted((a, b) => strange(a) - strange(b))
  const best = all[0]!
  // A code may have one unusual character (#): what the American keys say stays possible then.
  return {
    typed,
    best,
    readings: all.filter((one) => one === best || strange(one) === 0 || (one === us && strange(one) === 1)),
  }
}

/**
 * A scanner that acts as a keyboard: a burst of keys that ends with Enter is a code, whatever field the cursor is in
 * and whatever language the keys write. A handler that answers false leaves the press to the page. `apart`: so many
 * milliseconds between two keys; unlimited for handlers that know codes by their shape.
 */
export function useWedge(
  onCode: (read: Reading) => boolean | void,
  { apart = burst, isOff = false } = {},
): void {
  const told = useEffectEvent(onCode)
  useEffect(() => {
    if (isOff) return undefined
    let [pressed, last]: [Pressed[], number] = [[], 0]
    const key = (event: KeyboardEvent) => {
      const now = event.timeStamp
      if (now - last > apart) pressed = []
      last = now
      if (event.key === 'Enter') {
        const read = readKeys(pressed)
        pressed = []
        if (Math.max(read.typed.length, read.best.length) < least || told(read) === false) return
        event.preventDefault()
        event.stopPropagation()
        return
      }
      const { shiftKey, ctrlKey, altKey, metaKey } = event
      pressed.push({ key: event.key, code: event.code, shiftKey, ctrlKey, altKey, metaKey })
      if (pressed.length > most) pressed.shift()
    }
    addEventListener('keydown', key, { capture: true })
    return () => removeEventListener('keydown', key, { capture: true })
  }, [apart, isOff])
}
