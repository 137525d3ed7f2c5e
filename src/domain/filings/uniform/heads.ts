import { text, type UniformRecord } from './read.ts'

/** A missing zero of a number or code is no difference. */
export const plainNumber = (number: string): string => number.replace(/^0+(?=.)/, '')

export const documentKey = (record: UniformRecord): string =>
  `${Number(text(record, 'documentType'))}|${text(record, 'branch')}|${plainNumber(text(record, 'documentNumber'))}`

const isLine = ({ code }: UniformRecord): boolean => code === 'D110' || code === 'D120'

interface Filling {
  at: number
  last: number
}

/**
 * Finds the header of a line or a payment, asked in the order of the file. Of two documents of one number, as
 * programs have them that number again every year, each has the lines that follow it; where all headers come
 * before all lines, those of its link (1234) and its day, and where these are the same too, they are taken in
 * turn: lines that begin at 1 again are of the next.
 */
export function headFinder(
  records: readonly UniformRecord[],
): (line: UniformRecord) => UniformRecord | undefined {
  const heads = new Map<string, UniformRecord[]>()
  let firstLine = Infinity
  let lastHead = 0
  for (const record of records) {
    if (isLine(record)) firstLine = Math.min(firstLine, record.line)
    if (record.code !== 'C100') continue
    lastHead = record.line
    const key = documentKey(record)
    const twins = heads.get(key)
    if (twins) twins.push(record)
    else heads.set(key, [record])
  }
  const headsFirst = firstLine > lastHead
  const filling = new Map<string, Filling>()
  return (line) => {
    const key = documentKey(line)
    const all = heads.get(key)
    if (!all || all.length === 1) return all?.[0]
    if (!headsFirst) return all.findLast((head) => head.line < line.line) ?? all[0]
    const link = Number(text(line, 'link'))
    const linked = link ? all.filter((head) => Number(text(head, 'link')) === link) : []
    const among = linked.length ? linked : all
    const day = text(line, 'documentDate')
    const ofDay = among.filter((head) => text(head, 'documentDate') === day)
    const left = ofDay.length ? ofDay : among
    const place = `${key}|${line.code}|${left[0]!.line}`
    const number = Number(text(line, 'line'))
    const before = filling.get(place)
    const at = before ? before.at + (number <= before.last ? 1 : 0) : 0
    filling.set(place, { at, last: number })
    return left[Math.min(at, left.length - 1)]
  }
}
