import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { takeStatement, undoStatement, uploadStatement } from '#features/money/bank/endpoints.ts'
import { cancelDocument, createDocument, openItems } from '#features/sales/documents/endpoints.ts'
import { addEntry } from '#features/base/ledger/endpoints.ts'
import { closePeriod } from '#features/books/periods/endpoints.ts'
import { bouncePayment, createDeposit } from '#features/sales/payments/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-03-31T10:00:00Z'))
})
afterAll(() => world.close())

type Row = [day: string, text: string, reference: string, shekels: number]

interface Desk {
  shop: Business
  id: string
  bring: (...rows: Row[]) => Promise<string>
  look: () => Promise<Awaited<ReturnType<typeof look>>>
  lines: () => Promise<{ id: string; text: string; state: string; amountAgorot: number }[]>
}
const look = (shop: Business, id: string) => shop.call(calls.bankDesk, { id })

/** A business with a bank account whose statements are written in lines. */
async function desk(values: Record<string, unknown> = {}, of?: Business): Promise<Desk> {
  const shop = of ?? (await newBusiness(world))
  const { id } = await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'עו״ש', ...values })
  return {
    shop,
    id,
    bring: async (...rows) => {
      const csv = [
        'date,description,reference,amount',
        ...rows.map(([day, text, reference, sum]) => `${day},${text},${reference},${sum}`),
      ].join('\n')
      const seen = await shop.call(uploadStatement, { id, name: 'x.csv', bytes: Buffer.from(csv) } as never)
      return (await shop.call(takeStatement, { id: seen.id })).id
    },
    look: () => look(shop, id),
    lines: async () => (await shop.get(`/api4/invoice/banklines?bankAccountId=${id}&size=200&sort=day`)).rows,
  }
}

const receipt = (
  shop: Business,
  customerId: string,
  shekels: number,
  day: string,
  more: Record<string, unknown> = {},
  payment: object = {},
) =>
  shop.call(createDocument, {
    type: 6,
    customerId,
    date: day,
    payments: [{ means: 3, amountAgorot: shekels * 100, ...payment }],
    ...more,
  })

const account = async (shop: Business, number: string): Promise<string> =>
  ((await shop.get('/api5/invoicecpa/accounts?size=200')).rows as { id: string; number: string }[]).find(
    (one) => one.number === number,
  )!.id

/**
 * Every law that must hold after whatever was done: each line and each posting in one match at most, and all
 * matches come to zero.
 */
async function laws(shop: Business): Promise<void> {
  const { companyId } = await shop.get('/api/user/session')
  await asSystem(world.app.db, async (tx) => {
    const { rows } = await sql<{
      wrong: number
    }>`select count(*)::int as wrong from matches m where m.company_id = ${companyId} and
      (select coalesce(sum(l.amount_agorot), 0) from match_lines x
      join bank_lines l on l.company_id = x.company_id and l.id = x.line_id where x.company_id = m.company_id
        and x.match_id = m.id)
      <> (select coalesce(sum(coalesce(x.amount_agorot, p.amount_agorot)), 0) from match_postings x
      join postings p on p.company_id = x.company_id and p.entry_id = x.entry_id and p.line = x.line
      where x.company_id = m.company_id and x.match_id = m.id)`.execute(tx)
    expect(rows[0]!.wrong).toBe(0)
  })
}

const reconciled = async ({ shop, id }: Desk, day = '2026-03-31') => {
  const report = await shop.get(`/api4/invoice/reports/bankReconciliation?bankAccount=${id}&day=${day}`)
  expect(report.checks).toEqual([{ name: 'explained', ok: true }])
  return (report.rows as { part: string; amountAgorot: number; text: string }[]).map((row) => [
    row.part,
    row.amountAgorot,
  ])
}

test('a thousand open lines are shown, and the answer says whether there are more', async () => {
  const here = await desk()
  const rows = (from: number, count: number): Row[] =>
    Array.from({ length: count }, (_, n) => ['2026-03-01', 'העברה', `${from + n}`, from + n])
  await here.bring(...rows(1, 1000))
  const full = await here.look()
  expect([full.lines.length, full.more]).toEqual([1000, false])
  await here.bring(...rows(1001, 1))
  const over = await here.look()
  expect([over.lines.length, over.more]).toEqual([1000, true])
})

