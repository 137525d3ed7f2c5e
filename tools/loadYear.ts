import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOfMonth } from '#domain/day.ts'
import { completeCheckDigit } from '#domain/taxId.ts'
import { call, startServer, stopAll } from './bench/server.ts'
import { hledgerAgrees } from './yearHledger.ts'
import { uniformThereAndBack } from './yearUniform.ts'

/*
 * `npm run load-year -- DIR`: enters a generated year of a business (data.jsonl) through the API of a separate
 * server, then compares the reports, and hledger's result from the product's export where it is installed, with the
 * expected figures (expected.json), to the agora. Made for generated data that the project does not contain.
 */
const dir = process.argv[2]
if (!dir || !existsSync(join(dir, 'data.jsonl'))) {
  console.log('Nothing to load: give the folder that holds data.jsonl and expected.json.')
  process.exit(dir ? 1 : 0)
}

type Row = Record<string, any>
const rows: Row[] = readFileSync(join(dir, 'data.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row)
const of = (kind: string): Row[] => rows.filter((r) => r.k === kind)
const expected = JSON.parse(readFileSync(join(dir, 'expected.json'), 'utf8')) as Row
const company = of('company')[0]!

// @ts-expect-error plain JavaScript without types: it must run before anything is installed
const { build } = (await import('./start.mjs')) as { build: () => void }
build()
const folder = mkdtempSync(join(tmpdir(), 'pinkas-year-'))
const server = await startServer(folder)
let token = ''
let keys = 0

async function send<T = any>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await call(server.url, method, path, {
    token,
    body,
    ...(method === 'GET' ? {} : { key: `year-${++keys}` }),
  })
  const text = answer.body.toString()
  if (answer.status >= 300)
    throw new Error(
      `${method} ${path}: ${answer.status} ${text.slice(0, 600)}\n${JSON.stringify(body)?.slice(0, 600)}`,
    )
  return JSON.parse(text) as T
}

const ids = new Map<string, string>()
const id = (ref: string): string => ids.get(ref) ?? fail(`unknown: ${ref}`)
const fail = (why: string): never => {
  throw new Error(why)
}
const progress = (what: string, done: number, all: number) =>
  process.stdout.write(`\r\u001b[K${what} ${done}/${all}`)
/** Four at a time, as the people of an office would: what does not lean on each other needs no order. */
async function several(what: string, all: readonly Row[], work: (row: Row) => Promise<void>): Promise<void> {
  let next = 0
  const one = async () => {
    for (let row = all[next++]; row; row = all[next++]) {
      await work(row)
      if (next % 20 === 0) progress(what, Math.min(next, all.length), all.length)
    }
  }
  await Promise.all([one(), one(), one(), one()])
}
/** Ten-thousandths or hundredths as decimal text. */
const decimal = (n: number, places: number): string => (n / 10 ** places).toFixed(places)

const types: Record<string, number> = {
  quote: 1,
  order: 2,
  proforma: 5,
  invoice: 8,
  invoice_receipt: 9,
  credit: 10,
  receipt: 6,
}
const means: Record<string, number> = { cash: 1, cheque: 2, transfer: 3, card: 4, app: 5, withholding: 7 }

const lineOf = (l: Row, d: Row) => ({
  itemId: id(`${l.item}@${l.account}`),
  description: l.description,
  quantity: decimal(l.qty_milli, 3),
  unitPrice: decimal(l.unit_price, 2),
  vatKind: l.vat_class === 'standard' ? (d.prices_include_vat ? 2 : 1) : 4,
  ...(l.discount_bp ? { discount: { basisPoints: l.discount_bp } } : {}),
})
const paymentsOf = (d: Row) =>
  d.payments?.map((p: Row) => ({
    means: means[p.method] ?? fail(p.method),
    amountAgorot: p.amount,
    ...(p.due ? { dueDate: p.due } : {}),
    ...(p.bank ? { bank: String(p.bank) } : {}),
    ...(p.branch ? { branch: String(p.branch) } : {}),
    // The generator knows no account of a cheque.
    ...(p.cheque_no ? { account: '100000', number: String(p.cheque_no) } : {}),
    ...(p.last4 ? { cardBrand: p.brand, cardLast4: p.last4, instalments: p.instalments } : {}),
  }))
const documentOf = (d: Row) => ({
  type: types[d.type] ?? fail(d.type),
  customerId: id(d.customer),
  date: d.date,
  clientKey: d.ref,
  // The generator pays in cash whatever the sum.
  cashException: 'generated data',
  // And it may credit the same line twice.
  ...(d.credits ? { classException: 'generated data' } : {}),
  ...(d.due ? { dueDate: d.due } : {}),
  ...(d.lines ? { lines: d.lines.map((l: Row) => lineOf(l, d)) } : {}),
  ...(d.discount_bp ? { discount: { basisPoints: d.discount_bp } } : {}),
  ...(d.payments ? { payments: paymentsOf(d) } : {}),
  ...(d.credits ? { sourceId: id(d.credits) } : {}),
  ...(d.applied?.length
    ? { closes: d.applied.map((a: Row) => ({ documentId: id(a.ref), amountAgorot: a.amount })) }
    : {}),
})

try {
  token = (
    await send('POST', '/api/user/signup', {
      email: 'year@example.test',
      password: 'a long enough password',
      fullName: 'Year',
      business: { name: company.name, kind: 'company', taxId: company.company_no },
      termsAccepted: true,
    })
  ).UserKey
  await send('PATCH', '/api4/invoice/company', { vatPeriodMonths: company.vat_period === 'month' ? 1 : 2 })

  const chart = (await send('GET', '/api5/invoicecpa/accounts?size=200')).rows as Row[]
  for (const a of of('account')) {
    const known = chart.find((c) => c.number === a.code)
    ids.set(
      `account:${a.code}`,
      known?.id ??
        (await send('POST', '/api5/invoicecpa/accounts', { number: a.code, name: a.name_he, kind: a.type }))
          .id,
    )
  }
  for (const c of of('customer'))
    ids.set(
      c.id,
      (
        await send('POST', '/api4/invoice/customers', {
          name: c.name,
          taxId: c.tax_id,
          isDealer: c.kind === 'business',
          email: c.email,
          phone: c.phone,
          street: c.street,
          city: c.city,
          language: c.lang,
          dueTerms: `${c.terms_from === 'date' ? 'net' : 'eom'}:${c.terms_days}`,
        })
      ).id,
    )
  for (const s of of('supplier'))
    ids.set(s.id, (await send('POST', '/api4/invoice/suppliers', { name: s.name, taxId: s.tax_id })).id)
  // The generator posts a line where its customer belongs (sales abroad apart); here the item says it, so an item
  // occurs once for each account.
  const accountsOf = new Map<string, Set<string>>()
  for (const d of of('document'))
    for (const l of d.lines ?? [])
      accountsOf.set(l.item, (accountsOf.get(l.item) ?? new Set()).add(l.account))
  for (const t of of('item').flatMap((one) =>
    [...(accountsOf.get(one.id) ?? [])].map((account): Row => ({ ...one, account })),
  ))
    ids.set(
      `${t.id}@${t.account}`,
      (
        await send('POST', '/api4/invoice/items', {
          name: t.name,
          sku: `${t.sku}-${t.account}`,
          price: decimal(t.unit_price, 2),
          accountId: id(`account:${t.account}`),
        })
      ).id,
    )

  // Numbers begin where the generated ones begin.
  const series = (await send('GET', '/api4/invoice/company/series')).rows as Row[]
  const firsts = new Map<number, number>()
  for (const d of of('document')) if (!firsts.has(types[d.type]!)) firsts.set(types[d.type]!, d.number)
  for (const s of series)
    if (firsts.has(s.type))
      await send('PUT', '/api4/invoice/company/series', { series: s.series, nextNumber: firsts.get(s.type) })

  const shares: Record<string, string> = {
    '1/1': 'full',
    '2/3': 'twoThirds',
    '1/4': 'quarter',
    '0/1': 'none',
  }
  const expenseType = async (e: Row): Promise<string> => {
    const share =
      shares[e.vat_deductible_num === 0 ? '0/1' : `${e.vat_deductible_num}/${e.vat_deductible_den}`] ??
      fail('share')
    const key = `type:${e.category}:${e.account}:${share}:${e.is_fixed_asset}`
    if (!ids.has(key))
      ids.set(
        key,
        (
          await send('POST', '/api4/invoice/expensetypes', {
            name: `${e.category} ${e.account} ${share}`,
            accountId: id(`account:${e.account}`),
            vatShare: share,
            isFixedAsset: e.is_fixed_asset,
          })
        ).id,
      )
    return id(key)
  }

  const started = performance.now()
  // Type by type, each in the order of its numbers: what a credit or a receipt leans on is there before it.
  const order = ['quote', 'order', 'proforma', 'invoice', 'invoice_receipt', 'credit', 'receipt']
  const documents = of('document').toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
  let done = 0
  let waiting: Row[] = []
  const flush = async () => {
    if (!waiting.length) return
    const { rows: made } = await send('POST', '/api4/invoice/documents/batch', {
      documents: waiting.map(documentOf),
    })
    made.forEach((m: Row, i: number) => ids.set(waiting[i]!.ref, m.id))
    done += waiting.length
    progress('documents', done, documents.length)
    waiting = []
  }
  for (const d of documents) {
    if (waiting.length >= 200 || waiting[0]?.type !== d.type) await flush()
    waiting.push(d)
  }
  await flush()
  const seconds = (performance.now() - started) / 1000
  console.log(
    `\n${documents.length} documents in ${seconds.toFixed(1)} s: ${Math.round(documents.length / seconds)} a second`,
  )

  const expenses = of('expense')
  for (const e of expenses) await expenseType(e)
  await several('expenses', expenses, async (e) => {
    const made = await send('POST', '/api4/invoice/expenses', {
      supplierId: id(e.supplier),
      supplierNumber: e.supplier_invoice_no,
      date: e.date,
      vatDate: e.date,
      lines: [{ typeId: await expenseType(e), netAgorot: e.net, vatAgorot: e.vat }],
      means: e.paid_by === null ? 'onCredit' : e.paid_by === 'cash' ? 'cash' : 'bank',
    })
    ids.set(e.id, made.id)
    if (made.state !== 'approved') fail(`expense ${e.id} is ${made.state}`)
  })
  await several('payments', of('supplier_payment'), async (p) => {
    await send('POST', `/api4/invoice/expenses/${id(p.expense)}/pay`, {
      date: p.date,
      means: p.method === 'cash' ? 'cash' : 'bank',
      amountAgorot: p.amount,
    })
  })
  for (const j of of('journal'))
    await send('POST', '/api5/invoicecpa/entries', {
      date: j.date,
      reference: j.ref,
      details: j.text,
      lines: j.lines.map((l: Row) => ({
        accountNumber: l.a,
        debitAgorot: Math.max(l.x, 0),
        creditAgorot: Math.max(-l.x, 0),
      })),
    })
  process.stdout.write('\r\u001b[K')

  const different =
    (await compare()) +
    (await hledgerAgrees(server.url, token, { from: company.from, to: company.to }, expected)) +
    (await uniformThereAndBack(
      server.url,
      token,
      { from: company.from, to: company.to },
      completeCheckDigit('51475600'),
    ))
  console.log(different ? `${different} figures differ` : 'Every figure is as expected.')
  process.exitCode = different ? 1 : 0
} finally {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
}

/** What the product says, in the words of expected.json; differences are printed and counted. */
async function compare(): Promise<number> {
  let compared = 0
  let different = 0
  const same = (path: string, want: number | undefined, got: number | undefined) => {
    compared++
    if ((want ?? 0) === (got ?? 0)) return
    if (++different <= 30) console.log(`DIFFERENT ${path}: expected ${want ?? 0}, product ${got ?? 0}`)
  }
  const report = (name: string, query: Row) =>
    send('GET', `/api4/invoice/reports/${name}?${new URLSearchParams(query as Record<string, string>)}`)

  const trial = await report('trialBalance', { from: company.from, to: company.to })
  const balances = new Map<string, number>(
    trial.rows.filter((r: Row) => r.number).map((r: Row) => [String(r.number), Number(r.balanceAgorot)]),
  )
  for (const number of new Set([...Object.keys(expected.trial_balance), ...balances.keys()]))
    same(`trial_balance.${number}`, expected.trial_balance[number], balances.get(number))

  const profit = await report('profitLoss', { from: company.from, to: company.to, level: 'account' })
  const earned = new Map<string, number>(
    profit.rows
      .filter((r: Row) => !r.sum)
      .map((r: Row) => [
        String(r.code),
        Number(r.amountAgorot) * (['revenue', 'other'].includes(String(r.section)) ? 1 : -1),
      ]),
  )
  const { income, expense } = expected.profit_and_loss
  for (const number of new Set([...Object.keys(income), ...Object.keys(expense), ...earned.keys()]))
    same(
      `profit_and_loss.${number}`,
      -Number(income[number] ?? 0) - Number(expense[number] ?? 0) || 0,
      earned.get(number),
    )
  same(
    'profit_and_loss.profit',
    expected.profit_and_loss.profit,
    profit.rows.findLast((r: Row) => r.sum)?.amountAgorot,
  )

  for (const [month, want] of Object.entries<Row>(expected.vat_by_month)) {
    const got = await report('vat', { from: `${month}-01`, to: endOfMonth(`${month}-01`) })
    for (const [name, figure] of Object.entries(vatFigures(got)))
      same(`vat.${month}.${name}`, want[name], figure)
  }

  const people = new Map<string, Row>()
  for (const kind of ['customers', 'suppliers']) {
    let cursor = ''
    do {
      const page = await send('GET', `/api4/invoice/${kind}?size=200${cursor ? `&cursor=${cursor}` : ''}`)
      for (const r of page.rows) people.set(r.id, r)
      cursor = page.nextCursor ?? ''
    } while (cursor)
  }
  for (const c of of('customer'))
    same(`customer_balances.${c.id}`, expected.customer_balances[c.id], people.get(id(c.id))?.balanceAgorot)
  for (const s of of('supplier'))
    same(
      `supplier_balances.${s.id}`,
      Math.abs(expected.supplier_balances[s.id] ?? 0),
      Math.abs(people.get(id(s.id))?.balanceAgorot ?? 0),
    )

  const ages = await report('ageing', { day: expected.as_of })
  const columns: Record<string, readonly string[]> = {
    not_due: ['notDueAgorot'],
    d1_30: ['d30Agorot'],
    d31_60: ['d60Agorot'],
    d61_90: ['d90Agorot'],
    d91_plus: ['d120Agorot', 'moreAgorot'],
    unapplied: ['unappliedAgorot'],
    total: ['openAgorot'],
  }
  const together = (row: Row | undefined, names: readonly string[]) =>
    names.reduce((total, name) => total + Number(row?.[name] ?? 0), 0)
  const unknown = Object.keys(ages.totals as Row).filter(
    (name) => name.endsWith('Agorot') && !Object.values(columns).flat().includes(name),
  )
  // A column that nobody compares would hide what it holds.
  if (unknown.length) fail(`the ageing report has columns that are not compared: ${unknown.join(', ')}`)
  const agesOf = new Map<string, Row>(ages.rows.map((r: Row) => [String(r.open).slice(-36), r]))
  for (const [theirs, ours] of Object.entries(columns)) {
    same(`ageing_total.${theirs}`, expected.ageing_total[theirs], together(ages.totals, ours))
    for (const c of of('customer')) {
      same(`ageing.${c.id}.${theirs}`, expected.ageing[c.id]?.[theirs], together(agesOf.get(id(c.id)), ours))
    }
  }

  const series = (await send('GET', '/api4/invoice/company/series')).rows as Row[]
  for (const [type, last] of Object.entries<number>(expected.last_numbers))
    same(`last_numbers.${type}`, last, (series.find((s) => s.type === types[type])?.nextNumber ?? 0) - 1)
  // By kind: how many there are and what they come to.
  const made = new Map<string, { count: number; total: number }>()
  let cursor = ''
  do {
    const page = await send(
      'GET',
      `/api4/invoice/documents?size=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    for (const r of page.rows as Row[]) {
      const type = Object.keys(types).find((name) => types[name] === r.type) ?? String(r.type)
      const before = made.get(type) ?? { count: 0, total: 0 }
      // A credit is in lists with the sign it has for the customer.
      made.set(type, { count: before.count + 1, total: before.total + Math.abs(Number(r.totalAgorot)) })
    }
    cursor = page.nextCursor ?? ''
  } while (cursor)
  for (const type of new Set([...Object.keys(expected.document_counts), ...made.keys()])) {
    same(`document_counts.${type}`, expected.document_counts[type], made.get(type)?.count)
    same(`document_totals.${type}`, expected.document_totals[type], made.get(type)?.total)
  }
  console.log(`${compared} figures compared`)
  return different
}

/** The lines of the VAT return by their names. */
function vatFigures(answer: Row): Row {
  const figure = (name: string) =>
    Number(answer.rows.find((r: Row) => r.line === name)?.fromDocumentsAgorot ?? Number.NaN)
  return {
    sales_taxable_net: figure('taxableSales'),
    sales_exempt_net: figure('untaxedSales'),
    output_vat: figure('outputVat'),
    input_vat_other: figure('inputVatOther'),
    input_vat_assets: figure('inputVatEquipment'),
    payable: figure('toPay'),
  }
}
