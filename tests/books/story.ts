import { formatMoney, formatNumber } from '#domain/format.ts'
import { addDays } from '#domain/day.ts'
import { cancelDocument, createDocument, openItems } from '#features/sales/documents/endpoints.ts'
import { cancelExpense, createExpense, expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { keepOpening, postOpening } from '#features/books/journal/endpoints.ts'
import { changeVatBasis } from '#features/tax/vat/endpoints.ts'
import { say } from '#kit/server/words.ts'
import { setSeries } from '#features/base/companies/endpoints.ts'
import { newBusiness, startWorld, type Business } from '../world.ts'

/*
 * A story is a business's month in lines, then what its books must say:
 *
 *   a plumber's May, 2026 (licensedDealer)
 *   05-03  taxInvoice     1001  Cohen   1,000.00 + VAT
 *   05-20  creditInvoice  501   of 1001
 *   05-21  expense        8801  Paz     fuel 100.00 + VAT, hospitality 50.00 + VAT  paid by card
 *   05-22  cancelExpense  8801
 *
 *   trial balance   Cohen 1,180.00 D   Income from services 1,000.00 C   Output VAT 180.00 C
 *   VAT return      sales 1,000   output VAT 180   to pay 180
 *
 * A business that moves in tells its basis and its unpaid invoices, and what was paid of them:
 *
 *   moving in, 2026 (licensedDealer, cash basis)
 *   05-01  openItem  2087  Cohen  1,180.00  VAT 180.00
 *   05-20  receipt   of 2087  590.00
 *
 * The lines below the empty line are what the story expects; `tell` gives what the server really says, in the
 * same words.
 */
interface Line {
  day: string
  type: string
  number: number
  of?: number
  customer?: string
  price?: string
  vatKind?: 1 | 2 | 3 | 4
  discount?: number
  parts?: { type: string; netAgorot: number; vatAgorot: number }[]
  means?: 'onCredit' | 'cash' | 'bank' | 'card'
  agorot?: number
  vatAgorot?: number
}

export interface Story {
  title: string
  year: string
  kind: 'licensedDealer' | 'company' | 'partnership' | 'exemptDealer'
  isCashBasis: boolean
  lines: Line[]
  expected: string[]
}

const documentLine =
  /^(\d\d-\d\d)\s+taxInvoice\s+(\d+)\s+(\S.*?)\s{2,}([\d,.]+)\s*(\+ VAT|with VAT|no VAT|deposit)(?:\s+less (\d+)%)?$/
const creditLine = /^(\d\d-\d\d)\s+creditInvoice\s+(\d+)\s+of (\d+)$/
const expenseLine = /^(\d\d-\d\d)\s+expense\s+(\d+)\s+(\S.*?)\s{2,}(.+?)(?:\s{2,}paid by (cash|bank|card))?$/
const expensePart = /^(\w+) (-?[\d,.]+) (\+ VAT|no VAT)$/
const openItemLine = /^(\d\d-\d\d)\s+openItem\s+(\d+)\s+(\S.*?)\s{2,}([\d,.]+)(?:\s+VAT ([\d,.]+))?$/
const receiptLine = /^(\d\d-\d\d)\s+receipt\s+of (\d+)\s+([\d,.]+)$/
const agorotOf = (text = '0') => Math.round(Number(text.replaceAll(',', '')) * 100)
const cancelLine = /^(\d\d-\d\d)\s+cancelExpense\s+(\d+)$/
const vatKinds = { '+ VAT': 1, 'with VAT': 2, deposit: 3, 'no VAT': 4 } as const

export function readStory(text: string): Story {
  const [head = '', ...rest] = text
    .split('\n')
    .filter((l) => !l.startsWith('#'))
    .map((l) => l.replace(/\s+#.*$/, '').trimEnd())
  const said = /^(.*?), (\d{4}) \((\w+)(, cash basis)?\)$/.exec(head)
  if (!said) throw new Error(`the first line names the story, its year and the kind of business: ${head}`)
  const gap = rest.indexOf('')
  const lines = rest.slice(0, gap).map((line): Line => {
    const invoice = documentLine.exec(line)
    if (invoice) {
      const [, day, number, customer, price, vat, less] = invoice
      return {
        day: day!,
        type: 'taxInvoice',
        number: Number(number),
        customer: customer!,
        price: price!.replaceAll(',', ''),
        vatKind: vatKinds[vat as keyof typeof vatKinds],
        ...(less ? { discount: Number(less) * 100 } : {}),
      }
    }
    const credit = creditLine.exec(line)
    if (credit)
      return { day: credit[1]!, type: 'creditInvoice', number: Number(credit[2]), of: Number(credit[3]) }
    const cancelled = cancelLine.exec(line)
    if (cancelled) return { day: cancelled[1]!, type: 'cancelExpense', number: Number(cancelled[2]) }
    const expense = expenseLine.exec(line)
    if (expense) {
      const [, day, number, supplier, parts, means] = expense
      return {
        day: day!,
        type: 'expense',
        number: Number(number),
        customer: supplier!,
        means: (means as Line['means']) ?? 'onCredit',
        parts: parts!.split(/,\s+/).map((part) => partOf(part, line)),
      }
    }
    const open = openItemLine.exec(line)
    if (open)
      return {
        day: open[1]!,
        type: 'openItem',
        number: Number(open[2]),
        customer: open[3]!,
        agorot: agorotOf(open[4]),
        vatAgorot: agorotOf(open[5]),
      }
    const receipt = receiptLine.exec(line)
    if (receipt)
      return { day: receipt[1]!, type: 'receipt', number: Number(receipt[2]), agorot: agorotOf(receipt[3]) }
    throw new Error(`not understood: ${line}`)
  })
  return {
    title: said[1]!,
    year: said[2]!,
    kind: said[3] as Story['kind'],
    isCashBasis: said[4] !== undefined,
    lines,
    expected: rest.slice(gap + 1).filter((l) => l !== ''),
  }
}

function partOf(text: string, line: string): { type: string; netAgorot: number; vatAgorot: number } {
  const [, type, net, vat] = expensePart.exec(text) ?? []
  if (!type) throw new Error(`not understood: ${text} in ${line}`)
  const netAgorot = Math.round(Number(net!.replaceAll(',', '')) * 100)
  return { type, netAgorot, vatAgorot: vat === '+ VAT' ? Math.round(netAgorot * 0.18) : 0 }
}

/** Lives the story through the server's own calls and says what the books say. */
export async function tell(story: Story): Promise<string[]> {
  let today = `${story.year}-01-01`
  const world = await startWorld(() => new Date(`${today}T09:00:00Z`))
  try {
    const business = await newBusiness(world, { kind: story.kind, language: 'en' as 'he' })
    const customers = new Map<string, string>()
    const expenses = new Map<number, string>()
    const made = new Map<number, string>()
    for (const [series, type] of [
      ['taxInvoice', 'taxInvoice'],
      ['creditInvoice', 'creditInvoice'],
    ] as const) {
      const first = story.lines.find((l) => l.type === type)
      if (first) await business.call(setSeries, { series, nextNumber: first.number })
    }
    today = `${story.year}-${story.lines[0]!.day}`
    await moveIn(business, story, customers, made)
    for (const line of story.lines) {
      if (line.type === 'openItem') continue
      today = `${story.year}-${line.day}`
      if (line.type === 'expense') {
        const { types } = await business.call(expenseFacts, {})
        const typeId = (key: string) =>
          types.find((one) => one.name === say('en', `expenses.types.${key}`))!.id
        const saved = await business.call(createExpense, {
          supplier: { name: line.customer! },
          supplierNumber: String(line.number),
          lines: line.parts!.map(({ type, ...sums }) => ({ typeId: typeId(type), ...sums })),
          means: line.means!,
        })
        expenses.set(line.number, saved.id)
        continue
      }
      if (line.type === 'receipt') {
        const of = story.lines.find((one) => one.type === 'openItem' && one.number === line.number)!
        const documentId = made.get(line.number)!
        await business.call(createDocument, {
          type: 6,
          customerId: customers.get(of.customer!)!,
          date: today,
          payments: [{ means: 3, amountAgorot: line.agorot! }],
          closes: [{ documentId, amountAgorot: line.agorot! }],
        } as never)
        continue
      }
      if (line.type === 'cancelExpense') {
        await business.call(cancelExpense, { id: expenses.get(line.number)!, reason: 'story' })
        continue
      }
      if (line.type === 'creditInvoice') {
        const credit = await business.call(cancelDocument, { id: made.get(line.of!)!, reason: 'story' })
        if (credit.number !== line.number)
          throw new Error(`the credit got number ${credit.number}, the story says ${line.number}`)
        continue
      }
      const known = customers.get(line.customer!) ?? (await business.customer(line.customer!)).id
      customers.set(line.customer!, known)
      const invoice = await business.call(createDocument, {
        type: 8,
        customerId: known,
        lines: [
          {
            description: 'work',
            unitPrice: line.price!,
            vatKind: line.vatKind!,
            ...(line.discount ? { discount: { basisPoints: line.discount } } : {}),
          },
        ],
      })
      if (invoice.number !== line.number)
        throw new Error(`the invoice got number ${invoice.number}, the story says ${line.number}`)
      made.set(line.number, invoice.id)
    }
    const isMovedIn = story.lines.some(({ type }) => type === 'openItem')
    return [
      await trialBalance(business, story),
      ...(story.kind === 'exemptDealer' ? [] : [await vatReturn(business, story)]),
      ...(isMovedIn ? [await income(business, story)] : []),
    ]
  } finally {
    await world.close()
  }
}

/** The basis of the VAT and the unpaid invoices of the books before, opened on the day of the first of them. */
async function moveIn(
  business: Business,
  story: Story,
  customers: Map<string, string>,
  made: Map<number, string>,
): Promise<void> {
  const items = story.lines.filter(({ type }) => type === 'openItem')
  const date = `${story.year}-${items[0]?.day ?? '01-01'}`
  if (story.isCashBasis) await business.call(changeVatBasis, { basis: 'cash', from: date })
  if (!items.length) return
  for (const { customer, number, agorot, vatAgorot } of items) {
    const partyId = customers.get(customer!) ?? (await business.customer(customer!)).id
    customers.set(customer!, partyId)
    await business.send('POST', '/api5/invoicecpa/openingCustomers', {
      partyId,
      number: String(number),
      day: addDays(date, -60),
      amountAgorot: agorot!,
      ...(vatAgorot ? { vatAgorot } : {}),
    })
  }
  await business.call(keepOpening, { date, lines: [] })
  await business.call(postOpening, { leaveDifference: true })
  for (const { customer, number } of items) {
    const { rows } = await business.call(openItems, { customerId: customers.get(customer!)! })
    made.set(number, rows.find((row) => row.openingNumber === String(number))!.id)
  }
}

/** What each report takes for income of the time; they say the same. */
async function income(business: Business, story: Story): Promise<string> {
  const of = async (name: string) => business.get(`/api4/invoice/reports/${name}?${period(story)}`)
  const advances = (await of('advances')) as {
    rows: { turnoverAgorot: number; booksTurnoverAgorot: number; isTurnoverSame: boolean }[]
  }
  if (advances.rows.some((row) => row.turnoverAgorot !== row.booksTurnoverAgorot || !row.isTurnoverSame))
    throw new Error('documents and books differ on the turnover')
  const turnover = advances.rows.reduce((all, row) => all + row.turnoverAgorot, 0)
  const small = await business.get(`/api4/invoice/smallbusiness?year=${story.year}`)
  const profit = (await of('trialBalance')) as { rows: { number: string; balanceAgorot: number }[] }
  const accounts = profit.rows.filter(({ number }) => number.startsWith('4'))
  const booked = -accounts.reduce((all, row) => all + row.balanceAgorot, 0)
  return `income          books ${formatMoney(booked)}   advances ${formatMoney(turnover)}   tax year ${formatMoney(small.figures.turnoverAgorot)}`
}

const side = (agorot: number) => `${formatMoney(Math.abs(agorot))} ${agorot < 0 ? 'C' : 'D'}`
const period = ({ year, lines }: Story) =>
  `from=${year}-01-01&to=${addDays(`${year}-${lines.at(-1)!.day}`, 31)}`

async function trialBalance(business: Business, story: Story): Promise<string> {
  const report = await business.get(`/api4/invoice/reports/trialBalance?${period(story)}`)
  if (!report.checks.every((c: { ok: boolean }) => c.ok))
    throw new Error('a check of the trial balance failed')
  const parts: string[] = []
  for (const row of report.rows as { number: string; account: string; balanceAgorot: number }[]) {
    if (row.number === '2000') {
      // Debts are checked supplier by supplier; the open bills must equal the cards.
      const { rows, totals } = await business.get('/api4/invoice/reports/supplierBalances')
      if (totals.openAgorot !== -row.balanceAgorot || totals.cardAgorot !== -row.balanceAgorot)
        throw new Error('the open bills, the suppliers’ cards and their account differ')
      const owed = (rows as { supplier: string; cardAgorot: number }[]).toSorted((a, b) =>
        a.supplier.localeCompare(b.supplier),
      )
      parts.push(...owed.filter((s) => s.cardAgorot !== 0).map((s) => `${s.supplier} ${side(-s.cardAgorot)}`))
      continue
    }
    if (row.number !== '1100') {
      if (row.balanceAgorot) parts.push(`${row.account} ${side(row.balanceAgorot)}`)
      continue
    }
    // The control account is checked customer by customer; their cards must add up to it.
    const { rows } = await business.get('/api4/invoice/customers?size=200')
    const open = (rows as { name: string; balanceAgorot: number }[]).filter((c) => c.balanceAgorot !== 0)
    if (open.reduce((sum, c) => sum + c.balanceAgorot, 0) !== row.balanceAgorot)
      throw new Error('the customers’ cards do not add up to their account')
    parts.push(...open.map((c) => `${c.name} ${side(c.balanceAgorot)}`))
  }
  return `trial balance   ${parts.join('   ')}`.trimEnd()
}

async function vatReturn(business: Business, story: Story): Promise<string> {
  const report = await business.get(`/api4/invoice/reports/vat?${period(story)}`)
  if (!report.checks.every((c: { ok: boolean }) => c.ok)) throw new Error('documents and books differ on VAT')
  const of = (line: string) =>
    formatNumber(
      (report.rows as { line: string; shekels: number }[]).find((r) => r.line === line)!.shekels / 100,
    )
  const input = story.lines.some((line) => line.type === 'expense')
    ? `   equipment ${of('inputVatEquipment')}   other input VAT ${of('inputVatOther')}`
    : ''
  return `VAT return      sales ${of('taxableSales')}   exempt ${of('untaxedSales')}   output VAT ${of('outputVat')}${input}   to pay ${of('toPay')}`
}
