import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, newTaxId, startWorld, type World } from '../../../../tests/world.ts'
import { checkPeriod } from './endpoints.ts'

let world: World
beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-15T09:00:00Z'))
})
afterAll(() => world.close())

test('VAT that is claimed without an allocation number is told when the month is closed', async () => {
  const business = await newBusiness(world)
  await business.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
  const { rows } = await business.get<{ rows: { id: string; vatShare: string; isFixedAsset: boolean }[] }>(
    '/api4/invoice/expensetypes?size=100',
  )
  const typeId = rows.find((one) => one.vatShare === 'full' && !one.isFixedAsset)!.id
  const bill = (supplierNumber: string, netAgorot: number, more: object = {}) =>
    business.send('POST', '/api4/invoice/expenses', {
      supplier: { name: `ספק ${supplierNumber}`, taxId: newTaxId() },
      supplierNumber,
      date: '2026-10-05',
      means: 'bank',
      lines: [{ typeId, netAgorot, vatAgorot: (netAgorot * 18) / 100 }],
      ...more,
    })
  const told = async () =>
    (await business.call(checkPeriod, { kind: 'month', from: '2026-10-01' })).checks.find(
      ({ name }) => name === 'inputAllocation',
    )
  await bill('1', 500_000)
  expect(await told()).toBeUndefined()
  await bill('2', 900_000)
  await bill('3', 900_000, { allocationNumber: '123456789' })
  expect(await told()).toEqual({
    name: 'inputAllocation',
    state: 'look',
    count: 1,
    open: '/invoice/vatgate?period=2026-10',
  })
})
