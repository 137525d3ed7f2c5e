import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { cancelExpense, getExpense, payExpense } from '#features/purchases/expenses/endpoints.ts'
import {
  activityOfSupplier,
  changeBank,
  mergeSuppliers,
  withholdingOfSupplier,
} from '#features/registers/suppliers/endpoints.ts'
import * as calls from './endpoints.ts'

let world: World
let shop: Business
let kind: string
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
  shop = await newBusiness(world)
  await shop.send('PATCH', '/api4/invoice/company', { withholdingFile: '912345678' })
  kind = (await shop.get('/api4/invoice/expensetypes?size=10')).rows[0].id
})
afterAll(() => world.close())

const period = 'from=2026-01-01&to=2026-12-31'
const supplier = async (name: string, values: Record<string, unknown> = {}): Promise<string> =>
  (await shop.send('POST', '/api4/invoice/suppliers', { name, ...values })).id
const certify = (supplierId: string, rateBp: number) =>
  shop.send('POST', '/api4/invoice/withholdingCertificates', {
    supplierId,
    fromDay: '2026-01-01',
    toDay: '2026-12-31',
    rateBp,
  })
const bill = async (
  supplierId: string,
  supplierNumber: string,
  netAgorot: number,
  more: Record<string, unknown> = {},
): Promise<string> =>
  (
    await shop.send('POST', '/api4/invoice/expenses', {
      supplierId,
      supplierNumber,
      date: '2026-11-01',
      means: 'onCredit',
      lines: [{ typeId: kind, netAgorot, vatAgorot: 0 }],
      ...more,
    })
  ).id
const one = (id: string) => shop.get(`/api4/invoice/suppliers/${id}`)
const open = async (id: string): Promise<number> => (await shop.call(getExpense, { id })).openAgorot
const card = (id: string) => shop.get(`/api4/invoice/reports/providerCard?party=${id}&${period}`)
const owedBy = async (name: string) =>
  (await shop.get('/api4/invoice/reports/supplierBalances')).rows.find(
    (row: { supplier: string }) => row.supplier === name,
  )
const balances = async () =>
  (await shop.get(`/api4/invoice/reports/trialBalance?${period}`)).rows.map((row: any) => [
    row.number,
    row.balanceAgorot,
  ])
const merge = (keepId: string, ids: string[], from: Record<string, string> = {}) =>
  shop.call(mergeSuppliers, { keepId, ids, from })

test('merging suppliers moves what is owed and leaves bills where they are; every sum is the group’s', async () => {
  const keep = await supplier('חומרי בניין', { phone: '03-1112222' })
  const gone = await supplier('חומרי בנין בע״מ', { email: 'a@example.com', dueTerms: 'net:30' })
  const first = await bill(keep, '1', 10_000)
  const second = await bill(gone, '2', 20_000)
  const draft = await bill(gone, '3', 5_000, { draft: true })
  const before = await balances()
  expect(await merge(keep, [gone])).toEqual({ id: keep, merged: 1 })

  expect(await one(keep)).toMatchObject({
    balanceAgorot: 30_000,
    dueTerms: 'net:30',
    email: 'a@example.com',
    mergedIds: [gone],
  })
  expect(await one(gone)).toMatchObject({
    balanceAgorot: 0,
    overdueAgorot: 0,
    mergedIntoId: keep,
    mergedIntoIdName: 'חומרי בניין',
  })
  expect(await balances()).toEqual(before)
  expect(await shop.call(getExpense, { id: second })).toMatchObject({ supplierId: gone, openAgorot: 20_000 })
  expect((await shop.call(getExpense, { id: draft })).supplierId).toBe(keep)
  const { rows } = await card(keep)
  expect(rows.at(-1).balanceAgorot).toBe(-30_000)
  expect(rows.map((row: { kind: string }) => row.kind)).not.toContain('merge')
  expect(await owedBy('חומרי בניין')).toMatchObject({ openAgorot: 30_000, cardAgorot: 30_000 })
  expect(await owedBy('חומרי בנין בע״מ')).toBeUndefined()
  expect(
    (await shop.call(calls.dueBills, { until: '2027-06-01' })).rows.find((row) => row.supplierId === keep),
  ).toMatchObject({
    bills: 2,
    openAgorot: 30_000,
  })

  // Bills of both in one payment; the bill of the merged record paid separately; a reversal of it: the balance of the
  // group always equals its open bills.
  await shop.call(calls.createSupplierPayment, {
    supplierId: keep,
    means: 'bank',
    bills: [
      { id: first, amountAgorot: 10_000 },
      { id: second, amountAgorot: 5_000 },
    ],
    withheldAgorot: 0,
  })
  expect([await open(first), await open(second), (await one(keep)).balanceAgorot]).toEqual([
    0, 15_000, 15_000,
  ])
  await shop.call(payExpense, { id: second, means: 'bank', amountAgorot: 4_000 })
  expect((await one(keep)).balanceAgorot).toBe(11_000)
  const third = await bill(gone, '4', 7_000)
  expect((await shop.call(getExpense, { id: third })).supplierId).toBe(keep)
  await expect(bill(keep, '2', 20_000)).rejects.toMatchObject({ code: 'expenses.duplicate' })
  await shop.call(cancelExpense, { id: third, reason: 'טעות' })
  expect((await one(keep)).balanceAgorot).toBe(11_000)
  expect(await owedBy('חומרי בניין')).toMatchObject({ openAgorot: 11_000, cardAgorot: 11_000 })
  expect((await shop.call(calls.openBills, { supplierId: gone })).rows.map(({ id }) => id)).toEqual([second])
})

