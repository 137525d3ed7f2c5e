import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { supplierDefaults } from '#features/purchases/expenses/endpoints.ts'
import { previewCodingRule } from './endpoints.ts'

let world: World
let shop: Business
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-22T09:00:00Z'))
  shop = await newBusiness(world)
})
afterAll(() => world.close())

test('a rule speaks before the last bill does, by supplier and by words, in its order; and shows what it would have changed', async () => {
  const kinds = (await shop.get('/api4/invoice/expensetypes?size=100')).rows as {
    id: string
    accountNumber: string
    vatShare: string
  }[]
  const kind = (number: string) => kinds.find((one) => one.accountNumber === number)!.id
  const station = await shop.send('POST', '/api4/invoice/suppliers', { name: 'פז' })
  for (const [supplierNumber, details] of [
    ['1', 'דלק לרכב'],
    ['2', 'קפה'],
  ])
    await shop.send('POST', '/api4/invoice/expenses', {
      supplierId: station.id,
      supplierNumber,
      details,
      date: '2026-10-01',
      means: 'bank',
      lines: [{ typeId: kind('6000'), netAgorot: 10_000, vatAgorot: 1_800 }],
    })
  const ask = (text: string) => shop.call(supplierDefaults, { supplierId: station.id, text })
  expect(await ask('דלק')).toMatchObject({ rule: null, lines: [{ typeId: kind('6000') }] })

  const project = await shop.send('POST', '/api4/invoice/projects', { name: 'גג' })
  const fuel = {
    contains: 'דלק',
    supplierId: station.id,
    typeId: kind('6060'),
    vatShare: 'quarter' as const,
    projectId: project.id,
  }
  expect(await shop.call(previewCodingRule, fuel)).toMatchObject({
    fits: 1,
    differs: 1,
    rows: [{ details: 'דלק לרכב', vatShareDiffers: true, projectDiffers: true }],
  })
  expect(await shop.call(previewCodingRule, { supplierId: station.id, typeId: kind('6000') })).toMatchObject({
    fits: 2,
    differs: 0,
  })
  const path = '/api4/invoice/codingrules'
  await expect(
    shop.send('POST', path, { name: 'ריק', typeId: kind('6060'), place: 5 }),
  ).rejects.toMatchObject({
    errors: [{ path: 'supplierId', code: 'codingRules.needsSomething' }],
  })
  const made = await shop.send('POST', path, { name: 'דלק', place: 10, ...fuel })
  await shop.send('POST', path, { name: 'כל השאר', place: 20, supplierId: station.id, typeId: kind('6120') })
  expect(await ask('תדלוק: דֶּלֶק 95')).toMatchObject({
    rule: { id: made.id, name: 'דלק' },
    lines: [{ typeId: kind('6060'), vatShare: 'quarter', projectId: project.id, shareBp: 10_000 }],
  })
  expect(await ask('קפה')).toMatchObject({ rule: { name: 'כל השאר' } })
  await shop.send('PATCH', `${path}/${made.id}`, { contains: 'סולר' })
  expect(await ask('דלק')).toMatchObject({ rule: { name: 'כל השאר' } })
  await shop.send('DELETE', `${path}/${made.id}`)
  expect(await ask('סולר')).toMatchObject({ rule: { name: 'כל השאר' } })
})
