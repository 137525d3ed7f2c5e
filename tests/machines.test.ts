import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { orderKinds } from '#kit/server/rights/authority.ts'
import type { Under } from '#kit/server/rights/machines.ts'
import { longJobKinds, longJobName } from '#kit/server/work/progress.ts'
import { jobs, machines, systemJobs } from '../src/features.ts'

/*
 * Whatever acts without being called declares under what authority it does (src/kit/server/rights/machines.ts). Sweeps of
 * housekeeping (`registerSweep`) are not among them: they have a database and nothing else.
 */

const features = join(import.meta.dirname, '../src/features')

function* sources(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* sources(path)
    else if (name.endsWith('.ts') && !name.endsWith('.test.ts')) yield path
  }
}

/** Schedules and timers, as the sources name them: of which feature, and how many of a name. */
function found(): Map<string, number> {
  const all = new Map<string, number>()
  for (const path of sources(features)) {
    const [wing, feature] = relative(features, path).split('/')
    if (!path.includes('/server/')) continue
    const text = readFileSync(path, 'utf8')
    for (const [, name] of text.matchAll(/const (\w+): Schedule =/g))
      all.set(`${wing}/${feature} schedule ${name}`, 1)
    const timers = text.match(/\b(?:setInterval|everyRound)\(/g)?.length ?? 0
    if (timers) all.set(`${wing}/${feature} timer ${path.split('/').at(-1)}`, timers)
  }
  return all
}

const entries = [...machines].flatMap(([feature, of]) =>
  Object.entries(of).map(([name, under]) => ({ feature, name, all: [under].flat() as Under[] })),
)

// Letters of an account to its own person belong to no business.
const ofAccounts = /^session\./

test('every job and every kind of long work is declared, and nothing that is not there', () => {
  const named = entries.map(({ name }) => name).filter((name) => !/^(schedule|timer) /.test(name))
  // Kinds that only a test declares end in Test; files of tests may share a process.
  const kinds = [...longJobKinds()].filter((name) => !name.endsWith('Test'))
  const there = [...Object.keys(jobs), ...Object.keys(systemJobs), ...kinds]
  expect(named.toSorted()).toEqual(there.filter((name) => !ofAccounts.test(name)).toSorted())
  expect(named).not.toContain(longJobName)
})

test('every schedule and every timer is declared, as many as there are', () => {
  const named = entries
    .filter(({ name }) => /^(schedule|timer) /.test(name))
    .map(({ feature, name, all }) => `${feature} ${name} ${all.length}`)
  expect(named.toSorted()).toEqual([...found()].map(([name, n]) => `${name} ${n}`).toSorted())
})

test('orders that are named are kinds that are registered, and every kind is named', () => {
  const named = new Set(
    entries.flatMap(({ all }) => all.flatMap((one) => ('orders' in one ? one.orders : []))),
  )
  const kinds = [...orderKinds().keys()]
  expect([...named].filter((kind) => !kinds.includes(kind))).toEqual([])
  // No machine acts by these: payers do on pages of the business, a key does, and a person who approves does.
  const byPayers = ['apiKeys', 'committeePages', 'coupons', 'drafts', 'payPages']
  expect(kinds.filter((kind) => !named.has(kind)).toSorted()).toEqual(byPayers)
})

test('every declaration says why in a sentence', () => {
  for (const { feature, name, all } of entries)
    for (const one of all)
      if (!('orders' in one))
        expect(Object.values(one).at(-1)!.length, `${feature} ${name}`).toBeGreaterThan(8)
})
