import { addDays, addMonths, isDay, parseDay, weekday, type Day } from '../day.ts'

/** A task typed in one line: what was recognized, and the rest as its title. */
export interface QuickTask {
  title: string
  day?: Day
  /** 'HH:MM'. */
  time?: string
  isUrgent?: true
  /** As `repeat.ts` has it. */
  repeat?: string
  /** What was typed after @. */
  owner?: string
}

const hebrewDays = ['ראשון', 'שני', 'שלישי', 'רביעי', 'חמישי', 'שישי', 'שבת']
const letters = ['א', 'ב', 'ג', 'ד', 'ה', 'ו']
const englishDays = [
  'sun(?:day)?',
  'mon(?:day)?',
  'tue(?:s(?:day)?)?',
  'wed(?:nesday)?',
  'thu(?:rs(?:day)?)?',
  'fri(?:day)?',
  'sat(?:urday)?',
]

const begins = String.raw`(?<=^|\s)`
const ends = String.raw`(?=$|[\s,.;!])`
const words = (...patterns: string[]): RegExp => new RegExp(`${begins}(?:${patterns.join('|')})${ends}`, 'iu')

/** The next such weekday after today. */
const coming = (today: Day, wanted: number): Day => addDays(today, ((wanted - weekday(today) + 6) % 7) + 1)

type Reader = [pattern: RegExp, read: (match: RegExpExecArray, today: Day) => Partial<QuickTask> | undefined]

const clock = (hour: string, minute: string | undefined, half?: string): Partial<QuickTask> | undefined => {
  let h = Number(hour)
  const m = Number(minute ?? 0)
  if (half?.toLowerCase() === 'pm' && h < 12) h += 12
  if (half?.toLowerCase() === 'am' && h === 12) h = 0
  return h < 24 && m < 60
    ? { time: `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}` }
    : undefined
}

const units: Record<string, string> = {
  ימים: 'day',
  שבועות: 'week',
  חודשים: 'month',
  days: 'day',
  weeks: 'week',
  months: 'month',
  day: 'day',
  week: 'week',
  month: 'month',
}
const after = (today: Day, n: number, unit: string): Day =>
  unit === 'month' ? addMonths(today, n) : addDays(today, unit === 'week' ? 7 * n : n)

