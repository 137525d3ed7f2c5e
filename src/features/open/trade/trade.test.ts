import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '#kit/server/db.ts'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { addTerminal } from '#features/money/acquirers/endpoints.ts'
import { changeKey, makeKey } from '../apiKeys/endpoints.ts'
import { languageIds, tradeCallNamed, tradeCalls, type TradeCall, type TradeName } from './calls.ts'
import type { TradeFields } from './fields.ts'
import { read } from './read.ts'

let world: World
let owner: Business
let key: { id: string; secret: string }

const newKey = async (more: object = {}) => {
  const made = await owner.call(makeKey, {
    name: 'חנות',
    readOnly: false,
    draftsOnly: false,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
    ...more,
  })
  return { id: made.key.id, secret: made.secret }
}

beforeAll(async () => {
  world = await startWorld()
  world.app.settings.testAcquirer = true
  owner = await newBusiness(world)
  await owner.call(addTerminal, { gateway: 'test' })
  key = await newKey()
})
afterAll(() => world.close())

/** A card that the test terminal of the business keeps already, and whose it is. */
async function keptCard() {
  const { id } = await owner.customer('נטע')
  await asSystem(world.app.db, (tx) =>
    sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      select company_id, 'TOK-brought', 'approve', 'visa', '4242', '2040-12' from parties where id = ${id}`.execute(tx),
  )
  return { CustomerID: id, Token: 'TOK-brought' }
}

interface Answered {
  status: number
  Success: boolean
  ErrorMessage: string
  ReturnValue: any
  total?: number
  ErrorCode?: string
  Errors?: { path: string; code: string; message: string }[]
  Ignored?: string[]
}

/** As the programs do it: a JSON object in the header. */
async function call(name: string, body: object = {}, of = key, headers: Record<string, string> = {}): Promise<Answered> {
  const answer = await world.http.inject({
    method: 'POST',
    url: `/api/v1/${name}`,
    headers: { authorization: JSON.stringify({ secret: of.secret, userkey: of.id }), ...headers },
    payload: body,
  })
  return { status: answer.statusCode, ...answer.json() }
}

const names = Object.keys(tradeCalls) as TradeName[]

describe('every call', () => {
  test('answers its sample, and its answer holds what the guide says', async () => {
    for (const name of names) {
      const declared: TradeCall = tradeCalls[name]
      const sample =
        name === 'cancelDocument'
          ? { id: (await call('getDocument', { DocumentUniqueKey: 'order-1001' })).ReturnValue.id }
          : name === 'addcardtoken'
            ? { ...declared.sample, ...(await keptCard()) }
            : declared.sample
      const answer = await call(declared.name, sample)
      expect([name, answer.status, answer.Success, answer.ErrorMessage, answer.Ignored]).toEqual([name, 200, true, '', undefined])
      if (declared.bare) {
        expect([name, typeof answer.ReturnValue]).toEqual([name, 'string'])
        continue
      }
      const one: unknown = declared.rows ? answer.ReturnValue[0] : answer.ReturnValue
      if (declared.rows) expect(answer.total).toBe(answer.ReturnValue.length)
      if (one !== undefined) expect([name, Object.keys(one as object).toSorted()]).toEqual([name, Object.keys(declared.gives).toSorted()])
      else expect(name).toBe('getOpenInvoices')
    }
  })

  test('is found under each of its names, in whatever letters, and under both versions', async () => {
    expect(tradeCallNamed('GETALLCUSTOMERS')).toBe('customers')
    const all = names
      .flatMap((name) => [tradeCalls[name].name, ...((tradeCalls[name] as TradeCall).also ?? [])])
      .map((one) => one.toLowerCase())
    expect(new Set(all).size).toBe(new Set(all.map((one) => tradeCallNamed(one) + one)).size)
    const answer = await world.http.inject({
      method: 'POST',
      url: '/api/v1.1/GetAllCurrencies',
      payload: { SecretKey: key.secret, UserKey: key.id },
    })
    expect(answer.json()).toMatchObject({ Success: true, total: 11 })
  })
})

describe('who calls', () => {
  test.each([
    ['nobody', {}],
    ['no JSON', { authorization: '{secret' }],
    ['a wrong secret', { authorization: JSON.stringify({ secret: 'pk_live_wrong', userkey: '' }) }],
    ['a session', { authorization: 'SESSION' }],
  ])('%s is refused with 401 in the shape of the trade', async (_, headers) => {
    const answer = await world.http.inject({
      method: 'POST',
      url: '/api/v1/customers',
      headers: {
        ...headers,
        ...('authorization' in headers && headers.authorization === 'SESSION' ? { authorization: owner.token } : {}),
        'x-language': 'en',
      },
      payload: {},
    })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({
      Success: false,
      ReturnValue: null,
      ErrorCode: 'trade.keys',
      ErrorMessage: expect.stringContaining('key'),
    })
  })

  test('the secret of one key with the id of another is refused', async () => {
    const other = await newKey()
    expect((await call('login', {}, { id: other.id, secret: key.secret })).status).toBe(401)
  })

  test('a key that only reads makes nothing, and one without a right is told so', async () => {
    const reader = await newKey({ readOnly: true })
    expect(await call('addcustomer', { Name: 'x' }, reader)).toMatchObject({ status: 403, ErrorCode: 'kit.keyReadOnly' })
    const narrow = await newKey({ rules: [20] })
    expect(await call('customers', {}, narrow)).toMatchObject({ status: 403, Success: false })
  })

  test('a call that is none, and one for a person, say so', async () => {
    expect(await call('noSuch', {}, key, { 'x-language': 'en' })).toMatchObject({
      status: 404,
      ErrorCode: 'trade.noCall',
      ErrorMessage: expect.stringMatching(/no call named .*noSuch.*guides/),
    })
    expect((await call('addCompany', {})).status).toBe(403)
    const old = await world.http.inject({ method: 'POST', url: '/api/user/createInvoice', payload: {} })
    expect([old.statusCode, old.json().ErrorMessage]).toEqual([410, expect.stringContaining('/api/v1/createDocument')])
  })

  test('a broken body is refused in the shape of the trade', async () => {
    const answer = await world.http.inject({
      method: 'POST',
      url: '/api/v1/customers',
      headers: { 'content-type': 'application/json' },
      payload: '{"a":',
    })
    expect([answer.statusCode, answer.json().Success, answer.json().ErrorCode]).toEqual([400, false, 'kit.badJson'])
  })
})

describe('a document', () => {
  const paid = (unique: string, more: object = {}) => ({
    DocumentType: '9',
    CurrencyId: 'ILS',
    langid: '139',
    DocumentUniqueKey: unique,
    Customer: { ID: '-1', Name: 'Dana', CustomKey: `c-${unique}`, EmailAddress: 'dana@example.com' },
    items: [{ Name: 'Chair', Quantity: '2', Price: 117, vatType: 2 }],
    payments: [{ TypeID: 1, Price: '234' }],
    ...more,
  })

  test('sent five times at once, and again, is one, with one customer and one letter', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => call('createDocument', paid('twin', { SendEmail: 1 }))))
    const good = all.filter((one) => one.status === 200)
    expect(good.length).toBeGreaterThan(0)
    for (const one of all) expect([200, 409, 422]).toContain(one.status)
    const again = await call('createDocument', paid('twin', { SendEmail: 1 }))
    expect(new Set([...good, again].map((one) => one.ReturnValue.id)).size).toBe(1)
    expect(again.ReturnValue).toMatchObject({ DocumentType: 9, TotalPrice: '234.00', statusID: 1, Currency: 'ILS' })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{ papers: number; customers: number; letters: number }>`select
        (select count(*)::int from documents where client_key = 'twin') as papers,
        (select count(*)::int from parties where custom_key = 'c-twin') as customers,
        (select count(*)::int from messages where document_id = ${again.ReturnValue.id}) as letters`.execute(tx),
    )
    expect(rows[0]).toEqual({ papers: 1, customers: 1, letters: 1 })
  })

  test('opens for its customer at the address it was answered with', async () => {
    const { ReturnValue } = await call('getDocument', { DocumentUniqueKey: 'twin' })
    const pdf = await world.http.inject({ method: 'GET', url: new URL(ReturnValue.pdfurl).pathname })
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  })

  test.each([
    ['an unknown type', { DocumentType: 99 }, 'DocumentType', 'fields.choice'],
    ['no type', { DocumentType: null }, 'DocumentType', 'fields.need'],
    ['a currency that may be two', { CurrencyId: 2 }, 'CurrencyID', 'trade.currency'],
    ['a currency that is none', { CurrencyId: 77 }, 'CurrencyID', 'fields.currency'],
    ['a price that is none', { items: [{ Name: 'x', Price: 'ten' }] }, 'items.0.Price', 'fields.decimal'],
    ['a day that is none', { DateCreated: '2026-02-30 10:00' }, 'DateCreated', 'fields.day'],
    ['files by address', { files: ['http://10.0.0.1/x'] }, 'files', 'fields.most'],
    ['a customer nobody knows', { Customer: { ID: -1 } }, 'Customer.Name', 'trade.customer'],
  ])('with %s is refused at its field', async (_, more, path, code) => {
    const answer = await call('createDocument', paid('bad', more))
    expect([answer.status, answer.Success, answer.Errors?.[0]?.path, answer.Errors?.[0]?.code]).toEqual([422, false, path, code])
    expect(answer.ErrorMessage).toContain(path)
  })

  test('in the currency its key counts by', async () => {
    const guides = await newKey()
    await owner.call(changeKey, { id: guides.id, tradeCurrencies: 'guides' })
    const answer = await call('createDocument', paid('counted', { CurrencyId: 2 }), guides)
    expect([answer.status, answer.ReturnValue.Currency]).toEqual([200, 'ILS'])
    expect((await call('currencies', {}, guides)).ReturnValue[0]).toEqual({ ID: 2, Code: 'ILS' })
    expect((await call('createDocument', paid('counted-1', { CurrencyId: 1 }), guides)).Errors?.[0]?.code).toBe('fields.currency')
  })

  test('that is refused is told under 200 only to who asked for that', async () => {
    const lenient = await newKey()
    await owner.call(changeKey, { id: lenient.id, tradeAlwaysOk: true })
    expect(await call('createDocument', paid('x', { DocumentType: 99 }), lenient)).toMatchObject({
      status: 200,
      Success: false,
      ErrorCode: 'kit.badInput',
    })
  })

  test('as a draft has no number, and is not sent', async () => {
    const { ReturnValue } = await call('createDocument', paid('draft', { statusID: 2, SendEmail: true }))
    expect(ReturnValue).toMatchObject({ statusID: 2, docNumber: null, url: '' })
  })

  test('in a language, with a discount, names that mean nothing told', async () => {
    const answer = await call(
      'createDocument',
      paid('disc', { LangID: languageIds.fr, discount: { amount: 50, typeid: 1 }, payments: [{ TypeID: 1, Price: 117 }], loyalty: 3 }),
    )
    expect([answer.ReturnValue.TotalPrice, answer.Ignored]).toEqual(['117.00', ['loyalty']])
  })
})

test('pages of any size hold each customer once', async () => {
  for (let n = 0; n < 23; n++) await owner.customer(`לקוח ${String(n).padStart(2, '0')}`)
  const seen: string[] = []
  let total = 0
  for (let page = 1; page < 20; page++) {
    const answer = await call('getAllCustomers', { PageSize: '7', PageNumber: page, Search: 'לקוח' })
    total = answer.total!
    if (!answer.ReturnValue.length) break
    seen.push(...answer.ReturnValue.map((row: { id: string }) => row.id))
  }
  expect([total, seen.length, new Set(seen).size]).toEqual([23, 23, 23])
})

describe('what is sent is read', () => {
  const fields = { Size: { kind: 'whole', most: 5, start: 1 }, Ok: { kind: 'flag' }, Day: { kind: 'day' } } as const satisfies TradeFields
  test.each<[object, object, string[]]>([
    [{}, { Size: 1 }, []],
    [{ size: '3', OK: '0', day: '2026-01-02 10:30' }, { Size: 3, Ok: false, Day: '2026-01-02' }, []],
    [{ Size: 3.5, Ok: 'perhaps', Day: 'soon' }, {}, ['fields.number', 'fields.flag', 'fields.day']],
    [{ Size: 9 }, {}, ['fields.most']],
    [{ Size: null, Ok: '' }, { Size: 1 }, []],
    [{ Size: [] }, {}, ['fields.number']],
  ])('%j', (body, values, codes) => {
    const got = read(fields, body)
    expect(got.errors.map(({ code }) => code)).toEqual(codes)
    if (!codes.length) expect(got.values).toEqual(values)
  })
  test.each([[null], ['text'], [[1, 2]], [7]])('%j as no object at all', (body) => expect(read(fields, body).values).toEqual({ Size: 1 }))
})

describe('an order of the plug-in for shops', () => {
  const order = (id: number, more: object = {}) => ({
    SecretKey: key.secret,
    UserKey: key.id,
    DocumentType: 9,
    CurrencyID: 'ILS',
    OrderDetails: { id, billing: { first_name: 'דנה', last_name: 'כהן', email: 'dana.c@example.com' }, line_items: [] },
    Products: [
      { description: 'כיסא', quantity: 2, price: '117.00', sku: '', taxable: 1 },
      { description: 'ספר', quantity: '1', price: 50, taxable: false },
    ],
    Coupons: [{ description: 'קיץ', price: 20 }],
    ...more,
  })
  const send = async (body: object) => (await world.http.inject({ method: 'POST', url: '/api/v1/wcOrder', payload: body })).json()

  test('makes one document of prices with tax and coupons, however often it is sent', async () => {
    const [first, second] = [await send(order(7001)), await send(order(7001))]
    expect([first.Success, first.ErrorMessage]).toEqual([true, ''])
    expect(first.ReturnValue).toMatchObject({ DocumentType: 9, TotalPrice: '264.00', OpenPrice: '0.00' })
    expect(second.ReturnValue.id).toBe(first.ReturnValue.id)
    expect((await world.http.inject({ method: 'GET', url: new URL(first.ReturnValue.pdfurl).pathname })).statusCode).toBe(200)
  })

  test('comes to what was paid: shipping, the tax of coupons and the rounding of a shop', async () => {
    // As the plug-in sends an order of 3 × 50 and 72.30, a tenth off, 29.00 for the courier: paid 229.07.
    const paid = (id: number, total: string) =>
      order(id, {
        OrderDetails: { ...order(id).OrderDetails, total, shipping_total: '24.58', shipping_tax: '4.42' },
        Products: [
          { description: 'ספל', quantity: 3, price: 49.99999999999999, sku: 'MUG-1', taxable: true, tax: 7.627 },
          { description: 'מפה', quantity: 1, price: 72.3, sku: 'CLOTH-2', taxable: true, tax: 11.028814 },
        ],
        Coupons: [{ description: 'tenth', price: '18.84', taxable: true, tax: '3.39' }],
      })
    expect(await send(paid(7010, '229.07'))).toMatchObject({ Success: true, ReturnValue: { TotalPrice: '229.07', OpenPrice: '0.00' } })
    expect((await send(paid(7011, '229.05'))).ReturnValue).toMatchObject({ TotalPrice: '229.05', OpenPrice: '0.00' })
    expect((await send(paid(7012, '229.09'))).ReturnValue).toMatchObject({ TotalPrice: '229.09', OpenPrice: '0.00' })
    expect(await send(paid(7013, '241.00'))).toMatchObject({
      Success: false,
      Errors: [{ path: 'OrderDetails.total', code: 'trade.orderSum' }],
    })
    expect((await send({ ...paid(7014, '229.07'), DocumentType: 6 })).ReturnValue).toMatchObject({ DocumentType: 6, TotalPrice: '229.07' })
  })

  test('is refused in words for the notes of the order', async () => {
    expect(await send(order(7002, { DocumentType: 8 }))).toMatchObject({
      Success: false,
      Errors: [{ path: 'DocumentType', code: 'fields.choice' }],
    })
    expect(await send(order(7003, { Products: [{ description: 'x', price: 'abc' }] }))).toMatchObject({
      Success: false,
      Errors: [{ path: 'Products.0.price' }],
    })
  })
})

test('a page to pay at is the same one for the same order, and a document is shared by its key', async () => {
  const pay = { TotalPrice: '250', InvoiceName: 'דנה', UniqueID: 'p-1', OrderNumber: '55', NotifyUrl: 'https://shop.example/notify' }
  const [one, two] = [await call('createPayment', pay), await call('createPayment', pay)]
  expect([one.ReturnValue, one.Ignored]).toEqual([two.ReturnValue, ['NotifyUrl']])
  expect(one.ReturnValue).toMatch(/^http.*\/payment/)
  expect((await call('createPayment', { ...pay, UniqueID: 'p-2', CurrencyID: 'USD' })).Errors?.[0]?.code).toBe('paymentLinks.onlyShekels')
  expect((await call('share', { DocumentUniqueKey: 'order-1001' })).ReturnValue).toMatchObject({
    sent: false,
    url: expect.stringMatching(/^http/),
  })
  expect((await call('share', {})).Errors?.[0]).toMatchObject({ path: 'id', code: 'fields.need' })
})
