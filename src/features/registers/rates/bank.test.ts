import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import { createDocument } from '#features/sales/documents/endpoints.ts'
import { ratesOfDay } from './endpoints.ts'
import { takeRates } from './server/bank.ts'

/** The rates of the Bank of Israel arrive: from its series, with the days that were missed, and the last ones hold at weekends. */
let world: World
let now = new Date('2026-11-13T18:00:00Z')
let bank: Server
const asked: string[] = []
let answer = ''
beforeAll(async () => {
  world = await startWorld(() => now)
  bank = createServer((request, response) => {
    asked.push(request.url!)
    response.writeHead(answer ? 200 : 503).end(answer)
  })
  await new Promise<void>((done) => bank.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  bank.close()
  await world.close()
})

const head =
  'SERIES_CODE,FREQ,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MEASURE,DATA_TYPE,DATA_SOURCE,TIME_COLLECT,CONF_STATUS,PUB_WEBSITE,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE,RELEASE_STATUS'
const line = (currency: string, day: string, rate: string, more: { type?: string; power?: number } = {}) =>
  `RER_${currency}_ILS,D,${currency},ILS,ILS,${more.type ?? 'OF00'},BOI_MRKT,V,F,Y,${more.power ?? 0},,${day},${rate},YP`
const series = (...lines: string[]) => [head, ...lines].join('\n')
const appAt = (mode: 'bank' | 'off' | 'simulator') => ({
  ...world.app,
  settings: {
    ...world.app.settings,
    exchangeRates: { mode, url: `http://127.0.0.1:${(bank.address() as AddressInfo).port}/EXR/1.0/` },
  },
})
const rateOf = async (me: Business, day: string, currency = 'USD') =>
  (await me.call(ratesOfDay, { currency, day })).rows[0]

test('rates come by days, representative ones alone, yen by the unit; the last ones hold until the next', async () => {
  const me = await newBusiness(world)
  answer = series(
    line('USD', '2026-11-12', '3.701'),
    line('USD', '2026-11-13', '3.712'),
    line('USD', '2026-11-13', '9.9', { type: 'AV00' }),
    line('JPY', '2026-11-13', '2.43', { power: 2 }),
    line('XDR', '2026-11-13', '5'),
  )
  expect(await takeRates(appAt('bank'))).toBe(3)
  expect(asked.at(-1)).toMatch(/^\/EXR\/1\.0\/\?startperiod=2025-10-09&DATA_TYPE=OF00&format=csv$/)
  expect(await rateOf(me, '2026-11-15')).toEqual({
    currency: 'USD',
    day: '2026-11-13',
    rate: '3.712',
    source: 'common',
  })
  expect((await rateOf(me, '2026-11-13', 'JPY'))?.rate).toBe('0.0243')
  // Those of today are here: nothing is requested.
  const count = asked.length
  expect(await takeRates(appAt('bank'))).toBe(0)
  expect(asked).toHaveLength(count)
})

test('days that were missed come with the next answer, a day without rates asks again, and a silent bank changes nothing', async () => {
  now = new Date('2026-11-18T18:00:00Z')
  answer = ''
  await expect(takeRates(appAt('bank'))).rejects.toThrow('503')
  answer = series()
  expect(await takeRates(appAt('bank'))).toBe(0)
  answer = series(line('USD', '2026-11-16', '3.72'), line('USD', '2026-11-17', '3.73'))
  expect(await takeRates(appAt('bank'))).toBe(2)
  expect(asked.at(-1)).toContain('startperiod=2026-11-14')
  expect(await takeRates(appAt('off'))).toBe(0)
})

test('a document names the rate of its day, and the API says the day of the rate', async () => {
  now = new Date('2026-11-21T09:00:00Z')
  const me = await newBusiness(world)
  const made = await me.call(createDocument, {
    type: 1,
    customerId: (await me.customer('Blue')).id,
    currency: 'USD',
    lines: [{ description: 'work', quantity: '1', unitPrice: '100' }],
  } as never)
  expect(made).toMatchObject({ rate: '3.73', rateDate: '2026-11-17' })
})

test('made-up rates come for working days', async () => {
  now = new Date('2026-11-23T18:00:00Z')
  const me = await newBusiness(world)
  expect(await takeRates(appAt('simulator'))).toBeGreaterThan(0)
  expect((await rateOf(me, '2026-11-22'))?.day).toBe('2026-11-20')
})
