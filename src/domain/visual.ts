/*
 * Old programs and bank machines store Hebrew as a screen shows it, last letter first.
 */

const finals = 'ךםןףץ'

/** Whether Hebrew is in visual order, last letter first: final letters then begin words. */
export function isVisual(text: string): boolean {
  let first = 0
  let last = 0
  for (const word of text.match(/[א-ת]{2,}/g) ?? []) {
    if (finals.includes(word[0]!)) first++
    if (finals.includes(word.at(-1)!)) last++
  }
  return first > 2 && first > last * 3
}

const brackets: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
}

/**
 * Turns a text that was stored as it is seen into the order in which it is read; figures and Latin words keep
 * theirs.
 */
export function fromVisual(text: string): string {
  if (!/[א-ת]/.test(text)) return text
  const turned = [...text]
    .reverse()
    .join('')
    .replace(/[()[\]{}<>]/g, (sign) => brackets[sign]!)
  return turned.replace(/[A-Za-z0-9](?:[A-Za-z0-9.,:/@\-_%+]*[A-Za-z0-9%])?/g, (run) =>
    [...run].reverse().join(''),
  )
}
