import { parse } from 'csv-parse/sync'
import iconv from 'iconv-lite'
import { parseDay, type Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { zipIsSane } from '#features/base/files/server/readers.ts'

/*
 * The files of the Bank of Israel come in three shapes: a row for each day and currency (series), a column for each
 * currency, and one currency alone. Headings are in Hebrew or English; yen are quoted by the hundred.
 */

export interface ReadRate {
  currency: string
  day: Day
  /** Shekels for one unit, up to six decimals. */
  rate: string
}

const mostRows = 100_000

const heads = {
  day: /^(תאריך|יום|date|day|time_period|lastupdate|last update)$/i,
  currency: /^(base_currency|מטבע|קוד מטבע|currency|currency code|key)$/i,
  counter: /^counter_currency$/i,
  /** Of the bank's series: OF00 is the representative rate. */
  type: /^data_type$/i,
  rate: /^(obs_value|שער|שער יציג|השער היציג|rate|value|representative rate|exchange rate|currentexchangerate)$/i,
  unit: /^(יחידה|יחידות|unit|units)$/i,
  power: /^unit_mult$/i,
}

const names: readonly (readonly [pattern: RegExp, currency: string])[] = [
  [/דולר קנדי|canadian/i, 'CAD'],
  [/דולר אוסטרלי|australian/i, 'AUD'],
  [/דולר|dollar/i, 'USD'],
  [/אירו|יורו|euro/i, 'EUR'],
  [/שטרלינג|sterling|pound \(uk\)/i, 'GBP'],
  [/פרנק|franc/i, 'CHF'],
  [/(^|[\s\d])י?ין($|\s)|yen/i, 'JPY'],
  [/דינר|dinar/i, 'JOD'],
  [/כתר שוו?די|swedish/i, 'SEK'],
  [/כתר נורו?וגי|norwegian/i, 'NOK'],
  [/כתר דני|danish/i, 'DKK'],
  [/ראנד|rand/i, 'ZAR'],
  [/לירה מצרית|egyptian/i, 'EGP'],
]
const codes = new Set([
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'JPY',
  'CAD',
  'AUD',
  'JOD',
  'EGP',
  'SEK',
  'NOK',
  'DKK',
  'ZAR',
  'LBP',
])

/** The currency a word names: by its code, in the middle of other signs too (RER_USD_ILS), or by its name. */
function currencyOf(text: string): string | undefined {
  const code = text
    .toUpperCase()
    .split(/[^A-Z]+/)
    .find((part) => codes.has(part))
  return code ?? names.find(([pattern]) => pattern.test(text))?.[1]
}

/** How many units a head tells the price of: '100 יין'. */
const unitsIn = (head: string): number => Number(/(?:^|\D)(10{1,3})(?:\D|$)/.exec(head)?.[1] ?? 1)

/**
 * Shekels for one unit out of shekels for `units`, half up at the sixth decimal; undefined when the text is
 * no positive number. One yen never cost half a shekel: where a file does not say that it tells of a hundred,
 * its size does.
 */
export function perUnit(text: string, units: number, currency: string): string | undefined {
  const found = /^(\d{1,9})(?:\.(\d{1,12}))?$/.exec(text.replace(/[\s,\u200e\u200f]/g, ''))
  if (!found) return undefined
  const whole = BigInt(found[1]! + (found[2] ?? '').padEnd(12, '0'))
  const isHundred = currency === 'JPY' && units === 1 && whole > 500_000_000_000n
  const by = BigInt(isHundred ? 100 : units) * 1_000_000n
  const millionths = (whole * 2n + by) / (by * 2n)
  if (millionths <= 0n) return undefined
  const digits = millionths.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/**
 * The rates of a file. `currency`: of a file that does not say it. Refuses what is no table and, unless it `mayBeEmpty`,
 * what has no rates in it.
 */
export async function readRates(
  bytes: Uint8Array,
  currency: string | undefined,
  mayBeEmpty = false,
): Promise<{ rows: ReadRate[]; skipped: number }> {
  const rows = await cellsOf(Buffer.from(bytes))
  const at = rows.slice(0, 30).findIndex((row) => row.some((cell) => heads.day.test(cell)))
  if (at < 0) throw fail('rates.nothingFound')
  const head = rows[at]!
  const column = (of: RegExp) => head.findIndex((cell) => of.test(cell))
  const [day, rate, unit, power, counter, type] = [
    heads.day,
    heads.rate,
    heads.unit,
    heads.power,
    heads.counter,
    heads.type,
  ].map(column) as [number, number, number, number, number, number]
  const named = column(heads.currency)
  const wide =
    rate < 0
      ? head.flatMap((cell, i) => {
          const found = i === day ? undefined : currencyOf(cell)
          return found ? [{ i, currency: found, units: unitsIn(cell) }] : []
        })
      : []
  if (rate < 0 && !wide.length) throw fail('rates.nothingFound')
  // Above the table the file may say whose rates they are.
  const said =
    currency ??
    rows
      .slice(0, at)
      .flatMap((row) => row.map(currencyOf))
      .find(Boolean)
  if (rate >= 0 && named < 0 && !said) throw fail('rates.needCurrency')
  const found = new Map<string, ReadRate>()
  let skipped = 0
  for (const row of rows.slice(at + 1)) {
    const when = readDay(row[day] ?? '')
    if (!when) continue
    if (counter >= 0 && row[counter] !== 'ILS') continue
    if (type >= 0 && row[type] !== 'OF00') continue
    const units = Number(row[unit] || 1) * 10 ** Number(row[power] || 0)
    const each =
      rate >= 0
        ? [{ i: rate, currency: named >= 0 ? currencyOf(row[named] ?? '') : said, units }]
        : wide.filter(({ i }) => row[i] !== '')
    for (const one of each) {
      const value =
        one.currency && Number.isInteger(one.units) && one.units > 0
          ? perUnit(row[one.i] ?? '', one.units, one.currency)
          : undefined
      if (value && one.currency)
        found.set(`${one.currency} ${when}`, { currency: one.currency, day: when, rate: value })
      else skipped++
    }
  }
  if (!found.size && !mayBeEmpty) throw fail('rates.nothingFound')
  return { rows: [...found.values()], skipped }
}

const readDay = (text: string): Day | undefined => {
  const first = text.trim().split(/[T ]/)[0] ?? ''
  return /\d{4}/.test(first) ? parseDay(first) : undefined
}

export async function cellsOf(bytes: Buffer): Promise<string[][]> {
  try {
    if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
      if (!zipIsSane(bytes)) throw fail('rates.badFile')
      const { readSheet } = await import('read-excel-file/node')
      const rows = await readSheet(bytes)
      return rows.slice(0, mostRows).map((row) => row.map(textOf))
    }
    const isUtf8 = !iconv.decode(bytes, 'utf-8').includes('\ufffd')
    const text = iconv.decode(bytes, isUtf8 ? 'utf-8' : 'windows-1255')
    if (text.includes('\0')) throw fail('rates.badFile')
    const line = text.split(/\r?\n/, 1)[0] ?? ''
    const delimiter = ['\t', ';', ','].find((sign) => line.includes(sign)) ?? ','
    return (
      parse(text, {
        delimiter,
        relax_quotes: true,
        relax_column_count: true,
        skip_empty_lines: true,
        bom: true,
        to: mostRows,
      }) as string[][]
    ).map((row) => row.map((cell) => cell.trim()))
  } catch {
    throw fail('rates.badFile')
  }
}

const textOf = (cell: unknown): string =>
  cell === null || cell === undefined
    ? ''
    : cell instanceof Date
      ? cell.toISOString().slice(0, 10)
      : typeof cell === 'number'
        ? String(Math.round(cell * 1e9) / 1e9)
        : String(cell).trim()
