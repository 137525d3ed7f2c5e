import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useEnteredLaw } from '#domain/law/dated.ts'
import { dueOfPeriod } from '#domain/law/dues.ts'
import { inForceOn, knownOn, unknownOn } from '#domain/law/figures.ts'
import { addDays } from '#domain/day.ts'
import { mySession } from '#features/base/session/endpoints.ts'
import { callAs, newBusiness, startWorld, type Business, type World } from '../../../../tests/world.ts'
import * as calls from './endpoints.ts'
import { refreshLaw } from './server/index.ts'

let world: World
let me: Business
beforeAll(async () => {
  world = await startWorld()
  me = await newBusiness(world)
  world.app.settings.support.operators = ['*']
})
afterAll(async () => {
  useEnteredLaw([])
  await world.close()
})

const source = 'הודעת רשות המסים 1/2027'
const rate = { key: 'vatRate', from: '2027-03-01', to: '2027-12-31', value: 1900, source } as const
const refusal = (given: Promise<unknown>) =>
  given.then(
    () => 'done',
    (e: { code: string; errors?: { code: string }[] }) => e.errors?.[0]?.code ?? e.code,
  )

describe('what operators enter', () => {
  test('a figure holds at once, here and in other processes, and its revocation too', async () => {
    const { id } = await me.call(calls.enterFigure, rate)
    expect([inForceOn('vatRate', '2027-02-28'), inForceOn('vatRate', '2027-03-01')]).toEqual([1800, 1900])
    // Another process, which knows nothing yet, looks.
    useEnteredLaw([])
    await refreshLaw(world.app)
    expect(inForceOn('vatRate', '2027-03-01')).toBe(1900)
    expect(unknownOn(['vatRate'], '2028-01-01')).toEqual([{ key: 'vatRate', after: '2027-12-31' }])
    // Browsers hear of it with their session.
    expect((await me.call(mySession, {})).law).toMatchObject([{ key: 'vatRate', value: '1900', source }])
    await me.call(calls.revokeEntry, { id, why: 'הוזן בטעות' })
    expect(inForceOn('vatRate', '2027-03-01')).toBe(1800)
    expect(await refusal(me.call(calls.revokeEntry, { id, why: 'פעם שנייה' }))).toBe('law.revokedBefore')
    const { entries } = await me.call(calls.lawTable, {})
    expect(entries).toMatchObject([{ id, value: '1900', revokedWhy: 'הוזן בטעות' }])
    expect(entries[0]!.by).not.toBe('')
    const log = await me.get('/api4/invoice/audit?first=5')
    expect(JSON.stringify(log)).toContain('law.enter')
  })

  test('a confirmed ceiling of the next year is known', async () => {
    const { id } = await me.call(calls.enterFigure, {
      key: 'exemptCeiling',
      from: '2027-01-01',
      to: '2027-12-31',
      value: 12_500_000,
      source,
    })
    expect(knownOn('exemptCeiling', '2027-12-31')).toBe(12_500_000)
    expect(knownOn('exemptCeiling', '2028-01-01')).toBeUndefined()
    await me.call(calls.revokeEntry, { id, why: 'סוף הניסיון' })
  })

  test('a postponement moves the day on every screen', async () => {
    const shown = async () => (await me.get('/api4/invoice/home')).vat as { to: string; dueDay: string }
    const { to, dueDay } = await shown()
    const moved = addDays(dueDay, 9)
    const duty = (await me.get('/api4/invoice/company/vatfrequencies')).isDetailed ? 'detailedVat' : 'vat'
    const { id } = await me.call(calls.enterDue, { duty, period: to.slice(0, 7), day: moved, source })
    expect((await shown()).dueDay).toBe(moved)
    expect(dueOfPeriod(duty, to)).toEqual({ day: moved, basis: 'entered' })
    expect((await me.call(calls.lawTable, {})).dues).toContainEqual({
      duty,
      period: to.slice(0, 7),
      day: moved,
      basis: 'entered',
    })
    await me.call(calls.revokeEntry, { id, why: 'סוף הניסיון' })
    expect((await shown()).dueDay).toBe(dueDay)
  })

  test.each<[string, object, string]>([
    ['an end before its beginning', { to: '2027-02-28' }, 'law.order'],
    ['a day that the tables settled', { from: '2024-01-01' }, 'law.tooEarly'],
    ['more than everything', { value: 10_001 }, 'law.range'],
    ['an unknown key', { key: 'luck' }, 'fields.choice'],
    ['no source', { source: ' ' }, 'fields.need'],
  ])('%s is refused', async (_, given, code) => {
    expect(await refusal(me.call(calls.enterFigure, { ...rate, ...given } as never))).toBe(code)
  })

  test('two values for one day are refused, also of two operators at once', async () => {
    const codes = await Promise.all([1, 2].map(() => refusal(me.call(calls.enterFigure, rate))))
    expect(codes.toSorted()).toEqual(['done', 'law.overlaps'])
    const [standing] = (await me.call(calls.lawTable, {})).entries.filter(({ revokedAt }) => !revokedAt)
    await me.call(calls.revokeEntry, { id: standing!.id, why: 'סוף הניסיון' })
  })

  test.each<[string, object, string]>([
    ['a day inside the period', { day: '2026-12-31' }, 'law.dueRange'],
    ['a day years later', { day: '2028-12-31' }, 'law.dueRange'],
    ['a year for a report of months', { period: '2026' }, 'law.range'],
  ])('a postponement to %s is refused', async (_, given, code) => {
    const one = { duty: 'vat', period: '2026-12', day: '2027-01-28', source, ...given }
    expect(await refusal(me.call(calls.enterDue, one as never))).toBe(code)
  })

  test('nobody else enters anything, and names of operators are theirs', async () => {
    await me.call(calls.enterFigure, rate)
    world.app.settings.support.operators = ['else@pinkas.example']
    try {
      expect(await refusal(me.call(calls.enterFigure, rate))).toBe('law.notOperator')
      expect(
        await refusal(me.call(calls.enterDue, { duty: 'vat', period: '2026-12', day: '2027-01-28', source })),
      ).toBe('law.notOperator')
      const seen = await me.call(calls.lawTable, {})
      expect(seen.mayEnter).toBe(false)
      expect(seen.entries.every(({ by, revokedBy }) => by === '' && revokedBy === null)).toBe(true)
      const standing = seen.entries.find(({ revokedAt }) => !revokedAt)!
      expect(await refusal(me.call(calls.revokeEntry, { id: standing.id, why: 'לא שלי' }))).toBe(
        'law.notOperator',
      )
      expect(await refusal(callAs(world, calls.lawTable, {}))).not.toBe('done')
    } finally {
      world.app.settings.support.operators = ['*']
    }
  })
})
