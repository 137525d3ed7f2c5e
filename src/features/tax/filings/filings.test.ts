import iconv from 'iconv-lite'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse6111 } from '#domain/filings/form6111/parse.ts'
import { useEnteredLaw } from '#domain/law/dated.ts'
import { asCaller, systemCaller, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addEntry, import6111, tie6111 } from '#features/base/ledger/endpoints.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import {
  cancelPaymentOfSupplier,
  createSupplierPayment,
} from '#features/purchases/supplierPayments/endpoints.ts'
import { mergeSuppliers } from '#features/registers/suppliers/endpoints.ts'
import { withholdingOn } from '#features/registers/suppliers/server/index.ts'
import * as calls from './endpoints.ts'
import { namedIn856, withheldIn } from './server/index.ts'

let world: World
let shop: Business
let companyId: string
let office: string
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-22T09:00:00Z'))
  shop = await newBusiness(world)
  companyId = (await shop.get('/api/user/session')).companyId
  await asSystem(world.app.db, (tx) =>
    sql`update companies set withholding_file = '912345678', vat_period_months = 2
      where id = ${companyId}`.execute(tx),
  )
  await shop.send('POST', '/api4/invoice/company/advancerates', { from: '2020-01-01', rateBp: 500 })
  const kinds = (await shop.get('/api4/invoice/expensetypes?size=100')).rows as {
    id: string
    accountNumber: string
    isFixedAsset: boolean
  }[]
  office = kinds.find((kind) => kind.accountNumber === '6040')!.id
})
afterAll(() => world.close())

let bills = 0
async function owe(
  supplierId: string,
  netAgorot: number,
  date: string,
): Promise<{ id: string; totalAgorot: number }> {
  return shop.send('POST', '/api4/invoice/expenses', {
    supplierId,
    supplierNumber: String(++bills),
    date,
    means: 'onCredit',
    lines: [{ typeId: office, netAgorot, vatAgorot: Math.round(netAgorot * 0.18) }],
  })
}
const pay = (supplierId: string, bill: { id: string; totalAgorot: number }, date: string) =>
  shop.call(createSupplierPayment, {
    supplierId,
    bills: [{ id: bill.id, amountAgorot: bill.totalAgorot }],
    date,
    means: 'bank',
  })
const supplier = (values: Record<string, unknown>): Promise<{ id: string }> =>
  shop.send('POST', '/api4/invoice/suppliers', values)

