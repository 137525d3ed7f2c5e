import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encode } from '#domain/filings/uniform/charset.ts'
import type { DataCode } from '#domain/filings/uniform/layout.ts'
import { writeRecord, type Values } from '#domain/filings/uniform/record.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { createExpense, expenseFacts } from '#features/purchases/expenses/endpoints.ts'
import { closePeriod } from '#features/books/periods/endpoints.ts'
import { fileReturn, settleFiling, vatPeriodFacts } from '#features/tax/vat/endpoints.ts'
import { zipSync } from 'fflate'
import * as calls from './endpoints.ts'

let today = '2026-02-02'
let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())

const frame = { dealerNumber: '514756428', primaryId: '555555555555555', systemConstant: '&OF1.31&' }
type Line = [account: string, debit: number]

interface Told {
  to: string
  /** By the day: lines of an entry, and the reference and type of what it comes of. */
  entries: { day: string; lines: Line[]; reference?: string; type?: number }[]
  documents: { type: number; number: string; day: string; net: number; vat: number; cancelled?: boolean }[]
}

/**
 * A file of a made-up program: customers 30001, suppliers 40001, VAT 55001 (sales), 55002 (inputs), 55009
 * (settlement).
 */
function told({ to, entries, documents }: Told): Uint8Array {
  let n = 0
  const one = (code: DataCode, values: Values) =>
    writeRecord(code, { ...frame, recordNumber: ++n, ...values })
  const card = (
    accountKey: string,
    accountName: string,
    sortCode: string,
    sortCodeName: string,
    more: Values = {},
  ) => one('B110', { accountKey, accountName, sortCode, sortCodeName, ...more })
  const records = [
    one('A100', {}),
    ...entries.flatMap(({ day, lines, reference, type }, i) =>
      lines.map(([account, debit], j) =>
        one('B100', {
          transaction: i + 1,
          line: j + 1,
          batch: 1,
          date: day,
          valueDate: day,
          entryDate: day,
          account,
          debitCredit: debit > 0 ? 1 : 2,
          amount: Math.abs(debit),
          ...(reference ? { reference } : {}),
          ...(type ? { referenceType: type } : {}),
        }),
      ),
    ),
    card('30001', 'מאפיית הצפון', '30', 'לקוחות'),
    card('40001', 'טחנות הקמח', '40', 'ספקים', { partnerDealerNumber: '514756428' }),
    card('55001', 'מע"מ עסקאות', '55', 'מוסדות', { openingBalance: -7_700 }),
    card('55002', 'מע"מ תשומות', '55', 'מוסדות'),
    card('55009', 'מס ערך מוסף דרך המשרד', '55', 'מוסדות'),
    card('10001', 'בנק', '10', 'בנקים', { openingBalance: 7_700 }),
    card('70001', 'הכנסות ממכירות', '70', 'הכנסות'),
    card('80001', 'קניות', '80', 'קניות'),
    ...documents.flatMap(({ type, number, day, net, vat, cancelled }) => {
      const head = { documentType: type, documentNumber: number, documentDate: day }
      return [
        one('C100', {
          ...head,
          issueDate: day,
          customerName: 'מאפיית הצפון',
          customerKey: '30001',
          beforeDiscount: net,
          netAmount: net,
          vat,
          total: net + vat,
          ...(cancelled ? { cancelled: '1' } : {}),
        }),
        one('D110', {
          ...head,
          line: 1,
          description: 'לחם',
          quantity: 10_000,
          unitPrice: net,
          total: net,
          vatRate: 1800,
        }),
      ]
    }),
    one('Z900', { records: n + 1 }),
  ]
  const ini = writeRecord('A000', {
    ...frame,
    records: records.length,
    softwareName: 'ישן',
    balanceLevel: 1,
    charset: 2,
    rangeStart: '2026-01-01',
    rangeEnd: to,
  })
  return zipSync({
    'OPENFRMT/51475642.26/01010101/INI.TXT': encode(ini, 'cp862'),
    'OPENFRMT/51475642.26/01010101/BKMVDATA.ZIP': zipSync({
      'bkmvdata.txt': encode(records.join('\n'), 'cp862'),
    }),
  })
}

