import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildMasav, readMasav } from '#domain/filings/masav/file.ts'
import { asSystem } from '#kit/server/data/db.ts'
import {
  dataDir,
  newBusiness,
  newTaxId,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { getDocument } from '#features/sales/documents/endpoints.ts'
import { getExpense } from '#features/purchases/expenses/endpoints.ts'
import { certificate857, form856 } from '#features/tax/filings/endpoints.ts'
import { takeStatement, uploadStatement } from '#features/money/bank/endpoints.ts'
import { bankDesk, matchBank } from '#features/money/matching/endpoints.ts'
import { bouncePayment, createPayment } from '#features/sales/payments/endpoints.ts'
import {
  cancelPaymentOfSupplier,
  getSupplierPayment,
} from '#features/purchases/supplierPayments/endpoints.ts'
import { changeBank } from '#features/registers/suppliers/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let kind: string
beforeAll(async () => {
  // A Friday.
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
})
beforeEach(async () => {
  shop = await newBusiness(world)
  await shop.send('PATCH', '/api4/invoice/company', { withholdingFile: '912345678' })
  kind = (await shop.get('/api4/invoice/expensetypes?size=10')).rows[0].id
  await shop.call(calls.saveMasavSettings, { institution: '12345678', sender: '54321', code: 'B' })
})
afterAll(() => world.close())

const sunday = '2026-11-22'
const account = { bankCode: 12, bankBranch: '600', bankAccount: '123456', bankAccountName: null, iban: null }
const supplier = async (name: string, more: Record<string, unknown> = {}): Promise<string> => {
  const { id } = await shop.send('POST', '/api4/invoice/suppliers', { name, ...more })
  await shop.call(changeBank, { id, ...account })
  await shop.send('POST', '/api4/invoice/withholdingCertificates', {
    supplierId: id,
    fromDay: '2026-01-01',
    toDay: '2026-12-31',
    rateBp: 1000,
  })
  return id
}
const bill = async (supplierId: string, supplierNumber: string, netAgorot: number): Promise<string> =>
  (
    await shop.send('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber,
      date: '2026-11-01',
      means: 'onCredit',
      lines: [{ typeId: kind, netAgorot, vatAgorot: 0 }],
    })
  ).id
const openOf = async (id: string) => (await shop.call(getExpense, { id })).openAgorot
const due = async () => (await shop.call(calls.proposeCredits, { until: '2026-12-31' })).rows
const payAll = async (payDay = sunday) =>
  shop.call(calls.makeCredits, {
    payDay,
    suppliers: (await due()).map((row) => ({
      supplierId: row.supplierId,
      bills: row.bills.map((b) => ({ id: b.id, amountAgorot: b.openAgorot })),
    })),
  })

const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined
/** The days and amounts a document has. */
function saidOn(paper: Uint8Array): string[] {
  const file = join(dataDir, 'paper.pdf')
  writeFileSync(file, paper)
  return (
    spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout.match(
      /\b\d\d\/\d{4}\b|[\d,]+\.\d\d/g,
    ) ?? []
  )
}