describe('form 856', () => {
  let lawyer: string
  let painter: string

  test('is what suppliers were paid and what was withheld, from the payments and from the books', async () => {
    lawyer = (
      await supplier({
        name: 'עו״ד נחום',
        taxId: newTaxId(),
        city: 'חיפה',
        email: 'law@example.com',
        language: 'en',
        occupation: 'עריכת דין',
        assessingOffice: 'חיפה',
      })
    ).id
    painter = (await supplier({ name: 'צבעי', withholdingKind: '13', isPaResident: true })).id
    const first = await owe(lawyer, 100_000, '2026-02-10')
    const made = await pay(lawyer, first, '2026-03-01')
    expect(made).toMatchObject({ grossAgorot: 118_000, withheldAgorot: 35_400 })
    await pay(lawyer, await owe(lawyer, 50_000, '2026-05-01'), '2026-06-15')
    await pay(painter, await owe(painter, 200_000, '2026-05-01'), '2026-06-20')
    // Paid at once: a payment without tax, which the return tells all the same.
    await shop.send('POST', '/api4/invoice/expenses', {
      supplierId: painter,
      supplierNumber: 'מזומן',
      date: '2026-07-01',
      means: 'bank',
      lines: [{ typeId: office, netAgorot: 10_000 }],
    })
    // Last year is another return, and what is reversed counts no more.
    await pay(lawyer, await owe(lawyer, 70_000, '2025-12-01'), '2025-12-31')
    const wrong = await pay(lawyer, await owe(lawyer, 30_000, '2026-08-01'), '2026-08-02')
    await shop.call(cancelPaymentOfSupplier, { id: wrong.id })

    const form = await shop.call(calls.form856, { year: 2026 })
    expect(
      form.rows.map((row) => [row.name, row.payments, row.grossAgorot, row.withheldAgorot, row.kind856]),
    ).toEqual([
      ['עו״ד נחום', 2, 177_000, 53_100, '06'],
      ['צבעי', 2, 246_000, 82_600, '13'],
    ])
    for (const row of form.rows)
      expect([row.booksGrossAgorot, row.booksWithheldAgorot]).toEqual([row.grossAgorot, row.withheldAgorot])
    expect(form.rows[1]!.missing).toEqual(['taxId', 'address'])
    expect(form.rows.map((row) => [row.occupation, row.assessingOffice, row.isPaResident])).toEqual([
      ['עריכת דין', 'חיפה', false],
      [null, null, true],
    ])
    expect(form.others).toEqual([])
    expect((await shop.call(calls.form856, { year: 2025 })).totals).toMatchObject({
      grossAgorot: 82_600,
      booksGrossAgorot: 82_600,
    })
    const paid = (await shop.get('/api4/invoice/supplierpayments?size=100')).rows as {
      day: string
      withheldAgorot: number
      state: string
    }[]
    const ofYear = paid.filter((one) => one.state === 'paid' && one.day.startsWith('2026'))
    expect(form.totals.withheldAgorot).toBe(ofYear.reduce((sum, one) => sum + one.withheldAgorot, 0))
  })

  test('names what the account holds besides: what was paid to the authority, and a changed entry', async () => {
    await shop.call(addEntry, {
      date: '2026-07-15',
      details: 'תשלום 102',
      lines: [
        { accountNumber: '2200', debitAgorot: 1_000, creditAgorot: 0 },
        { accountNumber: '1010', debitAgorot: 0, creditAgorot: 1_000 },
      ],
    })
    const { others } = await shop.call(calls.form856, { year: 2026 })
    expect(others).toMatchObject([{ kind: 'manual', amountAgorot: -1_000, details: 'תשלום 102' }])
  })

  test('goes out as a table, and as no file while its layout is unknown', async () => {
    const csv = Buffer.from(
      (await shop.call(calls.export856, { year: 2026, format: 'csv' })) as Uint8Array,
    ).toString('utf8')
    expect(csv).toContain('1770.00')
    expect(csv.split('\r\n')[0]).toContain('שיעור')
    expect(csv.split('\r\n')[0]).toContain('עיסוק')
    expect(csv.split('\r\n').find((line) => line.includes('עו״ד נחום'))).toContain('עריכת דין,חיפה,לא')
    expect(csv.split('\r\n').filter((line) => line.includes('צבעי'))).toHaveLength(1)
    await expect(shop.call(calls.export856, { year: 2026, format: 'file' })).rejects.toMatchObject({
      code: 'filings.layoutUnknown',
    })
  })

  test('form 102 tells the same month by month and kind by kind', async () => {
    const report = await shop.get('/api4/invoice/reports/form102?from=2026-01-01&to=2026-12-31')
    expect(
      report.rows.map((row: any) => [row.month, row.kind, row.payees, row.withheldAgorot, row.dueDay]),
    ).toEqual([
      ['03/2026', '06', 1, 35_400, '2026-04-27'],
      ['06/2026', '06', 1, 17_700, '2026-07-16'],
      ['06/2026', '13', 1, 82_600, '2026-07-16'],
      ['07/2026', '13', 1, 0, '2026-08-17'],
    ])
    expect(report.checks).toContainEqual({ name: 'bothWays', ok: true })
  })

  test('what a month withheld stays owed until the authority was paid, the oldest first', async () => {
    const at = <T>(ask: (ctx: Ctx) => Promise<T>) => asCaller(world.app, systemCaller(companyId), '', ask)
    const june = () => at((ctx) => withheldIn(ctx, '2026-06-30'))
    expect(await at((ctx) => withheldIn(ctx, '2026-05-31'))).toBeNull()
    // A payment that was reversed in July withheld nothing in the end.
    expect(await at((ctx) => withheldIn(ctx, '2026-07-31'))).toBeNull()
    expect(await june()).toEqual({ payees: 2, withheldAgorot: 100_300, leftAgorot: 100_300 })
    const payAuthority = (agorot: number) =>
      shop.call(addEntry, {
        date: '2026-07-14',
        reference: '102',
        details: 'תשלום 102',
        lines: [
          { accountNumber: '2200', debitAgorot: agorot, creditAgorot: 0 },
          { accountNumber: '1010', debitAgorot: 0, creditAgorot: agorot },
        ],
      })
    // Of December and March 60,180 were withheld, of which 1,000 were paid.
    await payAuthority(59_180 + 40_000)
    expect(await june()).toMatchObject({ leftAgorot: 60_300 })
    expect(await at((ctx) => withheldIn(ctx, '2026-03-31'))).toMatchObject({
      withheldAgorot: 35_400,
      leftAgorot: 0,
    })
    await payAuthority(60_300)
    expect(await june()).toMatchObject({ leftAgorot: 0 })
  })

  test('form 856 is named in the last month before it is due, of the year before', async () => {
    const named = (to: string) =>
      asCaller(world.app, systemCaller(companyId), '', (ctx) => namedIn856(ctx, to))
    expect(await named('2027-03-31')).toEqual({ year: 2026, payees: 2 })
    expect(await named('2027-02-28')).toMatchObject({ payees: 0 })
    expect(await named('2027-04-30')).toMatchObject({ payees: 0 })
    expect(await named('2025-03-31')).toEqual({ year: 2024, payees: 0 })
  })

  test('certificates 857: one, all in an archive, and by mail, which says when the figures change', async () => {
    const one = (await shop.call(calls.certificate857, { id: lawyer, year: 2026 })) as Uint8Array
    expect(strFromU8(one.slice(0, 5), true)).toBe('%PDF-')
    const archive = unzipSync(
      new Uint8Array((await shop.call(calls.certificates857, { year: 2026 })) as Uint8Array),
    )
    expect(Object.keys(archive)).toHaveLength(2)
    await expect(shop.call(calls.certificates857, { year: 2020 })).rejects.toMatchObject({
      code: 'filings.nothingToCertify',
    })
    const sent = await shop.call(calls.send857, { year: 2026, supplierIds: [lawyer, painter] })
    expect(sent).toEqual({ sent: 1, withoutMail: ['צבעי'] })
    await world.worker.drain()
    const { rows } = await sql<{
      state: string
      subject: string
    }>`select state, subject from messages where company_id = ${companyId}`.execute(world.app.db.kysely)
    expect(rows).toMatchObject([{ subject: expect.stringContaining('857') }])
    expect(rows[0]!.state).not.toBe('queued')
    expect((await shop.call(calls.form856, { year: 2026 })).rows[0]).toMatchObject({
      changedSince: false,
      givenAt: expect.any(String),
    })
    await pay(lawyer, await owe(lawyer, 10_000, '2026-09-01'), '2026-09-02')
    expect((await shop.call(calls.form856, { year: 2026 })).rows[0]!.changedSince).toBe(true)
  })

  test('a rate of the business’s own is what is withheld', async () => {
    const inside = (supplierId: string, day = '2026-11-01') =>
      asCaller(world.app, systemCaller(companyId), '', (ctx) =>
        withholdingOn(ctx, supplierId, day, { amountAgorot: 10_000 }),
      )
    expect((await inside(painter)).rateBp).toBe(3500)
    const rent = (await shop.get('/api4/invoice/withholdingcodes')).rows.find(
      (row: { code: string }) => row.code === '13',
    )
    expect(rent).toMatchObject({ name: 'שכר דירה', rateBp: 3500, suppliers: 1 })
    const path = `/api4/invoice/withholdingcodes/${rent.id}`
    await expect(shop.send('PATCH', path, { rateBp: 4000 })).rejects.toMatchObject({
      errors: [{ path: 'withoutBooksBp', code: 'filings.ratesOrder' }],
    })
    await expect(shop.send('PATCH', path, { kind856: 'x' })).rejects.toMatchObject({
      errors: [{ path: 'kind856' }],
    })
    await shop.send('PATCH', path, {
      rateBp: 3000,
      withoutBooksBp: 3000,
      kind856: '55',
      fromDay: '2026-10-01',
    })
    expect(await inside(painter, '2026-09-30')).toMatchObject({ rateBp: 3500 })
    expect(await inside(painter)).toMatchObject({ rateBp: 3000, withheldAgorot: 3000 })
    expect((await shop.call(calls.form856, { year: 2026 })).rows[1]!.kind856).toBe('55')
  })

  test('rates hold from their day: those of the law, and those of the business', async () => {
    const rateOn = (day: string) =>
      asCaller(world.app, systemCaller(companyId), '', (ctx) => withholdingOn(ctx, lawyer, day)).then(
        (one) => one.rateBp,
      )
    const rows = async () => (await shop.get('/api4/invoice/withholdingcodes')).rows
    const services = async () => (await rows()).find((row: { code: string }) => row.code === '06')
    // The codes were looked at before, and what an operator enters holds for them, too, each on its days.
    expect(await services()).toMatchObject({ rateBp: 2000, withoutBooksBp: 3000, fromDay: null })
    const entered = (key: string, value: string) => ({
      key,
      from: '2026-11-01',
      to: '2026-12-31',
      value,
      source: 'x',
      checked: '2026-10-30',
    })
    useEnteredLaw([entered('withheld06', '2100'), entered('withheldNoBooks06', '3300')])
    expect([await rateOn('2026-10-31'), await rateOn('2026-11-01')]).toEqual([3000, 3300])
    expect(await services()).toMatchObject({ rateBp: 2100, withoutBooksBp: 3300, fromDay: null })

    // The business's own begin today where no day is given, and leave the days before as they were.
    const { id } = await services()
    const path = `/api4/invoice/withholdingcodes/${id}`
    await shop.send('PATCH', path, { withoutBooksBp: 4000 })
    expect([await rateOn('2026-11-21'), await rateOn('2026-11-22')]).toEqual([3300, 4000])
    await shop.send('PATCH', path, { withoutBooksBp: 4500, fromDay: '2026-12-01' })
    expect([await rateOn('2026-11-30'), await rateOn('2026-12-01')]).toEqual([4000, 4500])
    expect(await services()).toMatchObject({ rateBp: 2100, withoutBooksBp: 4000, fromDay: '2026-11-22' })
    // Emptied they are the law's again, from the day on.
    await shop.send('PATCH', path, { rateBp: null, fromDay: '2026-12-15' })
    expect([await rateOn('2026-12-14'), await rateOn('2026-12-15')]).toEqual([4500, 3300])
    await shop.send('PATCH', path, { rateBp: null, withoutBooksBp: null, fromDay: '2026-11-22' })
    expect(await rateOn('2026-11-22')).toBe(3300)
    useEnteredLaw([])
    expect([await rateOn('2026-11-22'), await services()]).toEqual([
      3000,
      expect.objectContaining({ rateBp: 2000, withoutBooksBp: 3000, fromDay: null }),
    ])
  })
})

