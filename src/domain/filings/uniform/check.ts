import { lineOf } from './build.ts'
import { documentKey, headFinder } from './heads.ts'
import {
  countedCodes,
  documentCodes,
  hasLines,
  hasPayments,
  layouts,
  namesParty,
  systemConstant,
} from './layout.ts'
import {
  amount,
  countRecords,
  Faults,
  isCounted,
  text,
  type UniformFile,
  type UniformRecord,
} from './read.ts'

/*
 * Whether a uniform file says of itself what the Instructions want: each identity named there, by the line it
 * fails at. The same for a file we make and for one of another program.
 */

interface Header {
  record: UniformRecord
  type: number
  lines: number
  lineSum: number
  payments: number
  paymentSum: number
}

interface Account {
  record?: UniformRecord
  debit: number
  credit: number
}

/** Every identity that fails; faults of the encoding are in `file.faults`. */
export function checkUniform(file: UniformFile, faults = new Faults()): Faults {
  checkFrame(file, faults)
  checkNeeded(file.records, faults)
  checkDocuments(file.records, faults)
  checkBooks(file, faults)
  const skus = new Map<string, number>()
  for (const record of file.records)
    if (record.code === 'M100') {
      const sku = text(record, 'internalSku')
      if (skus.has(sku)) faults.add(record.line, 'duplicateSku', { sku, other: skus.get(sku)! })
      skus.set(sku, record.line)
    }
  return faults
}

function checkFrame({ ini, summary, records }: UniformFile, faults: Faults): void {
  const first = records[0]
  const last = records.at(-1)
  if (first?.code !== 'A100') faults.add(1, 'noOpening')
  if (last?.code !== 'Z900') faults.add(last?.line ?? 0, 'noClosing')
  else {
    const count = Number(text(last, 'records'))
    if (count !== records.length) faults.add(last.line, 'closingCount', { count, found: records.length })
  }
  const dealer = first && text(first, 'dealerNumber')
  const numberOf = { A100: 'primaryId', Z900: 'primaryId' } as const
  const id = ini ? String(ini.primaryId) : first?.code === 'A100' ? text(first, 'primaryId') : undefined
  records.forEach((record, i) => {
    if (Number(text(record, 'recordNumber')) !== i + 1)
      faults.add(record.line, 'recordNumber', { number: text(record, 'recordNumber'), right: i + 1 })
    if (text(record, 'dealerNumber') !== dealer)
      faults.add(record.line, 'dealerNumber', { number: text(record, 'dealerNumber') })
    if (record.code in numberOf) {
      if (id !== undefined && text(record, 'primaryId') !== id) faults.add(record.line, 'primaryId')
      if (text(record, 'systemConstant') !== systemConstant)
        faults.add(record.line, 'systemConstant', { found: text(record, 'systemConstant') })
    }
  })
  if (!ini) return
  if (String(ini.systemConstant) !== systemConstant)
    faults.add(0, 'systemConstant', { found: String(ini.systemConstant) })
  if (Number(ini.records) !== records.length)
    faults.add(0, 'iniCount', { count: Number(ini.records), found: records.length })
  const counts = countRecords(records)
  for (const code of countedCodes) {
    const found = counts.get(code) ?? 0
    if ((summary.get(code) ?? 0) !== found)
      faults.add(0, 'iniSummary', { code, count: summary.get(code) ?? 0, found })
  }
  for (const code of summary.keys()) if (!isCounted(code)) faults.add(0, 'unknownRecord', { code })
}

const mayBeNothing = new Set(['opening', 'recordCode', 'filler', 'sortCode', 'sortCodeName', 'unit'])

/** What must be given and is not. */
export function checkNeeded(records: readonly UniformRecord[], faults: Faults): void {
  for (const record of records)
    for (const field of layouts[record.code].fields)
      if (
        field.need === 'M' &&
        (field.kind === 'text' || field.kind === 'day') &&
        !mayBeNothing.has(field.name) &&
        text(record, field.name) === ''
      )
        faults.add(record.line, 'missing', { field: field.no, code: record.code })
}

/** One document's header with its lines and payments. */
export const checkDocument = (records: readonly UniformRecord[], faults: Faults): void =>
  checkDocuments(records, faults)