describe('a supplier payment run', () => {
  test('holds bills in shekels: one in another currency is told, and never paid at the rate it was booked at', async () => {
    const id = await supplier('Cloud Ltd')
    const shekels = await bill(id, 'S1', 10_000)
    const dollars = await shop.send('POST', '/api4/invoice/expenses', {
      supplierId: id,
      supplierNumber: 'D1',
      date: '2026-11-01',
      means: 'onCredit',
      currency: 'USD',
      rate: '3.7',
      lines: [{ typeId: kind, netAgorot: 5_000, vatAgorot: 0 }],
    })
    const answer = await shop.call(calls.proposeCredits, { until: '2026-12-31' })
    expect(answer.rows.map((row) => row.bills.map((b) => b.id))).toEqual([[shekels]])
    expect(answer.foreignBills).toBe(1)
    const open = await openOf(dollars.id)
    await expect(
      shop.call(calls.makeCredits, {
        payDay: sunday,
        suppliers: [{ supplierId: id, bills: [{ id: dollars.id, amountAgorot: open! }] }],
      }),
    ).rejects.toMatchObject({ code: 'masav.foreign' })
    expect(await openOf(dollars.id)).toBe(open)
  })

  test('pays what is due less the tax withheld, and the file says the same as the books', async () => {
    const first = await supplier('חשמל הגליל')
    const second = await supplier('דלקים')
    const bills = [
      await bill(first, '1', 100_000),
      await bill(first, '2', 20_000),
      await bill(second, '7', 50_000),
    ]
    expect(await due()).toMatchObject([
      { name: 'דלקים', grossAgorot: 50_000, withheldAgorot: 5_000, netAgorot: 45_000, hindrance: null },
      {
        name: 'חשמל הגליל',
        grossAgorot: 120_000,
        withheldAgorot: 12_000,
        netAgorot: 108_000,
        hindrance: null,
        bank: '12',
        branch: '600',
        account: '123456',
      },
    ])
    const { id } = await payAll()
    expect(await Promise.all(bills.map(openOf))).toEqual([0, 0, 0])
    const run = await shop.call(calls.getRun, { id })
    expect(run).toMatchObject({ number: 1, direction: 'credit', lines: 2, totalAgorot: 153_000, returned: 0 })
    const bytes = await shop.call(calls.creditsFile, { id })
    const { files, faults } = readMasav(bytes as Uint8Array)
    expect(faults).toEqual([])
    expect(files[0]).toMatchObject({
      direction: 'credit',
      payDay: sunday,
      institution: '12345678',
      name: 'זרם טוב',
    })
    expect(files[0]!.payments.map((p) => [p.name, p.amountAgorot]).sort()).toEqual([
      ['דלקים', 45_000],
      ['חשמל הגליל', 108_000],
    ])
    const { rows } = await shop.get('/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31')
    const balance = (number: string) =>
      rows.find((r: { number: string }) => r.number === number)?.balanceAgorot
    expect([balance('2000') ?? 0, balance('1010'), balance('2200')]).toEqual([0, -153_000, -17_000])
  })

  test('withholds by the certificate of the day the money moves, not of the day the file is made', async () => {
    const id = await supplier('חשמל הגליל')
    // From the first of December on nothing is withheld: another certificate.
    const { rows } = await shop.get(`/api4/invoice/withholdingCertificates?supplierId=${id}&size=10`)
    await shop.send('PATCH', `/api4/invoice/withholdingCertificates/${rows[0].id}`, { toDay: '2026-11-30' })
    await shop.send('POST', '/api4/invoice/withholdingCertificates', {
      supplierId: id,
      fromDay: '2026-12-01',
      toDay: '2026-12-31',
      rateBp: 0,
    })
    const own = await bill(id, '1', 100_000)
    const ask = async (payDay?: string) =>
      (
        await shop.call(calls.proposeCredits, { until: '2026-12-31', ...(payDay ? { payDay } : {}) })
      ).rows.map((row) => row.netAgorot)
    expect([await ask(), await ask('2026-11-30'), await ask('2026-12-01')]).toEqual([
      [90_000],
      [90_000],
      [100_000],
    ])
    const suppliers = [{ supplierId: id, bills: [{ id: own, amountAgorot: 100_000 }] }]
    const worked = async (payDay: string) =>
      (await shop.call(calls.workOutCredits, { suppliers, payDay })).rows[0]!.withheldAgorot
    expect([await worked('2026-11-30'), await worked('2026-12-01')]).toEqual([10_000, 0])
    const run = await payAll('2026-12-01')
    const { rows: lines } = await shop.call(calls.getRun, { id: run.id })
    expect(lines.map((one) => one.amountAgorot)).toEqual([100_000])
    expect(await shop.call(getSupplierPayment, { id: lines[0]!.supplierPaymentId! })).toMatchObject({
      withheldAgorot: 0,
      netAgorot: 100_000,
    })
  })

  test('whose money moves next month stands in the books, the tax and the forms of that month; until then its bills are on their way', async () => {
    const id = await supplier('חשמל הגליל')
    const own = await bill(id, '1', 100_000)
    const run = await payAll('2026-12-01')
    const balances = async (until: string) => {
      const { rows } = await shop.get(`/api4/invoice/reports/trialBalance?from=2026-01-01&to=${until}`)
      return ['2000', '1010', '2200'].map(
        (number) => rows.find((r: { number: string }) => r.number === number)?.balanceAgorot ?? 0,
      ) as number[]
    }
    expect(await balances('2026-11-30')).toEqual([-100_000, 0, 0])
    expect(await balances('2026-12-01')).toEqual([0, -90_000, -10_000])
    const { rows: months } = await shop.get('/api4/invoice/reports/form102?from=2026-11-01&to=2026-12-31')
    expect(months.map((r: { month: string; withheldAgorot: number }) => [r.month, r.withheldAgorot])).toEqual(
      [['12/2026', 10_000]],
    )
    const { rows: payments } = await shop.get('/api4/invoice/supplierpayments?state=onTheWay')
    expect(payments).toMatchObject([{ day: '2026-12-01', state: 'onTheWay', withheldAgorot: 10_000 }])
    expect(await shop.call(getExpense, { id: own })).toMatchObject({
      openAgorot: 0,
      movesOn: '2026-12-01',
      payments: [{ day: '2026-12-01' }],
    })
    expect((await shop.get('/api4/invoice/expenses?paid=onTheWay')).rows).toMatchObject([{ id: own }])
    const bills = '/api4/invoice/reports/expensesPayments?from=2026-11-01&to=2026-11-30&paid=onTheWay'
    expect((await shop.get(bills)).rows).toMatchObject([{ paid: 'onTheWay', paidDay: '2026-12-01' }])
    // Nobody is asked to pay it again.
    expect(await due()).toEqual([])

    await shop.call(calls.undoRun, { id: run.id, reason: 'טעות' })
    expect([await balances('2026-11-30'), await balances('2026-12-31')]).toEqual([
      [-100_000, 0, 0],
      [-100_000, 0, 0],
    ])
    expect(await due()).toMatchObject([{ grossAgorot: 100_000 }])
    // A file of today is paid today.
    await payAll(sunday)
    expect(await balances(sunday)).toEqual([0, -90_000, -10_000])
  })

  test('whose money moves in the next tax year is of that year in forms 102, 856 and 857, and of none once it is taken back', async () => {
    const id = await supplier('חשמל הגליל', { taxId: newTaxId() })
    await shop.send('POST', '/api4/invoice/withholdingCertificates', {
      supplierId: id,
      fromDay: '2027-01-01',
      toDay: '2027-12-31',
      rateBp: 500,
    })
    await bill(id, '1', 100_000)
    await payAll()
    await bill(id, '2', 300_000)
    const run = await payAll('2027-01-03')
    const told = async (year: number) => {
      const { rows, differences } = await shop.call(form856, { year })
      expect(differences).toEqual([])
      return rows.map((row) => [
        row.payments,
        row.grossAgorot,
        row.withheldAgorot,
        row.booksGrossAgorot,
        row.booksWithheldAgorot,
        row.balanceAgorot,
      ])
    }
    const months = async () =>
      (await shop.get('/api4/invoice/reports/form102?from=2026-11-01&to=2027-01-31')).rows.map(
        (r: Record<string, unknown>) => [
          r.month,
          r.payees,
          r.grossAgorot,
          r.withheldAgorot,
          r.booksWithheldAgorot,
        ],
      )
    const certificate = async (year: number) =>
      saidOn((await shop.call(certificate857, { id, year })) as Uint8Array)
    // The rate, too, is that of the day the money moves; what is owed at the end of the year is still owed.
    expect([await told(2026), await told(2027)]).toEqual([
      [[1, 100_000, 10_000, 100_000, 10_000, 300_000]],
      [[1, 300_000, 15_000, 300_000, 15_000, 0]],
    ])
    expect(await months()).toEqual([
      ['11/2026', 1, 100_000, 10_000, 10_000],
      ['01/2027', 1, 300_000, 15_000, 15_000],
    ])
    if (hasPdftotext) {
      expect(await certificate(2026)).toEqual(expect.arrayContaining(['11/2026', '1,000.00', '100.00']))
      expect(await certificate(2026)).not.toContain('3,000.00')
      expect(await certificate(2027)).toEqual(expect.arrayContaining(['01/2027', '3,000.00', '150.00']))
    }

    await shop.call(calls.undoRun, { id: run.id, reason: 'טעות' })
    expect([await told(2026), await told(2027)]).toEqual([
      [[1, 100_000, 10_000, 100_000, 10_000, 300_000]],
      [],
    ])
    expect(await months()).toHaveLength(1)
    await expect(shop.call(certificate857, { id, year: 2027 })).rejects.toMatchObject({
      code: 'filings.nothingToCertify',
    })
  })

  test('whose file was taken back gives it out no more', async () => {
    await bill(await supplier('חשמל הגליל'), '1', 100_000)
    const run = await payAll()
    expect(await shop.call(calls.creditsFile, { id: run.id })).toBeTruthy()
    await shop.call(calls.undoRun, { id: run.id, reason: 'טעות' })
    await expect(shop.call(calls.creditsFile, { id: run.id })).rejects.toMatchObject({ code: 'masav.undone' })
  })

  test('is made whole or not at all', async () => {
    const first = await supplier('חשמל')
    const { id: bare } = await shop.send('POST', '/api4/invoice/suppliers', { name: 'בלי חשבון' })
    const open = [await bill(first, '1', 10_000), await bill(bare, '2', 10_000)]
    expect((await due()).map((row) => row.hindrance).sort()).toEqual(['noBank', null])
    await expect(payAll()).rejects.toMatchObject({ code: 'masav.noBank' })
    expect(await Promise.all(open.map(openOf))).toEqual([10_000, 10_000])
    // The day of a file is no Saturday, and nothing was paid by asking.
    await expect(
      shop.call(calls.makeCredits, {
        payDay: '2026-11-21',
        suppliers: [{ supplierId: first, bills: [{ id: open[0]!, amountAgorot: 10_000 }] }],
      }),
    ).rejects.toMatchObject({ errors: [{ path: 'payDay', code: 'masav.problem.notBankingDay' }] })
    expect(await openOf(open[0]!)).toBe(10_000)
    expect((await shop.call(calls.listRuns, { direction: 'credit' })).rows).toEqual([])
  })

  test('takes single bills and parts of them, and works out the tax of what is chosen', async () => {
    const id = await supplier('חשמל')
    const [whole, part, left] = [
      await bill(id, '1', 100_000),
      await bill(id, '2', 60_000),
      await bill(id, '3', 5_000),
    ]
    const bills = [{ id: whole }, { id: part, amountAgorot: 25_005 }]
    const asked = { suppliers: [{ supplierId: id, bills }] }
    // A tenth, to the whole agora.
    expect((await shop.call(calls.workOutCredits, asked)).rows).toEqual([
      {
        supplierId: id,
        grossAgorot: 125_005,
        withheldAgorot: 12_501,
        netAgorot: 112_504,
        rateBp: 1000,
        reason: 'certificate',
        hindrance: null,
      },
    ])
    for (const amountAgorot of [0, -1, 60_001])
      await expect(
        shop.call(calls.workOutCredits, {
          suppliers: [{ supplierId: id, bills: [{ id: whole }, { id: part, amountAgorot }] }],
        }),
      ).rejects.toMatchObject({
        errors: [{ path: 'suppliers.0.bills.1.amountAgorot', code: 'fields.range' }],
      })
    const run = await shop.call(calls.makeCredits, { payDay: sunday, ...asked })
    expect(await Promise.all([whole, part, left].map(openOf))).toEqual([0, 34_995, 5_000])
    expect(await shop.call(calls.getRun, run)).toMatchObject({ lines: 1, totalAgorot: 112_504 })
  })

  test('of one supplier takes no bill of another', async () => {
    const [one, other] = [await supplier('חשמל'), await supplier('דלקים')]
    const foreign = await bill(other, '1', 10_000)
    await expect(
      shop.call(calls.workOutCredits, { suppliers: [{ supplierId: one, bills: [{ id: foreign }] }] }),
    ).rejects.toMatchObject({
      code: 'kit.notFound',
    })
  })

  test('is taken back whole with a reason, unless something of it came back', async () => {
    const [one, other] = [await supplier('חשמל'), await supplier('דלקים')]
    const bills = [await bill(one, '1', 10_000), await bill(one, '2', 20_000), await bill(other, '7', 50_000)]
    const run = await payAll()
    const bytes = (await shop.call(calls.creditsFile, run)) as Uint8Array
    await expect(shop.call(calls.undoRun, { ...run, reason: ' ' })).rejects.toMatchObject({
      errors: [{ path: 'reason' }],
    })
    // One of its payments was reversed by hand before, which is no hindrance.
    const { rows } = await shop.call(calls.getRun, run)
    await shop.call(cancelPaymentOfSupplier, { id: rows[0]!.supplierPaymentId! })
    await shop.call(calls.undoRun, { ...run, reason: 'נשלח פעמיים' })
    expect(await Promise.all(bills.map(openOf))).toEqual([10_000, 20_000, 50_000])
    const trial = await shop.get('/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31')
    const balance = (number: string) =>
      trial.rows.find((r: { number: string }) => r.number === number)?.balanceAgorot ?? 0
    expect([balance('2000'), balance('1010'), balance('2200')]).toEqual([-80_000, 0, 0])
    expect(await shop.call(calls.getRun, run)).toMatchObject({
      undoReason: 'נשלח פעמיים',
      undoneBy: 'נועה ורדי',
    })
    await expect(shop.call(calls.undoRun, { ...run, reason: 'שוב' })).rejects.toMatchObject({
      code: 'masav.undone',
    })
    await expect(shop.call(calls.returnLine, { ...run, line: 1 })).rejects.toMatchObject({
      code: 'masav.undone',
    })
    // The bank's word on it changes nothing any more.
    expect(await shop.call(calls.readReturns, { name: 'r.001', bytes })).toMatchObject({
      returned: [],
      known: 2,
      strangers: [],
    })

    const again = await payAll()
    await shop.call(calls.returnLine, { ...again, line: 1 })
    await expect(shop.call(calls.undoRun, { ...again, reason: 'טעות' })).rejects.toMatchObject({
      code: 'masav.cameBack',
    })
    expect((await Promise.all(bills.map(openOf))).filter((open) => open === 0).length).toBeGreaterThan(0)
  })

  test('is told by the payments it made', async () => {
    const id = await supplier('חשמל')
    await bill(id, '1', 10_000)
    const run = await payAll()
    const { rows } = await shop.get('/api4/invoice/supplierpayments')
    expect(rows).toMatchObject([{ fileNumber: 1, fileId: run.id }])
    expect(await shop.call(getSupplierPayment, { id: rows[0].id })).toMatchObject({
      file: { id: run.id, number: 1, payDay: sunday },
    })
  })

  test('is made by lines by a person from whom sums are hidden', async () => {
    const id = await supplier('חשמל')
    const bills = [await bill(id, '1', 10_000), await bill(id, '2', 20_000)]
    const me = await shop.get('/api/user/session')
    const hide = (hides: boolean) =>
      asSystem(world.app.db, (tx) =>
        sql`update memberships set hide_total_prices = ${hides} where company_id = ${me.companyId}`.execute(
          tx,
        ),
      )
    await hide(true)
    const [row] = await due()
    expect(row).toMatchObject({ grossAgorot: null, netAgorot: null, withheldAgorot: null, hindrance: null })
    const chosen = { suppliers: [{ supplierId: id, bills: [{ id: bills[1]! }] }] }
    expect((await shop.call(calls.workOutCredits, chosen)).rows).toMatchObject([
      { netAgorot: null, hindrance: null },
    ])
    const run = await shop.call(calls.makeCredits, { payDay: sunday, ...chosen })
    await hide(false)
    expect(await Promise.all(bills.map(openOf))).toEqual([10_000, 0])
    expect(await shop.call(calls.getRun, run)).toMatchObject({ totalAgorot: 18_000 })
  })

  test('stands at the bank in one sum, and is found there by it', async () => {
    for (let n = 1; n <= 16; n++) await bill(await supplier(`ספק ${n}`), `${n}`, 1_000 * n)
    const { id } = await payAll()
    const { totalAgorot } = await shop.call(calls.getRun, { id })
    const bank = await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'עו״ש' })
    const csv = `date,description,amount\n${sunday},חיוב מס״ב,-${totalAgorot / 100}`
    const seen = await shop.call(uploadStatement, {
      id: bank.id,
      name: 'x.csv',
      bytes: Buffer.from(csv),
    } as never)
    await shop.call(takeStatement, { id: seen.id })
    const { proposals } = await shop.call(bankDesk, { id: bank.id })
    expect(proposals.map((one) => [one.confidence, one.postings.length, one.reasons])).toEqual([
      ['likely', 16, ['paymentRun', 'sumOfPostings', 'sameDay']],
    ])
    const [one] = proposals
    await shop.call(matchBank, {
      id: bank.id,
      lines: one!.lines.map((l) => l.id),
      postings: one!.postings.map((p) => p.key),
    })
    expect(await shop.call(bankDesk, { id: bank.id })).toMatchObject({ lines: [], postings: [], matched: 1 })
  })

  test('what the bank sends back is open again, once, however often its file is read', async () => {
    const id = await supplier('חשמל')
    const paid = await bill(id, '1', 10_000)
    const run = await payAll()
    const [file] = readMasav((await shop.call(calls.creditsFile, run)) as Uint8Array).files
    const stranger = {
      bank: '10',
      branch: '1',
      account: '5',
      taxId: '',
      name: 'זר',
      amountAgorot: 7,
      reference: '99',
    }
    const bytes = buildMasav({ ...file!, payments: [...file!.payments, stranger] })
    expect(await shop.call(calls.readReturns, { name: 'returns.001', bytes })).toMatchObject({
      returned: [{ runId: run.id, number: 1, name: 'חשמל', amountAgorot: 9_000 }],
      known: 0,
      strangers: [{ name: 'זר', amountAgorot: 7, reference: '99' }],
    })
    expect(await openOf(paid)).toBe(10_000)
    expect((await shop.call(calls.listRuns, { direction: 'credit' })).rows).toMatchObject([
      { lines: 1, returned: 1, returnedAgorot: 9_000 },
    ])
    expect(await shop.call(calls.readReturns, { name: 'returns.001', bytes })).toMatchObject({
      returned: [],
      known: 1,
    })
    // Who came back, and by which file of the bank.
    expect((await shop.call(calls.getRun, run)).rows[0]).toMatchObject({
      returnedOn: '2026-11-20',
      returnReason: 'returns.001',
    })
    await expect(shop.call(calls.returnLine, { id: run.id, line: 1 })).rejects.toMatchObject({
      code: 'masav.alreadyReturned',
    })
    await expect(
      shop.call(calls.readReturns, { name: 'x.txt', bytes: Buffer.from('hello') }),
    ).rejects.toMatchObject({
      code: 'masav.unreadable',
    })
  })

  test('whose returns lost a line on their way is refused whole', async () => {
    const bills = [
      await bill(await supplier('חשמל'), '1', 10_000),
      await bill(await supplier('דלק'), '2', 20_000),
    ]
    const lines = Buffer.from((await shop.call(calls.creditsFile, await payAll())) as Uint8Array)
      .toString('latin1')
      .split('\r\n')
    const bytes = Buffer.from(lines.filter((_, i) => i !== 1).join('\r\n'), 'latin1')
    await expect(shop.call(calls.readReturns, { name: 'returns.001', bytes })).rejects.toMatchObject({
      code: 'masav.unreadable',
    })
    expect(await Promise.all(bills.map(openOf))).toEqual([0, 0])
  })
})

