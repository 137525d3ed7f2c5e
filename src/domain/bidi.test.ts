import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isolate, isolateRuns } from './bidi.ts'

/** The table is written with ⟨ ⟩ for a left-to-right isolate and ⟪ ⟫ for a right-to-left one. */
const shown = (text: string) =>
  text
    .replace(/[\u2066\u2067]([^\u2066\u2067\u2069]*)\u2069/g, (all, inner: string) =>
      all.startsWith('\u2066') ? `⟨${inner}⟩` : `⟪${inner}⟫`,
    )
    .replace(/\u2067([^\u2069]*)\u2069/g, '⟪$1⟫')

test('a value we print is one isolate', () => {
  expect(isolate('-150.00')).toBe('\u2066-150.00\u2069')
  expect(isolate('')).toBe('')
})

describe('in a right-to-left line', () => {
  test.each([
    // nothing to do
    ['', ''],
    ['   ', '   '],
    ['כבל שחור, ארוך.', 'כבל שחור, ארוך.'],
    ['كابل أسود، طويل؟', 'كابل أسود، طويل؟'],

    // no right-to-left letter at all: the whole text is one isolate, its marks included
    ['HDMI 2.1', '⟨HDMI 2.1⟩'],
    ['Cable, black.', '⟨Cable, black.⟩'],
    ['10–12', '⟨10–12⟩'],
    ['04-555-0177،', '⟨04-555-0177،⟩'],
    ['Кабель (3 м)', '⟨Кабель (3 м)⟩'],

    // maximal runs
    ['כבל HDMI 2.1 באורך 3 מטר', 'כבל ⟨HDMI 2.1⟩ באורך ⟨3⟩ מטר'],
    ['דגם ABC-123/45 שחור', 'דגם ⟨ABC-123/45⟩ שחור'],
    ['הזמנה PO-2291/B', 'הזמנה ⟨PO-2291/B⟩'],
    ['5×6 מטר', '⟨5×6⟩ מטר'],
    ['קרש 3 x 4 מטר', 'קרש ⟨3 x 4⟩ מטר'],
    ['ביום 31/12/2025 14:05 בערב', 'ביום ⟨31/12/2025 14:05⟩ בערב'],
    ['סך 1,234.50 בלבד', 'סך ⟨1,234.50⟩ בלבד'],
    ['בין 10:00-12:00 בבוקר', 'בין ⟨10:00-12:00⟩ בבוקר'],
    ['כבל Кабель 3м חדש', 'כבל ⟨Кабель 3м⟩ חדש'],
    ['كابل HDMI 2.1 أسود', 'كابل ⟨HDMI 2.1⟩ أسود'],

    // brackets belong to the run when both stand in it
    ['נורת LED 40W (4000K)', 'נורת ⟨LED 40W (4000K)⟩'],
    ['נורת LED 40W (4000K), לבנה', 'נורת ⟨LED 40W (4000K)⟩, לבנה'],
    ['מארז LED (40W, 4000K) לבן', 'מארז ⟨LED (40W, 4000K)⟩ לבן'],
    ['(4000K) נורה', '(⟨4000K⟩) נורה'],
    ['(4000K) LED לבן', '⟨(4000K) LED⟩ לבן'],
    ['LED (מתח 220V) לבן', '⟨LED⟩ (מתח ⟨220V⟩) לבן'],
    ['LED (220V מתח) לבן', '⟨LED⟩ (⟨220V⟩ מתח) לבן'],
    ['(מתח 220V) LED', '(מתח ⟨220V⟩) ⟨LED⟩'],
    ['ABC (שלום) DEF', '⟨ABC⟩ (שלום) ⟨DEF⟩'],
    ['a) פריט', '⟨a⟩) פריט'],
    ['פריט [A1 {B2}] סוף', 'פריט [⟨A1 {B2}⟩] סוף'],
    ['פריט X[A1 (B2)] סוף', 'פריט ⟨X[A1 (B2)]⟩ סוף'],

    // the point of a short form is its own
    ['זיכוי מאת Blue Fig Hosting Ltd.', 'זיכוי מאת ⟨Blue Fig Hosting Ltd.⟩'],
    ['של Fig Co., חיפה', 'של ⟨Fig Co.⟩, חיפה'],
    ['תוצרת U.S.A. ישנה', 'תוצרת ⟨U.S.A.⟩ ישנה'],
    ['ראו Disco.', 'ראו ⟨Disco⟩.'],

    // commas, final marks and + stay in the line
    ['HDMI, כבל', '⟨HDMI⟩, כבל'],
    ['כבל HDMI.', 'כבל ⟨HDMI⟩.'],
    ['האם HDMI?', 'האם ⟨HDMI⟩?'],
    ['HDMI 2.1, USB-C ועוד', '⟨HDMI 2.1⟩, ⟨USB-C⟩ ועוד'],
    ['כבל A; כבל B; C', 'כבל ⟨A⟩; כבל ⟨B⟩; ⟨C⟩'],
    ['חדרים 101, 102, 103', 'חדרים ⟨101⟩, ⟨102⟩, ⟨103⟩'],
    ['HDMI + USB-C שחור', '⟨HDMI⟩ + ⟨USB-C⟩ שחור'],
    ['התקנה+LED', 'התקנה+⟨LED⟩'],
    ['גיל 50+', 'גיל ⟨50⟩+'],
    ['מבצע 1+1', 'מבצע ⟨1+1⟩'],
    ['"HDMI 2.1" חדש', '"⟨HDMI 2.1⟩" חדש'],
    ['מסך 24" שחור', 'מסך ⟨24⟩" שחור'],
    ['هاتف 04-555-0177، بريد a@b.co', 'هاتف ⟨04-555-0177⟩، بريد ⟨a@b.co⟩'],
    ['هل HDMI؟', 'هل ⟨HDMI⟩؟'],
    ['رقم 12؛ 13 شيكل', 'رقم ⟨12⟩؛ ⟨13⟩ شيكل'],

    // a hyphen stays inside its number, an en dash between numbers follows the line
    ['עמודים 10-12', 'עמודים ⟨10-12⟩'],
    ['עמודים 10–12', 'עמודים ⟨10⟩–⟨12⟩'],
    ['עמודים 10 – 12', 'עמודים ⟨10⟩ – ⟨12⟩'],
    ['iPhone 10–12 חדש', '⟨iPhone 10–12⟩ חדש'],

    // phones, mails, addresses
    ['טלפון 054-765-4321, info@pinkas.co.il', 'טלפון ⟨054-765-4321⟩, ⟨info@pinkas.co.il⟩'],
    ['טלפון +972-54-765-4321', 'טלפון ⟨+972-54-765-4321⟩'],
    ['טלפון (03) 555-1234', 'טלפון ⟨(03) 555-1234⟩'],
    ['מוקד *2700', 'מוקד ⟨*2700⟩'],
    ['ראו https://pinkas.co.il/a?b=1&c=2, תודה', 'ראו ⟨https://pinkas.co.il/a?b=1&c=2⟩, תודה'],
    ['ראו www.pinkas.co.il כאן', 'ראו ⟨www.pinkas.co.il⟩ כאן'],
    ['ראו www.pinkas.co.il/ כאן', 'ראו ⟨www.pinkas.co.il/⟩ כאן'],
    ['כתבו אל first.last+x@pinkas.co.il.', 'כתבו אל ⟨first.last+x@pinkas.co.il⟩.'],

    // signs that cling to the run
    ['הנחה 18% היום', 'הנחה ⟨18%⟩ היום'],
    ['ב־18% הנחה', 'ב־⟨18%⟩ הנחה'],
    ['זיכוי -150.00 היום', 'זיכוי ⟨-150.00⟩ היום'],
    ['זיכוי −150.00', 'זיכוי ⟨−150.00⟩'],
    ['מחיר ₪350 ליחידה', 'מחיר ⟨₪350⟩ ליחידה'],
    ['מחיר -$350', 'מחיר ⟨-$350⟩'],
    ['מחיר 350₪', 'מחיר ⟨350₪⟩'],
    ['מחיר 350 ₪', 'מחיר ⟨350⟩ ₪'],
    ['חום 25°C בחדר', 'חום ⟨25°C⟩ בחדר'],
    ['הזמנה #123', 'הזמנה ⟨#123⟩'],
    ['קורס C++ ו-C#', 'קורס ⟨C++⟩ ו-⟨C#⟩'],
    ['ויטמין C+ חזק', 'ויטמין ⟨C⟩+ חזק'],
    ['גיל 50++', 'גיל ⟨50⟩++'],
    ['סוג A/ שלום', 'סוג ⟨A⟩/ שלום'],
    ['קורס .NET', 'קורס ⟨.NET⟩'],
    ['ACME® כלים', '⟨ACME®⟩ כלים'],

    // Hebrew prefixes, abbreviations and points
    ['ב-18% הנחה', 'ב-⟨18%⟩ הנחה'],
    ['ב-#5', 'ב-⟨#5⟩'],
    ['-5 שקלים', '⟨-5⟩ שקלים'],
    ['ה-API שלנו', 'ה-⟨API⟩ שלנו'],
    ['מידה 30 ס״מ', 'מידה ⟨30⟩ ס״מ'],
    ['מס׳ 5', 'מס׳ ⟨5⟩'],
    ['ש"ח 5', 'ש"ח ⟨5⟩'],
    ['שָׁלוֹם 5', 'שָׁלוֹם ⟨5⟩'],
    ['A2ב', '⟨A2⟩ב'],

    // A bracket that is never closed is between two that belong together: neither pair nor text is repeated.
    ['כבל[(5]a@b.co', 'כבל[(⟨5⟩]⟨a@b.co⟩'],

    // lines are separate, marks already there are dropped
    ['HDMI, x\nכבל USB', '⟨HDMI, x⟩\nכבל ⟨USB⟩'],
    ['\u200fכבל \u2066HDMI\u2069 2.1', 'כבל ⟨HDMI 2.1⟩'],
    ['כבל 🔌 USB 🔌', 'כבל 🔌 ⟨USB⟩ 🔌'],
  ])('%j', (text, expected) => {
    expect(shown(isolateRuns(text, 'rtl'))).toBe(expected)
  })
})

