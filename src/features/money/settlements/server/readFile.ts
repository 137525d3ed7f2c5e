import { isDay } from '#domain/day.ts'
import type { ToldDeal } from '#domain/settlement/reconcile.ts'
import { fail } from '#kit/describe/errors.ts'
import { cellsOf } from '#features/registers/rates/server/readers.ts'

export interface ReadDeal extends ToldDeal {
  day: string
}

const most = 20_000
const heads = {
  day: /^(תאריך.*|יום|date|deal date|transaction date|day)$/i,
  sum: /^(סכום.*|sum|amount|total)$/i,
  uid: /^(מספר עסקה|מזהה.*|מס.? עסקה|transaction( id)?|deal( id| number)?|uid|id)$/i,
  key: /^(אסמכתא.*|reference|order( id)?|external.*)$/i,
  last4: /^(4 ספרות.*|ארבע ספרות.*|כרטיס.*|card.*|last ?4)$/i,
  approval: /^(אישור|מספר אישור|approval.*|auth.*)$/i,
  currency: /^(מטבע|currency)$/i,
} as const

/** A day as files write it: 2026-05-03, 03/05/2026, 3.5.26. */
function dayOf(cell: string): string | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(cell)
  if (iso) return isDay(iso[0]) ? iso[0] : undefined
  const found = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})\b/.exec(cell)
  if (!found) return undefined
  const day = `${found[3]!.length === 2 ? `20${found[3]}` : found[3]}-${found[2]!.padStart(2, '0')}-${found[1]!.padStart(2, '0')}`
  return isDay(day) ? day : undefined
}

/** Agorot of a sum as files write it: 1,234.50, (12.00), -5. */
function agorotOf(cell: string): number | undefined {
  const plain = cell.replace(/[,\s₪]/g, '')
  const found = /^(\()?(-)?(\d{1,9})(?:\.(\d{1,2})0*)?(-)?(\))?$/.exec(plain)
  if (!found) return undefined
  const sum = Number(found[3]) * 100 + Number((found[4] ?? '').padEnd(2, '0'))
  return found[1] || found[2] || found[5] ? -sum : sum
}

/** The deals of a list; its columns are found by their heads. Throws `settlements.notRead`. */
export async function readDeals(bytes: Uint8Array): Promise<ReadDeal[]> {
  const rows = await cellsOf(Buffer.from(bytes))
  const at = rows
    .slice(0, 30)
    .findIndex(
      (row) =>
        row.some((cell) => heads.day.test(cell.trim())) && row.some((cell) => heads.sum.test(cell.trim())),
    )
  if (at < 0) throw fail('settlements.notRead')
  const column = (of: RegExp) => rows[at]!.findIndex((cell) => of.test(cell.trim()))
  const columns = Object.fromEntries(Object.entries(heads).map(([name, of]) => [name, column(of)])) as Record<
    keyof typeof heads,
    number
  >
  const cell = (row: readonly string[], name: keyof typeof heads) =>
    columns[name] < 0 ? '' : (row[columns[name]] ?? '').trim()
  const deals = rows.slice(at + 1, at + 1 + most).flatMap((row): ReadDeal[] => {
    const [day, agorot] = [dayOf(cell(row, 'day')), agorotOf(cell(row, 'sum'))]
    if (!day || !agorot) return []
    const currency = cell(row, 'currency').toUpperCase()
    return [
      {
        day,
        agorot,
        uid: cell(row, 'uid').slice(0, 100),
        ...(cell(row, 'key') ? { key: cell(row, 'key').slice(0, 60) } : {}),
        last4: /(\d{4})\D*$/.exec(cell(row, 'last4'))?.[1] ?? '',
        approval: cell(row, 'approval').slice(0, 40),
        currency: /^[A-Z]{3}$/.test(currency) && currency !== 'NIS' ? currency : 'ILS',
      },
    ]
  })
  if (!deals.length) throw fail('settlements.notRead')
  return deals
}