describe('tax withheld from us', () => {
  test('by customer and certificate, from the receipts and from the books; and the advances take it off', async () => {
    const customer = await shop.customer('קיבוץ', { taxId: newTaxId() })
    const invoice = await shop.invoice(customer.id, '1000', { date: '2026-09-10' })
    const receipt = await shop.call(createDocument, {
      type: 6,
      customerId: customer.id,
      date: '2026-09-20',
      payments: [
        { means: 3, amountAgorot: 112_100 },
        { means: 7, amountAgorot: 5_900 },
      ],
      closes: [{ documentId: invoice.id, amountAgorot: 118_000 }],
    })
    expect((await shop.call(calls.withheldByCustomers, { year: 2026 })).rows).toMatchObject([
      {
        name: 'קיבוץ',
        receipts: 1,
        receivedAgorot: 118_000,
        withheldAgorot: 5_900,
        rateBp: 500,
        booksWithheldAgorot: 5_900,
        state: 'missing',
      },
    ])
    const advances = await shop.get('/api4/invoice/reports/advances?from=2026-09-01&to=2026-10-31')
    expect(advances.rows).toMatchObject([
      {
        turnoverAgorot: 100_000,
        booksTurnoverAgorot: 100_000,
        advanceAgorot: 5_000,
        withheldAgorot: 5_900,
        toPayAgorot: 0,
        dueDay: '2026-11-16',
      },
    ])
    expect(advances.checks.every((check: { ok: boolean }) => check.ok)).toBe(true)

    // A new rate holds from its day on; removed, it never was.
    const rates = '/api4/invoice/company/advancerates'
    const { id } = await shop.send('POST', rates, { from: '2026-11-01', rateBp: 300 })
    const rateBps = async () =>
      (
        (await shop.get('/api4/invoice/reports/advances?from=2026-09-01&to=2026-12-31')).rows as {
          rateBp: number
        }[]
      ).map((row) => row.rateBp)
    expect(await rateBps()).toEqual([500, 300])
    await shop.send('POST', rates, { from: '2026-11-01', rateBp: 350 })
    expect(await rateBps()).toEqual([500, 350])
    expect(((await shop.get(rates)).rows as { from: string }[]).map((row) => row.from)).toEqual([
      '2026-11-01',
      '2020-01-01',
    ])
    await shop.send('DELETE', `${rates}/${id}`)
    expect(await rateBps()).toEqual([500, 500])

    const certificate = { customerId: customer.id, year: 2026, gotDate: '2026-11-20' }
    await shop.call(calls.keepCertificate, { ...certificate, withheldAgorot: 5_000 })
    expect((await shop.call(calls.withheldByCustomers, { year: 2026 })).rows[0]!.state).toBe('differs')
    await shop.call(calls.keepCertificate, { ...certificate, withheldAgorot: 5_900 })
    expect((await shop.call(calls.withheldByCustomers, { year: 2026 })).rows[0]!.state).toBe('got')
    const report = await shop.get('/api4/invoice/reports/withheldReceipts?from=2026-01-01&to=2026-12-31')
    expect(report.rows).toMatchObject([
      { number: String(receipt.number), withheldAgorot: 5_900, certificate: 'got' },
    ])
    await shop.call(calls.dropCertificate, { customerId: customer.id, year: 2026 })
    await expect(
      shop.call(calls.dropCertificate, { customerId: customer.id, year: 2026 }),
    ).rejects.toMatchObject({ status: 404 })

    // A cancelled receipt leaves nothing, and an entry by hand is separate.
    await shop.send('POST', `/api4/invoice/documents/${receipt.id}/cancel`, { reason: 'טעות' })
    await shop.call(addEntry, {
      date: '2026-09-30',
      lines: [
        { accountNumber: '1300', debitAgorot: 700, creditAgorot: 0 },
        { accountNumber: '1010', debitAgorot: 0, creditAgorot: 700 },
      ],
    })
    const after = await shop.call(calls.withheldByCustomers, { year: 2026 })
    expect(after.rows[0]).toMatchObject({ withheldAgorot: 0, booksWithheldAgorot: 0 })
    expect(after.others).toMatchObject([{ amountAgorot: 700 }])
  })
})

