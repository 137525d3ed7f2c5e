import { sum, type Agorot } from '../money.ts'
import type { Day } from '../day.ts'
import type { BookFigures } from './twoWays.ts'
import type { InputPaper, SalePaper } from './papers.ts'
import { plainGroup } from './referenceGroup.ts'

/*
 * Entries that came with the file of another program. No paper of ours stands for them and that program
 * reported their period, so the VAT of such an entry is read from the entry itself: nothing could be compared
 * with it, and nothing in it may keep a period from being reported or closed.
 */

/** One line of such an entry; debit positive. */
export interface BroughtLine {
  key: string
  day: Day
  reference: string
  details: string
  role: 'outputVat' | 'inputVat' | 'equipmentVat' | 'income' | 'expense' | 'asset' | 'other'
  amount: Agorot
  /** Of the party on the line. */
  taxId: string | null
  name: string | null
}

export interface Brought {
  sales: SalePaper[]
  inputs: InputPaper[]
  /** What the books say of each. */
  figures: Map<string, BookFigures>
}

/**
 * What entries without a sale's document say of VAT. `soldByPapers`: documents came whose own entries cannot
 * be told, as from programs that post a day's documents together; then the sales of these entries are theirs
 * and count by the documents.
 */
export function broughtOf(lines: readonly BroughtLine[], soldByPapers: boolean): Brought {
  const byEntry = new Map<string, BroughtLine[]>()
  for (const line of lines) {
    const some = byEntry.get(line.key)
    if (some) some.push(line)
    else byEntry.set(line.key, [line])
  }
  const sales: SalePaper[] = []
  const inputs: InputPaper[] = []
  const figures = new Map<string, BookFigures>()
  for (const [key, some] of byEntry) {
    const of = (...roles: BroughtLine['role'][]) =>
      sum(some.filter(({ role }) => roles.includes(role)).map(({ amount }) => amount))
    const outputVat = -of('outputVat') || 0
    const inputVat = of('inputVat')
    const equipmentVat = of('equipmentVat')
    const { day, reference, details } = some[0]!
    const party = some.find(({ taxId, name }) => taxId ?? name)
    const paper = { key, number: reference, day, name: party?.name ?? details, allocation: '', gross: null }
    const net = -of('income') || 0
    const sells = outputVat !== 0 && !soldByPapers
    if (sells)
      sales.push({
        ...paper,
        group: plainGroup,
        taxId: party?.taxId ?? null,
        kind: 'home',
        exportEntry: '',
        beside: 0,
        taxable: net,
        untaxed: 0,
        vat: outputVat,
        rateBp: null,
        isForeign: false,
      })
    if (inputVat !== 0 || equipmentVat !== 0) {
      // A tax invoice needs its seller's number and an invoice number; other entries are documents the law accepts in
      // place of one.
      const isInvoice = Boolean(party?.taxId) && /[1-9]/.test(reference)
      inputs.push({
        ...paper,
        paper: isInvoice ? 'taxInvoice' : 'byLaw',
        taxId: isInvoice ? party!.taxId : null,
        net: of('expense') || of('asset'),
        vat: inputVat + equipmentVat,
        equipmentVat,
      })
    }
    figures.set(key, { net: outputVat !== 0 ? net : 0, outputVat, inputVat, equipmentVat, gross: 0 })
  }
  return { sales, inputs, figures }
}