test('a line is booked as what it can be: its side, its sum and what it closes must fit', async () => {
  const here = await desk()
  const { shop } = here
  const cohen = await shop.customer('כהן')
  const invoice = await shop.invoice(cohen.id, '100')
  const type = (await shop.get('/api4/invoice/expensetypes?size=10')).rows[0].id
  const supplierId = (await shop.send('POST', '/api4/invoice/suppliers', { name: 'ספק' })).id
  const bill = await shop.send('POST', '/api4/invoice/expenses', {
    supplierId,
    supplierNumber: '1',
    date: '2026-03-01',
    means: 'onCredit',
    lines: [{ typeId: type, netAgorot: 10_000, vatAgorot: 0 }],
  })
  const cheque = { means: 2, bank: '12', branch: '600', account: '123456', number: '1' }
  const paid = await receipt(shop, cohen.id, 100, '2026-03-01', {}, cheque)
  await here.bring(['2026-03-03', 'in', '1', 118], ['2026-03-04', 'out', '2', -100])
  const lines = await here.lines()
  const [into, out] = [
    lines.find((one) => one.text === 'in')!.id,
    lines.find((one) => one.text === 'out')!.id,
  ]
  const book = (lineId: string, more: object) =>
    shop.call(calls.bookLine, { id: here.id, lineId, ...more } as never)
  const paymentId = paid.payments[0]!.id
  for (const [line, more] of [
    [out, { deed: 'receipt', partyId: cohen.id, closes: [] }],
    [into, { deed: 'supplier', partyId: supplierId, closes: [{ id: bill.id, amountAgorot: 10_000 }] }],
    [into, { deed: 'bounce', paymentId }],
  ] as const)
    await expect(book(line, more), more.deed).rejects.toMatchObject({ code: 'matching.wrongSide' })
  for (const [line, more, path, code] of [
    [into, { deed: 'receipt' }, 'partyId', 'fields.need'],
    [
      into,
      { deed: 'receipt', partyId: cohen.id, closes: [{ id: invoice.id, amountAgorot: 11_801 }] },
      'closes',
      'matching.notTheSum',
    ],
    [out, { deed: 'supplier', closes: [{ id: bill.id, amountAgorot: 10_000 }] }, 'partyId', 'fields.need'],
    [out, { deed: 'supplier', partyId: supplierId }, 'closes', 'fields.need'],
    // Less than the line, and more than it where no tax is withheld.
    ...[9_999, 10_001].map(
      (amountAgorot) =>
        [
          out,
          { deed: 'supplier', partyId: supplierId, closes: [{ id: bill.id, amountAgorot }] },
          'closes',
          'matching.notTheSum',
        ] as const,
    ),
    [out, { deed: 'bounce' }, 'paymentId', 'fields.need'],
    [out, { deed: 'bounce', paymentId: bill.id }, 'paymentId', 'matching.noReturn'],
    [out, { deed: 'transfer' }, 'bankAccountId', 'fields.need'],
    [out, { deed: 'transfer', bankAccountId: here.id }, 'bankAccountId', 'matching.sameAccount'],
    [out, { deed: 'transfer', bankAccountId: bill.id }, 'bankAccountId', 'fields.ref'],
  ] as const)
    await expect(book(line, more), JSON.stringify(more)).rejects.toMatchObject({ errors: [{ path, code }] })
  expect((await here.lines()).map(({ state }) => state)).toEqual(lines.map(({ state }) => state))
  await laws(shop)
  // And each as it should be.
  await book(into, { deed: 'receipt', partyId: cohen.id, closes: [{ id: invoice.id, amountAgorot: 11_800 }] })
  await book(out, { deed: 'supplier', partyId: supplierId, closes: [{ id: bill.id, amountAgorot: 10_000 }] })
  await laws(shop)
})

test('a payment came back for its sum and a fee of at most 200 shekels', async () => {
  const here = await desk()
  const { shop } = here
  const cohen = await shop.customer('כהן')
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const paid = await receipt(shop, cohen.id, 100, '2026-03-01')
    ids.push(paid.payments[0]!.id)
  }
  await here.bring(
    ['2026-03-03', 'less', '1', -99.99],
    ['2026-03-04', 'more', '2', -300.01],
    ['2026-03-05', 'fee', '3', -300],
    ['2026-03-06', 'bare', '4', -100],
  )
  const lines = await here.lines()
  const book = (text: string, paymentId: string) =>
    shop.call(calls.bookLine, {
      id: here.id,
      lineId: lines.find((one) => one.text === text)!.id,
      deed: 'bounce',
      paymentId,
    } as never)
  for (const text of ['less', 'more'])
    await expect(book(text, ids[0]!), text).rejects.toMatchObject({
      errors: [{ path: 'paymentId', code: 'matching.noReturn' }],
    })
  await book('fee', ids[0]!)
  await book('bare', ids[1]!)
  await laws(shop)
})

