import { describe, expect, test } from 'vitest'
import { readKeys, type Pressed } from './wedge.ts'

/**
 * Which key of an American board, and whether with shift, writes a sign: what nearly every scanner presses.
 */
function pressOf(sign: string): { code: string; shiftKey: boolean } {
  if (/[a-z]/i.test(sign)) return { code: `Key${sign.toUpperCase()}`, shiftKey: sign !== sign.toLowerCase() }
  if (/\d/.test(sign)) return { code: `Digit${sign}`, shiftKey: false }
  const marks: Record<string, [string, boolean]> = {
    ':': ['Semicolon', true],
    '-': ['Minus', false],
    '/': ['Slash', false],
    '.': ['Period', false],
    _: ['Minus', true],
    ' ': ['Space', false],
  }
  const [code, shiftKey] = marks[sign]!
  return { code, shiftKey }
}

/** The same of a scanner that types as a French keyboard. */
function frenchPressOf(sign: string): { code: string; shiftKey: boolean } {
  if (/\d/.test(sign)) return { code: `Digit${sign}`, shiftKey: true }
  const marks: Record<string, [string, boolean]> = {
    ':': ['Period', false],
    '-': ['Digit6', false],
    '/': ['Period', true],
    '.': ['Comma', true],
    _: ['Digit8', false],
    ' ': ['Space', false],
  }
  const moved: Record<string, string> = { a: 'KeyQ', q: 'KeyA', z: 'KeyW', w: 'KeyZ', m: 'Semicolon' }
  const [code, shiftKey] = marks[sign] ?? [
    moved[sign.toLowerCase()] ?? `Key${sign.toUpperCase()}`,
    sign !== sign.toLowerCase(),
  ]
  return { code, shiftKey }
}

/**
 * What the same keys write where the computer reads another board: as the keys of each row stand, without
 * shift and with it.
 */
const letters = 'qwertyuiopasdfghjklzxcvbnm'
const rows = (
  small: readonly string[],
  large: readonly string[] = small,
): ((code: string, shift: boolean) => string | undefined) => {
  const of = new Map(
    [...letters].map((one, i) => [`Key${one.toUpperCase()}`, [small[i]!, large[i]!] as const]),
  )
  return (code, shift) => of.get(code)?.[shift ? 1 : 0]
}
const latin = rows([...letters], [...letters.toUpperCase()])
const hebrew = rows([..."/'קראטוןםפשדגכעיחלךזסבהנמצ"], [...letters.toUpperCase()])
const russian = rows([...'йцукенгшщзфывапролдячсмить'], [...'ЙЦУКЕНГШЩЗФЫВАПРОЛДЯЧСМИТЬ'])
const arabic = rows(
  [
    'ض',
    'ص',
    'ث',
    'ق',
    'ف',
    'غ',
    'ع',
    'ه',
    'خ',
    'ح',
    'ش',
    'س',
    'ي',
    'ب',
    'ل',
    'ا',
    'ت',
    'ن',
    'م',
    'ئ',
    'ء',
    'ؤ',
    'ر',
    'لا',
    'ى',
    'ة',
  ],
  [
    'َ',
    'ً',
    'ُ',
    'ٌ',
    'لإ',
    'إ',
    '‘',
    '÷',
    '×',
    '؛',
    'ِ',
    'ٍ',
    ']',
    '[',
    'لأ',
    'أ',
    'ـ',
    '،',
    '/',
    '~',
    'ْ',
    '}',
    '{',
    'لآ',
    'آ',
    '’',
  ],
)
const french = rows([...'azertyuiopqsdfghjklwxcvbn,'], [...'AZERTYUIOPQSDFGHJKLWXCVBN?'])
const frenchDigits = ['à', '&', 'é', '"', "'", '(', '-', 'è', '_', 'ç']
const americanMarks: Record<string, string> = {
  Minus: '-_',
  Semicolon: ';:',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
}
/** What an American board writes, and most others beside their letters. */
const american = (code: string, shift: boolean): string =>
  code.startsWith('Digit')
    ? (shift ? ')!@#$%^&*(' : '0123456789')[Number(code.at(-1))]!
    : americanMarks[code]![shift ? 1 : 0]!
const others = (of: Record<string, string>) => (code: string, shift: boolean) =>
  of[`${shift ? '+' : ''}${code}`]