test('account and certificates are taken whole from whom they were chosen, and a new account is warned of', async () => {
  const account = { bankCode: 12, bankBranch: '600', bankAccount: '123456' }
  const keep = await supplier('א', { taxId: newTaxId(), ...account })
  const gone = await supplier('ב', {
    taxId: newTaxId(),
    bankCode: 10,
    bankBranch: '800',
    bankAccount: '654321',
  })
  await certify(keep, 1_000)
  await certify(gone, 300)
  await merge(keep, [gone], { bank: gone, certificates: gone })
  const after = await one(keep)
  expect(after).toMatchObject({ bankCode: 10, bankBranch: '800', bankAccount: '654321', name: 'א' })
  expect(after.bankChangedAt).not.toBeNull()
  expect((await shop.call(withholdingOfSupplier, { id: keep })).rateBp).toBe(300)
  expect((await shop.get(`/api4/invoice/withholdingCertificates?supplierId=${keep}`)).rows).toHaveLength(1)
  const log = (await shop.call(activityOfSupplier, { id: keep })).rows.map(({ action }) => action)
  expect(log).toEqual(expect.arrayContaining(['suppliers.merge', 'suppliers.mergedInto', 'suppliers.bank']))

  // What the remaining record has, stays; and an account where it had none is no change.
  const third = await supplier('ג')
  const fourth = await supplier('ד', account)
  await merge(third, [fourth])
  expect(await one(third)).toMatchObject({ ...account, bankChangedAt: null })
  await shop.call(changeBank, {
    id: third,
    bankCode: 10,
    bankBranch: '800',
    bankAccount: '111222',
    again: '111222',
  } as never)
  const fifth = await supplier('ה')
  await merge(fifth, [third])
  expect((await one(fifth)).bankChangedAt).not.toBeNull()
})

test('is refused with itself, twice, with a stranger, with a customer; a merged record is not brought back', async () => {
  const [a, b] = [await supplier('אחד'), await supplier('שניים')]
  await expect(merge(a, [a])).rejects.toMatchObject({ code: 'suppliers.mergeItself' })
  const buyer = await shop.customer('לקוח')
  await expect(merge(a, [buyer.id])).rejects.toMatchObject({ status: 404 })
  await merge(a, [b])
  await expect(merge(a, [b])).rejects.toMatchObject({ code: 'suppliers.merged' })
  await expect(shop.send('POST', `/api4/invoice/suppliers/${b}/restore`)).rejects.toMatchObject({
    code: 'suppliers.merged',
  })
  const stranger = await newBusiness(world)
  const theirs = (await stranger.send('POST', '/api4/invoice/suppliers', { name: 'זר' })).id
  await expect(merge(a, [theirs])).rejects.toMatchObject({ status: 404 })
})
