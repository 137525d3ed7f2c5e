import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { implementations } from '../src/features.ts'
import { starterNames, starters, type Starter } from '#features/base/team/starters.ts'
import { allRules, can } from '#kit/describe/session.ts'
import {
  askedAndSentAs,
  everythingAs,
  filled,
  isPaper,
  leaks,
  markers,
  openShop,
  ownerHeard,
  sentToHimself,
  strangeLine,
  strangeName,
  sums,
  worker,
  world,
} from './rolesWalk.ts'

beforeAll(openShop, 60_000)
afterAll(() => world.close())

/** What of a set's rights is more than a list of rules. */
const given = (name: (typeof starterNames)[number]) => {
  const set: Starter = starters[name]
  return { hides: set.hideTotalPrices ?? false, own: set.ownCustomersOnly ?? false }
}

describe.each(starterNames)('%s, by what it is answered', (name) => {
  test('every question is answered as its rules say: with what it asks for, or not at all', async () => {
    const rules = starters[name].rules.flatMap((rule) => allRules().get(rule) ?? [])
    const one = await worker({ rules, ...given(name) })
    const heard = await everythingAs(one)
    expect(heard.filter(({ status }) => status >= 500)).toEqual([])
    const told = new Map((await ownerHeard()).map(({ path, status }) => [path, status]))
    const asks = new Map(
      implementations.flatMap(({ endpoint }) =>
        endpoint.method === 'GET' && typeof endpoint.access === 'object' && !isPaper(endpoint)
          ? filled(endpoint).flatMap((path) =>
              [path, `${path}&format=csv`, `${path}&format=xlsx`].map((p) => [p, endpoint.access] as const),
            )
          : [],
      ),
    )
    const wrong = heard.flatMap(({ path, status }) => {
      const access = asks.get(path) as { rule: string; module?: unknown } | undefined
      if (!access) return []
      if (!can({ rules, docsAllow: [] }, access.rule))
        return status === 403 ? [] : [`${path} ${status}, not his`]
      // The person gets what the owner gets, except figures, modules the person does not have, and what belongs to
      // others.
      const asOwner = told.get(path)
      const { hides, own } = given(name)
      const may =
        asOwner === 200
          ? [200, ...(hides || own || access.module ? [403] : []), ...(hides || own ? [404] : [])]
          : [asOwner, 403]
      return may.includes(status) ? [] : [`${path} ${status}, the owner ${asOwner}`]
    })
    expect(wrong).toEqual([])
    // Something is visible, and nothing that the rules leave out.
    expect(heard.filter(({ status }) => status === 200).length).toBeGreaterThan(5)
    const sees = (rule: string) => can({ rules, docsAllow: [] }, rule)
    expect(
      leaks(heard, sees('documents.see') || sees('reports.sales') ? [] : ['הצעהנסתרת', strangeLine]),
    ).toEqual([])
    expect(
      leaks(
        heard,
        sees('customers.see') || sees('documents.see') ? [] : [strangeName, 'strange@example.com'],
      ),
    ).toEqual([])
    expect(leaks(heard, sees('items.see') || sees('prices.see') ? [] : [sums.price])).toEqual([])
  }, 240_000)

  test('with hidden prices, or with some types and his own customers alone, what is hidden is in no answer', async () => {
    const rules = starters[name].rules.flatMap((rule) => allRules().get(rule) ?? [])
    const walk = async (rights: Parameters<typeof worker>[0]) => {
      const one = await worker({ rules, ...given(name), ...rights })
      // The test above asks a person with the same rules for everything; a call whose rule is missing
      // refuses before it looks at what else narrows the person.
      const heard = [...(await everythingAs(one, (rule) => can(one, rule))), ...(await askedAndSentAs(one))]
      await sentToHimself()
      expect(heard.filter(({ status }) => status >= 500)).toEqual([])
      return heard
    }
    const hiding = await walk({ hides: true })
    const figures = [
      Number(sums.own),
      Number(sums.strange),
      Number(sums.quote),
      Number(sums.price),
      sums.bill / 100,
      sums.limit / 100,
    ]
    expect(leaks(hiding, markers(...figures))).toEqual([])
    expect(hiding.filter((each) => each.isFile).map(({ path }) => path)).toEqual([])
    const narrow = await walk({ docsAllow: [8], own: true })
    expect(
      leaks(narrow, [
        ...markers(Number(sums.quote), Number(sums.strange)),
        'הצעהנסתרת',
        strangeName,
        strangeLine,
        'strange@example.com',
      ]),
    ).toEqual([])
  }, 240_000)
})
