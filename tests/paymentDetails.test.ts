import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentMeans, type BusinessKind, type PaymentMeans } from '#domain/documents/kinds.ts'
import { paymentDetailNames, requiredDetails, type PaymentDetail } from '#domain/documents/paymentDetails.ts'
import * as committee from '#features/money/committee/endpoints.ts'
import { makeKey } from '#features/open/apiKeys/endpoints.ts'
import { correctDocument } from '#features/sales/corrections/endpoints.ts'
import * as documents from '#features/sales/documents/endpoints.ts'
import { createPayment } from '#features/sales/payments/endpoints.ts'
import { newBusiness, startWorld, type Business, type World } from './world.ts'

/*
 * The details that a payment method requires are required wherever money is entered. `ways` are the doors by which a
 * person or a program enters money; each is tried with every method and every detail.
 */

let world: World
let dealer: Business
let nonProfit: Business
let customers: Record<'dealer' | 'nonProfit', string>
let apiKey: { id: string; secret: string }
let building: { id: string; flatId: string }

beforeAll(async () => {
  world = await startWorld(() => new Date('2026-05-03T08:00:00Z'))
  dealer = await newBusiness(world)
  nonProfit = await newBusiness(world, { kind: 'nonProfit' as BusinessKind })
  customers = {
    dealer: (await dealer.customer('נעמה')).id,
    nonProfit: (await nonProfit.customer('תורם')).id,
  }
  const made = await dealer.call(makeKey, {
    name: 'תוכנה',
    readOnly: false,
    draftsOnly: false,
    rules: [],
    docsAllow: [],
    sumLimitAgorot: null,
    expiresOn: null,
  })
  apiKey = { id: made.key.id, secret: made.secret }
  const make = async (what: string, given: object): Promise<string> =>
    (await dealer.send<{ id: string }>('POST', `/api4/invoice/committee${what}`, given)).id
  const id = await make('buildings', { name: 'האלה 14', openedOn: '2026-01-01' })
  const flatId = await make('flats', { buildingId: id, number: '1' })
  await make('people', {
    flatId,
    customerId: customers.dealer,
    role: 'owner',
    pays: true,
    fromDay: '2026-01-01',
  })
  building = { id, flatId }
})
afterAll(() => world.close())

type Details = Partial<Record<PaymentDetail, string | number>>
interface Payment extends Details {
  means: number
  amountAgorot: number
}
/** Enters a payment; answers the paths that were refused, with their code. */
type Way = (payment: Payment) => Promise<Record<string, string>>

const refusedBy = async (work: () => Promise<unknown>): Promise<Record<string, string>> => {
  try {
    await work()
    return {}
  } catch (e) {
    const { errors = [] } = e as { errors?: { path: string; code: string }[] }
    if (!errors.length) throw e
    return Object.fromEntries(errors.map(({ path, code }) => [path.split('.').at(-1)!, code]))
  }
}

let handNumber = 0
const line = { description: 'עבודה', unitPrice: '10', vatKind: 2 as const }
const create =
  (type: number, more: object = {}): Way =>
  (payment) =>
    refusedBy(() =>
      dealer.call(documents.createDocument, {
        type,
        customerId: customers.dealer,
        payments: [payment],
        ...more,
      } as never),
    )

/** What the fields of a payment are called for programs of other makers. */
const theirs: Record<string, string> = {
  bank: 'BankNumber',
  branch: 'BranchNumber',
  account: 'AccountNumber',
  number: 'CheckNumber',
  cardBrand: 'CardType',
  cardLast4: 'CardLastDigits',
  instalments: 'NumberofPayments',
  reference: 'Reference',
}

