import { isDay, type Day } from '../day.ts'
import { entities } from '../entities.ts'
import { hundredths, plainFigure } from '../writtenFigure.ts'
import {
  inOrder,
  plainText,
  rowsOf,
  type Statement,
  type StatementLine,
  type UnreadLine,
} from './statement.ts'

/** Whether a text is an OFX file, of the older kind without closing tags or of the newer in XML. */
export const isOfx = (text: string): boolean => /<OFX>/i.test(text.slice(0, 4000))

/** The value of a tag: it ends where the line or the next tag begins. */
function valueOf(block: string, tag: string): string {
  const found = new RegExp(`<${tag}>([^<\\r\\n]*)`, 'i').exec(block)?.[1] ?? ''
  return plainText(found.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name]!))
}

/** '20260131120000[+2:IST]': the first eight signs are the bank's own day. */
function dayOf(text: string): Day | null {
  const day = text.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3')
  return isDay(day) ? day : null
}

const sumOf = (text: string): number | undefined => {
  const figure = plainFigure(text)
  return figure === undefined ? undefined : hundredths(figure)
}

/** Reads an OFX file: each statement in it. Lines without a day or a sum are left out and told. */
export function readOfx(text: string): (Statement & { unread: UnreadLine[] })[] {
  const from = Math.max(0, text.search(/<OFX>/i))
  const rowAt = rowsOf(text)
  const bodies = [
    ...text.slice(from).matchAll(/<STMTRS>[\s\S]*?(?=<\/STMTRS>|<STMTTRNRS>|<STMTRS>|$(?![\s\S]))/gi),
  ]
  return bodies.length
    ? bodies.map((found) => statementOf(found[0], (place) => rowAt(from + found.index + place)))
    : [statementOf(text, rowAt)]
}

function statementOf(body: string, rowAt: (place: number) => number): Statement & { unread: UnreadLine[] } {
  const unread: UnreadLine[] = []
  const lines: StatementLine[] = []
  const [before = '', ...blocks] = body.split(/<STMTTRN>/i)
  let place = before.length
  for (const block of blocks) {
    const here = place
    place += block.length + '<STMTTRN>'.length
    const own = block.split(/<\/STMTTRN>|<\/BANKTRANLIST>|<LEDGERBAL>/i)[0]!
    const day = dayOf(valueOf(own, 'DTPOSTED'))
    const amount = sumOf(valueOf(own, 'TRNAMT'))
    if (!day || amount === undefined)
      unread.push({
        row: rowAt(here),
        value: [valueOf(own, 'DTPOSTED'), valueOf(own, 'TRNAMT')].join(' ').slice(0, 60),
      })
    if (!day || !amount) continue
    const [name, memo] = [valueOf(own, 'NAME'), valueOf(own, 'MEMO')]
    lines.push({
      day,
      valueDay: dayOf(valueOf(own, 'DTAVAIL')),
      amount,
      text: (name || memo).slice(0, 200),
      details: (name && memo !== name ? memo : '').slice(0, 400),
      reference: (valueOf(own, 'CHECKNUM') || valueOf(own, 'REFNUM') || valueOf(own, 'FITID')).slice(0, 60),
      balance: null,
    })
  }
  const ledger = /<LEDGERBAL>[\s\S]*?(?=<\/LEDGERBAL>|<AVAILBAL>|$)/i.exec(body)?.[0] ?? ''
  return {
    lines: inOrder(lines),
    account: valueOf(body, 'ACCTID'),
    currency: valueOf(body, 'CURDEF').toUpperCase() || null,
    opening: null,
    closing: sumOf(valueOf(ledger, 'BALAMT')) ?? null,
    unread,
  }
}