const boards: Record<string, (code: string, shift: boolean) => string | undefined> = {
  english: (code, shift) => latin(code, shift),
  hebrew: (code, shift) => hebrew(code, shift) ?? others({ Slash: '.', Period: 'ץ' })(code, shift),
  russian: (code, shift) =>
    russian(code, shift) ?? others({ '+Semicolon': 'Ж', Slash: '.', Period: 'ю' })(code, shift),
  arabic: (code, shift) => arabic(code, shift) ?? others({ Slash: 'ظ', Period: 'ز' })(code, shift),
  'arabic with its own digits': (code, shift) =>
    arabic(code, shift) ??
    (code.startsWith('Digit')
      ? '٠١٢٣٤٥٦٧٨٩'[Number(code.at(-1))]
      : others({ Slash: 'ظ', Period: 'ز' })(code, shift)),
  french: (code, shift) =>
    french(code, shift) ??
    (code.startsWith('Digit')
      ? shift
        ? code.at(-1)
        : frenchDigits[Number(code.at(-1))]
      : others({
          Semicolon: 'm',
          '+Semicolon': 'M',
          Minus: ')',
          '+Minus': '°',
          '+Comma': '.',
          Slash: '!',
          Period: ':',
          '+Period': '/',
        })(code, shift)),
}

const none = { ctrlKey: false, altKey: false, metaKey: false }
const scan = (text: string, board: keyof typeof boards, press = pressOf): Pressed[] =>
  [...text].flatMap((sign): Pressed[] => {
    const { code, shiftKey } = press(sign)
    const key = boards[board]!(code, shiftKey) ?? american(code, shiftKey)
    return [
      ...(shiftKey ? [{ key: 'Shift', code: 'ShiftLeft', shiftKey: true, ...none }] : []),
      { key, code, shiftKey, ...none },
    ]
  })

const booking = 'PB:01a21749-da82-7390-87fe-ca9a5c477203:0f1e2d3c4b5a'

describe.each(Object.keys(boards))('with %s on the keys', (board) => {
  test.each([booking, '7290012345678', 'SN-00417/B', 'AZQW', 'ab 12.5_x'])(
    '%s is what was scanned',
    (text) => {
      expect(readKeys(scan(text, board)).best).toBe(text)
    },
  )
})

describe.each(Object.keys(boards))(
  'a scanner that was told to type as a French board, with %s on the keys',
  (board) => {
    test.each([booking, '7290012345678', 'SN-00417/B', 'az 12.5_q', 'M7'])(
      '%s is what was scanned',
      (text) => {
        expect(readKeys(scan(text, board, frenchPressOf)).best).toBe(text)
      },
    )

    test('letters alone are read as the American keys have them, and as the French have them', () => {
      expect(readKeys(scan('AZQWB', board, frenchPressOf)).readings).toEqual(['QWAZB', 'AZQWB'])
      expect(readKeys(scan('QWAZB', board)).readings).toEqual(['QWAZB', 'AZQWB'])
      // Where both boards have the same letters there is one reading; and a small m lies elsewhere, so it
      // tells.
      expect(readKeys(scan('BCDE', board, frenchPressOf)).readings).toEqual(['BCDE'])
      expect(readKeys(scan('amz', board, frenchPressOf)).best).toBe('amz')
    })
  },
)

test.each([
  ['7290012345678', 'english', ['7290012345678']],
  ['SN-00417/B', 'hebrew', ['SN-00417/B']],
  // A 6 of an American board is a dash of a French one, an 8 its underline.
  ['B68', 'russian', ['B68', 'B-_']],
])('%s, with %s on the keys, may have been %j', (text, board, readings) => {
  expect(readKeys(scan(text, board)).readings).toEqual(readings)
})

test('a code with a sign of its own and no digit stays possible as it stands on the American keys', () => {
  const hash: Pressed = { key: '#', code: 'Digit3', shiftKey: true, ...none }
  expect(readKeys([...scan('AB', 'english'), hash]).readings).toEqual(['QB3', 'AB#'])
})

test('what the keys wrote is told beside it, as a field that has the cursor got it', () => {
  expect(readKeys(scan('PB:0a-b', 'russian')).typed).toBe('ЗИЖ0ф-и')
  expect(readKeys(scan('PB:0a-b', 'arabic')).typed).toBe('؛لآ:0ش-لا')
  expect(readKeys(scan('PB:0a-b', 'french')).typed).toBe('PBMàq)b')
})

test('a scanner that was told to type as a French board, on a French board, is read as it types', () => {
  // Digits lie behind shift there, and A where an American board has Q.
  const typed: [string, string, boolean][] = [
    ['A', 'KeyQ', true],
    ['1', 'Digit1', true],
    ['2', 'Digit2', true],
    ['-', 'Digit6', false],
    ['z', 'KeyW', false],
  ]
  expect(readKeys(typed.map(([key, code, shiftKey]) => ({ key, code, shiftKey, ...none }))).best).toBe(
    'A12-z',
  )
})

test('keys that a phone does not name are read as they were written; shortcuts write nothing, and the mark between parts of a code is kept', () => {
  expect(readKeys([...'7290'].map((key) => ({ key, code: '', shiftKey: false, ...none }))).best).toBe('7290')
  const held = { key: 'v', code: 'KeyV', shiftKey: false, ctrlKey: true, altKey: false, metaKey: false }
  expect(readKeys([held]).best).toBe('')
  expect(readKeys([{ ...held, key: ']', code: 'BracketRight' }]).best).toBe('\u001d')
})