/** In their order: what says more comes before what says a part of it. */
const readers: Reader[] = [
  [/(?<=^|\s)@([\p{L}\p{N}._-]{2,40})/iu, ([, owner]) => ({ owner: owner! })],
  [words('דחוף', 'בדחיפות', 'urgent', 'asap'), () => ({ isUrgent: true })],
  [/(?<=^|\s)!{1,3}(?=\s|$)/u, () => ({ isUrgent: true })],
  [
    words('כל יום עבודה', 'every (?:work|business|week)day'),
    (_m, today) => ({ repeat: 'workday:1', day: today }),
  ],
  ...hebrewDays.map((name, n): Reader => [
    words(`כל (?:יום )?${name}${letters[n] ? `|כל יום ${letters[n]}['׳]?` : ''}`, `every ${englishDays[n]}`),
    (_m, today) => ({ repeat: 'week:1', day: coming(today, n) }),
  ]),
  [words('כל יום', 'every ?day', 'daily'), (_m, today) => ({ repeat: 'day:1', day: today })],
  [words('כל שבועיים', 'every (?:two|2|second) weeks?'), (_m, today) => ({ repeat: 'week:2', day: today })],
  [words('כל שבוע', 'every week', 'weekly'), (_m, today) => ({ repeat: 'week:1', day: today })],
  [words('כל חודשיים', 'every (?:two|2|second) months?'), (_m, today) => ({ repeat: 'month:2', day: today })],
  [words('כל חודש', 'every month', 'monthly'), (_m, today) => ({ repeat: 'month:1', day: today })],
  [words('כל שנה', 'every year', 'yearly'), (_m, today) => ({ repeat: 'year:1', day: today })],
  [words('(?:ב)?מחרתיים', 'day after tomorrow'), (_m, today) => ({ day: addDays(today, 2) })],
  [words('(?:ל|ב)?מחר', 'tomorrow'), (_m, today) => ({ day: addDays(today, 1) })],
  [words('(?:ל|ב)?היום', 'today'), (_m, today) => ({ day: today })],
  [words('(?:ב)?עוד שבועיים', 'in two weeks'), (_m, today) => ({ day: addDays(today, 14) })],
  [words('(?:ב)?עוד שבוע', 'in a week'), (_m, today) => ({ day: addDays(today, 7) })],
  [words('(?:ב)?עוד יומיים', 'in two days'), (_m, today) => ({ day: addDays(today, 2) })],
  [words('(?:ב)?עוד חודש', 'in a month'), (_m, today) => ({ day: addMonths(today, 1) })],
  [
    words('(?:ב)?עוד (\\d{1,3}) (ימים|שבועות|חודשים)', 'in (\\d{1,3}) (days?|weeks?|months?)'),
    ([, n1, u1, n2, u2], today) => ({
      day: after(today, Number(n1 ?? n2), units[(u1 ?? u2)!.toLowerCase()]!),
    }),
  ],
  // The week begins on Sunday.
  [words('(?:ב)?שבוע הבא', 'next week'), (_m, today) => ({ day: addDays(today, 7 - weekday(today)) })],
  ...hebrewDays.map((name, n): Reader => [
    words(
      `(?:ב|ל)?יום ${name}(?: הבא)?`,
      ...(letters[n] ? [`(?:ב|ל)?יום ${letters[n]}['׳]?`] : ['(?:ב|ל)?שבת']),
      `(?:on |next )${englishDays[n]}`,
    ),
    (_m, today) => ({ day: coming(today, n) }),
  ]),
  [
    /(?<=^|\s)(?:ב-?|ל-?|עד |on |by )?(\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?)(?=$|[\s,;])/iu,
    ([, text], today) => {
      const day = parseDay(text!, today)
      if (!day || !isDay(day)) return undefined
      // Without a year it is the next one that comes.
      return { day: day < today && !/[./].*[./]/.test(text!) ? addMonths(day, 12) : day }
    },
  ],
  [
    /(?<=^|\s)(?:בשעה |ב-?|at )(\d{1,2}):(\d{2})\s*(am|pm)?(?=$|[\s,.;])/iu,
    ([, h, m, half]) => clock(h!, m, half),
  ],
  [/(?<=^|\s)(\d{1,2}):(\d{2})(?=$|[\s,.;])/u, ([, h, m]) => clock(h!, m)],
  [
    /(?<=^|\s)(?:בשעה |ב-|at )(\d{1,2})\s*(am|pm)?(?=$|[\s,.;])/iu,
    ([, h, half]) => clock(h!, undefined, half),
  ],
  [/(?<=^|\s)(\d{1,2})\s?(am|pm)(?=$|[\s,.;])/iu, ([, h, half]) => clock(h!, undefined, half)],
]

/**
 * Reads a line as people type it, in Hebrew and English alike: "מחר ב-10 להתקשר לדנה", "call Dana tomorrow at
 * 10", "כל חודש לשלוח דוח", "@noa urgent". A time without a day is today's. What would leave no title is
 * title.
 */
export function readQuickTask(text: string, today: Day): QuickTask {
  const whole = text.replace(/\s+/g, ' ').trim().slice(0, 300)
  let left = whole
  let found: Partial<QuickTask> = {}
  for (const [pattern, read] of readers) {
    const match = pattern.exec(left)
    if (!match) continue
    const said = read(match, today)
    // The first that says a thing says it.
    if (
      !said ||
      Object.keys(said).some((key) => found[key as keyof QuickTask] !== undefined && key !== 'isUrgent')
    )
      continue
    found = { ...found, ...said }
    left = `${left.slice(0, match.index)} ${left.slice(match.index + match[0].length)}`
      .replace(/\s+/g, ' ')
      .trim()
  }
  const title = left.replace(/^[\s,.;:–-]+|[\s,;:–-]+$/gu, '')
  if (!title) return { title: whole }
  if (found.time && !found.day) found.day = today
  return { ...found, title }
}