describe('lines of the bank and postings', () => {
  test('what is certain is matched with one press; the rest is proposed with its reasons, ticked, and taken back', async () => {
    const here = await desk()
    const [cohen, levi] = [await here.shop.customer('כהן ובניו בע"מ'), await here.shop.customer('דנה לוי')]
    const paid = await receipt(here.shop, cohen.id, 1180, '2026-03-03')
    await receipt(here.shop, levi.id, 1180, '2026-03-04')
    await receipt(here.shop, levi.id, 300, '2026-03-05')
    await here.bring(
      ['2026-03-03', 'זיכוי מ כהן ובניו', '88123', 1180],
      ['2026-03-05', 'העברה דנה לוי', '77001', 1180],
      ['2026-03-06', 'זיכוי', '5', 300],
    )
    const { proposals } = await here.look()
    expect(
      proposals.map((one) => [one.lines[0]!.text, one.postings[0]!.party, one.confidence, one.reasons]),
    ).toEqual([
      ['זיכוי מ כהן ובניו', 'כהן ובניו בע"מ', 'certain', ['sameSum', 'name', 'sameDay']],
      ['העברה דנה לוי', 'דנה לוי', 'certain', ['sameSum', 'name', 'nearDay']],
      ['זיכוי', 'דנה לוי', 'likely', ['sameSum', 'nearDay']],
    ])
    expect(await here.shop.call(calls.acceptCertain, { id: here.id })).toMatchObject({
      matched: 2,
      booked: 0,
    })
    expect(await here.shop.call(calls.acceptCertain, { id: here.id })).toMatchObject({
      matched: 0,
      booked: 0,
    })
    const left = await here.look()
    expect([left.lines.length, left.postings.length, left.matched]).toEqual([1, 1, 2])
    await here.shop.call(calls.matchBank, {
      id: here.id,
      lines: [left.lines[0]!.id],
      postings: [left.postings[0]!.key],
    })
    expect(await reconciled(here)).toEqual([
      ['bank', 266_000],
      ['books', 266_000],
    ])
    const { rows } = await here.shop.call(calls.bankMatches, { id: here.id })
    expect(rows.map((one) => [one.number, one.automatic, one.amountAgorot])).toEqual([
      [3, false, 30_000],
      [2, true, 118_000],
      [1, true, 118_000],
    ])
    expect(await here.shop.call(calls.undoMatch, { id: rows[2]!.id })).toEqual({
      done: true,
      reversed: false,
      madeId: null,
    })
    expect((await here.look()).lines).toHaveLength(1)
    await expect(here.shop.call(calls.undoMatch, { id: rows[2]!.id })).rejects.toMatchObject({ status: 404 })
    // A receipt that is cancelled while its line is open leaves nothing to match.
    await here.shop.call(cancelDocument, { id: paid.id, reason: 'טעות' })
    expect((await here.look()).proposals[0]).toMatchObject({
      lines: [],
      reasons: ['reversal'],
      confidence: 'certain',
    })
    await laws(here.shop)
  })

  test('both sides come to the same, of one account, once; also when two people press at once', async () => {
    const here = await desk()
    const cohen = await here.shop.customer('כהן')
    for (const sum of [100, 200, 300]) await receipt(here.shop, cohen.id, sum, '2026-03-03')
    await here.bring(['2026-03-04', 'א', '1', 300], ['2026-03-05', 'ב', '2', 300])
    const { lines, postings } = await here.look()
    const match = (line: number, ...of: number[]) =>
      here.shop.call(calls.matchBank, {
        id: here.id,
        lines: [lines[line]!.id],
        postings: of.map((i) => postings[i]!.key),
      })
    // Less than the line, and more.
    await expect(match(0, 0)).rejects.toMatchObject({ code: 'matching.notZero' })
    await expect(match(0, 0, 1, 2)).rejects.toMatchObject({ code: 'matching.notZero' })
    await expect(match(0)).rejects.toMatchObject({ code: 'matching.tooFew' })
    const both = await Promise.allSettled([match(0, 0, 1), match(1, 0, 1), match(0, 2)])
    expect(both.filter((one) => one.status === 'fulfilled').length).toBeGreaterThan(0)
    await laws(here.shop)
    const stranger = await desk()
    await expect(
      stranger.shop.call(calls.matchBank, {
        id: stranger.id,
        lines: [lines[0]!.id],
        postings: [postings[2]!.key],
      }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(
      here.shop.send(
        'POST',
        `/api4/invoice/bankstatements/${(await here.shop.get(`/api4/invoice/bankstatements?bankAccountId=${here.id}`)).rows[0].id}/undo`,
      ),
    ).rejects.toMatchObject({ code: 'bank.lineMatched' })
  })

  test('the database refuses a match that does not come to zero, and a posting of another account', async () => {
    const here = await desk()
    const cohen = await here.shop.customer('כהן')
    await receipt(here.shop, cohen.id, 100, '2026-03-03')
    await here.bring(['2026-03-03', 'א', '1', 70])
    const { lines, postings, account: own } = await here.look()
    const { companyId } = await here.shop.get('/api/user/session')
    const [entry, line] = postings[0]!.key.split(':')
    const put = (accountId: string) =>
      asSystem(world.app.db, async (tx) => {
        await sql`insert into matches (company_id, id, number, kind, account_id)
          values (${companyId}, ${lines[0]!.id}, 9, 'bank', ${accountId})`.execute(tx)
        await sql`insert into match_lines values (${companyId}, ${lines[0]!.id}, ${lines[0]!.id})`.execute(tx)
        await sql`insert into match_postings
          values (${companyId}, ${entry}, ${line}, ${lines[0]!.id})`.execute(tx)
      })
    await expect(put(own.accountId)).rejects.toMatchObject({ code: 'PK240' })
    await expect(put(await account(here.shop, '1000'))).rejects.toThrow()
  })
})

describe('lines without a posting are booked once', () => {
  test('fees, interest and another account; taken back by a reversal', async () => {
    const here = await desk()
    await here.bring(
      ['2026-03-31', 'עמלת פעולה', '1', -12.9],
      ['2026-03-31', 'ריבית חובה', '2', -40],
      ['2026-03-31', 'ריבית זכות', '3', 7],
      ['2026-03-31', 'ארנונה', '4', -500],
    )
    const { proposals, lines } = await here.look()
    expect(proposals.map((one) => one.deed)).toEqual(['fee', 'interest', 'interest'])
    const book = (line: number, more: object) =>
      here.shop.call(calls.bookLine, { id: here.id, lineId: lines[line]!.id, ...more } as never)
    for (const [i, deed] of ['fee', 'interest', 'interest'].entries()) await book(i, { deed })
    await expect(book(0, { deed: 'fee' })).rejects.toMatchObject({ code: 'matching.taken' })
    await expect(book(3, { deed: 'account' })).rejects.toMatchObject({ errors: [{ path: 'accountId' }] })
    await expect(
      book(3, { deed: 'account', accountId: await account(here.shop, '1100') }),
    ).rejects.toMatchObject({
      errors: [{ code: 'matching.controlAccount' }],
    })
    await expect(
      book(3, { deed: 'account', accountId: await account(here.shop, '1010') }),
    ).rejects.toMatchObject({
      errors: [{ code: 'matching.sameAccount' }],
    })
    const booked = await book(3, { deed: 'account', accountId: await account(here.shop, '6010') })
    const trial = async () =>
      Object.fromEntries(
        (
          (await here.shop.get('/api4/invoice/reports/trialBalance?from=2026-01-01&to=2026-12-31')).rows as {
            number: string
            balanceAgorot: number
          }[]
        ).map((row) => [row.number, row.balanceAgorot]),
      )
    expect(await trial()).toMatchObject({ '1010': -54_590, '6200': 5_290, '4900': -700, '6010': 50_000 })
    expect(await reconciled(here)).toEqual([
      ['bank', -54_590],
      ['books', -54_590],
    ])
    expect(await here.shop.call(calls.undoMatch, { id: (booked as { id: string }).id })).toMatchObject({
      reversed: true,
    })
    expect(await trial()).toMatchObject({ '1010': -4_590 })
    // The line is open again, and the entry with its reversal is matched.
    const after = await here.look()
    expect([after.lines.map((line) => line.text), after.postings.length]).toEqual([['ארנונה'], 0])
    await laws(here.shop)
  })

  test('two at once book a line once', async () => {
    const here = await desk()
    await here.bring(['2026-03-31', 'עמלה', '1', -10])
    const lineId = (await here.look()).lines[0]!.id
    const tries = await Promise.allSettled(
      [1, 2, 3, 4].map(() => here.shop.call(calls.bookLine, { id: here.id, lineId, deed: 'fee' })),
    )
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect((await here.look()).ledgerAgorot).toBe(-1_000)
  })

  test('what is dated ahead is not in the balance of the books yet', async () => {
    const here = await desk()
    const [bank, fees] = [await account(here.shop, '1010'), await account(here.shop, '6200')]
    for (const date of ['2026-03-31', '2026-04-10'])
      await here.shop.call(addEntry, {
        date,
        lines: [
          { accountId: fees, debitAgorot: 700 },
          { accountId: bank, creditAgorot: 700 },
        ],
      })
    expect((await here.look()).ledgerAgorot).toBe(-700)
  })

  test('money of a customer becomes his receipt and closes what it was for; his balance is his open items', async () => {
    const here = await desk()
    const cohen = await here.shop.customer('כהן ובניו')
    const invoice = await here.shop.invoice(cohen.id, '1000', { date: '2026-03-01' })
    await here.bring(
      ['2026-03-10', `העברה כהן ובניו חשבונית ${invoice.number}`, '9', 1180],
      ['2026-03-11', 'העברה כהן ובניו', '10', 50],
    )
    const { proposals } = await here.look()
    expect(
      proposals.map((one) => [one.deed, one.confidence, one.party?.name, one.closes.map((c) => c.number)]),
    ).toEqual([
      ['receipt', 'likely', 'כהן ובניו', [String(invoice.number)]],
      ['receipt', 'possible', 'כהן ובניו', []],
    ])
    for (const one of proposals)
      expect(
        await here.shop.call(calls.bookLine, {
          id: here.id,
          lineId: one.lines[0]!.id,
          deed: 'receipt',
          partyId: one.party!.id,
          closes: one.closes.map(({ id, amountAgorot }) => ({ id, amountAgorot })),
        }),
      ).toMatchObject({ madeNumber: expect.any(Number) })
    const { rows } = await here.shop.call(openItems, { customerId: cohen.id })
    expect(rows.map((row) => row.openAgorot)).toEqual([-5_000])
    expect(await here.shop.get(`/api4/invoice/customers/${cohen.id}`)).toMatchObject({
      balanceAgorot: -5_000,
    })
    expect(await reconciled(here)).toEqual([
      ['bank', 123_000],
      ['books', 123_000],
    ])
    await expect(
      here.shop.call(calls.bookLine, {
        id: here.id,
        lineId: (await here.lines())[0]!.id,
        deed: 'receipt',
        partyId: cohen.id,
      }),
    ).rejects.toMatchObject({ code: 'matching.taken' })
  })

  test('a supplier is paid, from the account the money left; a wrong sum is refused', async () => {
    const shop = await newBusiness(world)
    const here = await desk({ accountId: await account(shop, '1015'), number: '77' }, shop)
    const kind = (await shop.get('/api4/invoice/expensetypes?size=10')).rows[0].id
    const bill = await shop.send('POST', '/api4/invoice/expenses', {
      supplier: { name: 'חברת החשמל' },
      supplierNumber: '44871',
      date: '2026-03-01',
      means: 'onCredit',
      lines: [{ typeId: kind, netAgorot: 90_000 }],
    })
    await here.bring(['2026-03-12', 'חברת החשמל 44871', '3', -900], ['2026-03-13', 'חברת החשמל', '4', -100])
    const [one] = (await here.look()).proposals
    expect(one).toMatchObject({
      deed: 'supplier',
      confidence: 'likely',
      party: { name: 'חברת החשמל' },
      closes: [{ number: '44871', amountAgorot: 90_000 }],
    })
    const pay = (line: number, amountAgorot: number) =>
      here.lines().then((lines) =>
        here.shop.call(calls.bookLine, {
          id: here.id,
          lineId: lines[line]!.id,
          deed: 'supplier',
          partyId: bill.supplierId,
          closes: [{ id: bill.id, amountAgorot }],
        }),
      )
    await expect(pay(0, 100_000)).rejects.toMatchObject({ errors: [{ path: 'closes' }] })
    await pay(0, 90_000)
    expect(await shop.get(`/api4/invoice/expenses/${bill.id}`)).toMatchObject({ openAgorot: 0 })
    expect((await here.look()).ledgerAgorot).toBe(-90_000)
    await expect(pay(1, 10_000)).rejects.toThrow()
  })

  test('a deposit cheque by cheque, and one of the cheques comes back with a fee', async () => {
    const here = await desk()
    const cohen = await here.shop.customer('כהן')
    const cheques = await Promise.all(
      [100, 200, 300].map((sum, i) =>
        receipt(
          here.shop,
          cohen.id,
          sum,
          '2026-03-01',
          {},
          {
            means: 2,
            number: String(5001 + i),
            dueDate: '2026-03-01',
            bank: '12',
            branch: '600',
            account: '1',
          },
        ),
      ),
    )
    await here.shop.call(createDeposit, {
      date: '2026-03-02',
      payments: cheques.map((one) => one.payments[0]!.id),
    })
    await here.bring(
      ['2026-03-02', 'הפקדת שיק', '5001', 100],
      ['2026-03-02', 'הפקדת שיק', '5002', 200],
      ['2026-03-02', 'הפקדת שיק', '5003', 300],
      ['2026-03-09', 'שיק חוזר 5002', '1', -200],
    )
    const { proposals } = await here.look()
    expect(proposals.map((one) => [one.lines.length, one.deed, one.confidence])).toEqual([
      [3, null, 'certain'],
      [1, 'bounce', 'likely'],
    ])
    await here.shop.call(calls.acceptCertain, { id: here.id })
    const back = proposals[1]!
    await here.shop.call(calls.bookLine, {
      id: here.id,
      lineId: back.lines[0]!.id,
      deed: 'bounce',
      paymentId: back.payment!.id,
    })
    expect(
      (await here.shop.call(openItems, { customerId: cohen.id })).rows
        .map((row) => row.openAgorot)
        .toSorted(),
    ).toEqual([-10_000, -30_000])
    await expect(here.shop.call(bouncePayment, { id: back.payment!.id })).rejects.toMatchObject({
      code: 'payments.cannotBounce',
    })
    expect(await reconciled(here)).toEqual([
      ['bank', 40_000],
      ['books', 40_000],
    ])
  })

  test('a transfer between own accounts is one entry, whichever statement comes first', async () => {
    const shop = await newBusiness(world)
    const main = await desk({ number: '1' }, shop)
    const savings = await desk({ number: '2', name: 'חיסכון', accountId: await account(shop, '1015') }, shop)
    await main.bring(
      ['2026-03-05', 'העברה בין חשבונות', '1', -700],
      ['2026-03-20', 'העברה בין חשבונות', '2', -50],
    )
    await savings.bring(['2026-03-06', 'זיכוי העברה', '1', 700])
    const [one] = (await main.look()).proposals
    expect(one).toMatchObject({ deed: 'transfer', bankAccount: { name: 'חיסכון' } })
    const book = (line: number, otherLineId: string | null) =>
      main.lines().then((lines) =>
        shop.call(calls.bookLine, {
          id: main.id,
          lineId: lines[line]!.id,
          deed: 'transfer',
          bankAccountId: savings.id,
          otherLineId,
        }),
      )
    const both = await book(0, one!.otherLineId)
    await book(1, null)
    await savings.bring(['2026-03-21', 'זיכוי העברה', '2', 50])
    const waiting = await savings.look()
    expect([waiting.ledgerAgorot, waiting.proposals.map((p) => [p.deed, p.confidence])]).toEqual([
      75_000,
      [[null, 'likely']],
    ])
    // Taking one side back takes both: the entry was theirs together.
    await shop.call(calls.undoMatch, { id: both.id })
    expect([
      (await main.look()).lines.length,
      (await savings.look()).lines.length,
      (await main.look()).ledgerAgorot,
    ]).toEqual([1, 2, -5_000])
    await laws(shop)
  })

  test('a rule of the business says what a line is; one that says so books by itself', async () => {
    const here = await desk()
    const rent = await account(here.shop, '6010')
    await here.shop.send('POST', '/api4/invoice/bankrules', {
      contains: 'נדל"ן השרון',
      deed: 'account',
      accountId: rent,
      direction: 'out',
      automatic: true,
    })
    await expect(
      here.shop.send('POST', '/api4/invoice/bankrules', { contains: 'x1', deed: 'account' }),
    ).rejects.toMatchObject({
      errors: [{ path: 'accountId' }],
    })
    await here.bring(
      ['2026-03-01', 'הו״ק נדלן השרון', '1', -4000],
      ['2026-03-02', 'נדלן השרון החזר', '2', 100],
    )
    expect(await here.shop.call(calls.acceptCertain, { id: here.id })).toMatchObject({
      matched: 0,
      booked: 1,
      left: 0,
    })
    expect((await here.lines()).map((line) => line.state)).toEqual(['booked', 'open'])
  })

  test('a line whose month is closed holds up neither the other lines nor what is certain', async () => {
    const here = await desk()
    const cohen = await here.shop.customer('כהן ובניו')
    const rule = {
      contains: 'נדלן השרון',
      deed: 'account',
      accountId: await account(here.shop, '6010'),
      direction: 'out',
      automatic: true,
    }
    await here.shop.send('POST', '/api4/invoice/bankrules', rule)
    await receipt(here.shop, cohen.id, 100, '2026-03-03')
    await here.bring(
      ['2026-02-10', 'נדלן השרון', '1', -4000],
      ['2026-03-03', 'כהן ובניו', '7', 100],
      ['2026-03-10', 'נדלן השרון', '2', -4000],
    )
    await here.shop.call(closePeriod, { kind: 'month', from: '2026-02-01', despite: true })
    expect(await here.shop.call(calls.acceptCertain, { id: here.id })).toEqual({
      matched: 1,
      booked: 1,
      left: 1,
      why: { code: 'ledger.periodClosed', params: expect.anything() },
    })
    const lines = await here.lines()
    expect(lines.map((line) => line.state)).toEqual(['open', 'matched', 'booked'])
    // By hand neither: the day is the bank's, so no field is blamed, and the line stays as it was.
    const book = here.shop.call(calls.bookLine, {
      id: here.id,
      lineId: lines[0]!.id,
      accountId: rule.accountId,
    })
    await expect(book).rejects.toMatchObject({ code: 'ledger.periodClosed', errors: [] })
    expect((await here.lines())[0]).toMatchObject({ state: 'open' })
    await laws(here.shop)
  })
})

describe('the card of an account', () => {
  test('of which thousands of lines are matched shows what is left, the newest last, and its open sum is the balance', async () => {
    const shop = await newBusiness(world)
    const [loans, cash] = [await account(shop, '2500'), await account(shop, '1000')]
    const { companyId } = await shop.get('/api/user/session')
    await asSystem(world.app.db, async (tx) => {
      // Pairs of the same sum; the last ten lines stay open.
      await sql`select
          post_entries(${companyId},
          (select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'day', '2026-01-01'::date + g / 100,
          'kind', 'manual',
          'reference', case when g > 2200 then 'open' || g else 'paid' || (g + 1) / 2 end,
          'lines', jsonb_build_array(jsonb_build_object('account', ${loans}::uuid, 'amount', s.amount),
          jsonb_build_object('account', ${cash}::uuid, 'amount', -s.amount))))
        from generate_series(1, 2210) g,
          lateral (select case when g > 2200 then g when g % 2 = 1 then g + 1 else -g end as amount)
          s))`.execute(tx)
      await sql`create temp table pairs on commit drop as select gen_random_uuid() as id, reference,
          row_number() over () as n
        from (select distinct reference from entries where company_id = ${companyId}
          and reference like 'paid%') r`.execute(tx)
      await sql`insert into matches (company_id, id, number, kind, account_id)
        select ${companyId}, id, n, 'card', ${loans} from pairs`.execute(tx)
      await sql`insert into match_postings (company_id, entry_id, line, match_id)
        select ${companyId}, p.entry_id, p.line, r.id from pairs r
        join entries e on e.company_id = ${companyId} and e.reference = r.reference
        join postings p on p.company_id = e.company_id and p.entry_id = e.id
          and p.account_id = ${loans}`.execute(tx)
    })
    const card = await shop.call(calls.cardDesk, { accountId: loans })
    expect(card.rows.map((row) => row.amountAgorot)).toEqual(
      card.rows.map((row) => Number(row.reference.slice(4))),
    )
    expect(card.rows.map((row) => row.amountAgorot).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, i) => 2201 + i),
    )
    expect([card.openAgorot, card.matched, card.more]).toEqual([22_055, 1100, false])
    expect((await shop.call(calls.cardDesk, { accountId: loans, all: 'true' })).more).toBe(true)
  })

  test('comes to zero by ticks and proposals; a bank account and customers have their own ways', async () => {
    const shop = await newBusiness(world)
    const [loans, cash] = [await account(shop, '2500'), await account(shop, '1000')]
    const entry = (reference: string, sum: number) =>
      shop.call(addEntry, {
        date: '2026-03-01',
        reference,
        lines: [
          { accountId: loans, ...(sum > 0 ? { debitAgorot: sum } : { creditAgorot: -sum }) },
          { accountId: cash, ...(sum > 0 ? { creditAgorot: sum } : { debitAgorot: -sum }) },
        ],
      })
    for (const [reference, sum] of [
      ['771', 500],
      ['771', -500],
      ['', 900],
      ['', -400],
      ['', -500],
      ['', 33],
    ] as const)
      await entry(reference, sum)
    const card = await shop.call(calls.cardDesk, { accountId: loans })
    expect(card.openAgorot).toBe(33)
    expect(card.proposals.map((one) => [one.reason, one.certain, one.amountAgorot])).toEqual([
      ['sameReference', true, 500],
      ['sumOfSeveral', false, 900],
    ])
    await expect(
      shop.call(calls.matchCard, { accountId: loans, groups: [[card.rows[0]!.key, card.rows[2]!.key]] }),
    ).rejects.toMatchObject({
      code: 'matching.notZero',
    })
    const { rows } = await shop.call(calls.matchCard, {
      accountId: loans,
      groups: card.proposals.map((one) => one.keys),
    })
    expect(
      (await shop.call(calls.cardDesk, { accountId: loans })).rows.map((row) => row.amountAgorot),
    ).toEqual([33])
    const all = await shop.call(calls.cardDesk, { accountId: loans, all: 'true' })
    expect(all.rows.map((row) => row.matches.map((one) => one.number))).toEqual([[1], [1], [2], [2], [2], []])
    await expect(
      shop.call(calls.matchCard, { accountId: loans, groups: [card.proposals[0]!.keys] }),
    ).rejects.toMatchObject({
      code: 'matching.taken',
    })
    await shop.call(calls.undoMatch, { id: rows[1]!.id })
    expect((await shop.call(calls.cardDesk, { accountId: loans })).rows).toHaveLength(4)
    await expect(shop.call(calls.cardDesk, { accountId: await account(shop, '1100') })).rejects.toMatchObject(
      {
        code: 'matching.cardOfDocuments',
      },
    )
    await desk({}, shop)
    await expect(shop.call(calls.cardDesk, { accountId: await account(shop, '1010') })).rejects.toMatchObject(
      {
        code: 'matching.cardOfBank',
      },
    )
    await laws(shop)
  })

  test('a line is matched in part, its rest stays open for the next, and each part is taken back by itself', async () => {
    const shop = await newBusiness(world)
    const [loans, cash] = [await account(shop, '2500'), await account(shop, '1000')]
    const entry = (day: string, reference: string, sum: number) =>
      shop.call(addEntry, {
        date: day,
        reference,
        lines: [
          { accountId: loans, ...(sum > 0 ? { debitAgorot: sum } : { creditAgorot: -sum }) },
          { accountId: cash, ...(sum > 0 ? { creditAgorot: sum } : { debitAgorot: -sum }) },
        ],
      })
    await entry('2026-03-01', '900', -100_000)
    await entry('2026-03-10', '900', 30_000)
    await entry('2026-03-20', '12', 50_000)
    const look = () => shop.call(calls.cardDesk, { accountId: loans, all: 'true' })
    const [loan, first, second] = (await look()).rows.map((row) => row.key) as [string, string, string]
    const { proposals } = await look()
    expect(proposals).toEqual([
      {
        keys: [loan, first],
        reason: 'partOfReference',
        certain: false,
        amountAgorot: 30_000,
        partly: { key: loan, amountAgorot: -30_000 },
      },
    ])
    const match = (other: string, part: number) =>
      shop.call(calls.matchCard, {
        accountId: loans,
        groups: [[loan, other]],
        partly: [{ key: loan, amountAgorot: part }],
      })
    await expect(match(first, -20_000)).rejects.toMatchObject({ code: 'matching.notZero' })
    await expect(match(first, 30_000)).rejects.toMatchObject({ code: 'matching.partTooMuch' })
    await expect(match(first, -100_001)).rejects.toMatchObject({ code: 'matching.partTooMuch' })
    await match(first, -30_000)
    expect(
      (await look()).rows.map((row) => [row.openAgorot, row.matches.map((one) => one.amountAgorot)]),
    ).toEqual([
      [-70_000, [-30_000]],
      [0, [30_000]],
      [50_000, []],
    ])
    // The balance of the card is what is open on it.
    expect((await look()).openAgorot).toBe(-20_000)
    await match(second, -50_000)
    expect((await look()).rows.map((row) => [row.openAgorot, row.matches.map((one) => one.number)])).toEqual([
      [-20_000, [1, 2]],
      [0, [1]],
      [0, [2]],
    ])
    expect((await shop.call(calls.cardDesk, { accountId: loans })).rows.map((row) => row.openAgorot)).toEqual(
      [-20_000],
    )
    // The rest is taken whole by the line that closes it.
    await entry('2026-03-25', '', 20_000)
    const last = (await look()).rows.at(-1)!.key
    await shop.call(calls.matchCard, { accountId: loans, groups: [[loan, last]] })
    expect((await shop.call(calls.cardDesk, { accountId: loans })).rows).toEqual([])
    await expect(
      shop.call(calls.matchCard, { accountId: loans, groups: [[loan, last]] }),
    ).rejects.toMatchObject({ code: 'matching.taken' })
    const [one] = (await look()).rows[0]!.matches
    expect(await shop.call(calls.matchOf, { id: one!.id })).toMatchObject({
      amountAgorot: 30_000,
      postings: [{ amountAgorot: -30_000 }, { amountAgorot: 30_000 }],
    })
    await shop.call(calls.undoMatch, { id: one!.id })
    expect((await look()).rows.map((row) => row.openAgorot)).toEqual([-30_000, 30_000, 0, 0])
    await laws(shop)
  })

  test('two who take parts of one line at once never take more than it has', async () => {
    const shop = await newBusiness(world)
    const [loans, cash] = [await account(shop, '2500'), await account(shop, '1000')]
    for (const sum of [-100, 60, 60, 60])
      await shop.call(addEntry, {
        date: '2026-03-01',
        lines: [
          { accountId: loans, ...(sum > 0 ? { debitAgorot: sum } : { creditAgorot: -sum }) },
          { accountId: cash, ...(sum > 0 ? { creditAgorot: sum } : { debitAgorot: -sum }) },
        ],
      })
    const { rows } = await shop.call(calls.cardDesk, { accountId: loans })
    const [loan, ...paid] = rows.map((row) => row.key) as [string, ...string[]]
    const tries = await Promise.allSettled(
      paid.map((key) =>
        shop.call(calls.matchCard, {
          accountId: loans,
          groups: [[loan, key]],
          partly: [{ key: loan, amountAgorot: -60 }],
        }),
      ),
    )
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect((await shop.call(calls.cardDesk, { accountId: loans })).rows[0]).toMatchObject({
      key: loan,
      openAgorot: -40,
    })
    // The database itself refuses what a command would have let pass.
    const { companyId } = await shop.get('/api/user/session')
    const [entryId, line] = loan.split(':')
    await expect(
      asSystem(world.app.db, async (tx) => {
        await sql`insert into matches (company_id, id, number, kind, account_id)
          values (${companyId}, ${entryId}, 99, 'card', ${loans})`.execute(tx)
        for (const [key, part] of [
          [`${entryId}:${line}`, -60],
          [paid.find((_, i) => tries[i]!.status === 'rejected')!, 60],
        ] as const)
          await sql`insert into match_postings (company_id, entry_id, line, match_id, amount_agorot)
            values (${companyId}, ${key.split(':')[0]}, ${key.split(':')[1]}, ${entryId}, ${part})`.execute(
            tx,
          )
      }),
    ).rejects.toMatchObject({ code: 'PK4E0' })
    await laws(shop)
  })

  test('of a customer it shows what his documents closed, and where the rest is closed', async () => {
    const shop = await newBusiness(world)
    const cohen = await shop.customer('כהן')
    const invoice = await shop.invoice(cohen.id, '100', { date: '2026-03-01' })
    const money = await receipt(shop, cohen.id, 150, '2026-03-02', {
      closes: [{ documentId: invoice.id, amountAgorot: 11_800 }],
    })
    const card = await shop.call(calls.cardDesk, { partyId: cohen.id, all: 'true' })
    expect(card).toMatchObject({ byDocuments: 'customer', openAgorot: -3_200 })
    expect(card.rows.map((row) => [row.amountAgorot, row.openAgorot, row.closedBy, row.applyPath])).toEqual([
      [11_800, 0, String(money.number), null],
      [-15_000, -3_200, String(invoice.number), `/invoice/applymoney/${money.id}`],
    ])
    expect((await shop.call(calls.cardDesk, { partyId: cohen.id })).rows).toHaveLength(1)
  })
})

