import { describe, expect, it, vi } from 'vitest'
import { makeWordGroups } from './wordGroups.ts'

type Lang = 'he' | 'en'

/** Groups whose words say their own address; `release` lets the answers go when they are held back. */
function made({ held = false } = {}) {
  let lang: Lang = 'he'
  const waiting: (() => void)[] = []
  const fetch = vi.fn(async (address: string) => {
    if (held) await new Promise<void>((go) => waiting.push(go))
    const group = /words\/(\w+)\./.exec(address)![1]!
    return { [`${group}.word`]: address }
  })
  const groups = makeWordGroups<Lang>(
    {
      addresses: {
        marks: { base: '0', vat: '1', ledger: '2' },
        families: { vat: 'vat vatLines', ledger: 'ledger' },
      },
      fetch,
    },
    () => lang,
  )
  return {
    groups,
    fetch,
    speak: (next: Lang) => void (lang = next),
    release: () => waiting.splice(0).forEach((go) => go()),
  }
}

describe('groups of words', () => {
  it('are fetched once, by the mark of what they say, into the dictionary that is there', async () => {
    const { groups, fetch } = made()
    const dic = groups.dicOf('he')
    await Promise.all([groups.need(['vat']), groups.need(['vat'])])
    expect(fetch.mock.calls).toEqual([['/assets/words/vat.he-1.json']])
    expect(dic).toEqual({ 'vat.word': '/assets/words/vat.he-1.json' })
  })

  it('come in the next language before it is shown: those in use, and those that came into use meanwhile', async () => {
    const { groups, release, speak } = made({ held: true })
    const first = groups.need(['vat'])
    release()
    await first
    const swap = groups.complete('en').then(() => speak('en'))
    // Pressed while the next language was on its way.
    const late = groups.need(['ledger'])
    for (let n = 0; n < 6; n++) {
      release()
      await new Promise((done) => setTimeout(done))
    }
    await Promise.all([swap, late])
    expect(Object.keys(groups.dicOf('en')).toSorted()).toEqual(['base.word', 'ledger.word', 'vat.word'])
  })

  it('which are fetched ahead are not in use', async () => {
    const { groups } = made()
    await groups.ahead(['vat'])
    await groups.complete('en')
    expect(groups.dicOf('he')).toHaveProperty(['vat.word'])
    expect(groups.dicOf('en')).not.toHaveProperty(['vat.word'])
  })

  it('that did not come are asked for again', async () => {
    const { groups, fetch } = made()
    fetch.mockRejectedValueOnce(new Error('away'))
    await expect(groups.need(['vat'])).rejects.toThrow('away')
    await groups.need(['vat'])
    expect(groups.dicOf('he')).toHaveProperty(['vat.word'])
  })

  it('are found by the first part of a key', async () => {
    const { groups } = made()
    expect(groups.missingOf('nothing')).toEqual([])
    const missing = groups.missingOf('vatLines')
    expect(missing).toHaveLength(1)
    await Promise.all(missing)
    expect(groups.missingOf('vatLines')).toEqual([])
  })
})
