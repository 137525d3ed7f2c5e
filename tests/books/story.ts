import { formatMoney, formatNumber } from '#domain/format.ts'
import { addDays } from '#domain/day.ts'
import { cancelDocument, createDocument } from '#features/sales/documents/endpoints.ts'
import { cancelExpense, createExpense, expenseFacts } from '#features/purchases/expenses/endpoints.ts'
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
}

export interface Story {
  title: string
  year: string
  kind: 'licensedDealer' | 'company' | 'partnership'
  lines: Line[]
  expected: string[]
}

const documentLine =
  /^(\d\d-\d\d)\s+taxInvoice\s+(\d+)\s+(\S.*?)\s{2,}([\d,.]+)\s*(\+ VAT|with VAT|no VAT|deposit)(?:\s+less (\d+)%)?$/
const creditLine = /^(\d\d-\d\d)\s+creditInvoice\s+(\d+)\s+of (\d+)$/
const expenseLine = /^(\d\d-\d\d)\s+expense\s+(\d+)\s+(\S.*?)\s{2,}(.+?)(?:\s{2,}paid by (cash|bank|card))?$/
const expensePart = /^(\w+) (-?[\d,.]+) (\+ VAT|no VAT)$/
const cancelLine = /^(\d\d-\d\d)\s+cancelExpense\s+(\d+)$/
const vatKinds = { '+ VAT': 1, 'with VAT': 2, deposit: 3, 'no VAT': 4 } as const

export function readStory(text: string): Story {
  const [head = '', ...rest] = text.split('\n').map((l) => l.replace(/\s+#.*$/, '').trimEnd())
  const said = /^(.*?), (\d{4}) \((\w+)\)$/.exec(head)
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
    throw new Error(`not understood: ${line}`)
  })
  return {
    title: said[1]!,
    year: said[2]!,
    kind: said[3] as Story['kind'],
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
    for (const line of story.lines) {
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
    return [await trialBalance(business, story), await vatReturn(business, story)]
  } finally {
    await world.close()
  }
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
