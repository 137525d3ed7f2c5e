import { getDocument as openPdf } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type World } from '../../../../tests/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-03-31T10:00:00Z'))
})
afterAll(() => world.close())

test('a report on paper says what was asked of it: whose card it is, of which bank, on what day', async () => {
  const shop = await newBusiness(world, { language: 'en' as never })
  const read = async (name: string, query: string): Promise<string> => {
    const answer = await world.http.inject({
      method: 'GET',
      url: `/api4/invoiceexport/reports/${name}.pdf?${query}`,
      headers: { 'x-access-token': shop.token },
    })
    expect(answer.statusCode).toBe(200)
    const pdf = await openPdf({ data: new Uint8Array(answer.rawPayload), verbosity: 0 }).promise
    const { items } = await (await pdf.getPage(1)).getTextContent()
    return items.map((item) => ('str' in item ? item.str : '')).join('')
  }
  const { rows: accounts } = await shop.get('/api5/invoicecpa/accounts?size=200')
  const rent = (accounts as { id: string; number: string; name: string }[]).find(
    (one) => one.number === '6010',
  )!
  const customer = await shop.customer('Cohen Brothers')
  await shop.invoice(customer.id, '500', { date: '2026-03-01' })
  const period = 'from=2026-01-01&to=2026-03-31'
  const card = await read('accountCard', `${period}&account=${rent.id}`)
  expect(card).toContain(`6010 ${rent.name}`)
  expect(card).toContain('01-03/2026')
  expect(await read('customerCard', `${period}&party=${customer.id}`)).toContain('Cohen Brothers')
  const bank = await shop.send('POST', '/api4/invoice/bankaccounts', { name: 'Main account' })
  const reconciled = await read('bankReconciliation', `bankAccount=${bank.id}&day=2026-02-15`)
  expect(reconciled).toContain('Main account')
  expect(reconciled).toContain('15/02/2026')
  // What was not asked is not told; a group says what its code is called.
  const trial = await read('trialBalance', period)
  expect(trial).not.toContain('Compare')
  const { rows: codes } = await shop.get('/api5/invoicecpa/sortCodes?size=200')
  const ofCustomers = (codes as { code: string; name: string }[]).find(({ code }) => code === '100')!
  expect(trial).toContain(`100 ${ofCustomers.name}`)
  // Years are identified by their numbers.
  expect(await read('profitYears', 'year=2025')).toMatch(/2025\s+2024\s+2023\s+2022\s+2021/)
})