test('what was before the first statement, and matches across the day, explain the difference', async () => {
  const here = await desk()
  const cohen = await here.shop.customer('כהן')
  await receipt(here.shop, cohen.id, 1000, '2026-01-15')
  await receipt(here.shop, cohen.id, 100, '2026-03-10')
  await receipt(here.shop, cohen.id, 40, '2026-03-11')
  const csv =
    'date,description,reference,amount,balance\n2026-03-01,fee,1,-5,2495\n2026-03-12,cohen,2,100,2595'
  const seen = await here.shop.call(uploadStatement, {
    id: here.id,
    name: 'x.csv',
    bytes: Buffer.from(csv),
  } as never)
  const { id } = await here.shop.call(takeStatement, { id: seen.id })
  const { lines, postings } = await here.look()
  await here.shop.call(calls.matchBank, {
    id: here.id,
    lines: [lines[1]!.id],
    postings: [postings.find((one) => one.amountAgorot === 10_000)!.key],
  })
  expect(await reconciled(here)).toEqual([
    ['bank', 259_500],
    ['line', 500],
    ['posting', 4_000],
    ['before', -150_000],
    ['books', 114_000],
  ])
  expect(await reconciled(here, '2026-03-11')).toEqual([
    ['bank', 249_500],
    ['line', 500],
    ['posting', 4_000],
    ['timing', 10_000],
    ['before', -150_000],
    ['books', 114_000],
  ])
  await expect(here.shop.call(undoStatement, { id })).rejects.toMatchObject({ code: 'bank.lineMatched' })
})

