import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { followSigning, keyToSign, signByKey, strokes } from '../../../../tests/signing.ts'
import { addTerminal, testPay } from '#features/money/acquirers/endpoints.ts'
import {
  getRequest,
  payField,
  requestPdf,
  saveTemplate,
  sendTemplate,
  signPage,
  uploadTemplate,
  verifyFile,
} from '#features/sales/signing/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld()
  world.app.settings.testAcquirer = true
  shop = await newBusiness(world)
})
afterAll(() => world.close())

const sample = readFileSync(join(root, 'tests/papers/samples/classic-2.pdf'))
const keyOf = (url: string) => url.split('/').at(-1)!
const field = { page: 1, role: 'r1', w: 200, x: 60 }
const signer = { role: 'r1', name: 'רות כהן', email: 'ruth@example.com', channel: 'mail' as const }

async function template(amountAgorot: number | null): Promise<string> {
  const { id } = await shop.call(uploadTemplate, { name: 'הרשמה.pdf', bytes: sample })
  await shop.call(saveTemplate, {
    id,
    version: 1,
    roles: [{ id: 'r1', name: 'נרשם', order: 1 }],
    fields: [
      { ...field, id: 'fee', kind: 'pay', y: 450, h: 22, label: 'דמי רישום', amountAgorot },
      { ...field, id: 'sign', kind: 'signature', y: 500, h: 50 },
    ],
  })
  return id
}

test('a field asks for a payment before signing: what was paid is told by who took it, once, and stands on the paper', async () => {
  const id = await template(15_000)
  // Without anybody to take it, nothing is sent.
  await expect(shop.call(sendTemplate, { id, signers: [signer] })).rejects.toMatchObject({
    code: 'signing.payOff',
  })
  await shop.call(addTerminal, { gateway: 'test' })
  await expect(
    shop.call(sendTemplate, { id: await template(null), signers: [signer] }),
  ).rejects.toMatchObject({
    errors: [{ path: 'sumAgorot', code: 'signing.needAmount' }],
  })
  const sent = await shop.call(sendTemplate, { id, signers: [signer] })
  const key = await keyToSign(shop, sent.id)
  expect((await callAs(world, signPage, { key })).fields[0]).toMatchObject({
    id: 'fee',
    amountAgorot: 15_000,
    value: null,
  })
  // What the page says of a payment is worth nothing.
  await expect(signByKey(world, key, { fee: 'שולם ₪150.00', sign: strokes })).rejects.toMatchObject({
    errors: [{ path: 'values.fee', code: 'signing.notPaid' }],
  })
  const { url } = await callAs(world, payField, { key, field: 'fee' })
  expect((await callAs(world, payField, { key, field: 'fee' })).url).toBe(url)
  await expect(callAs(world, payField, { key, field: 'sign' })).rejects.toMatchObject({
    code: 'kit.notFound',
  })
  const form = await callAs(world, calls.beginLink, {
    key: keyOf(url),
    payer: { name: 'רות כהן', email: 'ruth@example.com' },
  } as never)
  const paid = await callAs(world, testPay, {
    key: keyOf(form.url),
    number: '4242424242424242',
    month: 12,
    year: 2032,
    cvv: '123',
    instalments: 1,
  })
  await callAs(world, calls.checkLink, {
    key: keyOf(url),
    charge: new URL(paid.returnTo).searchParams.get('charge')!,
  })
  expect((await callAs(world, signPage, { key })).fields[0]).toMatchObject({
    value: expect.stringMatching(/^שולם .*₪150\.00/),
  })
  await expect(callAs(world, payField, { key, field: 'fee' })).rejects.toMatchObject({
    code: 'signing.isPaid',
  })
  await signByKey(world, key, { sign: strokes })
  await followSigning(world)
  expect(await shop.call(getRequest, { id: sent.id })).toMatchObject({ state: 'done' })
  const bytes = (await shop.call(requestPdf, { id: sent.id })) as Uint8Array
  expect(await callAs(world, verifyFile, { bytes })).toMatchObject({ verdict: 'holds' })
})
