import { useEffect, useEffectEvent } from 'react'

/** A scanner types faster than any hand: so many milliseconds between its keys at most. */
const burst = 35
const least = 3
/** Longer than any code that is typed. */
const most = 512

/** One key as the browser tells it: what it wrote, and which key of the board it was, whatever language the board writes. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** What was read: as it came out in the language of the keys, as the keys stand on a board of a scanner, and which of the two is more likely the code. */
export interface Reading {
  typed: string
  keys: string
  best: string
}

/** The keys of a scanner beside letters and digits, without and with shift: it types as an American board does. */
const marks: Record<string, string> = {
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
  Space: '  ',
}
const overDigits = ')!@#$%^&*('
const separator = '\u001d'

const isWritten = ({ key }: Pressed): boolean => key !== '' && !/^[A-Z][A-Za-z0-9]+$/.test(key)
/** A shortcut writes nothing; AltGr is both at once, or neither. */
const isShortcut = ({ ctrlKey, altKey, metaKey }: Pressed): boolean => metaKey || ctrlKey !== altKey

function byKey(pressed: Pressed): string {
  const { key, code, shiftKey } = pressed
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter) return shiftKey ? letter : letter.toLowerCase()
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (digit) return shiftKey ? overDigits[Number(digit)]! : digit
  const ofPad = /^Numpad(\d)$/.exec(code)?.[1]
  if (ofPad) return ofPad
  return marks[code]?.[shiftKey ? 1 : 0] ?? (isWritten(pressed) ? key : '')
}

/** Signs that codes do not have: what of a reading is strange comes from a board that writes another language. */
const strange = (text: string): number => text.replace(/[\w :\-./+\u001d]/g, '').length

/**
 * What a row of keys says. A scanner is told to type as some board, nearly always the American one, and the computer to read as some other: where the two differ
 * one of the readings has signs that no code has. Of two that could both be codes the American one is taken.
 */
export function readKeys(pressed: readonly Pressed[]): Reading {
  let [typed, keys] = ['', '']
  for (const one of pressed) {
    // The mark between the parts of a code of the trade is typed as a shortcut.
    if (one.ctrlKey && !one.altKey && one.code === 'BracketRight') {
      typed += separator
      keys += separator
    } else if (!isShortcut(one)) {
      // An accent waits for the next letter, and no code has one.
      if (isWritten(one) || one.key === 'Dead') typed += one.key === 'Dead' ? '\u00b4' : one.key
      keys += byKey(one)
    }
  }
  return { typed, keys, best: strange(typed) < strange(keys) ? typed : keys }
}

/**
 * A scanner that is a keyboard: a burst of keys that ends with Enter is a code, whatever field the cursor is in and whatever language the keys write. Whoever
 * answers false leaves the press to the page. `apart`: so many milliseconds between two keys; without an end for whoever knows his codes by their shape.
 */
export function useWedge(onCode: (read: Reading) => boolean | void, { apart = burst, isOff = false } = {}): void {
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
        if (Math.max(read.typed.length, read.keys.length) < least || told(read) === false) return
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
