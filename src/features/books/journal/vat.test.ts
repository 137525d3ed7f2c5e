import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { closePeriod } from '#features/books/periods/endpoints.ts'
import { fileReturn, vatPeriodFacts } from '#features/tax/vat/endpoints.ts'
import * as calls from './endpoints.ts'

let today = '2026-03-31'
let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date(`${today}T09:00:00Z`))
})
afterAll(() => world.close())

interface Desk {
  me: Business
  facts: calls.JournalFacts
  account: (number: string) => string
  code: (code: string) => string
}
async function open(): Promise<Desk> {
  today = '2026-03-31'
  const me = await newBusiness(world)
  await me.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
  const facts = await me.call(calls.journalFacts, {})
  return {
    me,
    facts,
    account: (number) => facts.accounts.find((a) => a.number === number)!.id,
    code: (code) => facts.vatCodes.find((c) => c.code === code)!.id,
  }
}

async function posted({ me }: Desk, ...lines: Partial<calls.LineInput>[]): Promise<string> {
  const { id } = await me.call(calls.createBatch, {
    name: 'מרץ',
    lines: lines.map((one, position) => ({ day: '2026-03-10', amountAgorot: 11_800, position, ...one })),
  })
  await me.call(calls.checkBatch, { id })
  await me.call(calls.postBatch, { id })
  return id
}
const filed = async ({ me }: Desk) => {
  today = '2026-04-05'
  expect((await me.call(vatPeriodFacts, { period: '2026-03' })).differences).toEqual([])
  const filing = await me.call(fileReturn, { period: '2026-03', kind: 'return' })
  await me.call(closePeriod, { kind: 'month', from: '2026-03-01', despite: true })
  return filing
}

describe('what is typed into the journal is reported', () => {
  test('every kind of movement that is offered, posted as it stands', async () => {
    const desk = await open()
    expect(desk.facts.kinds.length).toBeGreaterThanOrEqual(8)
    await posted(
      desk,
      ...desk.facts.kinds.map(({ id, debitAccountId, creditAccountId, vatCodeId }) => ({
        kindId: id,
        debitAccountId,
        creditAccountId,
        vatCodeId,
      })),
    )
    // One sale, one purchase, one piece of equipment.
    expect(await filed(desk)).toMatchObject({
      outputVatAgorot: 1_800,
      inputVatAgorot: 3_600,
      toPayAgorot: -1_800,
    })
  })

  test('every VAT code, on one side and on both, beside lines without a code, and taken back', async () => {
    const desk = await open()
    const { account, code, me } = desk
    const sale = { debitAccountId: account('1010'), creditAccountId: account('4000') }
    const batch = await posted(
      desk,
      { ...sale, vatCodeId: code('1') },
      { ...sale, vatCodeId: code('2') },
      { ...sale, vatCodeId: code('3') },
      // Refunded, by an amount below zero.
      { ...sale, vatCodeId: code('1'), amountAgorot: -5_900 },
      ...['4', '5', '6', '7', '8'].map((one) => ({
        debitAccountId: account('6010'),
        creditAccountId: account('1010'),
        vatCodeId: code(one),
      })),
      // One entry of several lines: two amounts of one account, of which one is no sale.
      { creditAccountId: account('4000'), vatCodeId: code('1') },
      { creditAccountId: account('4000'), amountAgorot: 5_000 },
      { debitAccountId: account('1000'), amountAgorot: 16_800 },
    )
    today = '2026-04-05'
    const facts = await me.call(vatPeriodFacts, { period: '2026-03' })
    expect(facts.differences).toEqual([])
    const figures = Object.fromEntries(facts.figures.map((f) => [f.name, [f.exactAgorot, f.booksAgorot]]))
    expect([figures.taxableSales, figures.untaxedSales, figures.outputVat]).toEqual([
      [15_000, 15_000],
      [23_600, 23_600],
      [2_700, 2_700],
    ])
    today = '2026-03-31'
    await me.call(calls.reverseBatch, { id: batch, date: '2026-03-31' })
    expect(await filed(desk)).toMatchObject({ outputVatAgorot: 0, inputVatAgorot: 0 })
  })

  test('opening balances on the accounts of VAT are no VAT of their month, and may come after it was reported', async () => {
    const desk = await open()
    const { me, account } = desk
    const opened = async (date: string) => {
      await me.send('PUT', '/api5/invoicecpa/openingbalances', {
        date,
        lines: [
          { accountId: account('1200'), debitAgorot: 3_000, creditAgorot: 0 },
          { accountId: account('1210'), debitAgorot: 2_000, creditAgorot: 0 },
          { accountId: account('2100'), debitAgorot: 0, creditAgorot: 9_000 },
          { accountId: account('1010'), debitAgorot: 4_000, creditAgorot: 0 },
        ],
      })
      return me.send('POST', '/api5/invoicecpa/openingbalances/post', { leaveDifference: false })
    }
    await opened('2026-03-01')
    const customer = await me.customer('דנה לוי')
    await me.invoice(customer.id, '1000')
    expect(await filed(desk)).toMatchObject({ outputVatAgorot: 18_000, inputVatAgorot: 0 })

    const late = await open()
    today = '2026-04-05'
    await late.me.call(fileReturn, { period: '2026-03', kind: 'return' })
    await late.me.send('PUT', '/api5/invoicecpa/openingbalances', {
      date: '2026-03-01',
      lines: [{ accountId: late.account('2100'), debitAgorot: 0, creditAgorot: 9_000 }],
    })
    await late.me.send('POST', '/api5/invoicecpa/openingbalances/post', { leaveDifference: true })
    expect((await late.me.call(vatPeriodFacts, { period: '2026-03' })).differences).toEqual([])
  })
})