describe('a debit file', () => {
  const customer = async (name: string) => {
    const { id } = await shop.customer(name)
    await shop.send('PATCH', `/api4/invoice/customers/${id}`, {
      bankCode: 10,
      bankBranch: '800',
      bankAccount: '55501',
    })
    return id
  }
  const openInvoice = async (id: string) => (await shop.call(getDocument, { id })).totals.openAgorot

  test('collects from those who allowed it; receipts come with the money, and a return opens the debt', async () => {
    const allowed = await customer('כהן')
    const other = await customer('לוי')
    const invoices = [
      await shop.invoice(allowed, '100', { dueDate: '2026-11-20' }),
      await shop.invoice(allowed, '50', { dueDate: '2026-11-20' }),
    ]
    const refused = await shop.invoice(other, '10', { dueDate: '2026-11-20' })
    await shop.call(calls.saveMandate, {
      customerId: allowed,
      reference: '7001',
      since: '2026-01-01',
      ceilingAgorot: 20_000,
    })
    const { rows } = await shop.call(calls.proposeDebits, { until: '2026-11-20' })
    expect(rows.map((r) => [r.name, r.openAgorot, r.hindrance])).toEqual([
      ['כהן', 11_800, null],
      ['כהן', 5_900, null],
      ['לוי', 1_180, 'noMandate'],
    ])
    await expect(
      shop.call(calls.makeDebits, { payDay: sunday, documents: [refused.id] }),
    ).rejects.toMatchObject({
      code: 'masav.noMandate',
    })
    const run = await shop.call(calls.makeDebits, { payDay: sunday, documents: invoices.map((i) => i.id) })
    // Waiting in one file, an invoice is offered for no other.
    expect((await shop.call(calls.proposeDebits, { until: '2026-11-20' })).rows.map((r) => r.name)).toEqual([
      'לוי',
    ])
    expect(await openInvoice(invoices[0]!.id)).toBe(11_800)
    await expect(shop.call(calls.collectDebits, run)).rejects.toMatchObject({ code: 'masav.notDueYet' })
    const [file] = readMasav((await shop.call(calls.debitsFile, run)) as Uint8Array).files
    expect(file).toMatchObject({
      direction: 'debit',
      payments: [{ amountAgorot: 11_800 }, { amountAgorot: 5_900 }],
    })
    // The second comes back before the money of the first is there.
    await shop.call(calls.returnLine, { id: run.id, line: 2, reason: 'אין כיסוי' })
  })

  test('a debit whose day has come gets its receipts once, and one that returns later opens the debt again', async () => {
    const allowed = await customer('כהן')
    const invoice = await shop.invoice(allowed, '100', { dueDate: '2026-11-20' })
    await shop.call(calls.saveMandate, {
      customerId: allowed,
      reference: '7001',
      since: '2026-01-01',
      ceilingAgorot: null,
    })
    const run = await shop.call(calls.makeDebits, { payDay: sunday, documents: [invoice.id] })
    const later = await startWorld(() => new Date('2026-11-23T10:00:00Z'))
    const clock = world.app.now
    world.app.now = later.app.now
    try {
      await expect(shop.call(calls.collectDebits, { ...run, date: '2026-11-24' })).rejects.toMatchObject({
        errors: [{ path: 'date' }],
      })
      expect(await shop.call(calls.collectDebits, run)).toEqual({ receipts: 1 })
      expect(await openInvoice(invoice.id)).toBe(0)
      // The money has the day it came, not the day somebody said so.
      const { rows } = await shop.call(calls.getRun, run)
      const receipt = await shop.call(getDocument, { id: rows[0]!.receiptId! })
      expect([receipt.date, receipt.payments[0]!.date, receipt.payments[0]!.dueDate]).toEqual([
        sunday,
        sunday,
        sunday,
      ])
      await expect(shop.call(calls.collectDebits, run)).rejects.toMatchObject({
        code: 'masav.alreadyCollected',
      })
      await shop.call(calls.returnLine, { id: run.id, line: 1, feeAgorot: 500 })
      expect(await openInvoice(invoice.id)).toBe(11_800)
      expect(await shop.get(`/api4/invoice/customers/${allowed}`)).toMatchObject({ balanceAgorot: 11_800 })
    } finally {
      world.app.now = clock
      await later.close()
    }
  })

  test('of the same sum month by month comes back for its own month only, however often the bank’s file is read', async () => {
    const allowed = await customer('כהן')
    await shop.call(calls.saveMandate, {
      customerId: allowed,
      reference: '7001',
      since: '2026-01-01',
      ceilingAgorot: null,
    })
    const months = []
    for (const dueDate of ['2026-11-19', '2026-11-20']) {
      const { id } = await shop.invoice(allowed, '100', { dueDate })
      months.push({ id, run: await shop.call(calls.makeDebits, { payDay: sunday, documents: [id] }) })
    }
    const clock = world.app.now
    world.app.now = () => new Date('2026-11-23T10:00:00Z')
    try {
      for (const { run } of months) await shop.call(calls.collectDebits, run)
      const bytes = (await shop.call(calls.debitsFile, months[1]!.run)) as Uint8Array
      expect((await shop.call(calls.readReturns, { name: 'november.001', bytes })).returned).toMatchObject([
        { number: 2 },
      ])
      expect(await shop.call(calls.readReturns, { name: 'november.001', bytes })).toMatchObject({
        returned: [],
        known: 1,
      })
      expect(await Promise.all(months.map(({ id }) => openInvoice(id)))).toEqual([0, 11_800])

      // What was sent back by hand before is only marked.
      const { rows } = await shop.call(calls.getRun, months[0]!.run)
      const receipt = await shop.call(getDocument, { id: rows[0]!.receiptId! })
      await shop.call(bouncePayment, { id: receipt.payments[0]!.id, reason: 'אין כיסוי' })
      const first = (await shop.call(calls.debitsFile, months[0]!.run)) as Uint8Array
      expect(
        (await shop.call(calls.readReturns, { name: 'october.001', bytes: first })).returned,
      ).toMatchObject([{ number: 1 }])
      expect(await shop.get(`/api4/invoice/customers/${allowed}`)).toMatchObject({ balanceAgorot: 23_600 })
    } finally {
      world.app.now = clock
    }
  })

  test('that is taken back offers its invoices again; the receipts of one that was collected are reversed', async () => {
    const allowed = await customer('כהן')
    const invoice = await shop.invoice(allowed, '100', { dueDate: '2026-11-20' })
    await shop.call(calls.saveMandate, {
      customerId: allowed,
      reference: '7001',
      since: '2026-01-01',
      ceilingAgorot: 20_000,
    })
    const offered = async () =>
      (await shop.call(calls.proposeDebits, { until: '2026-11-20' })).rows.map((r) => r.documentId)
    const first = await shop.call(calls.makeDebits, { payDay: sunday, documents: [invoice.id] })
    await shop.call(calls.undoRun, { ...first, reason: 'יום שגוי' })
    expect(await offered()).toEqual([invoice.id])
    const second = await shop.call(calls.makeDebits, { payDay: sunday, documents: [invoice.id] })
    const clock = world.app.now
    world.app.now = () => new Date('2026-11-24T10:00:00Z')
    try {
      await expect(shop.call(calls.collectDebits, first)).rejects.toMatchObject({ code: 'masav.undone' })
      // A receipt of a later day is there: the series runs on, and the money keeps its own day.
      await shop.call(createPayment, { customerId: allowed, payments: [{ means: 1, amountAgorot: 500 }] })
      await shop.call(calls.collectDebits, { ...second, date: '2026-11-23' })
      const { rows, collectedOn } = await shop.call(calls.getRun, second)
      const receipt = await shop.call(getDocument, { id: rows[0]!.receiptId! })
      expect([collectedOn, receipt.date, receipt.payments[0]!.date]).toEqual([
        '2026-11-23',
        '2026-11-24',
        '2026-11-23',
      ])
      expect(await openInvoice(invoice.id)).toBe(0)
      await shop.call(calls.undoRun, { ...second, reason: 'הכסף לא הגיע' })
      expect(await openInvoice(invoice.id)).toBe(11_800)
      expect(await shop.get(`/api4/invoice/customers/${allowed}`)).toMatchObject({ balanceAgorot: 11_300 })
      expect(await offered()).toEqual([invoice.id])
    } finally {
      world.app.now = clock
    }
  })

  test('takes no debit above its ceiling, none of what is not open, and none without the settings of the centre', async () => {
    const allowed = await customer('כהן')
    const invoice = await shop.invoice(allowed, '1000', { dueDate: '2026-11-20' })
    const mandate = { customerId: allowed, reference: '7001', since: '2026-01-01' }
    const debit = (of: Business, ...documents: string[]) =>
      of.call(calls.makeDebits, { payDay: sunday, documents })
    await shop.call(calls.saveMandate, { ...mandate, ceilingAgorot: 117_999 })
    await expect(debit(shop, invoice.id)).rejects.toMatchObject({ code: 'masav.aboveCeiling' })
    await shop.call(calls.saveMandate, { ...mandate, ceilingAgorot: 118_000 })
    await expect(debit(shop, invoice.id, '019b0000-0000-7000-8000-000000000000')).rejects.toMatchObject({
      code: 'masav.nothingToPay',
    })
    await debit(shop, invoice.id)
    await expect(debit(shop, invoice.id)).rejects.toMatchObject({ code: 'masav.nothingToPay' })

    const bare = await newBusiness(world)
    const supplierId = (await bare.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })).id
    const type = (await bare.get('/api4/invoice/expensetypes?size=10')).rows[0].id
    const { id } = await bare.send('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber: '1',
      date: '2026-11-01',
      means: 'onCredit',
      lines: [{ typeId: type, netAgorot: 1_000, vatAgorot: 0 }],
    })
    await expect(
      bare.call(calls.makeCredits, {
        payDay: sunday,
        suppliers: [{ supplierId, bills: [{ id, amountAgorot: 1_000 }] }],
      }),
    ).rejects.toMatchObject({ code: 'masav.noSettings' })
  })

  test('keeps a ceiling that was not named', async () => {
    const allowed = await customer('כהן')
    await shop.invoice(allowed, '1000', { dueDate: '2026-11-20' })
    await shop.call(calls.saveMandate, {
      customerId: allowed,
      reference: '7001',
      since: '2026-01-01',
      ceilingAgorot: 20_000,
    })
    await shop.call(calls.saveMandate, { customerId: allowed, reference: '7002', since: '2026-01-01' })
    const { rows } = await shop.call(calls.proposeDebits, { until: '2026-11-20' })
    expect(rows).toMatchObject([
      { mandate: { reference: '7002', ceilingAgorot: 20_000 }, hindrance: 'aboveCeiling' },
    ])
    await expect(
      shop.call(calls.makeDebits, { payDay: sunday, documents: rows.map((row) => row.documentId) }),
    ).rejects.toMatchObject({ status: 422, code: 'masav.aboveCeiling' })
    await shop.call(calls.saveMandate, {
      customerId: allowed,
      reference: '7002',
      since: '2026-01-01',
      ceilingAgorot: null,
    })
    const mandateOf = async () => (await shop.call(calls.proposeDebits, { until: '2026-11-20' })).rows[0]!
    expect(await mandateOf()).toMatchObject({
      hindrance: null,
      mandate: { isStale: false, lastUsedOn: null },
    })
    // A mandate that was not used for a year is reported, and may still be used; a debit renews it.
    await shop.call(calls.saveMandate, { customerId: allowed, reference: '7002', since: '2025-06-01' })
    expect(await mandateOf()).toMatchObject({ hindrance: null, mandate: { isStale: true, lastUsedOn: null } })
    await shop.call(calls.makeDebits, { payDay: '2026-11-22', documents: [(await mandateOf()).documentId] })
    await shop.invoice(allowed, '100', { dueDate: '2026-11-20' })
    expect(await mandateOf()).toMatchObject({ mandate: { isStale: false, lastUsedOn: '2026-11-22' } })
  })
})

test('what the centre would refuse is refused at its line', async () => {
  const id = await supplier('סכום ארוך')
  await bill(id, '1', 20_000_000_000_000)
  await expect(payAll()).rejects.toMatchObject({
    status: 422,
    code: 'masav.refused',
    errors: [{ path: 'lines.0.amount', code: 'masav.problem.tooLong' }],
  })
})
