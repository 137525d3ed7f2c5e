import { isDay, type Day } from '../day.ts'
import { hundredths, plainFigure } from '../writtenFigure.ts'
import { inOrder, plainText, type Statement, type StatementLine } from './statement.ts'

/** Whether a text is an OFX file, of the older kind without closing tags or of the newer in XML. */
export const isOfx = (text: string): boolean => /<OFX>/i.test(text.slice(0, 4000))

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

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

/** Reads the first statement of an OFX file. Lines without a day or a sum are left out: `skipped` says how many. */
export function readOfx(text: string): Statement & { skipped: number } {
  const body = /<STMTRS>[\s\S]*?(?=<\/STMTRS>|<STMTTRNRS>|$)/i.exec(text.slice(Math.max(0, text.search(/<OFX>/i))))?.[0] ?? text
  let skipped = 0
  const lines: StatementLine[] = []
  for (const block of body.split(/<STMTTRN>/i).slice(1)) {
    const own = block.split(/<\/STMTTRN>|<\/BANKTRANLIST>|<LEDGERBAL>/i)[0]!
    const day = dayOf(valueOf(own, 'DTPOSTED'))
    const amount = sumOf(valueOf(own, 'TRNAMT'))
    if (!day || amount === undefined) skipped++
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
    skipped,
  }
}
