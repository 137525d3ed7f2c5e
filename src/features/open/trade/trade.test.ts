import { createHash, createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { completeCheckDigit } from '#domain/taxId.ts'
import { asSystem } from '#kit/server/data/db.ts'
import {
  callAs,
  dataDir,
  newBusiness,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import { settleCharge } from '#features/money/acquirers/server/index.ts'
import { beginLink, linkPage } from '#features/money/paymentLinks/endpoints.ts'
import { changeKey, makeKey } from '../apiKeys/endpoints.ts'
import { openSandbox } from '../sandbox/endpoints.ts'
import { changeWebhook, getDelivery, listWebhooks, testWebhook } from '../webhooks/endpoints.ts'
import { startSender, type Sender } from '../webhooks/server/run.ts'
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
// All of them call by one key within a minute, which is more than it may.
beforeEach(() => asSystem(world.app.db, (tx) => sql`delete from throttles`.execute(tx)))

/** A card that the test terminal of the business keeps already, and whose it is. */
async function keptCard() {
  const { id } = await owner.customer('נטע')
  await asSystem(world.app.db, (tx) =>
    sql`insert into test_tokens (company_id, token, deed, brand, last4, expiry)
      select company_id, 'TOK-brought', 'approve', 'visa', '4242', '2040-12' from parties
      where id = ${id}`.execute(tx),
  )
  return { CustomerID: id, Token: 'TOK-brought' }
}

/** Somebody types a card into the page of a payment. */
const pay = async (url: string, number: string) => {
  const page = url.split('/').at(-1)!
  const form = await callAs(world, beginLink, {
    key: page,
    payer: { name: 'דנה', email: 'dana@example.com' },
  })
  await callAs(world, testPay, {
    key: form.url.split('/').at(-1)!,
    number,
    month: 12,
    year: 2032,
    cvv: '123',
    instalments: 1,
  }).catch(() => undefined)
  const [charge] = (
    await asSystem(world.app.db, (tx) =>
      sql<{
        id: string
        company: string
      }>`select c.id, c.company_id as company from charges c
        join payment_links l on l.company_id = c.company_id
        and l.id = c.link_id where l.page_key = ${page} order by c.created_at desc limit 1`.execute(tx),
    )
  ).rows
  await settleCharge(world.app, charge!.company, charge!.id, 'return')
}

interface Answered {
  status: number
  Success: boolean
  ErrorMessage: string
  ReturnValue: any
  total?: number
  totalpage?: number
  ErrorCode?: string
  Errors?: { path: string; code: string; message: string }[]
  Ignored?: string[]
  NotDone?: { path: string; code: string }[]
}

/** As the programs do it: a JSON object in the header. */
async function call(
  name: string,
  body: object = {},
  of = key,
  headers: Record<string, string> = {},
): Promise<Answered> {
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
      if (name === 'refundPayment')
        await pay((await call('paymentStatus', declared.sample)).ReturnValue.paymenturl, '4242424242424242')
      const sample =
        name === 'cancelDocument'
          ? { id: (await call('getDocument', { DocumentUniqueKey: 'order-1001' })).ReturnValue.id }
          : name === 'addcardtoken'
            ? { ...declared.sample, ...(await keptCard()) }
            : declared.sample
      const answer = await call(declared.name, sample)
      expect([name, answer.status, answer.Success, answer.ErrorMessage, answer.Ignored]).toEqual([
        name,
        200,
        true,
        '',
        undefined,
      ])
      if (declared.bare) {
        expect([name, typeof answer.ReturnValue]).toEqual([name, 'string'])
        continue
      }
      const one: unknown = declared.rows ? answer.ReturnValue[0] : answer.ReturnValue
      if (declared.rows) expect(answer.total).toBe(answer.ReturnValue.length)
      if (one !== undefined)
        expect([name, Object.keys(one as object).toSorted()]).toEqual([
          name,
          Object.keys(declared.gives).toSorted(),
        ])
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
        ...('authorization' in headers && headers.authorization === 'SESSION'
          ? { authorization: owner.token }
          : {}),
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
    expect(await call('addcustomer', { Name: 'x' }, reader)).toMatchObject({
      status: 403,
      ErrorCode: 'kit.keyReadOnly',
    })
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
    expect([old.statusCode, old.json().ErrorMessage]).toEqual([
      410,
      expect.stringContaining('/api/v1/createDocument'),
    ])
  })

  test('a broken body is refused in the shape of the trade', async () => {
    const answer = await world.http.inject({
      method: 'POST',
      url: '/api/v1/customers',
      headers: { 'content-type': 'application/json' },
      payload: '{"a":',
    })
    expect([answer.statusCode, answer.json().Success, answer.json().ErrorCode]).toEqual([
      400,
      false,
      'kit.badJson',
    ])
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
    const all = await Promise.all(
      Array.from({ length: 5 }, () => call('createDocument', paid('twin', { SendEmail: 1 }))),
    )
    const good = all.filter((one) => one.status === 200)
    expect(good.length).toBeGreaterThan(0)
    for (const one of all) expect([200, 409, 422]).toContain(one.status)
    const again = await call('createDocument', paid('twin', { SendEmail: 1 }))
    expect(new Set([...good, again].map((one) => one.ReturnValue.id)).size).toBe(1)
    expect(again.ReturnValue).toMatchObject({
      DocumentType: 9,
      TotalPrice: '234.00',
      statusID: 4,
      Currency: 'ILS',
    })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql<{ papers: number; customers: number; letters: number }>`select
        (select count(*)::int from documents where client_key = 'twin') as papers,
        (select count(*)::int from parties where custom_key = 'c-twin') as customers,
        (select count(*)::int from messages where document_id = ${again.ReturnValue.id}) as letters`.execute(
        tx,
      ),
    )
    expect(rows[0]).toEqual({ papers: 1, customers: 1, letters: 1 })
  })

  test('is mailed with its PDF, or without it when the program asks for that', async () => {
    for (const [unique, more, hasPdf] of [
      ['with-pdf', {}, true],
      ['pdf-asked', { IncludePDF: true }, true],
      ['no-pdf', { IncludePDF: false }, false],
    ] as const) {
      const address = `${unique}@example.com`
      const Customer = { ID: '-1', Name: 'Dana', CustomKey: `c-${unique}`, EmailAddress: address }
      const { Success } = await call('createDocument', paid(unique, { Customer, SendEmail: true, ...more }))
      expect(Success).toBe(true)
      await world.worker.drain()
      const mails = readdirSync(join(dataDir, 'mail'))
        .map((name) => readFileSync(join(dataDir, 'mail', name), 'utf8'))
        .filter((mail) => mail.includes(address))
      expect(mails.map((mail) => mail.includes('application/pdf'))).toEqual([hasPdf])
    }
  })

  test('opens for its customer at the address it was answered with', async () => {
    const { ReturnValue } = await call('getDocument', { DocumentUniqueKey: 'twin' })
    const pdf = await world.http.inject({ method: 'GET', url: new URL(ReturnValue.pdfurl).pathname })
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const open = async (url: string) => world.http.inject({ method: 'GET', url: new URL(url).pathname })
    const copies = [ReturnValue.copypdfurl, ReturnValue.loyalpdfurl, ReturnValue.pdf80mm]
    for (const url of copies) {
      const copy = await open(url)
      expect([copy.statusCode, copy.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    expect(new Set((await Promise.all(copies.map(open))).map((copy) => copy.body)).size).toBe(3)
    // The link of one opens no other.
    expect((await open(ReturnValue.copypdfurl.replace('/copy/', '/certified/'))).statusCode).toBe(404)
  })

  test.each([
    ['an unknown type', { DocumentType: 99 }, 'DocumentType', 'fields.choice'],
    ['no type', { DocumentType: null }, 'DocumentType', 'fields.need'],
    ['a currency that may be two', { CurrencyId: 2 }, 'CurrencyID', 'trade.currency'],
    ['a currency that is none', { CurrencyId: 77 }, 'CurrencyID', 'fields.currency'],
    ['a price that is none', { items: [{ Name: 'x', Price: 'ten' }] }, 'items.0.Price', 'fields.decimal'],
    ['a day that is none', { DateCreated: '2026-02-30 10:00' }, 'DateCreated', 'fields.day'],
    ['files of a private address', { files: ['https://10.0.0.1/x'] }, 'files.0', 'trade.fileAddress'],
    ['files that are no addresses', { files: [{ url: 'x' }] }, 'files.0', 'fields.text'],
    ['a rate of VAT that is another', { vatPercentage: 17 }, 'vatPercentage', 'documents.otherVatRate'],
    ['a rounding that is none', { roundPrice: 0.3 }, 'roundPrice', 'fields.choice'],
    ['a charge of another product', { payCreditPluginID: 12 }, 'payCreditPluginID', 'trade.payCredit'],
    ['a kind of income of another product', { incomeID: 7 }, 'incomeID', 'fields.ref'],
    ['a signature on a paper of tax', { sendSign: true }, 'sendSign', 'signing.notAgreement'],
    [
      'a price that the contract refuses',
      { items: [{ Name: ' ', Price: 1 }] },
      'items.0.Name',
      'fields.need',
    ],
    ['a customer nobody knows', { Customer: { ID: -1 } }, 'Customer.Name', 'trade.customer'],
  ])('with %s is refused at its field', async (_, more, path, code) => {
    const answer = await call('createDocument', paid('bad', more))
    expect([answer.status, answer.Success, answer.Errors?.[0]?.path, answer.Errors?.[0]?.code]).toEqual([
      422,
      false,
      path,
      code,
    ])
    expect(answer.ErrorMessage).toContain(path)
  })

  test('in the currency its key counts by', async () => {
    const guides = await newKey()
    await owner.call(changeKey, { id: guides.id, tradeCurrencies: 'guides' })
    const answer = await call('createDocument', paid('counted', { CurrencyId: 2 }), guides)
    expect([answer.status, answer.ReturnValue.Currency]).toEqual([200, 'ILS'])
    expect((await call('currencies', {}, guides)).ReturnValue[0]).toEqual({ ID: 2, Code: 'ILS' })
    expect(
      (await call('createDocument', paid('counted-1', { CurrencyId: 1 }), guides)).Errors?.[0]?.code,
    ).toBe('fields.currency')
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
      paid('disc', {
        LangID: languageIds.fr,
        discount: { amount: 50, typeid: 1 },
        payments: [{ TypeID: 1, Price: 117 }],
        loyalty: 3,
      }),
    )
    expect([answer.ReturnValue.TotalPrice, answer.Ignored]).toEqual(['117.00', ['loyalty']])
  })
})