const ways: Record<string, Way> = {
  'a receipt': create(6),
  'a tax invoice/receipt': create(9, { lines: [line] }),
  'a deposit receipt': create(14),
  'a receipt written by hand': (payment) => create(6, { handNumber: ++handNumber })(payment),
  'many at once': (payment) =>
    refusedBy(() =>
      dealer.call(documents.batchDocuments, {
        documents: [{ type: 6, customerId: customers.dealer, payments: [payment] }],
      } as never),
    ),
  'a donation receipt': (payment) =>
    refusedBy(() =>
      nonProfit.call(documents.createDocument, {
        type: 11,
        customerId: customers.nonProfit,
        payments: [payment],
      } as never),
    ),
  'a receipt with its lines': (payment) =>
    refusedBy(() =>
      nonProfit.call(documents.createDocument, {
        type: 6,
        customerId: customers.nonProfit,
        lines: [line],
        payments: [payment],
      } as never),
    ),
  'a draft that is issued': (payment) =>
    refusedBy(async () => {
      const { id } = await dealer.call(documents.createDocument, {
        type: 6,
        customerId: customers.dealer,
        payments: [payment],
        draft: true,
      } as never)
      await dealer.call(documents.issueDocument, { id })
    }),
  'a payment that is recorded': (payment) =>
    refusedBy(() =>
      dealer.call(createPayment, { customerId: customers.dealer, payments: [payment] } as never),
    ),
  'a correction of a receipt': (payment) =>
    refusedBy(async () => {
      const { id } = await dealer.call(documents.createDocument, {
        type: 6,
        customerId: customers.dealer,
        payments: [{ means: payment.means === 1 ? 5 : 1, amountAgorot: 1000 }],
      } as never)
      await dealer.call(correctDocument, { id, reason: 'שולם אחרת', payments: [payment] } as never)
    }),
  'a call of programs of other makers': async ({ means, amountAgorot, ...details }) => {
    const answer = await world.http.inject({
      method: 'POST',
      url: '/api/v1/createDocument',
      headers: { authorization: JSON.stringify({ secret: apiKey.secret, userkey: apiKey.id }) },
      payload: {
        DocumentType: 6,
        CurrencyId: 'ILS',
        Customer: { ID: customers.dealer },
        payments: [
          {
            TypeID: means,
            Price: amountAgorot / 100,
            ...Object.fromEntries(
              Object.entries(details).flatMap(([name, value]) =>
                theirs[name] ? [[theirs[name], value]] : [],
              ),
            ),
          },
        ],
      },
    })
    const body = answer.json() as { Success: boolean; Errors?: { path: string; code: string }[] }
    if (body.Success) return {}
    const ours = Object.fromEntries(Object.entries(theirs).map(([name, their]) => [their, name]))
    if (!body.Errors?.length) throw new Error(answer.body)
    return Object.fromEntries(
      body.Errors.map(({ path, code }) => {
        const name = path.split('.').at(-1)!
        return [ours[name] ?? name, code]
      }),
    )
  },
  'a payment of a tenant': ({ means, amountAgorot, bank, branch, account, number }) =>
    refusedBy(() =>
      dealer.call(committee.takePayments, {
        id: building.id,
        payments: [{ flatId: building.flatId, agorot: amountAgorot, means, bank, branch, account, number }],
      } as never),
    ),
}

const full: Details = {
  bank: '12',
  branch: '600',
  account: '123456',
  number: '5001',
  dueDate: '2026-07-01',
  cardBrand: 'visa',
  cardLast4: '4580',
  instalments: 1,
  reference: 'T-1',
}
// Withheld tax is a part of a payment and never all of it, and cash has a separate law.
const methods = (Object.keys(paymentMeans) as PaymentMeans[]).filter((name) => name !== 'withheldTax')

describe.each(Object.keys(ways))('%s', (name) => {
  test.each(methods)(
    'by %s has the details that the table requires',
    async (means) => {
      const payment = { means: paymentMeans[means], amountAgorot: 1000 }
      const required = requiredDetails(means)
      const only = Object.fromEntries(required.map((detail) => [detail, full[detail]]))
      expect(await ways[name]!({ ...payment, ...only })).toEqual({})
      for (const left of required)
        expect(await ways[name]!({ ...payment, ...only, [left]: '' })).toEqual({
          [left]: 'documents.paymentDetail',
        })
      if (required.length)
        expect(Object.keys(await ways[name]!(payment)).toSorted()).toEqual([...required].toSorted())
    },
    30_000,
  )
})

test('money that goes back, and a cancelled receipt, ask for no details', async () => {
  const { id } = await dealer.call(documents.createDocument, {
    type: 6,
    customerId: customers.dealer,
    payments: [{ ...full, means: 2, amountAgorot: 500, cardBrand: '', cardLast4: '' }],
  } as never)
  await dealer.call(documents.cancelDocument, { id, reason: 'טעות' } as never)
  await dealer.call(documents.createDocument, {
    type: 6,
    customerId: customers.dealer,
    reason: 'החזר',
    payments: [{ means: 2, amountAgorot: -300 }],
  } as never)
})

test('a draft is kept while its details are still typed', async () => {
  const { id } = await dealer.call(documents.createDocument, {
    type: 6,
    customerId: customers.dealer,
    payments: [{ means: 2, amountAgorot: 500 }],
    draft: true,
  } as never)
  expect(id).toBeTruthy()
})

test('a series of cheques of a tenant has the numbers that follow the first', async () => {
  const { receipts } = await dealer.call(committee.takePayments, {
    id: building.id,
    payments: [
      {
        flatId: building.flatId,
        agorot: 3000,
        means: 2,
        cheques: 3,
        firstCheque: '2026-06-01',
        bank: '12',
        branch: '600',
        account: '123456',
        number: '0099',
      },
    ],
  } as never)
  const { payments } = await dealer.call(documents.getDocument, { id: receipts[0]!.documentId })
  expect(payments.map(({ number, dueDate }) => [number, dueDate])).toEqual([
    ['0099', '2026-06-01'],
    ['0100', '2026-07-01'],
    ['0101', '2026-08-01'],
  ])
})

test('every detail of the table has its field in the API, and the API says which are required', () => {
  const fields = Object.keys(documents.payment.shape)
  expect(paymentDetailNames.filter((detail) => !fields.includes(detail))).toEqual([])
  const described = readFileSync('src/kit/server/openapi/ofFields.tsv', 'utf8').split('\n')
  for (const name of ['documents.means', 'payments.means']) {
    const line = described.find((one) => one.startsWith(`${name}\t`))!
    for (const means of methods)
      for (const detail of requiredDetails(means)) expect(line.split('\t')[1]).toContain(detail)
  }
})
