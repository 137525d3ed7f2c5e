import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/data/db.ts'
import {
  callAs,
  newBusiness,
  newTaxId,
  raw,
  startWorld,
  type Business,
  type World,
} from '../../../../tests/world.ts'
import { followSigning, keyToSign, signByKey, strokes } from '../../../../tests/signing.ts'
import { getRequest, requestPdf, signAbout, signPage, verifyFile } from '#features/sales/signing/endpoints.ts'
import { consequenceOf } from '#features/sales/signing/server/consequences.ts'
import { asCaller, systemCaller } from '#kit/server/context.ts'
import { createOrder } from '#features/money/standingOrders/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
  shop = await newBusiness(world)
  await shop.call(calls.saveMasavSettings, { institution: '12345678', sender: '54321', code: 'B' })
})
afterAll(() => world.close())

const signer = { name: 'רות כהן', email: 'ruth@example.com', channel: 'mail' as const }
const bank = { bank: '12', branch: '600', account: '123456' }
const open = async () => (await shop.call(calls.proposeDebits, { until: '2026-12-31' })).rows
const order = (customerId: string) =>
  shop.call(createOrder, {
    title: 'אחזקה',
    customerId,
    means: 'masav',
    documentType: 5,
    unit: 'month',
    everyN: 1,
    startDay: '2026-12-01',
    lines: [{ description: 'אחזקה', quantity: '1', unitPrice: '100', vatKind: 1 }],
  } as never)

test('a mandate signed on a phone is in force by itself: in Masav, in standing orders, with the account its owner wrote', async () => {
  const { id: customerId } = await shop.customer('כהן', { email: 'cohen@example.com', taxId: newTaxId() })
  await shop.invoice(customerId, '100', { dueDate: '2026-11-20' })
  const { id } = await shop.call(calls.askMandate, { customerId, signer, ceilingAgorot: 50_000 })
  expect((await open())[0]).toMatchObject({ hindrance: 'noMandate', isAsked: true, mandate: null })
  await expect(order(customerId)).rejects.toMatchObject({
    errors: [{ path: 'means', code: 'standingOrders.noMandate' }],
  })
  const key = await keyToSign(shop, id)
  const page = await callAs(world, signPage, { key })
  expect(page.fields.map(({ id: of }) => of).toSorted()).toEqual([
    'account',
    'bank',
    'branch',
    'date',
    'name',
    'owner',
    'sign',
    'taxid',
  ])
  const values = { ...bank, date: '2026-11-20', sign: strokes }
  // A bank that is none is said at its field, before anything is signed.
  await expect(signByKey(world, key, { ...values, bank: '77', branch: '6000' })).rejects.toMatchObject({
    errors: [
      { path: 'values.bank', code: 'masav.badBank' },
      { path: 'values.branch', code: 'masav.badBranch' },
    ],
  })
  await expect(signByKey(world, key, { ...values, account: '1234567890' })).rejects.toMatchObject({
    status: 422,
    errors: [{ path: 'values.account', code: 'masav.badAccount' }],
  })
  await signByKey(world, key, values)
  await followSigning(world)
  expect(await shop.call(signAbout, { about: customerId, purposes: 'mandate' })).toMatchObject({
    rows: [{ id, state: 'done', hasFile: true, signers: 'רות כהן' }],
  })
  expect((await open())[0]).toMatchObject({
    hindrance: null,
    isAsked: false,
    mandate: { reference: '1001', since: '2026-11-20', ceilingAgorot: 50_000, signedId: id },
    bank: '12',
    branch: '600',
    account: '123456',
  })
  expect(await order(customerId)).toMatchObject({ means: 'masav', mandate: '1001' })
  const bytes = (await shop.call(requestPdf, { id })) as Uint8Array
  expect(await callAs(world, verifyFile, { bytes })).toMatchObject({ verdict: 'holds', isKnown: true })
  // What follows a signature may be done again; an end that came since stays.
  await shop.call(calls.saveMandate, { customerId, reference: '1001', since: '2026-11-20', ended: true })
  await asCaller(world.app, systemCaller((await shop.get('/api4/invoice/company')).id), '', async (ctx) =>
    consequenceOf('mandate')!(ctx, {
      id,
      name: '',
      purpose: 'mandate',
      purposeId: customerId,
      customerId,
      fields: [],
    }),
  )
  expect((await open())[0]).toMatchObject({ hindrance: 'noMandate' })
})

test('each gets a number of his own; what was asked and not signed is not in force, and another business sees nothing of it', async () => {
  const one = await shop.customer('לוי')
  const two = await shop.customer('אדם')
  const ids = await Promise.all(
    [one.id, two.id].map((customerId) =>
      shop.call(calls.askMandate, { customerId, signer, ceilingAgorot: null }),
    ),
  )
  const { rows } = await asSystem(world.app.db, (tx) =>
    sql<{
      reference: string
    }>`select reference from mandate_papers
      where request_id = any(${ids.map(({ id }) => id)}::uuid[])`.execute(tx),
  )
  expect(new Set(rows.map(({ reference }) => reference)).size).toBe(2)
  const { rows: inForce } = await asSystem(world.app.db, (tx) =>
    sql`select 1 from debit_mandates where party_id = any(${[one.id, two.id]}::uuid[])`.execute(tx),
  )
  expect(inForce).toHaveLength(0)
  const other = await newBusiness(world)
  expect(await other.call(signAbout, { about: one.id, purposes: 'mandate' })).toEqual({ rows: [] })
  await expect(other.call(calls.askMandate, { customerId: one.id, signer })).rejects.toMatchObject({
    code: 'kit.notFound',
  })
  await expect(other.call(getRequest, { id: ids[0]!.id })).rejects.toMatchObject({ code: 'kit.notFound' })
  expect(
    (
      await raw(
        world,
        calls.askMandate,
        { customerId: one.id, signer: { ...signer, email: '' } },
        { token: shop.token },
      )
    ).statusCode,
  ).toBe(422)
})