describe('what was asked of a document', () => {
  // A minute of the other key is full.
  let own: typeof key
  beforeAll(async () => {
    own = await newKey()
  })
  const create = (body: object, of = own) => call('createDocument', body, of)
  const whole = (unique: string, more: object = {}) => ({
    DocumentType: 8,
    CurrencyID: 'ILS',
    DocumentUniqueKey: unique,
    Customer: {
      FullName: 'Jo March',
      CountryCode: 'US',
      CustomKey: `w-${unique}`,
      EmailAddress: `${unique}@example.com`,
    },
    items: [{ Name: 'Chair', Quantity: 1, Price: '100.40', vatType: 1, SkuID: -1 }],
    ...more,
  })
  const inFull = async (id: string) => owner.get(`/api4/invoice/documents/${id}`)

  test('stands in it: notes of the house, country, rounding, no VAT, and what is kept for the program', async () => {
    const sent = whole('whole-1', {
      HideNotes: 'not for him',
      refdocNumber: 'PO-7',
      refurl: 'https://shop.example/7',
      sourceType: 'shop',
      vatPercentage: 0,
      roundPrice: 0.5,
    })
    const answer = await create(sent)
    expect([answer.ErrorMessage, answer.Ignored, answer.NotDone]).toEqual(['', undefined, undefined])
    expect(answer.ReturnValue.TotalPrice).toBe('100.50')
    const paper = await inFull(answer.ReturnValue.id)
    expect(paper).toMatchObject({
      notesInternal: 'not for him',
      orderNumber: 'PO-7',
      rounding: 'half',
      totals: { vatAgorot: 0 },
    })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql`select p.country, p.contact, m.metadata from parties p, record_marks m
        where p.custom_key = 'w-whole-1' and m.record_id = ${paper.id}`.execute(tx),
    )
    expect(rows).toEqual([
      {
        country: 'ארצות הברית',
        contact: 'Jo March',
        metadata: { refurl: 'https://shop.example/7', sourceType: 'shop', refdocNumber: 'PO-7' },
      },
    ])
    // The rate that applies is no other one.
    expect((await create(whole('whole-2', { vatPercentage: '18' }))).ReturnValue.TotalPrice).toBe('118.47')
  })

  test('that its number is not asked for is kept to', async () => {
    const dealer = { Name: 'Dealer', NumberID: '514000009', CustomKey: 'w-dealer' }
    const dear = { Customer: dealer, items: [{ Name: 'Machine', Price: 50_000, vatType: 1 }] }
    const stateOf = async (unique: string, more: object) =>
      (await inFull((await create(whole(unique, { ...dear, ...more }))).ReturnValue.id)).allocationState
    expect([
      await stateOf('number-1', {}),
      await stateOf('number-2', { DontCreateIsraelTaxNumber: true }),
    ]).toEqual(['waiting', 'notNeeded'])
  })

  test('to be signed goes to its customer once; what a draft is asked waits for whoever issues it', async () => {
    const quote = whole('sign-1', { DocumentType: 1, sendSign: 1 })
    const [answer, again] = [await create(quote), await create(quote)]
    expect([answer.NotDone, again.ReturnValue.id]).toEqual([undefined, answer.ReturnValue.id])
    expect([answer.ReturnValue.signurl, again.ReturnValue.signurl]).toEqual([
      again.ReturnValue.signurl,
      expect.stringMatching(/^http.*\/signdoc\//),
    ])
    // The person who may not send papers to be signed is not told how to sign in somebody's name.
    const seer = await newKey({ rules: [10, 30] })
    expect((await call('getDocument', { DocumentUniqueKey: 'sign-1' }, seer)).ReturnValue).toMatchObject({
      signurl: '',
      docNumber: answer.ReturnValue.docNumber,
    })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql`select purpose from sign_requests where purpose_id = ${answer.ReturnValue.id}`.execute(tx),
    )
    expect(rows).toEqual([{ purpose: 'document' }])
    const draft = await create(
      whole('sign-2', { DocumentType: 1, sendSign: 1, isDraft: 1, DontCreateIsraelTaxNumber: 1 }),
    )
    expect(draft.NotDone?.map(({ path, code }) => [path, code])).toEqual([
      ['sendSign', 'trade.ofDraft'],
      ['DontCreateIsraelTaxNumber', 'trade.ofDraft'],
    ])
    const narrow = await newKey({ rules: [10, 11, 30, 31, 32] })
    expect(await create(whole('sign-3', { DocumentType: 1, sendSign: 1 }), narrow)).toMatchObject({
      status: 403,
    })
  })

  test('its files are brought and seen by its customer; one that cannot be had is told, and the document stands', async () => {
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
    const server = createServer((request, response) =>
      request.url === '/a%20plan.pdf' ? response.end(pdf) : response.writeHead(404).end(),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const before = world.app.settings.webhooks
    world.app.settings.webhooks = { http: false, local: true }
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const answer = await create(
        whole('files-1', { files: [`${at}/a%20plan.pdf`, `${at}/gone`], SendEmail: true }),
      )
      expect([answer.Success, answer.NotDone?.map(({ path, code }) => [path, code])]).toEqual([
        true,
        [['files.1', 'trade.fileNotGot']],
      ])
      const { rows } = await owner.get(`/api4/invoice/documents/${answer.ReturnValue.id}/files`)
      expect(rows).toMatchObject([{ name: 'a plan.pdf', mime: 'application/pdf', shown: true, mailed: true }])
    } finally {
      world.app.settings.webhooks = before
      server.close().closeAllConnections()
    }
  })
})