test('whoever sees a part of the papers sees nothing of the bank', async () => {
  const here = await desk()
  await here.bring(['2026-03-01', 'x', '1', 5])
  const { companyId } = await here.shop.get('/api/user/session')
  await asSystem(world.app.db, (tx) =>
    sql`update memberships set docs_allow = '{10}' where company_id = ${companyId}`.execute(tx),
  )
  await expect(here.look()).rejects.toMatchObject({ status: 403 })
  await expect(
    here.shop.get(`/api4/invoice/reports/bankReconciliation?bankAccount=${here.id}&day=2026-03-31`),
  ).rejects.toMatchObject({
    status: 403,
  })
  await expect(here.shop.call(calls.cardDesk, { accountId: here.id })).rejects.toMatchObject({ status: 403 })
})

describe('what is refused', () => {
  const refused = (code: string, path?: string) =>
    path ? { status: 422, errors: [{ path, code }] } : { code }

  test('a line on the wrong side of its deed, one of a day to come, a return of too large a fee', async () => {
    const here = await desk()
    await here.bring(
      ['2026-03-03', 'in', '1', 500],
      ['2026-03-04', 'out', '2', -500],
      ['2026-04-20', 'ahead', '3', -12],
    )
    const lines = await here.lines()
    const of = (text: string) => lines.find((one) => one.text === text)!.id
    const book = (line: string, deed: string, more: object = {}) =>
      here.shop.call(calls.bookLine, { id: here.id, lineId: of(line), deed, ...more } as never)
    const { id: partyId } = await here.shop.customer('כהן')
    for (const [line, deed] of [
      ['out', 'receipt'],
      ['in', 'supplier'],
      ['in', 'bounce'],
    ] as const)
      await expect(book(line, deed, { partyId })).rejects.toMatchObject({
        status: 422,
        code: 'matching.wrongSide',
      })
    await expect(book('ahead', 'fee')).rejects.toMatchObject({ status: 422, code: 'matching.dateInFuture' })
    // A cheque of 300.00 that cost 200.01 to come back, and one that is not there.
    const { id } = await receipt(
      here.shop,
      partyId,
      299.99,
      '2026-03-01',
      {},
      {
        means: 2,
        bank: '12',
        branch: '600',
        account: '123456',
        number: '5001',
        dueDate: '2026-03-01',
      },
    )
    const { rows } = await here.shop.get('/api4/invoice/payments?size=10')
    const paymentId = (rows as { id: string; documentId: string }[]).find((one) => one.documentId === id)!.id
    for (const payment of [paymentId, partyId])
      await expect(book('out', 'bounce', { paymentId: payment })).rejects.toMatchObject(
        refused('matching.noReturn', 'paymentId'),
      )
  })

  test('two accounts, two currencies, and an exchange whose sides are the same', async () => {
    const here = await desk()
    const other = await desk({ name: 'euro', currency: 'EUR' }, here.shop)
    const { id: customerId } = await here.shop.customer('לוי')
    await receipt(here.shop, customerId, 500, '2026-03-03')
    await here.bring(['2026-03-03', 'in', '1', 500], ['2026-03-04', 'in', '4', 40])
    const ofBank = (await here.look()).postings[0]!
    // The other posting of the receipt's entry lies on the card of the customers.
    const foreign = ofBank.key.replace(/\d+$/, (line) => (line === '1' ? '2' : '1'))
    const [first, second] = await here.lines()
    await expect(
      here.shop.call(calls.matchBank, { id: here.id, lines: [first!.id], postings: [foreign] }),
    ).rejects.toMatchObject({ status: 422, code: 'matching.oneAccount' })
    await other.bring(['2026-03-04', 'in', '5', 10])
    const [theirs] = await other.lines()
    const exchange = {
      id: here.id,
      lineId: second!.id,
      deed: 'transfer',
      bankAccountId: other.id,
      otherLineId: theirs!.id,
    } as const
    await expect(here.shop.call(calls.bookLine, exchange)).rejects.toMatchObject(
      refused('matching.wrongSide', 'otherLineId'),
    )
    // Put away, the account in euro still holds what it held; one in dollars in its place cannot be matched.
    const { accountId } = await here.shop.get(`/api4/invoice/bankaccounts/${other.id}`)
    await here.shop.send('DELETE', `/api4/invoice/bankaccounts/${other.id}`)
    const dollars = await desk({ name: 'dollars', currency: 'USD', accountId }, here.shop)
    await expect(
      here.shop.call(calls.bookLine, { id: dollars.id, lineId: first!.id, deed: 'fee' }),
    ).rejects.toMatchObject({ status: 422, code: 'matching.foreignCurrency' })
    await expect(
      here.shop.call(calls.bookLine, { ...exchange, bankAccountId: dollars.id }),
    ).rejects.toMatchObject(refused('matching.foreignCurrency', 'bankAccountId'))
    await here.shop.call(calls.matchBank, { id: here.id, lines: [first!.id], postings: [ofBank.key] })
  })
})