function checkDocuments(records: readonly UniformRecord[], faults: Faults): void {
  const headers: Header[] = []
  const first = new Map<string, Header>()
  const headerOf = new Map<UniformRecord, Header>()
  for (const record of records) {
    if (record.code !== 'C100') continue
    const type = Number(text(record, 'documentType'))
    const name = { type, number: text(record, 'documentNumber') }
    if (!(documentCodes as readonly number[]).includes(type)) faults.add(record.line, 'documentType', name)
    const key = documentKey(record)
    const before = first.get(key)
    const header = { record, type, lines: 0, lineSum: 0, payments: 0, paymentSum: 0 }
    headers.push(header)
    headerOf.set(record, header)
    if (before) faults.add(record.line, 'duplicateNumber', { ...name, other: before.record.line })
    else first.set(key, header)
    const [gross, discount, net, vat, total] = [
      'beforeDiscount',
      'discount',
      'netAmount',
      'vat',
      'total',
    ].map((n) => amount(record, n)) as [number, number, number, number, number]
    if (net !== gross + discount)
      faults.add(record.line, 'netAmount', { ...name, differenceAgorot: net - gross - discount })
    if (total !== net + vat)
      faults.add(record.line, 'total', { ...name, differenceAgorot: total - net - vat })
    if (discount * Math.sign(gross || 1) > 0) faults.add(record.line, 'discountSign', name)
    if (amount(record, 'withholding') < 0) faults.add(record.line, 'withholdingSign', name)
    if (namesParty(type) && (text(record, 'customerName') === '' || text(record, 'customerKey') === ''))
      faults.add(record.line, 'noParty', name)
  }
  const headOf = headFinder(records)
  for (const record of records) {
    if (record.code !== 'D110' && record.code !== 'D120') continue
    const head = headOf(record)
    const header = head && headerOf.get(head)
    const name = { type: Number(text(record, 'documentType')), number: text(record, 'documentNumber') }
    if (!header) {
      faults.add(record.line, 'lineWithoutHeader', name)
      continue
    }
    if (text(record, 'documentDate') !== text(header.record, 'documentDate'))
      faults.add(record.line, 'lineDate', name)
    const link = Number(text(record, 'link'))
    if (link && link !== Number(text(header.record, 'link'))) faults.add(record.line, 'link', name)
    const line = Number(text(record, 'line'))
    if (record.code === 'D110') {
      header.lines++
      header.lineSum += amount(record, 'total')
      if (line !== header.lines) faults.add(record.line, 'lineNumber', { ...name, line })
      const right =
        lineOf(amount(record, 'quantity'), amount(record, 'unitPrice')) + amount(record, 'discount')
      if (amount(record, 'total') !== right)
        faults.add(record.line, 'lineTotal', {
          ...name,
          line,
          differenceAgorot: amount(record, 'total') - right,
        })
      if (amount(record, 'discount') * (Math.sign(amount(record, 'quantity')) || 1) > 0)
        faults.add(record.line, 'discountSign', name)
    } else {
      header.payments++
      header.paymentSum += amount(record, 'amount')
      if (line !== header.payments) faults.add(record.line, 'lineNumber', { ...name, line })
    }
  }
  for (const { record, type, lines, lineSum, payments, paymentSum } of headers) {
    const name = { type, number: text(record, 'documentNumber') }
    const gross = amount(record, 'beforeDiscount')
    const total = amount(record, 'total')
    if (hasLines(type) && (lines > 0 || gross !== 0) && lineSum !== gross)
      faults.add(record.line, 'linesSum', { ...name, differenceAgorot: lineSum - gross })
    if (hasPayments(type) && (payments > 0 || total !== 0) && paymentSum !== total)
      faults.add(record.line, 'paymentsSum', { ...name, differenceAgorot: paymentSum - total })
  }
}

function checkBooks({ ini, records }: UniformFile, faults: Faults): void {
  const byBatch = ini !== undefined && String(ini.balanceLevel) === '2'
  const accounts = new Map<string, Account>()
  const groups = new Map<string, { line: number; sum: number }>()
  let opening = 0
  for (const record of records) {
    if (record.code !== 'B110') continue
    const key = text(record, 'accountKey')
    const before = accounts.get(key)
    if (before) faults.add(record.line, 'duplicateAccount', { account: key, other: before.record!.line })
    else accounts.set(key, { record, debit: 0, credit: 0 })
    opening += amount(record, 'openingBalance')
  }
  let single = false
  for (const record of records) {
    if (record.code !== 'B100') continue
    single = true
    const key = text(record, 'account')
    let account = accounts.get(key)
    if (!account) {
      faults.add(record.line, 'unknownAccount', { account: key })
      accounts.set(key, (account = { debit: 0, credit: 0 }))
    }
    const side = text(record, 'debitCredit')
    const sum = amount(record, 'amount')
    if (side === '1') account.debit += sum
    else if (side === '2') account.credit += sum
    else faults.add(record.line, 'side', { found: side })
    const group = byBatch ? `m${text(record, 'batch')}` : `t${text(record, 'transaction')}`
    const found = groups.get(group) ?? { line: record.line, sum: 0 }
    found.sum += side === '2' ? -sum : sum
    groups.set(group, found)
  }
  if (single && String(ini?.bookkeepingType) !== '1')
    for (const [group, { line, sum }] of groups)
      if (sum !== 0)
        faults.add(line, byBatch ? 'batchUnbalanced' : 'unbalanced', {
          number: group.slice(1),
          differenceAgorot: sum,
        })
  for (const [key, { record, debit, credit }] of accounts) {
    if (!record) continue
    const [saidDebit, saidCredit] = [amount(record, 'totalDebit'), amount(record, 'totalCredit')]
    if (saidDebit !== debit)
      faults.add(record.line, 'turnoverDebit', { account: key, saidAgorot: saidDebit, foundAgorot: debit })
    if (saidCredit !== credit)
      faults.add(record.line, 'turnoverCredit', { account: key, saidAgorot: saidCredit, foundAgorot: credit })
  }
  if (opening !== 0) faults.add(0, 'openingSum', { differenceAgorot: opening })
}
