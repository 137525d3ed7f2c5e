import { checkDocument, checkNeeded } from './check.ts'
import { documentKey } from './heads.ts'
import { decode } from './charset.ts'
import { countedCodes, isDataCode, layouts, systemConstant, type DataCode } from './layout.ts'
import { amount, Faults, text, type UniformRecord } from './read.ts'
import { readRecord, type ReadValues } from './record.ts'

interface Card {
  line: number
  debit: number
  credit: number
}

/**
 * The identities of the Instructions over the bytes of a file of our own while it is written: records are
 * read back from them and let go, so that memory keeps only the names of documents and cards. A file that
 * fails is not handed out. It knows the order in which we write: a document with its lines, an entry with its
 * lines, cards after the entries.
 */
export class RunningCheck {
  readonly faults = new Faults()
  readonly #counts = new Map<string, number>()
  readonly #documents = new Map<string, number>()
  readonly #skus = new Map<string, number>()
  readonly #cards = new Map<string, Card>()
  readonly #told = new Map<string, number>()
  #document: UniformRecord[] = []
  #entry: { number: string; line: number; sum: number } | undefined
  #opening = 0
  #line = 0
  readonly #stands: (line: number) => boolean
  #dealer = ''
  #id = ''
  #closing: number | undefined

  /**
   * `stands`: lines of papers of another program, told again as it told them; what is wrong in them is that
   * program's.
   */
  constructor(stands: (line: number) => boolean = () => false) {
    this.#stands = stands
  }

  /** Whole records as they were written, each with the end of its line. */
  take(bytes: Uint8Array): void {
    for (const one of decode(bytes, 'iso-8859-8').split('\r\n')) if (one !== '') this.#record(one)
  }

  #record(line: string): void {
    this.#line++
    const code = line.slice(0, 4)
    if (!isDataCode(code)) return this.faults.add(this.#line, 'unknownRecord', { code })
    const record = { line: this.#line, code, text: line }
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1)
    if (line.length !== layouts[code].length)
      this.faults.add(this.#line, 'shortRecord', { code, length: line.length, right: layouts[code].length })
    if (Number(text(record, 'recordNumber')) !== this.#line)
      this.faults.add(this.#line, 'recordNumber', { number: text(record, 'recordNumber'), right: this.#line })
    if (this.#line === 1) {
      this.#dealer = text(record, 'dealerNumber')
      this.#id = code === 'A100' ? text(record, 'primaryId') : ''
      if (code !== 'A100') this.faults.add(1, 'noOpening')
    }
    if (text(record, 'dealerNumber') !== this.#dealer)
      this.faults.add(this.#line, 'dealerNumber', { number: text(record, 'dealerNumber') })
    if (this.#closing !== undefined) this.faults.add(this.#line, 'noClosing')
    if (!this.#stands(this.#line)) checkNeeded([record], this.faults)
    this.#of[code](record)
  }

  readonly #of: Record<DataCode, (record: UniformRecord) => void> = {
    A100: (record) => this.#frame(record),
    Z900: (record) => {
      this.#frame(record)
      this.#closing = Number(text(record, 'records'))
    },
    C100: (record) => {
      this.#endDocument()
      const key = documentKey(record)
      const other = this.#documents.get(key)
      if (other !== undefined && !this.#stands(record.line))
        this.faults.add(record.line, 'duplicateNumber', {
          type: text(record, 'documentType'),
          number: text(record, 'documentNumber'),
          other,
        })
      this.#documents.set(key, record.line)
      this.#document = [record]
    },
    D110: (record) => void this.#document.push(record),
    D120: (record) => void this.#document.push(record),
    B100: (record) => {
      const number = text(record, 'transaction')
      if (this.#entry?.number !== number) {
        this.#endEntry()
        this.#entry = { number, line: record.line, sum: 0 }
      }
      const [sum, side, key] = [
        amount(record, 'amount'),
        text(record, 'debitCredit'),
        text(record, 'account'),
      ]
      if (side !== '1' && side !== '2') this.faults.add(record.line, 'side', { found: side })
      this.#entry!.sum += side === '2' ? -sum : sum
      const card = this.#cards.get(key) ?? { line: record.line, debit: 0, credit: 0 }
      this.#cards.set(key, card)
      if (side === '2') card.credit += sum
      else card.debit += sum
    },
    B110: (record) => {
      const key = text(record, 'accountKey')
      const other = this.#told.get(key)
      if (other !== undefined) this.faults.add(record.line, 'duplicateAccount', { account: key, other })
      this.#told.set(key, record.line)
      this.#opening += amount(record, 'openingBalance')
      const { debit, credit } = this.#cards.get(key) ?? { debit: 0, credit: 0 }
      const [saidDebit, saidCredit] = [amount(record, 'totalDebit'), amount(record, 'totalCredit')]
      if (saidDebit !== debit)
        this.faults.add(record.line, 'turnoverDebit', {
          account: key,
          saidAgorot: saidDebit,
          foundAgorot: debit,
        })
      if (saidCredit !== credit)
        this.faults.add(record.line, 'turnoverCredit', {
          account: key,
          saidAgorot: saidCredit,
          foundAgorot: credit,
        })
    },
    M100: (record) => {
      const sku = text(record, 'internalSku')
      const other = this.#skus.get(sku)
      if (other !== undefined) this.faults.add(record.line, 'duplicateSku', { sku, other })
      this.#skus.set(sku, record.line)
    },
  }

  #frame(record: UniformRecord): void {
    if (text(record, 'primaryId') !== this.#id) this.faults.add(record.line, 'primaryId')
    if (text(record, 'systemConstant') !== systemConstant)
      this.faults.add(record.line, 'systemConstant', { found: text(record, 'systemConstant') })
  }

  #endDocument(): void {
    const first = this.#document[0]
    if (first && !this.#stands(first.line)) checkDocument(this.#document, this.faults)
    this.#document = []
  }

  #endEntry(): void {
    if (this.#entry && this.#entry.sum !== 0)
      this.faults.add(this.#entry.line, 'unbalanced', {
        number: this.#entry.number,
        differenceAgorot: this.#entry.sum,
      })
    this.#entry = undefined
  }

  /** After the last record, with INI.TXT as it was written. */
  end(ini: Uint8Array): Faults {
    this.#endDocument()
    this.#endEntry()
    for (const [key, { line }] of this.#cards)
      if (!this.#told.has(key)) this.faults.add(line, 'unknownAccount', { account: key })
    if (this.#opening !== 0) this.faults.add(0, 'openingSum', { differenceAgorot: this.#opening })
    if (this.#closing === undefined) this.faults.add(this.#line, 'noClosing')
    else if (this.#closing !== this.#line)
      this.faults.add(this.#line, 'closingCount', { count: this.#closing, found: this.#line })
    const summary = new Map<string, number>()
    let head: ReadValues | undefined
    for (const line of decode(ini, 'iso-8859-8').split('\r\n')) {
      if (line.startsWith('A000')) head = readRecord('A000', line)
      else if (line !== '') {
        const { recordCode, count } = readRecord('SUMMARY', line)
        summary.set(String(recordCode), Number(count))
      }
    }
    if (!head || Number(head.records) !== this.#line)
      this.faults.add(0, 'iniCount', { count: Number(head?.records ?? 0), found: this.#line })
    if (head && String(head.primaryId) !== this.#id) this.faults.add(0, 'primaryId')
    for (const code of countedCodes) {
      const [count, found] = [summary.get(code) ?? 0, this.#counts.get(code) ?? 0]
      if (count !== found) this.faults.add(0, 'iniSummary', { code, count, found })
    }
    return this.faults
  }
}