describe('form 6111', () => {
  const head = {
    branch: '4321',
    description: 'עבודות חשמל',
    businessKind: '3',
    method: '2',
    opinion: '9',
    withBalanceSheet: true,
  } as const

  test('sums the accounts by their codes, both ways, and its file is read again as it stood', async () => {
    await expect(shop.call(calls.file6111, { year: 2026 })).rejects.toMatchObject({
      code: 'filings.headMissing',
    })
    await shop.call(calls.keepHead6111, {
      year: 2026,
      head,
      adjustments: [{ code: 110, amountAgorot: 10_000 }],
    })
    // A total, and a line of those who report otherwise than this form says.
    for (const code of [100, 103, 383])
      await expect(
        shop.call(calls.keepHead6111, { year: 2026, head, adjustments: [{ code, amountAgorot: 100 }] }),
      ).rejects.toMatchObject({
        errors: [{ path: 'adjustments.0.code' }],
      })
    const form = await shop.call(calls.form6111, { year: 2026 })
    expect(form.problems).toEqual([])
    expect(form.differences).toEqual([])
    expect(form.identities.every(({ ok }) => ok)).toBe(true)
    const line = (part: 'profitAndLoss' | 'taxAdjustment' | 'balanceSheet', code: number) =>
      form[part].find((one) => one.code === code)?.amountAgorot
    expect(line('profitAndLoss', 1030)).toBe(100_000)
    expect(line('taxAdjustment', 370)).toBe(10_000)
    expect(line('balanceSheet', 8888)).toBe(line('balanceSheet', 9999))
    // Every line leads to the accounts it is made of; what is left is rounding, and what only the form knows
    // (9980, both ends of the stock).
    for (const one of [...form.profitAndLoss, ...form.balanceSheet].filter(
      ({ isTotal, code }) => !isTotal && code !== 9980,
    )) {
      const made = one.accounts.reduce((sum, account) => sum + account.amountAgorot, 0)
      expect(one.accounts.length).toBeGreaterThan(0)
      expect(Math.abs(made - one.amountAgorot)).toBeLessThanOrEqual(50)
    }
    expect(
      form.profitAndLoss.find(({ code }) => code === 1030)!.accounts.map(({ account }) => account),
    ).toEqual([expect.stringMatching(/^4000 /)])

    const bytes = Buffer.from((await shop.call(calls.file6111, { year: 2026 })) as Uint8Array)
    expect(bytes).toHaveLength(8612 + 3)
    const read = parse6111(iconv.decode(bytes, 'windows-1255'))
    expect(read.problems).toEqual([])
    expect(read.records[0]!.head).toMatchObject({
      year: '2026',
      branch: '4321',
      description: 'עבודות חשמל',
      withholdingFile: '912345678',
    })
    expect(read.records[0]!.lines.profitAndLoss).toEqual(
      form.profitAndLoss.map(({ code, amountAgorot }) => ({ code, shekels: amountAgorot / 100 })),
    )
  })

  test('of a partnership says its partners and the share, and does not leave without them; of any other it says none', async () => {
    const fileOf = async () => {
      const bytes = Buffer.from((await shop.call(calls.file6111, { year: 2026 })) as Uint8Array)
      return parse6111(iconv.decode(bytes, 'windows-1255')).records[0]!.head
    }
    const kindIs = (kind: string) =>
      asSystem(world.app.db, (tx) =>
        sql`update companies set kind = ${kind} where id = ${companyId}`.execute(tx),
      )
    const { kind } = await shop.get('/api4/invoice/company')
    expect(await fileOf()).toMatchObject({ partnership: '2', partners: '999', partnersShare: '999999' })
    await kindIs('company')
    await expect(
      shop.call(calls.keepHead6111, {
        year: 2026,
        head: { ...head, withBalanceSheet: false },
        adjustments: [],
      }),
    ).rejects.toMatchObject({ code: 'filings.balanceSheetMust' })
    await kindIs('partnership')
    expect(await shop.call(calls.form6111, { year: 2026 })).toMatchObject({
      isPartnership: true,
      head: { partners: null },
    })
    await expect(fileOf()).rejects.toMatchObject({ code: 'filings.partnersMissing' })
    const keep = (more: object) =>
      shop.call(calls.keepHead6111, { year: 2026, head: { ...head, ...more }, adjustments: [] })
    await expect(keep({ partners: 0 })).rejects.toMatchObject({ errors: [{ path: 'head.partners' }] })
    await expect(keep({ partners: 2, partnersShareBp: 10_001 })).rejects.toMatchObject({
      errors: [{ path: 'head.partnersShareBp' }],
    })
    await keep({ partners: 3, partnersShareBp: 3334 })
    expect(await fileOf()).toMatchObject({ partnership: '1', partners: '003', partnersShare: '003334' })
    await keep({ partners: 12 })
    expect(await fileOf()).toMatchObject({ partners: '012', partnersShare: '999999' })
    await kindIs(kind)
  })

  test('an account without a code is named, and no file leaves', async () => {
    const made = await shop.send('POST', '/api5/invoicecpa/accounts', {
      number: '6999',
      name: 'בלי קוד',
      kind: 'expense',
    })
    await shop.call(addEntry, {
      date: '2026-10-01',
      lines: [
        { accountId: made.id, debitAgorot: 5_000, creditAgorot: 0 },
        { accountNumber: '1010', debitAgorot: 0, creditAgorot: 5_000 },
      ],
    })
    const form = await shop.call(calls.form6111, { year: 2026 })
    expect(form.problems).toMatchObject([{ code: 'noCode', accountId: made.id, amountAgorot: 5_000 }])
    await expect(shop.call(calls.file6111, { year: 2026 })).rejects.toMatchObject({
      code: 'filings.identitiesFail',
    })
    await shop.send('PATCH', `/api5/invoicecpa/accounts/${made.id}`, { code6111: '3680' })
    expect((await shop.call(calls.form6111, { year: 2026 })).problems).toEqual([])

    // The code said for a year wins, in that year alone; and a code the business brought in is one of the
    // form.
    const lineOf = async (year: number, code: number) =>
      (await shop.call(calls.form6111, { year })).profitAndLoss.find((one) => one.code === code)
        ?.amountAgorot ?? 0
    const before = await lineOf(2026, 3540)
    await shop.call(tie6111, { year: 2026, ties: [{ accountId: made.id, code: '3540' }] })
    expect(await lineOf(2026, 3540)).toBe(before + 5_000)
    await shop.call(import6111, { year: 2026, bytes: Buffer.from('3599,הוצאה חדשה') })
    await shop.call(tie6111, { year: 2026, ties: [{ accountId: made.id, code: '3599' }] })
    expect([await lineOf(2026, 3599), await lineOf(2026, 3540)]).toEqual([5_000, before])
    const form2026 = await shop.call(calls.form6111, { year: 2026 })
    expect([form2026.problems, form2026.identities.every((one) => one.ok)]).toEqual([[], true])
    expect(form2026.profitAndLoss.find((one) => one.code === 3599)!.name).toBe('הוצאה חדשה')
    await shop.call(tie6111, { year: 2026, ties: [{ accountId: made.id, code: null }] })
  })

  test('whoever may not see prices gets no figures and no file', async () => {
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set hide_total_prices = true where company_id = ${companyId}`.execute(tx),
    )
    const form = await shop.get('/api4/invoice/form6111?year=2026')
    expect(JSON.stringify(form)).not.toContain('100000')
    await expect(shop.call(calls.file6111, { year: 2026 })).rejects.toMatchObject({ status: 403 })
    await expect(shop.call(calls.export856, { year: 2026 })).rejects.toMatchObject({ status: 403 })
    await asSystem(world.app.db, (tx) =>
      sql`update memberships set hide_total_prices = false where company_id = ${companyId}`.execute(tx),
    )
  })
})

describe('who was entered twice and made one', () => {
  test('is one payee of forms 102 and 856 and gets one certificate 857, of what both were paid', async () => {
    const keep = (await supplier({ name: 'אורן', taxId: newTaxId() })).id
    const twin = (await supplier({ name: 'אורן אינסטלציה', taxId: null })).id
    const paid = [
      await pay(keep, await owe(keep, 100_000, '2026-04-01'), '2026-04-02'),
      await pay(twin, await owe(twin, 50_000, '2026-04-01'), '2026-04-20'),
    ]
    const left = await owe(twin, 10_000, '2026-05-01')
    await shop.call(mergeSuppliers, { keepId: keep, ids: [twin], from: {} })
    const { rows, differences } = await shop.call(calls.form856, { year: 2026 })
    expect(differences).toEqual([])
    const withheldAgorot = paid[0]!.withheldAgorot! + paid[1]!.withheldAgorot!
    expect(rows.filter((row) => [keep, twin].includes(row.supplierId))).toMatchObject([
      {
        supplierId: keep,
        payments: 2,
        grossAgorot: 177_000,
        withheldAgorot,
        booksGrossAgorot: 177_000,
        booksWithheldAgorot: withheldAgorot,
        balanceAgorot: 11_800,
      },
    ])
    const april = (await shop.get('/api4/invoice/reports/form102?from=2026-04-01&to=2026-04-30')).rows
    expect(april).toMatchObject([{ payees: 1, grossAgorot: 177_000, withheldAgorot }])
    const names = Object.keys(
      unzipSync(new Uint8Array((await shop.call(calls.certificates857, { year: 2026 })) as Uint8Array)),
    )
    expect(names.filter((name) => name.includes(twin.slice(-8)))).toEqual([])
    // A link to the record that is gone leads to the same certificate.
    expect(await shop.call(calls.certificate857, { id: twin, year: 2026 })).toBeTruthy()
    await pay(keep, left, '2026-05-02')
    expect(
      (await shop.call(calls.form856, { year: 2026 })).rows.find((row) => row.supplierId === keep),
    ).toMatchObject({
      payments: 3,
      balanceAgorot: 0,
    })
  })
})

describe('what papers and books disagree about goes nowhere', () => {
  /** A line of the database is changed behind the program's back for as long as `look` takes. */
  async function forged(change: string, back: string, look: () => Promise<void>) {
    const run = (text: string) =>
      asSystem(world.app.db, async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql.raw(text).execute(tx)
      })
    await run(change)
    try {
      await look()
    } finally {
      await run(back)
    }
  }
  const differ = { code: 'filings.differ', status: 409 }
  const listed = async (form: string) =>
    (await shop.get(`/api4/invoice/reports/filingDifferences?from=2026-01-01&to=2026-12-31&form=${form}`))
      .rows as Record<string, unknown>[]
  const year = 'from=2026-01-01&to=2026-12-31'

  test('forms 856, 857 and 102: one line of a supplier’s card', async () => {
    expect(await listed('paid')).toEqual([])
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{
        entry: string
        line: number
        party: string
      }>`select p.entry_id as entry, p.line, p.party_id as party from postings p
        join entries e on e.company_id = p.company_id and e.id = p.entry_id
        where p.company_id = ${companyId} and e.kind = 'supplierPayment' and p.party_id is not null
          and p.day = '2026-03-01'`.execute(tx),
    )
    const { entry, line, party } = rows[0]!
    const add = (n: number) =>
      `update postings set amount_agorot = amount_agorot + ${n} where company_id = '${companyId}' and entry_id = '${entry}' and line = ${line}`
    await forged(add(1), add(-1), async () => {
      expect(await listed('paid')).toMatchObject([
        { form: 'paid', in: 'gross', day: '2026-03-01', paperAgorot: 118_000, booksAgorot: 118_001 },
      ])
      expect((await shop.call(calls.form856, { year: 2026 })).differences).toMatchObject([
        { in: 'gross', open: `/invoice/suppliers/${party}` },
      ])
      for (const format of ['csv', 'xlsx'] as const)
        await expect(shop.call(calls.export856, { year: 2026, format })).rejects.toMatchObject(differ)
      await expect(shop.call(calls.certificate857, { id: party, year: 2026 })).rejects.toMatchObject(differ)
      await expect(shop.call(calls.certificates857, { year: 2026 })).rejects.toMatchObject(differ)
      await expect(shop.call(calls.send857, { year: 2026, supplierIds: [party] })).rejects.toMatchObject(
        differ,
      )
      for (const format of ['csv', 'xlsx', 'pdf'])
        await expect(shop.get(`/api4/invoiceexport/reports/form102.${format}?${year}`)).rejects.toMatchObject(
          differ,
        )
    })
    expect((await shop.call(calls.form856, { year: 2026 })).differences).toEqual([])
    await shop.call(calls.certificate857, { id: party, year: 2026 })
  })

  test('forms 856, 857 and 102: the tax of one payment', async () => {
    const add = (n: number) =>
      `update supplier_payments set withheld_agorot = withheld_agorot + ${n}, net_agorot = net_agorot - ${n} where company_id = '${companyId}' and day = '2026-03-01'`
    await forged(add(1), add(-1), async () => {
      expect(await listed('paid')).toMatchObject([
        { in: 'withheld', paperAgorot: 35_401, booksAgorot: 35_400 },
      ])
      await expect(shop.get(`/api4/invoiceexport/reports/form102.csv?${year}`)).rejects.toMatchObject(differ)
    })
  })

  test('advances: a document, a line of its entry, the sums of a month, and the tax on a receipt', async () => {
    const customer = await shop.customer('מושב', { taxId: newTaxId() })
    const invoice = await shop.invoice(customer.id, '3000', { date: '2026-10-05' })
    await shop.call(createDocument, {
      type: 6,
      customerId: customer.id,
      date: '2026-11-22',
      payments: [
        { means: 3, amountAgorot: 336_300 },
        { means: 7, amountAgorot: 17_700 },
      ],
      closes: [{ documentId: invoice.id, amountAgorot: 354_000 }],
    })
    const of = `company_id = '${companyId}'`
    const advancesFile = () => shop.get(`/api4/invoiceexport/reports/advances.csv?${year}`)
    expect(await listed('advances')).toEqual([])
    const check = async (change: (n: number) => string, seen: Record<string, unknown>[]) =>
      forged(change(1), change(-1), async () => {
        expect(await listed('advances')).toMatchObject(seen)
        await expect(advancesFile()).rejects.toMatchObject(differ)
      })
    const entries = `select id from entries where ${of} and document_id = '${invoice.id}'`
    await check(
      (n) =>
        `update postings set amount_agorot = amount_agorot - ${n} where ${of} and entry_id in (${entries}) and account_id in (select id from accounts where ${of} and kind = 'income')`,
      [
        {
          in: 'turnover',
          paperAgorot: 300_000,
          booksAgorot: 300_001,
          open: `/invoice/preview/${invoice.id}`,
        },
        { in: 'sums' },
      ],
    )
    await check(
      (n) =>
        `update documents set ils_net_agorot = ils_net_agorot + ${n} where ${of} and id = '${invoice.id}'`,
      [{ in: 'turnover', paperAgorot: 300_001 }, { in: 'lines' }],
    )
    await check(
      (n) =>
        `update document_lines set ils_net_agorot = ils_net_agorot + ${n} where ${of} and document_id = '${invoice.id}'`,
      [{ in: 'lines', paperAgorot: 300_000, booksAgorot: 300_001 }],
    )
    await check(
      (n) =>
        `update document_payments set ils_agorot = ils_agorot + ${n} where ${of} and means = 7 and document_id in (select id from documents where ${of} and day = '2026-11-22' and type = 6 and id not in (select cancelled_by_id from documents where ${of} and cancelled_by_id is not null))`,
      [{ form: 'withheldFromUs', in: 'withheld', paperAgorot: 17_701, booksAgorot: 17_700 }],
    )
    await advancesFile()
  })

  test('a receipt without lines is turnover as its account of income says, in both ways', async () => {
    const small = await newBusiness(world, { kind: 'exemptDealer' })
    await small.send('POST', '/api4/invoice/company/advancerates', { from: '2020-01-01', rateBp: 500 })
    const buyer = await small.customer('כהן')
    await small.call(createDocument, {
      type: 6,
      customerId: buyer.id,
      date: '2026-11-02',
      payments: [{ means: 3, amountAgorot: 70_000 }],
    })
    const told = async () => {
      const { rows, checks } = await small.get('/api4/invoice/reports/advances?from=2026-11-01&to=2026-11-30')
      expect(checks.filter((one: { ok: boolean }) => !one.ok)).toEqual([])
      return [rows.at(-1).turnoverAgorot, rows.at(-1).booksTurnoverAgorot]
    }
    expect(await told()).toEqual([70_000, 70_000])
    const { rows } = await small.get('/api5/invoicecpa/accounts?size=200')
    const income = rows.find((one: { number: string }) => one.number === '4000')
    await small.send('PATCH', `/api5/invoicecpa/accounts/${income.id}`, { outsideTurnover: true })
    expect(await told()).toEqual([0, 0])
    expect(
      (await small.get('/api4/invoice/reports/filingDifferences?from=2026-11-01&to=2026-11-30')).rows,
    ).toEqual([])
  })

  test('only turnover of the business bears advances, as each account says, and an entry by hand counts in both ways', async () => {
    const turnover = async () => {
      const { rows, checks } = await shop.get('/api4/invoice/reports/advances?from=2026-11-01&to=2026-11-30')
      expect(checks.every((one: { ok: boolean }) => one.ok)).toBe(true)
      return rows.at(-1).turnoverAgorot as number
    }
    const before = await turnover()
    const sold = (accountNumber: string) =>
      shop.call(addEntry, {
        date: '2026-11-10',
        lines: [
          { accountNumber: '1010', debitAgorot: 50_000, creditAgorot: 0 },
          { accountNumber, debitAgorot: 0, creditAgorot: 50_000 },
        ],
      })
    await sold('8910')
    await sold('4900')
    expect(await turnover()).toBe(before)
    await sold('4010')
    expect(await turnover()).toBe(before + 50_000)
    const { rows } = await shop.get('/api5/invoicecpa/accounts?size=200')
    const other = rows.find((one: { number: string }) => one.number === '4900')
    expect(other.outsideTurnover).toBe(true)
    await shop.send('PATCH', `/api5/invoicecpa/accounts/${other.id}`, { outsideTurnover: false })
    expect(await turnover()).toBe(before + 100_000)
    await shop.send('PATCH', `/api5/invoicecpa/accounts/${other.id}`, { outsideTurnover: true })
  })
})

test('customers who became one withheld together, with one certificate', async () => {
  const { id: keep } = await shop.customer('הר', { taxId: newTaxId(), withholdsFile: '912345678' })
  const { id: twin } = await shop.customer('הר בע״מ')
  const received = async (customerId: string, withheld: number) => {
    const invoice = await shop.invoice(customerId, '1000', { date: '2026-11-22' })
    await shop.call(createDocument, {
      type: 6,
      customerId,
      date: '2026-11-22',
      payments: [
        { means: 3, amountAgorot: 118_000 - withheld },
        { means: 7, amountAgorot: withheld },
      ],
      closes: [{ documentId: invoice.id, amountAgorot: 118_000 }],
    })
  }
  await received(keep, 5_900)
  await received(twin, 2_000)
  for (const [customerId, withheldAgorot] of [
    [keep, 5_900],
    [twin, 2_000],
  ] as const)
    await shop.call(calls.keepCertificate, { customerId, year: 2026, withheldAgorot, gotDate: '2026-11-20' })
  await shop.send('POST', '/api4/invoice/customers/merge', { keepId: keep, ids: [twin] })
  const told = async () =>
    (await shop.call(calls.withheldByCustomers, { year: 2026 })).rows.filter((row) =>
      [keep, twin].includes(row.customerId),
    )
  expect(await told()).toMatchObject([
    {
      customerId: keep,
      withholdsFile: '912345678',
      receipts: 2,
      withheldAgorot: 7_900,
      booksWithheldAgorot: 7_900,
      certificateAgorot: 7_900,
      state: 'got',
    },
  ])
  const receipts = (
    await shop.get(`/api4/invoice/reports/withheldReceipts?from=2026-11-01&to=2026-11-30&customer=${keep}`)
  ).rows
  expect(receipts).toMatchObject([
    { customer: 'הר', certificate: 'got', withholdsFile: '912345678' },
    { customer: 'הר', certificate: 'got', withholdsFile: '912345678' },
  ])
  const first = await shop.get(
    `/api4/invoice/reports/withheldReceipts?from=2026-11-01&to=2026-11-30&customer=${keep}&first=1`,
  )
  expect(first).toMatchObject({ cut: 1, of: 2, totals: { receivedAgorot: 236_000, withheldAgorot: 7_900 } })
  await shop.call(calls.keepCertificate, {
    customerId: keep,
    year: 2026,
    withheldAgorot: 7_000,
    gotDate: '2026-11-21',
  })
  expect(await told()).toMatchObject([{ certificateAgorot: 7_000, state: 'differs' }])
  await shop.call(calls.dropCertificate, { customerId: keep, year: 2026 })
  expect(await told()).toMatchObject([{ certificateAgorot: null, state: 'missing' }])
})