describe('in a left-to-right line', () => {
  test.each([
    ['', ''],
    ['HDMI 2.1, black', 'HDMI 2.1, black'],
    ['Cable כבל שחור for TV', 'Cable ⟪כבל שחור⟫ for TV'],
    ['Jerusalem (ירושלים), Haifa (חיפה)', 'Jerusalem (⟪ירושלים⟫), Haifa (⟪חיפה⟫)'],
    ['Jerusalem ירושלים, חיפה Haifa', 'Jerusalem ⟪ירושלים⟫, ⟪חיפה⟫ Haifa'],
    // A value behind its label is one text.
    ['Customer: כהן, לוי ושות׳', 'Customer: ⟪כהן, לוי ושות׳⟫'],
    ['Client : כהן, 5 אחים, 511234567', 'Client : ⟪כהן, ⟨5⟩ אחים⟫, 511234567'],
    ['Bank: לאומי, Branch: סניף ראשי, 800', 'Bank: ⟪לאומי⟫, Branch: ⟪סניף ראשי⟫, 800'],
    ['Cable כבל 3 מטר', 'Cable ⟪כבל ⟨3⟩ מטר⟫'],
    ['Cable כבל USB שחור', 'Cable ⟪כבל⟫ USB ⟪שחור⟫'],
    // A text that begins right to left is right to left as a whole.
    ['כבל HDMI 2.1 שחור', '⟪כבל ⟨HDMI 2.1⟩ שחור⟫'],
    ['5 כבלים', '⟪⟨5⟩ כבלים⟫'],
  ])('%j', (text, expected) => {
    expect(shown(isolateRuns(text, 'ltr'))).toBe(expected)
  })
})

