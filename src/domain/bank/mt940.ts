import { isDay, type Day } from '../day.ts'
import { plainText, rowsOf, type Statement, type StatementLine, type UnreadLine } from './statement.ts'

/** Whether a text is a SWIFT MT940 statement, with or without the envelope of the network. */
export const isMt940 = (text: string): boolean =>
  /^:60[FM]:[CD]\d{6}[A-Z]{3}/m.test(text) && /^:25:/m.test(text)

/** 'YYMMDD'. */
function dayOf(text: string): Day | null {
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`
  return isDay(day) ? day : null
}

/** '1234,5' in hundredths; SWIFT always writes a decimal comma. */
const sumOf = (text: string): number => {
  const [whole = '0', part = ''] = text.split(',')
  return Number(whole) * 100 + Number(part.padEnd(2, '0').slice(0, 2))
}

/** A balance: 'C260131ILS1234,56'. */
function balanceOf(text: string | undefined): { sum: number; currency: string } | undefined {
  const found = /^([CD])\d{6}([A-Z]{3})([\d,]+)/.exec(text ?? '')
  return found ? { sum: sumOf(found[3]!) * (found[1] === 'D' ? -1 : 1), currency: found[2]! } : undefined
}

const movement = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d[\d,]*)([A-Z][A-Z0-9]{3})([^\n]*)(?:\n([\s\S]*))?$/

interface Field {
  tag: string
  value: string
  row: number
}

/**
 * Reads an MT940 file: a statement for each account in it. Pages of one account follow each other: the first opening
 * and the last closing balance count. Lines that cannot be read are reported.
 */
export function readMt940(text: string): (Statement & { unread: UnreadLine[] })[] {
  const byAccount = new Map<string, Field[]>()
  // The reference of a page precedes its account.
  let page: Field[] = []
  for (const field of fieldsOf(text)) {
    if (field.tag === '20' || (field.tag === '25' && page.some(({ tag }) => tag === '25'))) page = []
    page.push(field)
    if (field.tag !== '25') continue
    const account = plainText(field.value)
    const known = byAccount.get(account)
    if (known) known.push(...page)
    page = known ?? page
    byAccount.set(account, page)
  }
  return [...byAccount.values()].map(statementOf)
}

function fieldsOf(text: string): Field[] {
  const plain = text.replace(/\r\n?/g, '\n')
  const rowAt = rowsOf(plain)
  return [...plain.matchAll(/^:(\d{2}[A-Z]?):([\s\S]*?)(?=\n:\d{2}[A-Z]?:|\n-\}?|$(?![\s\S]))/gm)].map(
    (m) => ({
      tag: m[1]!,
      value: m[2]!.trim(),
      row: rowAt(m.index),
    }),
  )
}

function statementOf(fields: readonly Field[]): Statement & { unread: UnreadLine[] } {
  const first = (tag: RegExp) => fields.find((field) => tag.test(field.tag))?.value
  const opening = balanceOf(first(/^60/))
  const closing = balanceOf(fields.findLast((field) => field.tag === '62F' || field.tag === '62M')?.value)
  const lines: StatementLine[] = []
  const unread: UnreadLine[] = []
  let running = opening?.sum ?? null
  for (const [i, { tag, value, row }] of fields.entries()) {
    if (tag !== '61') continue
    const found = movement.exec(value)
    // Banks that count thirty days a month write 30 February; the day of entry then says the day.
    const valueDay = found && (dayOf(found[1]!) ?? enteredOn(found[1]!, found[2]))
    if (!found || !valueDay) {
      unread.push({ row, value: plainText(value).slice(0, 60) })
      continue
    }
    // A reversed credit takes money out.
    const sign = found[3] === 'C' || found[3] === 'RD' ? 1 : -1
    const amount = sign * sumOf(found[5]!)
    if (amount === 0) continue
    running = running === null ? null : running + amount
    const info = fields[i + 1]?.tag === '86' ? fields[i + 1]!.value : ''
    const [own = '', ofBank = ''] = found[7]!.split('//')
    const said = plainText(info.replace(/\n/g, ' ').replace(/\?\d{2}/g, ' '))
    lines.push({
      day: entryDay(valueDay, found[2]),
      valueDay,
      amount,
      text: (said || plainText(found[8] ?? '')).slice(0, 200),
      details: said ? plainText(found[8] ?? '').slice(0, 400) : '',
      reference: plainText(own && own !== 'NONREF' ? own : ofBank).slice(0, 60),
      balance: running,
    })
  }
  return {
    lines,
    account: plainText(first(/^25/) ?? ''),
    currency: opening?.currency ?? closing?.currency ?? null,
    opening: opening?.sum ?? null,
    closing: closing?.sum ?? null,
    unread,
  }
}

/** The day of entry in the year of a value date that does not exist. */
function enteredOn(value: string, entry: string | undefined): Day | null {
  if (!entry || !/^\d{2}(0[1-9]|1[0-2])(29|30|31)$/.test(value)) return null
  return dayOf(value.slice(0, 2) + entry)
}

/** The day of entry has no year: it is that of the value, or its neighbour around the new year. */
function entryDay(valueDay: Day, entry: string | undefined): Day {
  if (!entry) return valueDay
  const near = [0, -1, 1]
    .map((years) => `${Number(valueDay.slice(0, 4)) + years}-${entry.slice(0, 2)}-${entry.slice(2)}`)
    .filter((day) => isDay(day))
    .toSorted(
      (a, b) =>
        Math.abs(Date.parse(a) - Date.parse(valueDay)) - Math.abs(Date.parse(b) - Date.parse(valueDay)),
    )
  return near[0] ?? valueDay
}
