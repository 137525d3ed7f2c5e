import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#domain/day.ts'
import { lettersOf } from '#features/people/reminders/server/due.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { root } from '#kit/server/settings.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/** A mail that speaks of an amount shows it above its text, with the one thing to press, in the one layout of all mail. */

let world: World
let me: Business
let customerId: string
let address: string
beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world, { name: 'Alon Carpentry' })
  address = `dana${Date.now()}@example.com`
  customerId = (await me.customer('Dana Cohen', { email: address, language: 'en' })).id
  world.app.settings.testAcquirer = true
  await me.send('POST', '/api4/invoice/terminals', { gateway: 'test' })
})
afterAll(() => world.close())

const plain = (text: string) => text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
/** The HTML part of the newest mail to the customer. */
async function htmlOf(): Promise<string> {
  await world.worker.drain()
  const dir = join(world.app.settings.dataDir, 'mail')
  const files = existsSync(dir) ? readdirSync(dir).toSorted() : []
  const eml = files
    .map((file) => readFileSync(join(dir, file), 'utf8'))
    .findLast((one) => one.includes(address))!
  const part = /content-type: text\/html[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n-+_NmP/i.exec(eml)![1]!
  const bytes = part
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const decoded = /content-transfer-encoding: base64/i.test(
    eml.slice(0, eml.indexOf(part)).split('text/html').at(-1)!,
  )
    ? Buffer.from(part.replace(/\s/g, ''), 'base64').toString()
    : Buffer.from(bytes, 'latin1').toString()
  return plain(decoded.replace(/<\/?bdi>/g, ''))
}
const buttons = (html: string) => html.match(/class="button"/g)?.length ?? 0

describe('an amount and its button stand above the text of', () => {
  test('a reminder', async () => {
    const made = await me.invoice(customerId, '100')
    const companyId = (await me.get<{ companyId: string }>('/api/user/session')).companyId
    const letters = await asCaller(world.app, systemCaller(companyId), '', (ctx) =>
      lettersOf(
        ctx,
        { steps: [{ days: 1, texts: {} }], typeIds: [], leastAgorot: 0 } as never,
        nextDay(made.dueDate!),
      ),
    )
    expect(JSON.parse(letters[0]!.card)).toMatchObject({
      amount: expect.stringContaining('118.00'),
      button: { label: 'View and pay', url: made.urls.page },
      language: 'en',
    })
  })

  test('a statement of account', async () => {
    await me.send('POST', '/api4/invoice/customers/statements', {
      ids: [customerId],
      kind: 'open',
      text: '',
    })
    const html = await htmlOf()
    expect(html).toContain('Amount due')
    expect(html).toMatch(/font-size:34px[^>]*>[^<]*118\.00/)
    expect(buttons(html)).toBe(0)
  })

  test('a payment request', async () => {
    const { id, url } = await me.send<{ id: string; url: string }>('POST', '/api4/invoice/paymentLinks', {
      customerId,
      description: 'Oak table',
      amountAgorot: 45_000,
      language: 'en',
    })
    await me.send('POST', `/api4/invoice/paymentLinks/${id}/send`, { to: address })
    const html = await htmlOf()
    expect(html).toMatch(/font-size:34px[^>]*>[^<]*450\.00/)
    expect(html).toContain('View and pay')
    expect(buttons(html)).toBe(1)
    expect(html).toContain(url)
  })
})

const nextDay = (day: string) => addDays(day, 1)

/** Files that put an amount into a mail without a card, and why. */
const without: Readonly<Record<string, string>> = {
  'money/committee/server/handOver.ts': 'hands the books of a house over; its figures are of the house',
  'purchases/supplierPayments/server/letter.ts': 'tells a supplier what was paid, line by line in its file',
  'money/payPages/server/purpose.ts': 'tells the business of a sale, and nobody is to pay',
  'money/standingOrders/server/dunning.ts': 'tells the business; letters to customers are made by tell.ts',
}

test('every file that queues a mail with an amount gives it a card', () => {
  const features = join(root, 'src/features')
  const faults = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.includes('/server/') && file.endsWith('.ts') && !(file in without))
    .filter((file) => {
      const text = readFileSync(join(features, file), 'utf8')
      const queues = /insert into messages/.test(text) && /later\(\s*'[a-z]+\.mail'|letters\.mail/i.test(text)
      return queues && /withCurrency\(|formatMoney\(/.test(text) && !/(kept|money)Card\(/.test(text)
    })
  expect(faults).toEqual([])
})