async function withBooks(given: Told, months = 2): Promise<Business> {
  today = '2026-02-02'
  const me = await newBusiness(world, { name: 'מאפים' })
  await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: months })
  const { id } = await me.call(calls.uploadUniform, { name: 'old.zip', bytes: told(given) } as never)
  await world.worker.drain()
  await me.call(calls.runUniformImport, { id, otherDealer: true })
  await world.worker.drain()
  expect(await me.call(calls.getUniformImport, { id })).toMatchObject({ state: 'done', error: null })
  return me
}

/**
 * January in the other program: sales of two kinds, what was bought, and the settling of the period before.
 */
const january: Told = {
  to: '2026-01-31',
  entries: [
    {
      day: '2026-01-03',
      reference: '901',
      type: 305,
      lines: [
        ['30001', 118_000],
        ['70001', -100_000],
        ['55001', -18_000],
      ],
    },
    // An invoice that is its receipt goes straight to the bank.
    {
      day: '2026-01-09',
      reference: '77',
      type: 320,
      lines: [
        ['10001', 59_000],
        ['70001', -50_000],
        ['55001', -9_000],
      ],
    },
    {
      day: '2026-01-12',
      reference: '4455',
      lines: [
        ['80001', 20_000],
        ['55002', 3_600],
        ['40001', -23_600],
      ],
    },
    {
      day: '2026-01-15',
      lines: [
        ['55001', 7_700],
        ['55009', -7_700],
      ],
    },
  ],
  documents: [
    { type: 305, number: '901', day: '2026-01-03', net: 100_000, vat: 18_000 },
    { type: 320, number: '77', day: '2026-01-09', net: 50_000, vat: 9_000 },
    { type: 305, number: '902', day: '2026-01-20', net: 30_000, vat: 5_400, cancelled: true },
  ],
}

const facts = (me: Business, period: string) => me.call(vatPeriodFacts, { period })
const figure = (of: Awaited<ReturnType<typeof facts>>, name: string) => {
  const { exactAgorot, booksAgorot } = of.figures.find((f) => f.name === name)!
  return [exactAgorot, booksAgorot]
}
const close = (me: Business, from: string) => me.call(closePeriod, { kind: 'month', from, despite: true })
const balanceOf = async (me: Business, number: string) =>
  (
    (await me.get('/api5/invoicecpa/accounts?size=200')).rows as { number: string; balanceAgorot: number }[]
  ).find((a) => a.number === number)?.balanceAgorot ?? 0

async function own(me: Business, day: string): Promise<void> {
  today = day
  const customer = await me.customer(`לקוח ${day}`)
  await me.invoice(customer.id, '1000')
  await me.call(expenseFacts, {})
  const { rows: types } = await world.app.db.pool.query<{ id: string }>(
    `select id from expense_types where company_id = $1 and key = 'rent'`,
    [(await me.get('/api/user/session')).companyId],
  )
  const supplier = await me.send<{ id: string }>('POST', '/api4/invoice/suppliers', { name: `ספק ${day}` })
  await me.call(createExpense, {
    supplierId: supplier.id,
    supplierNumber: day,
    date: day,
    lines: [{ typeId: types[0]!.id, netAgorot: 10_000, vatAgorot: 1_800 }],
  } as never)
}

