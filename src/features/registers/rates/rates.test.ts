import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { importRates, keepRate, rateHistory, ratesOfDay, removeRate } from './endpoints.ts'
import { perUnit } from './server/read.ts'

let world: World
let owner: Business
let other: Business

beforeAll(async () => {
  world = await startWorld(() => new Date('2026-11-20T10:00:00Z'))
  owner = await newBusiness(world)
  other = await newBusiness(world)
})
afterAll(() => world.close())

const bring = (text: string, more: { look?: 'true'; currency?: string } = {}, by = owner) =>
  by.call(importRates, { bytes: Buffer.from(text), ...more })

test.each([
  ['3.651', 1, 'USD', '3.651'],
  ['2.4312', 100, 'JPY', '0.024312'],
  ['2.43125', 100, 'JPY', '0.024313'],
  ['2.4312', 1, 'JPY', '0.024312'],
  ['0.0243', 1, 'JPY', '0.0243'],
  ['4', 1, 'EUR', '4'],
  ['0', 1, 'EUR', undefined],
  ['-1', 1, 'EUR', undefined],
  ['x', 1, 'EUR', undefined],
])('%s for %i of %s is %s', (text, units, currency, rate) =>
  expect(perUnit(text, units, currency)).toBe(rate),
)

describe('files of rates', () => {
  test('a row for each day and currency; other pairs stay out', async () => {
    const file = `SERIES_CODE,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MULT,TIME_PERIOD,OBS_VALUE
RER_USD_ILS,USD,ILS,0,2026-11-18,3.6
RER_USD_ILS,USD,ILS,0,2026-11-19,3.61
RER_JPY_ILS,JPY,ILS,2,2026-11-19,2.35
RER_EUR_USD,EUR,USD,0,2026-11-19,1.1
RER_EUR_ILS,EUR,ILS,0,2026-11-19,n/a`
    const looked = await bring(file, { look: 'true' })
    expect(looked).toMatchObject({
      count: 3,
      currencies: ['JPY', 'USD'],
      from: '2026-11-18',
      to: '2026-11-19',
      skipped: 1,
    })
    expect((await owner.call(ratesOfDay, {})).rows).toEqual([])
    await bring(file)
    await bring(file)
    expect((await owner.call(ratesOfDay, {})).rows.map((r) => [r.currency, r.day, r.rate])).toEqual([
      ['JPY', '2026-11-19', '0.0235'],
      ['USD', '2026-11-19', '3.61'],
    ])
  })
  test('a column for each currency, in Hebrew and windows-1255', async () => {
    const iconv = (await import('iconv-lite')).default
    const bytes = iconv.encode(
      'שערים יציגים;;\nתאריך;דולר ארה"ב;100 יין\n17/11/2026;3.59;2.4\n16/11/2026;;2.39\n',
      'windows-1255',
    )
    expect(await owner.call(importRates, { bytes, look: 'true' })).toMatchObject({
      count: 3,
      currencies: ['JPY', 'USD'],
      skipped: 0,
    })
  })
  test('one currency alone must be named', async () => {
    await expect(bring('date,rate\n2026-11-01,4.1')).rejects.toMatchObject({ code: 'rates.needCurrency' })
    expect(await bring('date,rate\n2026-11-01,4.1', { currency: 'EUR', look: 'true' })).toMatchObject({
      currencies: ['EUR'],
    })
  })
  test('what is no table and what lies in the future is refused', async () => {
    await expect(bring('hello')).rejects.toMatchObject({ code: 'rates.nothingFound' })
    await expect(bring('PK\u0003\u0004 no workbook')).rejects.toMatchObject({ code: 'rates.badFile' })
    await expect(bring('date,USD\n2027-01-01,3')).rejects.toMatchObject({ code: 'rates.nothingFound' })
  })
  test('a workbook', async () => {
    const { default: write } = await import('write-excel-file/node')
    const day = (text: string) => ({ type: Date, value: new Date(`${text}T00:00:00Z`), format: 'dd/mm/yyyy' })
    const bytes = (await write(
      [
        [{ value: 'Date' }, { value: 'GBP' }],
        [day('2026-11-12'), { type: Number, value: 4.7321 }],
      ] as never,
      { buffer: true } as never,
    )) as unknown as { toBuffer?: () => Promise<Buffer> } & Buffer
    const buffer = bytes.toBuffer ? await bytes.toBuffer() : bytes
    expect((await owner.call(importRates, { bytes: buffer, look: 'true' })).sample).toEqual([
      { currency: 'GBP', day: '2026-11-12', rate: '4.7321' },
    ])
  })
})

describe('the rate of a day', () => {
  test('is the last one on or before it, of the own business only', async () => {
    await owner.call(keepRate, { currency: 'CHF', day: '2026-11-10', rate: '4.2' })
    await owner.call(keepRate, { currency: 'CHF', day: '2026-11-12', rate: '4.3' })
    await owner.call(keepRate, { currency: 'CHF', day: '2026-11-12', rate: '4.35' })
    const on = async (day: string, by = owner) =>
      (await by.call(ratesOfDay, { currency: 'CHF', day })).rows[0]?.rate
    expect([
      await on('2026-11-09'),
      await on('2026-11-11'),
      await on('2026-11-12'),
      await on('2026-11-20'),
    ]).toEqual([undefined, '4.2', '4.35', '4.35'])
    expect(await on('2026-11-20', other)).toBeUndefined()
    await owner.call(removeRate, { currency: 'CHF', day: '2026-11-12' })
    expect((await owner.call(rateHistory, { currency: 'CHF' })).rows.map((r) => r.day)).toEqual([
      '2026-11-10',
    ])
    await expect(other.call(removeRate, { currency: 'CHF', day: '2026-11-10' })).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      owner.call(keepRate, { currency: 'CHF', day: '2026-11-21', rate: '4' }),
    ).rejects.toMatchObject({
      errors: [{ path: 'day', code: 'rates.future' }],
    })
  })
  test('is taken by a document that names none', async () => {
    const { id } = await owner.customer('Cohen')
    const of = (currency: string) => ({
      type: 8,
      customerId: id,
      currency,
      date: '2026-11-20',
      draft: true,
      lines: [{ description: 'x', unitPrice: '100' }],
    })
    expect((await owner.call(createDocument, of('CHF'))).rate).toMatch(/^4\.20*$/)
    await expect(owner.call(createDocument, of('SEK'))).rejects.toMatchObject({
      errors: [{ path: 'rate', code: 'documents.noRate' }],
    })
  })
})