const bits = [
  'כבל',
  'عربي',
  'HDMI',
  '2.1',
  'a@b.co',
  ' ',
  ' ',
  ', ',
  '(',
  ')',
  '[',
  ']',
  '-',
  '–',
  '+',
  '.',
  '%',
  '₪',
  '"',
  '׳',
  '־',
  '،',
  'é',
  '\n',
  '/',
  '5',
  '🔌',
]
const mixed = fc.array(fc.constantFrom(...bits), { maxLength: 20 }).map((parts) => parts.join(''))

describe('whatever the text', () => {
  test('only marks are added, they pair up, and doing it twice changes nothing', () => {
    fc.assert(
      fc.property(mixed, fc.constantFrom<'rtl' | 'ltr'>('rtl', 'ltr'), (text, direction) => {
        const result = isolateRuns(text, direction)
        expect(result.replace(/[\u2066\u2067\u2069]/g, '')).toBe(text)
        let depth = 0
        for (const sign of result) {
          if (/[\u2066\u2067]/.test(sign)) depth++
          if (sign === '\u2069') depth--
          if (sign === '\n') expect(depth).toBe(0)
          expect(depth).toBeGreaterThanOrEqual(0)
        }
        expect(depth).toBe(0)
        expect(isolateRuns(result, direction)).toBe(result)
      }),
      { numRuns: 500 },
    )
  })

  test('right to left: every Latin letter and digit is inside an isolate, no Hebrew or Arabic letter is, and brackets come in pairs', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const result = isolateRuns(text, 'rtl')
        expect(result.replace(/\u2066[^\u2069]*\u2069/g, '')).not.toMatch(/[A-Za-zé0-9]/)
        for (const line of result.split('\n')) {
          if (!/[\u05d0-\u05ea]|[\u0627-\u064a]/.test(line)) continue
          for (const [run] of line.matchAll(/\u2066[^\u2069]*\u2069/g)) {
            expect(run).not.toMatch(/[\u05d0-\u05ea]|[\u0627-\u064a]|،/)
            let depth = 0
            for (const sign of run) {
              if ('(['.includes(sign)) depth++
              if (')]'.includes(sign)) depth--
              expect(depth).toBeGreaterThanOrEqual(0)
            }
            expect(depth).toBe(0)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
