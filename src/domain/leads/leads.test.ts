import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { threadTime } from '../../../tests/hostile/mainThread.ts'
import { deal, type DealRule } from './deal.ts'
import { judge, type FormFacts, type FormText } from './spam.ts'
import { honest, spam } from './corpus.fixture.ts'

const human: FormFacts = { isTrapped: false, seconds: 25, isProved: true, isRepeated: false }

describe('who asks and who only says so', () => {
  // Programs that run a page like a browser: they wait, do the work, and see no trap.
  const patient = human
  const hasty: FormFacts = { isTrapped: false, seconds: undefined, isProved: false, isRepeated: false }

  test('of the honest at least 99 in 100 are taken at once, and none is thrown away', () => {
    const verdicts = honest.map((text) => ({ text, ...judge(text, human) }))
    expect(verdicts.filter(({ verdict }) => verdict === 'dropped')).toEqual([])
    const stopped = verdicts.filter(({ verdict }) => verdict !== 'taken')
    expect(stopped.length / honest.length).toBeLessThanOrEqual(0.01)
  })

  test('of the spam at least 95 in 100 do not come through, however patient the program', () => {
    const through = spam.filter((text) => judge(text, patient).verdict === 'taken')
    expect(through.length / spam.length).toBeLessThanOrEqual(0.05)
  })

  test('what posts without the page comes through never', () => {
    expect(spam.filter((text) => judge(text, hasty).verdict === 'taken')).toEqual([])
    // An old browser that could not do the work is looked at, not lost.
    expect(honest.filter((text) => judge(text, { ...human, isProved: false }).verdict === 'dropped')).toEqual(
      [],
    )
  })

  test('the trap and haste count whatever is written', () => {
    expect(judge(honest[0]!, { ...human, isTrapped: true }).verdict).toBe('dropped')
    expect(judge(honest[0]!, { ...human, seconds: 1 })).toEqual({ verdict: 'toCheck', doubts: ['fast'] })
  })

  test('takes no time over any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), (message) => {
        const began = threadTime()
        judge({ ...honest[0]!, message: message.repeat(2) } as FormText, human)
        expect(threadTime() - began).toBeLessThan(200)
      }),
      { numRuns: 50 },
    )
  })
})

describe('dealing leads', () => {
  const rule = (more: Partial<DealRule> = {}): DealRule => ({
    id: 'r',
    sourceId: null,
    kindId: null,
    cities: [],
    how: 'turn',
    people: ['a', 'b', 'c'],
    lastPerson: null,
    ...more,
  })
  const lead = (id: string, more = {}) => ({ id, sourceId: null, kindId: null, city: '', ...more })
  const whom = (
    leads: ReturnType<typeof lead>[],
    rules: DealRule[],
    loads: [string, number][] = [],
    away: string[] = [],
  ) => deal(leads, rules, new Map(loads), new Set(away)).map(({ to }) => to)
  const four = ['1', '2', '3', '4'].map((id) => lead(id))

  test('in turn, from whoever was last, past those away', () => {
    expect(whom(four, [rule()])).toEqual(['a', 'b', 'c', 'a'])
    expect(whom(four, [rule({ lastPerson: 'b' })])).toEqual(['c', 'a', 'b', 'c'])
    expect(whom(four, [rule({ lastPerson: 'a' })], [], ['b'])).toEqual(['c', 'a', 'c', 'a'])
  })
  test('by load: always whoever has the fewest', () => {
    expect(
      whom(
        four,
        [rule({ how: 'load' })],
        [
          ['a', 3],
          ['b', 1],
        ],
      ),
    ).toEqual(['c', 'b', 'c', 'b'])
  })
  test('by area and source: the first rule that fits', () => {
    const rules = [
      rule({ id: 'north', cities: ['חיפה'], people: ['n'] }),
      rule({ id: 'web', sourceId: 's', people: ['w'] }),
    ]
    expect(
      whom([lead('1', { city: 'חיפה', sourceId: 's' }), lead('2', { sourceId: 's' }), lead('3')], rules),
    ).toEqual(['n', 'w'])
  })
  test('nobody gets one while all are away, and in turn nobody gets two more than another', () => {
    expect(whom(four, [rule()], [], ['a', 'b', 'c'])).toEqual([])
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 }),
        (n, people) => {
          const to = whom(
            Array.from({ length: n }, (_, i) => lead(String(i))),
            [rule({ people })],
          )
          const counts = people.map((one) => to.filter((other) => other === one).length)
          expect(to).toHaveLength(n)
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