describe('lists', () => {
  let own: typeof key
  beforeAll(async () => {
    own = await newKey()
  })

  test('tell what is open in the currency of the document, and what became of it', async () => {
    const made = (unique: string, more: object = {}) =>
      call(
        'createDocument',
        {
          DocumentType: 8,
          DocumentUniqueKey: unique,
          Customer: { Name: 'Money', CustomKey: 'l-money' },
          items: [{ Name: 'x', Price: 100, vatType: 4 }],
          CurrencyID: 'ILS',
          ...more,
        },
        own,
      )
    const [dollars, gone, open] = [
      await made('l-1', { CurrencyID: 'USD', ExchangeRate: '3.7' }),
      await made('l-2'),
      await made('l-3', { OrderNumber: 'find-me' }),
    ]
    const credit = await call('cancelDocument', { id: gone.ReturnValue.id }, own)
    expect([gone.ReturnValue.statusID, open.ReturnValue.paymenturl, dollars.ReturnValue.paymenturl]).toEqual([
      1,
      open.ReturnValue.url,
      '',
    ])
    const { ReturnValue: rows } = await call(
      'getInvoices',
      { CustomerID: await idOfMoney(), orderby: { column: 'docNumber', asc: 1 }, docTypeID: 8 },
      own,
    )
    expect(rows.map((row: any) => [row.Currency, row.TotalPrice, row.OpenPrice, row.statusID])).toEqual([
      ['USD', '100.00', '100.00', 1],
      ['ILS', '100.00', '0.00', 3],
      ['ILS', '100.00', '100.00', 1],
    ])
    expect(credit.ReturnValue.statusID).toBe(4)
    expect((await call('getDocument', { DocumentUniqueKey: 'l-2' }, own)).ReturnValue.paymenturl).toBe('')
    expect((await call('invoices', { Search: 'find-me' }, own)).ReturnValue).toMatchObject([
      { id: open.ReturnValue.id },
    ])
    // A person who may not see figures gets none, and the rest all the same.
    const { CompanyKey } = await owner.call(mySession, {})
    const hide = (isHidden: boolean) =>
      asSystem(world.app.db, (tx) =>
        sql`update memberships set hide_total_prices = ${isHidden} where company_id = ${CompanyKey}`.execute(
          tx,
        ),
      )
    await hide(true)
    const hidden = await call('invoices', { Search: 'find-me' }, own)
    await hide(false)
    expect(hidden).toMatchObject({
      status: 200,
      ReturnValue: [{ id: open.ReturnValue.id, TotalPrice: '', OpenPrice: '' }],
    })
  })

  test('of what is open hold invoices and requests for money, and no money to the credit of somebody', async () => {
    const of = { CurrencyID: 'ILS', Customer: { Name: 'Opens', CustomKey: 'l-opens' } }
    const items = [{ Name: 'x', Price: 100, vatType: 4 }]
    const invoice = await call('createDocument', { ...of, DocumentType: 8, items }, own)
    const asked = await call('createDocument', { ...of, DocumentType: 5, items }, own)
    await call('createDocument', { ...of, DocumentType: 1, items }, own)
    const onAccount = await call(
      'createDocument',
      { ...of, DocumentType: 6, payments: [{ TypeID: 1, Price: 40 }] },
      own,
    )
    expect([asked.ReturnValue.OpenPrice, onAccount.ReturnValue.OpenPrice]).toEqual(['100.00', '-40.00'])
    const CustomerID = (await call('customers', { Search: 'Opens' }, own)).ReturnValue[0].id
    const open = await call('getOpenInvoices', { CustomerID, orderby: { column: 'DocumentType' } }, own)
    expect([
      open.total,
      open.ReturnValue.map((row: any) => [row.id, row.DocumentType, row.OpenPrice]),
    ]).toEqual([
      2,
      [
        [asked.ReturnValue.id, 5, '100.00'],
        [invoice.ReturnValue.id, 8, '100.00'],
      ],
    ])
    // A request that was answered by its invoice asks for nothing any more; the invoice does.
    await call(
      'createDocument',
      {
        ...of,
        DocumentType: 9,
        items,
        fromDocID: asked.ReturnValue.id,
        payments: [{ TypeID: 1, Price: 100 }],
      },
      own,
    )
    expect(
      (await call('getOpenInvoices', { CustomerID }, own)).ReturnValue.map((row: any) => row.id),
    ).toEqual([invoice.ReturnValue.id])
    // Nor does an invoice whose receipt was made from it, by part; whose it is need not be said again.
    const pay = (Price: number) =>
      call(
        'createDocument',
        { DocumentType: 6, fromDocID: invoice.ReturnValue.id, payments: [{ TypeID: 1, Price }] },
        own,
      )
    expect((await pay(30)).ErrorMessage).toBe('')
    expect((await call('getOpenInvoices', { CustomerID }, own)).ReturnValue[0]).toMatchObject({
      OpenPrice: '70.00',
    })
    expect((await pay(90)).ReturnValue).toMatchObject({ OpenPrice: '-20.00' })
    expect((await call('getOpenInvoices', { CustomerID }, own)).total).toBe(0)
    // Of somebody else it is named, and closes nothing.
    const other = await call(
      'createDocument',
      {
        ...of,
        DocumentType: 6,
        Customer: { Name: 'Else', CustomKey: 'l-else' },
        fromDocID: invoice.ReturnValue.id,
        payments: [{ TypeID: 1, Price: 5 }],
      },
      own,
    )
    expect(other.ReturnValue).toMatchObject({ OpenPrice: '-5.00' })
  })
  const idOfMoney = async () =>
    (await call('customers', { Search: 'Money' }, own)).ReturnValue[0].id as string

  test('are ordered and narrowed as they are asked, under the letters that programs read', async () => {
    const { id: portfolioId } = await owner.send('POST', '/api4/invoice/portfolios', { name: 'שלי' })
    for (const name of ['ציפור ב', 'ציפור א', 'ציפור ג'])
      await owner.customer(name, name === 'ציפור ג' ? {} : { portfolioId })
    const asked = (more: object) => call('getAllCustomers', { Search: 'ציפור', ...more }, own)
    const named = async (more: object) => (await asked(more)).ReturnValue.map((row: any) => row.name)
    expect(await named({ PortfolioID: portfolioId, orderby: { column: 'Name', asc: 'false' } })).toEqual([
      'ציפור ב',
      'ציפור א',
    ])
    expect(await named({ orderby: { column: 'id', asc: true } })).toEqual(['ציפור ב', 'ציפור א', 'ציפור ג'])
    expect((await asked({ orderby: { column: 'shoeSize' } })).Errors?.[0]).toMatchObject({
      path: 'orderby.column',
      code: 'fields.choice',
    })
    expect((await asked({ PortfolioID: 12 })).Errors?.[0]).toMatchObject({
      path: 'PortfolioID',
      code: 'fields.ref',
    })
    await call('addProduct', { Name: 'זרעים', Sku: 'SEED', Price: '12.5' }, own)
    expect((await call('getAllProducts', { Search: 'SEED' }, own)).ReturnValue).toMatchObject([
      { sku: 'SEED', name: 'זרעים', price: '12.5000' },
    ])
  })

  test('are changed by what is said alone, found by a number however it is written, and goods by their SKU', async () => {
    const { id } = (await call('addProduct', { Name: 'שתיל', Sku: 'PLANT', Price: '23.60', vatType: 2 }, own))
      .ReturnValue
    await call('updateProduct', { Sku: 'PLANT', Price: '11.80' }, own)
    expect((await call('getAllProducts', { Search: 'PLANT' }, own)).ReturnValue).toMatchObject([
      { price: '11.8000', vatType: 2 },
    ])
    const taxId = completeCheckDigit('02345678')
    const sold = (Customer: object, items: object[]) =>
      call('createDocument', { DocumentType: 8, CurrencyID: 'ILS', Customer, items }, own)
    const first = (await sold({ Name: 'משתלה', NumberID: taxId }, [{ Sku: 'PLANT', Quantity: 2 }]))
      .ReturnValue
    // The price of the catalogue has its VAT.
    expect(first.TotalPrice).toBe('23.60')
    const paper = await owner.get(`/api4/invoice/documents/${first.id}`)
    expect(paper.lines).toMatchObject([{ itemId: id, sku: 'PLANT', vatKind: 2 }])
    const again = await sold({ Name: 'אחר', NumberID: taxId.replace(/^0+/, '') }, [
      { Sku: 'PLANT', Price: '5' },
    ])
    expect(again.ErrorMessage).toBe('')
    expect(await owner.get(`/api4/invoice/documents/${again.ReturnValue.id}`)).toMatchObject({
      customerId: paper.customerId,
      lines: [{ itemId: id, vatKind: 1, unitPrice: '5' }],
    })
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

test('what clients of the other product send and read is taken and answered', async () => {
  // A form of orders asks for everybody at once, in an order of words.
  const all = await call('getAllCustomers', {
    PageSize: 100_000,
    PageNumber: 0,
    Search: 'לקוח',
    orderby: { column: 'Name', asc: 'desc' },
  })
  expect(all.ErrorMessage).toBe('')
  const names = all.ReturnValue.map((row: { Name: string }) => row.Name)
  expect([all.status, all.total, all.totalpage, names.length]).toEqual([200, 23, 1, 23])
  expect(names).toEqual(names.toSorted().toReversed())
  const made = await call('createDocument', {
    DocumentType: 9,
    CurrencyID: 'ILS',
    MaxDate: '2030-02-01',
    Customer: { Name: 'Recorded' },
    items: [{ Name: 'Gift', Quantity: 1, Price: '118', vatType: 2 }],
    payments: [{ TypeID: 1, Price: '118', PaymentDate: '2026-11-02 10:00' }],
  })
  expect([made.status, made.ErrorMessage, made.Ignored]).toEqual([200, '', undefined])
  const { payments } = await owner.get(`/api4/invoice/documents/${made.ReturnValue.id}`)
  expect(payments[0].date).toBe('2026-11-02')
  const { ReturnValue: rows, totalpage } = await call('getInvoices', { docTypeID: 9, PageSize: 20 })
  expect(totalpage).toBeGreaterThan(0)
  expect(rows[0]).toMatchObject({
    DocumentNumber: rows[0].docNumber,
    Date: rows[0].DateCreated,
    MaxDateToPay: expect.any(String),
  })
})

describe('what is sent is read', () => {
  const fields = {
    Size: { kind: 'whole', most: 5, start: 1 },
    Ok: { kind: 'flag' },
    Day: { kind: 'day' },
  } as const satisfies TradeFields
  test.each<[object, object, string[]]>([
    [{}, { Size: 1 }, []],
    [{ size: '3', OK: '0', day: '2026-01-02 10:30' }, { Size: 3, Ok: false, Day: '2026-01-02' }, []],
    [{ Ok: 'YES' }, { Size: 1, Ok: true }, []],
    [{ Ok: 'no' }, { Size: 1, Ok: false }, []],
    [{ Size: 3.5, Ok: 'perhaps', Day: 'soon' }, {}, ['fields.number', 'fields.flag', 'fields.day']],
    [{ Size: 9 }, {}, ['fields.most']],
    [{ Size: null, Ok: '' }, { Size: 1 }, []],
    [{ Size: [] }, {}, ['fields.number']],
  ])('%j', (body, values, codes) => {
    const got = read(fields, body)
    expect(got.errors.map(({ code }) => code)).toEqual(codes)
    if (!codes.length) expect(got.values).toEqual(values)
  })
  test.each([[null], ['text'], [[1, 2]], [7]])('%j as no object at all', (body) =>
    expect(read(fields, body).values).toEqual({ Size: 1 }),
  )
})

describe('an order of the plug-in for shops', () => {
  const order = (id: number, more: object = {}) => ({
    SecretKey: key.secret,
    UserKey: key.id,
    DocumentType: 9,
    CurrencyID: 'ILS',
    OrderDetails: {
      id,
      billing: { first_name: 'דנה', last_name: 'כהן', email: 'dana.c@example.com' },
      line_items: [],
    },
    Products: [
      { description: 'כיסא', quantity: 2, price: '117.00', sku: '', taxable: 1 },
      { description: 'ספר', quantity: '1', price: 50, taxable: false },
    ],
    Coupons: [{ description: 'קיץ', price: 20 }],
    ...more,
  })
  const send = async (body: object) =>
    (await world.http.inject({ method: 'POST', url: '/api/v1/wcOrder', payload: body })).json()

  test('makes one document of prices with tax and coupons, however often it is sent', async () => {
    const [first, second] = [await send(order(7001)), await send(order(7001))]
    expect([first.Success, first.ErrorMessage]).toEqual([true, ''])
    expect(first.ReturnValue).toMatchObject({ DocumentType: 9, TotalPrice: '264.00', OpenPrice: '0.00' })
    expect(second.ReturnValue.id).toBe(first.ReturnValue.id)
    expect(
      (await world.http.inject({ method: 'GET', url: new URL(first.ReturnValue.pdfurl).pathname }))
        .statusCode,
    ).toBe(200)
  })

  test('of two shops of one business that both have its number makes a document of each', async () => {
    const of = (order_key: string) =>
      send(order(7003, { OrderDetails: { ...order(7003).OrderDetails, order_key } }))
    const [one, other, again] = [
      await of('wc_order_a1B2c3D4e5F6g'),
      await of('wc_order_z9Y8x7W6v5U4t'),
      await of('wc_order_a1B2c3D4e5F6g'),
    ]
    expect([one.Success, other.Success]).toEqual([true, true])
    expect(other.ReturnValue.id).not.toBe(one.ReturnValue.id)
    expect(again.ReturnValue.id).toBe(one.ReturnValue.id)
  })

  test('comes to what was paid: shipping, the tax of coupons and the rounding of a shop', async () => {
    // As the plug-in sends an order of 3 × 50 and 72.30, a tenth off, 29.00 for the courier: paid 229.07.
    const paid = (id: number, total: string) =>
      order(id, {
        OrderDetails: { ...order(id).OrderDetails, total, shipping_total: '24.58', shipping_tax: '4.42' },
        Products: [
          {
            description: 'ספל',
            quantity: 3,
            price: 49.99999999999999,
            sku: 'MUG-1',
            taxable: true,
            tax: 7.627,
          },
          { description: 'מפה', quantity: 1, price: 72.3, sku: 'CLOTH-2', taxable: true, tax: 11.028814 },
        ],
        Coupons: [{ description: 'tenth', price: '18.84', taxable: true, tax: '3.39' }],
      })
    expect(await send(paid(7010, '229.07'))).toMatchObject({
      Success: true,
      ReturnValue: { TotalPrice: '229.07', OpenPrice: '0.00' },
    })
    expect((await send(paid(7011, '229.05'))).ReturnValue).toMatchObject({
      TotalPrice: '229.05',
      OpenPrice: '0.00',
    })
    expect((await send(paid(7012, '229.09'))).ReturnValue).toMatchObject({
      TotalPrice: '229.09',
      OpenPrice: '0.00',
    })
    // A shop may round by half a shekel either way, not by an agora more.
    expect((await send(paid(7015, '228.57'))).ReturnValue).toMatchObject({ TotalPrice: '228.57' })
    expect((await send(paid(7016, '229.57'))).ReturnValue).toMatchObject({ TotalPrice: '229.57' })
    for (const [id, total] of [
      [7013, '241.00'],
      [7017, '228.56'],
      [7018, '229.58'],
    ] as const)
      expect(await send(paid(id, total))).toMatchObject({
        Success: false,
        Errors: [{ path: 'OrderDetails.total', code: 'trade.orderSum' }],
      })
    expect((await send({ ...paid(7014, '229.07'), DocumentType: 6 })).ReturnValue).toMatchObject({
      DocumentType: 6,
      TotalPrice: '229.07',
    })
  })

  test('has no line of the courier where the shop wants none and what was paid holds none, and is mailed by either word', async () => {
    const sent = (id: number, more: object) =>
      order(id, {
        createshipping: 'no',
        sendinvoice: '1',
        Coupons: [],
        OrderDetails: { ...order(id).OrderDetails, shipping_total: '30', ...more },
      })
    const without = await send(sent(7020, { total: '284.00' }))
    expect(without.ReturnValue).toMatchObject({ TotalPrice: '284.00' })
    expect((await send(sent(7021, { total: '314.00' }))).ReturnValue).toMatchObject({ TotalPrice: '314.00' })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql`select recipient from messages where document_id = ${without.ReturnValue.id}`.execute(tx),
    )
    expect(rows).toEqual([{ recipient: 'dana.c@example.com' }])
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
  const pay = {
    TotalPrice: '250',
    InvoiceName: 'דנה',
    UniqueID: 'p-1',
    OrderNumber: '55',
    CallbackUrl: 'https://shop.example/notify',
  }
  const [one, two] = [await call('createPayment', pay), await call('createPayment', pay)]
  expect([one.ReturnValue, one.Ignored]).toEqual([two.ReturnValue, ['CallbackUrl']])
  expect(one.ReturnValue).toMatch(/^http.*\/payment/)
  // A shop's own number of the buyer is no tax id; one that is written wrong is reported.
  expect(
    (await call('createPayment', { ...pay, UniqueID: 'p-3', InvoiceNumberID: '2' })).ReturnValue,
  ).toMatch(/^http/)
  expect(
    (
      await call('createPayment', {
        ...pay,
        UniqueID: 'p-4',
        InvoiceName: 'אחרת',
        InvoiceNumberID: '123456789',
      })
    ).Success,
  ).toBe(false)
  expect(
    (await call('createPayment', { ...pay, UniqueID: 'p-2', CurrencyID: 'USD' })).Errors?.[0]?.code,
  ).toBe('paymentLinks.onlyShekels')
  expect((await call('share', { DocumentUniqueKey: 'order-1001' })).ReturnValue).toMatchObject({
    sent: false,
    url: expect.stringMatching(/^http/),
  })
  expect((await call('share', {})).Errors?.[0]).toMatchObject({ path: 'id', code: 'fields.need' })
})

describe('a payment', () => {
  const asked = (UniqueID: string, more: object = {}) =>
    call('createPayment', { TotalPrice: '120', InvoiceName: 'דנה', UniqueID, ...more })

  test.each([
    ['a hold', { PaymentType: 2 }, 'PaymentType', 'trade.onlyCharge'],
    ['no document', { NoCreateInvoice: true }, 'NoCreateInvoice', 'trade.alwaysPaper'],
    ['a least number of payments', { MinPayments: 3 }, 'MinPayments', 'trade.payerChooses'],
    ['a document that money is not given', { DocumentType: 8 }, 'DocumentType', 'fields.choice'],
    [
      'a document the business may not issue',
      { DocumentType: 11 },
      'DocumentType',
      'paymentLinks.onlyNonProfit',
    ],
    ['a way to nowhere', { SuccessUrl: 'javascript:alert(1)' }, 'SuccessUrl', 'paymentLinks.badUrl'],
    [
      'a way that is open to all',
      { ErrorUrl: 'http://shop.example/cart' },
      'ErrorUrl',
      'paymentLinks.badUrl',
    ],
    ['no sum', { TotalPrice: '0' }, 'TotalPrice', 'fields.least'],
  ])('with %s is refused at its field, and no page is made', async (what, more, path, code) => {
    const { Success, Errors } = await asked(what, more)
    expect([Success, Errors?.[0]?.path, Errors?.[0]?.code]).toEqual([false, path, code])
    expect((await call('paymentStatus', { UniqueID: what })).status).toBe(404)
  })

  test('is done as it was asked: the document, no letter, and the ways back', async () => {
    const wishes = {
      PaymentType: 1,
      NoCreateInvoice: 0,
      MinPayments: 1,
      DocumentType: 9,
      SendInvoiceEmail: 0,
      InvoiceEmailAddress: 'dana@example.com',
    }
    const { ReturnValue, Ignored } = await asked('w-1', {
      ...wishes,
      SuccessUrl: 'https://shop.example/ok',
      ErrorUrl: 'https://shop.example/no',
    })
    expect(Ignored).toBeUndefined()
    const page = await callAs(world, linkPage, { key: ReturnValue.split('/').at(-1) })
    expect(page).toMatchObject({
      successUrl: 'https://shop.example/ok',
      errorUrl: 'https://shop.example/no',
      state: 'open',
    })
    await pay(ReturnValue, '4242424242424242')
    await world.worker.drain()
    const { ReturnValue: state } = await call('paymentStatus', { UniqueID: 'w-1' })
    expect(state).toMatchObject({ status: 'paid', DocumentType: 9, TotalPrice: '120.00' })
    const { rows } = await asSystem(world.app.db, (tx) =>
      sql`select 1 from messages where document_id = ${state.DocumentID}`.execute(tx),
    )
    expect(rows).toEqual([])
  })

  test('five times at once is one page, another sum is not it, and another program of the business has its own', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => call('createPayment', { TotalPrice: '75', UniqueID: 's-1' })),
    )
    expect(all.map(({ ErrorMessage }) => ErrorMessage).join('')).toBe('')
    expect(new Set(all.map(({ ReturnValue }) => ReturnValue)).size).toBe(1)
    expect((await call('createPayment', { TotalPrice: '76', UniqueID: 's-1' })).Errors?.[0]).toMatchObject({
      path: 'UniqueID',
      code: 'fields.taken',
    })
    const other = await newKey()
    expect((await call('paymentStatus', { UniqueID: 's-1' }, other)).status).toBe(404)
    expect((await call('createPayment', { TotalPrice: '75', UniqueID: 's-1' }, other)).ReturnValue).not.toBe(
      all[0]!.ReturnValue,
    )
  })

  test('is given back by its UniqueID: a part once under its key, then the rest, and no more', async () => {
    const { ReturnValue } = await asked('g-1')
    expect(await call('refundPayment', { UniqueID: 'g-1' })).toMatchObject({
      status: 409,
      ErrorCode: 'paymentLinks.notPaid',
    })
    await pay(ReturnValue, '4242424242424242')
    const back = (more: object = {}) => call('refundPayment', { UniqueID: 'g-1', ...more })
    expect((await back({ TotalPrice: 20 })).Errors?.[0]).toMatchObject({
      path: 'RefundUniqueID',
      code: 'fields.need',
    })
    const part = { TotalPrice: 20, RefundUniqueID: 'b-1', Reason: 'פגום' }
    expect((await back(part)).ReturnValue).toMatchObject({ status: 'paid', RefundStatus: 'asked' })
    expect((await back(part)).Success).toBe(true)
    expect((await back({ ...part, TotalPrice: 30 })).Errors?.[0]).toMatchObject({
      path: 'RefundUniqueID',
      code: 'fields.taken',
    })
    await world.worker.drain()
    expect((await call('paymentStatus', { UniqueID: 'g-1' })).ReturnValue).toMatchObject({
      status: 'partlyRefunded',
      RefundedPrice: '20.00',
    })
    expect((await back({ TotalPrice: 101, RefundUniqueID: 'b-2' })).Errors?.[0]).toMatchObject({
      path: 'TotalPrice',
      code: 'paymentLinks.refundsTooMuch',
    })
    await back()
    await world.worker.drain()
    expect((await call('paymentStatus', { UniqueID: 'g-1' })).ReturnValue).toMatchObject({
      status: 'refunded',
      RefundedPrice: '120.00',
      RefundStatus: 'done',
    })
    const other = await newKey()
    expect((await call('refundPayment', { UniqueID: 'g-1' }, other)).status).toBe(404)
  })
})

describe('a payment with a NotifyUrl', () => {
  interface Heard {
    url: string
    headers: IncomingHttpHeaders
    body: string
  }
  const heard: Heard[] = []
  let [answers, at] = [200, '']
  let server: Server
  let sender: Sender
  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        heard.push({
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(parts).toString(),
        })
        response.writeHead(answers).end('heard')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    world.app.settings.webhooks = { http: false, local: true }
    sender = startSender(world.app, { poll: false })
  })
  afterAll(async () => {
    await sender.stop()
    server.close().closeAllConnections()
  })
  /** As the guide tells programs to look at it, word for word. */
  const isSigned = ({ headers, body }: Heard, secret: string) => {
    const sum = createHmac('sha256', createHash('sha256').update(secret).digest()).update(
      `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`,
    )
    return headers['webhook-signature'] === `v1,${sum.digest('base64')}`
  }

  test('is told that it was declined and that it was paid, each once, at the address it named, signed with the secret of its key', async () => {
    const made = await call('createPayment', {
      TotalPrice: '250',
      UniqueID: 'n-1',
      OrderNumber: '77',
      NotifyUrl: `${at}/paid?order=77`,
      Fields1: 'סל 7',
      Fields2: 'a&b=c',
    })
    // Another one of the same shop, and one of somebody else's key.
    await call('createPayment', { TotalPrice: '90', UniqueID: 'n-2', NotifyUrl: `${at}/paid?order=78` })
    const other = await newKey()
    await call(
      'createPayment',
      { TotalPrice: '60', UniqueID: 'n-3', NotifyUrl: `${at}/paid?order=79` },
      other,
    )
    await pay(made.ReturnValue, '4000000000000002')
    await sender.drain()
    await pay(made.ReturnValue, '4242424242424242')
    await sender.drain()
    await sender.drain()
    expect(heard.map(({ url }) => url)).toEqual(['/paid?order=77', '/paid?order=77'])
    const said = heard.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
    const same = {
      UniqueID: 'n-1',
      OrderNumber: '77',
      TotalPrice: '250.00',
      Currency: 'ILS',
      paymenturl: made.ReturnValue,
      Fields1: 'סל 7',
      Fields2: 'a&b=c',
    }
    expect(said[0]).toMatchObject({
      ...same,
      type: 'charge.declined',
      status: 'declined',
      DocumentID: '',
      docNumber: '',
    })
    expect(said[1]).toMatchObject({ ...same, type: 'charge.paid', status: 'paid' })
    const { ReturnValue: paper } = await call('getDocument', { id: said[1]!.DocumentID })
    expect([String(paper.docNumber), paper.TotalPrice]).toEqual([said[1]!.docNumber, '250.00'])
    for (const one of heard) {
      expect(one.headers['content-type']).toBe('application/x-www-form-urlencoded')
      expect([isSigned(one, key.secret), isSigned(one, other.secret)]).toEqual([true, false])
    }
    // The person who missed the notice asks.
    const { ReturnValue: state } = await call('paymentStatus', { UniqueID: 'n-1' })
    expect(state).toMatchObject({
      ...same,
      status: 'paid',
      transaction_id: said[1]!.transaction_id,
      DocumentID: paper.id,
      docNumber: paper.docNumber,
    })
    // One place of one key is one line among the webhooks; it is changed by nobody, and can be turned off.
    const { rows } = await owner.call(listWebhooks, {})
    const [mine, ...more] = rows.filter(({ url, ofPayments }) => ofPayments && url === `${at}/paid`)
    expect(more).toHaveLength(1)
    await expect(
      owner.call(changeWebhook, { id: mine!.id, url: 'https://shop.example/other' }),
    ).rejects.toMatchObject({
      code: 'webhooks.ofPayments',
    })
    // A test arrives as a form too, and its line in the log opens.
    heard.splice(0)
    const { eventId } = await owner.call(testWebhook, { id: mine!.id })
    await sender.drain()
    expect(heard.map(({ body }) => new URLSearchParams(body).get('type'))).toEqual(['webhook.test'])
    expect((await owner.call(getDelivery, { id: mine!.id, eventId })).body).toContain('type=webhook.test')
  })

  test('is told again while nobody takes it', async () => {
    heard.splice(0)
    answers = 500
    const { ReturnValue } = await call('createPayment', {
      TotalPrice: '30',
      UniqueID: 'n-4',
      NotifyUrl: `${at}/slow`,
    })
    await pay(ReturnValue, '4242424242424242')
    await sender.drain()
    answers = 204
    await asSystem(world.app.db, (tx) =>
      sql`update webhook_deliveries set next_at = now() where state = 'waiting'`.execute(tx),
    )
    await sender.drain()
    expect(heard.map(({ url }) => url)).toEqual(['/slow', '/slow'])
    expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test.each(['http://shop.example/x', 'https://10.0.0.1/x', 'nothing', 'https://user:pw@shop.example/'])(
    'at %s is refused at its field before anything is made',
    async (NotifyUrl) => {
      const { ErrorCode, Errors } = await call('createPayment', {
        TotalPrice: '31',
        UniqueID: `bad-${NotifyUrl}`,
        NotifyUrl,
      })
      expect([ErrorCode, Errors?.[0]?.path]).toEqual(['kit.badInput', 'NotifyUrl'])
      const { rows } = await asSystem(world.app.db, (tx) =>
        sql`select 1 from payment_links where amount_agorot = 3100`.execute(tx),
      )
      expect(rows).toEqual([])
    },
  )
})

test('a business for trying things out brings no files from elsewhere', async () => {
  const {
    secret,
    business,
    key: made,
  } = (await owner.call(openSandbox, {})) as {
    secret: string
    business: { id: string }
    key?: { id: string }
  }
  const keyId =
    made?.id ??
    (await world.app.db.pool.query('select id from api_keys where company_id = $1', [business.id])).rows[0].id
  const answer = await call(
    'createDocument',
    {
      DocumentType: 8,
      CurrencyID: 'ILS',
      Customer: { FullName: 'Jo March' },
      items: [{ Name: 'Chair', Quantity: 1, Price: '100', vatType: 1, SkuID: -1 }],
      files: ['https://example.com/a.pdf'],
    },
    { id: keyId, secret },
  )
  expect(answer).toMatchObject({ Success: true, NotDone: [{ path: 'files.0', code: 'trade.fileInTest' }] })
})