describe('books that came from another program', () => {
  test('the period in which they end counts its documents and its bills with ours, is reported, settled and closed, and so is the next', async () => {
    const me = await withBooks(january)
    await own(me, '2026-02-10')
    today = '2026-03-05'
    const period = await facts(me, '2026-02')
    expect(period.differences).toEqual([])
    expect(period.brought).toEqual({ until: '2026-01-31', isWhole: false, differences: [] })
    expect(figure(period, 'taxableSales')).toEqual([250_000, 250_000])
    expect(figure(period, 'outputVat')).toEqual([45_000, 45_000])
    expect(figure(period, 'inputVatOther')).toEqual([5_400, 5_400])
    const filing = await me.call(fileReturn, { period: '2026-02', kind: 'return', settle: true })
    expect(filing.toPayAgorot).toBe(39_600)
    // What was owed of 2025 was moved by the other program; nothing of the period is left.
    expect(await Promise.all(['2100', '1200', '2110'].map((n) => balanceOf(me, n)))).toEqual([0, 0, -39_600])
    for (const month of ['2026-01-01', '2026-02-01']) await close(me, month)
    await own(me, '2026-04-03')
    today = '2026-05-05'
    expect(await me.call(fileReturn, { period: '2026-04', kind: 'return' })).toMatchObject({
      outputVatAgorot: 18_000,
      inputVatAgorot: 1_800,
    })
    for (const month of ['2026-03-01', '2026-04-01']) await close(me, month)
  })

  test('a period that lies wholly in them is closed without reporting it, nobody asks for it, and reporting it settles nothing', async () => {
    const me = await withBooks(january, 1)
    await own(me, '2026-02-10')
    today = '2026-03-05'
    const period = await facts(me, '2026-01')
    expect(period).toMatchObject({ differences: [], brought: { isWhole: true } })
    expect((await facts(me, '2026-02')).unfiledBefore).toBeNull()
    const closed = await close(me, '2026-01-01')
    expect(
      closed.checks.filter(({ name }) => name === 'vatFiled' || name === 'twoWays').map(({ state }) => state),
    ).toEqual(['ok', 'ok'])
    const filing = await me.call(fileReturn, { period: '2026-01', kind: 'return', settle: true })
    expect([filing.outputVatAgorot, (await facts(me, '2026-01')).settlement]).toEqual([27_000, null])
    expect(await me.call(fileReturn, { period: '2026-02', kind: 'return', settle: true })).toMatchObject({
      toPayAgorot: 16_200,
    })
  })

  test('a journal that posts a day together, and one without a single document, are reported too', async () => {
    const together: Told = {
      to: '2026-01-31',
      entries: [
        {
          day: '2026-01-05',
          lines: [
            ['30001', 236_000],
            ['70001', -200_000],
            ['55001', -36_000],
          ],
        },
      ],
      documents: [
        { type: 305, number: '901', day: '2026-01-05', net: 100_000, vat: 18_000 },
        { type: 305, number: '902', day: '2026-01-05', net: 100_000, vat: 18_000 },
      ],
    }
    const byDay = await withBooks(together)
    const alone = await withBooks({ ...together, documents: [] })
    // And one whose documents say less than its journal: what they part in stays on the account of VAT and is
    // told.
    const parted = await withBooks({ ...together, documents: together.documents.slice(1) })
    today = '2026-03-05'
    for (const me of [byDay, alone]) {
      const period = await facts(me, '2026-02')
      expect([period.differences, period.brought!.differences]).toEqual([[], []])
      expect([figure(period, 'taxableSales'), figure(period, 'outputVat')]).toEqual([
        [200_000, 200_000],
        [36_000, 36_000],
      ])
    }
    const period = await facts(parted, '2026-02')
    expect(period.brought!.differences).toEqual([
      { in: 'net', paperAgorot: 100_000, booksAgorot: 200_000 },
      { in: 'outputVat', paperAgorot: 18_000, booksAgorot: 36_000 },
    ])
    const { id, toPayAgorot } = await parted.call(fileReturn, { period: '2026-02', kind: 'return' })
    expect(toPayAgorot).toBe(18_000)
    await parted.call(settleFiling, { id })
    // 77 of 2025 and the 180 that no document has.
    expect(await Promise.all(['2100', '8900', '2110'].map((n) => balanceOf(parted, n)))).toEqual([
      -25_700, 0, -18_000,
    ])
    await close(parted, '2026-01-01')
  })
})
