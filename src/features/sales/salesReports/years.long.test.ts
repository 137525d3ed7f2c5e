import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enterYear, type Entered } from '../../../../tests/year.ts'
import { generateYear, hasYears, noYears, type Raw } from '../../../../tests/yearData.ts'
import { startWorld, type World } from '../../../../tests/world.ts'

/*
 * What the reports say of generated years against what is worked out here from the raw records, one by one,
 * without the database.
 */
const period = { from: '2024-07-01', to: '2025-06-30' }
const seeds = [3, 7, 11]
/** A day in the middle, on which debts are asked for as they stood. */
const middle = '2025-02-15'

/** Items whose number is a multiple of four never had a cost. */
const costOf = (item: string): number | null =>
  Number(item.slice(1)) % 4 === 0 ? null : 1000 + ((Number(item.slice(1)) * 3701) % 9000)
const isMine = (customer: string): boolean => Number(customer.slice(1)) % 3 === 0
/** Every third line of an order is not taken at all, every second of the others by half. */
const takes = (order: Raw, line: number): number | undefined =>
  (order.number + line) % 3 === 0
    ? undefined
    : (order.number + line) % 2 === 0
      ? Math.floor(order.lines[line].qty_milli / 2)
      : order.lines[line].qty_milli

/** Half away from zero. */
const divide = (n: bigint, by: bigint): number =>
  Number((n < 0n ? -1n : 1n) * (((n < 0n ? -n : n) * 2n + by) / (by * 2n)))
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
const groupBy = <T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return groups
}
const idIn = (open: unknown): string => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(String(open))?.[0] ?? ''

/** The lines of the papers that are income, signed. */
function linesOf(documents: readonly Raw[]) {
  return documents
    .filter((d) => ['invoice', 'invoice_receipt', 'credit'].includes(d.type))
    .flatMap((d) => {
      const sign = d.type === 'credit' ? -1 : 1
      return (d.lines as Raw[]).map((l) => {
        const cost = costOf(l.item)
        return {
          ref: d.ref as string,
          customer: d.customer as string,
          item: `${l.item}@${l.account}`,
          qty: sign * l.qty_milli,
          net: sign * l.net,
          cost: cost === null ? null : sign * divide(BigInt(l.qty_milli) * BigInt(cost), 1000n),
        }
      })
    })
}

/**
 * What each paper leaves open on a day: debts with a plus, money and credits that closed nothing with a
 * minus.
 */
function openOn(
  documents: readonly Raw[],
  day: string,
): Map<string, { customer: string; due: string | null; open: number }> {
  const open = new Map<string, { customer: string; due: string | null; open: number }>()
  for (const d of documents.filter((one) => one.date <= day)) {
    if (d.type === 'invoice') open.set(d.ref, { customer: d.customer, due: d.due, open: d.total })
    if (d.type === 'credit' || d.type === 'receipt') {
      const applied = sum(d.applied.map((a: Raw) => a.amount))
      open.set(d.ref, { customer: d.customer, due: null, open: applied - d.total })
    }
    if (d.type === 'invoice_receipt')
      open.set(d.ref, {
        customer: d.customer,
        due: null,
        open: d.total - sum(d.payments.map((p: Raw) => p.amount)),
      })
  }
  for (const d of documents.filter((one) => one.date <= day && one.applied))
    for (const a of d.applied as Raw[]) {
      const paid = open.get(a.ref)
      if (paid) paid.open -= a.amount
    }
  return new Map([...open].filter(([, one]) => one.open !== 0))
}

describe('reports over generated years', () => {
  let world: World
  beforeEach(({ skip }) => skip(!hasYears, noYears))
  beforeAll(async () => {
    world = await startWorld(() => new Date('2025-06-30T12:00:00Z'))
  })
  afterAll(() => world.close())

  describe.each(seeds)('seed %i', (seed) => {
    let year: Entered
    let documents: Raw[]
    let lines: ReturnType<typeof linesOf>
    beforeAll(async () => {
      if (!hasYears) return
      const rows = generateYear(seed, 260, period)
      documents = rows.filter(({ k }) => k === 'document')
      lines = linesOf(documents)
      year = await enterYear(world, rows, { costOf, isMine, takes })
    }, 180_000)
    const run = (name: string, query: Record<string, string> = {}) =>
      year.get(`/api4/invoice/reports/${name}?${new URLSearchParams({ ...period, ...query }).toString()}`)
    const failing = (report: Raw) => report.checks.filter((one: Raw) => !one.ok).map((one: Raw) => one.name)

    test('what each customer bought', async () => {
      const report = await run('perCustomer')
      expect(failing(report)).toEqual([])
      const income = documents.filter((d) => ['invoice', 'invoice_receipt', 'credit'].includes(d.type))
      const want = [...groupBy(income, (d) => d.customer)].map(([customer, all]) => {
        const signed = (of: (d: Raw) => number) => sum(all.map((d) => (d.type === 'credit' ? -of(d) : of(d))))
        return {
          id: year.id(customer),
          count: all.length,
          lastDay: all
            .map((d) => d.date as string)
            .sort()
            .at(-1),
          netAgorot: signed((d) => d.net_taxable + d.net_exempt),
          exemptAgorot: signed((d) => d.net_exempt) || null,
          vatAgorot: signed((d) => d.vat),
          totalAgorot: signed((d) => d.total),
        }
      })
      const got = report.rows.map(
        ({ open, count, lastDay, netAgorot, exemptAgorot, vatAgorot, totalAgorot }: Raw) => ({
          id: idIn(open),
          count,
          lastDay,
          netAgorot,
          exemptAgorot,
          vatAgorot,
          totalAgorot,
        }),
      )
      expect(got.toSorted(byId)).toEqual(want.toSorted(byId))
    })

    test('what was sold of each item is the lines of the documents', async () => {
      const report = await run('itemsSales')
      expect(failing(report)).toEqual([])
      const want = [...groupBy(lines, (l) => l.item)].map(([item, all]) => ({
        id: year.id(item),
        papers: new Set(all.map((l) => l.ref)).size,
        quantity: sum(all.map((l) => l.qty)),
        sold: sum(all.map((l) => Math.max(l.qty, 0))),
        netAgorot: sum(all.map((l) => l.net)),
      }))
      const got = report.rows.map((row: Raw) => ({
        id: idIn(row.open),
        papers: row.papers,
        quantity: Math.round(Number(row.quantity) * 1000),
        sold: Math.round(Number(row.soldQuantity) * 1000),
        netAgorot: row.netAgorot,
      }))
      expect(got.toSorted(byId)).toEqual(want.toSorted(byId))
    })

    test.each(['item', 'customer', 'agent', 'line'])(
      'the profit by %s; what has no cost is told and is no profit',
      async (by) => {
        const report = await run('profitSales', { by })
        const unknown = lines.filter((l) => l.cost === null)
        expect(failing(report)).toEqual(['costsAreKnown'])
        expect(report.totals).toEqual({
          netAgorot: sum(lines.map((l) => l.net)),
          unknownLines: unknown.length,
          unknownAgorot: sum(unknown.map((l) => l.net)),
          costAgorot: sum(lines.map((l) => l.cost ?? 0)),
          profitAgorot: sum(lines.map((l) => (l.cost === null ? 0 : l.net - l.cost))),
        })
        const key = (l: (typeof lines)[number]) =>
          by === 'item'
            ? year.id(l.item)
            : by === 'customer'
              ? year.id(l.customer)
              : by === 'agent'
                ? String(isMine(l.customer))
                : year.id(l.ref)
        const sums = (all: { net: number; cost: number; unknown: number; profit: number }[]) => ({
          net: sum(all.map((one) => one.net)),
          cost: sum(all.map((one) => one.cost)),
          unknown: sum(all.map((one) => one.unknown)),
          profit: sum(all.map((one) => one.profit)),
        })
        const want = [...groupBy(lines, key)].map(([id, all]) => ({
          id,
          ...sums(
            all.map((l) => ({
              net: l.net,
              cost: l.cost ?? 0,
              unknown: l.cost === null ? l.net : 0,
              profit: l.cost === null ? 0 : l.net - l.cost,
            })),
          ),
        }))
        const got = [
          ...groupBy(report.rows as Raw[], (row) =>
            by === 'agent' ? String(row.open !== null) : idIn(row.open),
          ),
        ].map(([id, all]) => ({
          id,
          ...sums(
            all.map((row) => ({
              net: row.netAgorot,
              cost: row.costAgorot,
              unknown: row.unknownAgorot ?? 0,
              profit: row.profitAgorot,
            })),
          ),
        }))
        expect(got.toSorted(byId)).toEqual(want.toSorted(byId))
        if (by === 'line') expect(report.rows).toHaveLength(lines.length)
      },
    )

    test.each([period.to, middle])('who owes what on %s', async (day) => {
      const want = openOn(documents, day)
      const query: Record<string, string> = day === period.to ? {} : { day }
      const owed = await run('owe', query)
      const got = new Map(owed.rows.map((row: Raw) => [idIn(row.open), row.openAgorot]))
      expect(got).toEqual(new Map([...want].map(([ref, { open }]) => [year.id(ref), open])))
      expect(owed.rows.filter((row: Raw) => row.daysLate).length).toBe(
        [...want.values()].filter((one) => one.open > 0 && one.due && one.due < day).length,
      )
      const total = sum([...want.values()].map((one) => one.open))
      const summary = await run('oweSummary', query)
      expect(failing(summary)).toEqual([])
      expect(new Map(summary.rows.map((row: Raw) => [idIn(row.open), row.openAgorot]))).toEqual(
        new Map(
          [...groupBy([...want.values()], (one) => one.customer)].map(([customer, all]) => [
            year.id(customer),
            sum(all.map((one) => one.open)),
          ]),
        ),
      )
      // Owed, aged, on the cards and in the balance: the same.
      const aged = await run('ageing', query)
      const balance = await run('totalBalance', { to: day, role: 'customer' })
      expect([
        owed.totals.openAgorot,
        summary.totals.openAgorot,
        aged.totals.openAgorot,
        balance.totals.balanceAgorot,
      ]).toEqual([total, total, total, total])
      const cards = await Promise.all(
        [...new Set(documents.map((d) => d.customer as string))].map(async (customer) => {
          const card = await run('customerCard', { party: year.id(customer), to: day })
          return Number(card.rows.at(-1)?.balanceAgorot ?? 0)
        }),
      )
      expect(sum(cards)).toBe(total)
    })

    test('the income of all reports is one', async () => {
      const want = sum(lines.map((l) => l.net))
      const [income, customers, items, profit, books, vat] = await Promise.all([
        run('income'),
        run('perCustomer'),
        run('itemsSales'),
        run('profitSales'),
        run('profitLoss', { level: 'account' }),
        Promise.all(months().map((month) => run('vat', month))),
      ])
      expect(income.totals.netAgorot).toBe(want)
      expect(customers.totals.netAgorot).toBe(want)
      expect(items.totals.netAgorot).toBe(want)
      expect(profit.totals.netAgorot).toBe(want)
      expect(profit.totals.profitAgorot).toBe(want - profit.totals.costAgorot - profit.totals.unknownAgorot)
      expect(
        sum(
          books.rows
            .filter((row: Raw) => !row.sum && row.section === 'revenue')
            .map((row: Raw) => Number(row.amountAgorot)),
        ),
      ).toBe(want)
      const base = (name: string) =>
        sum(vat.map((one: Raw) => Number(one.rows.find((row: Raw) => row.line === name).fromDocumentsAgorot)))
      expect(base('taxableSales') + base('untaxedSales')).toBe(want)
    })

    test('what is left of each order', async () => {
      const orders = documents.filter((d) => d.type === 'order')
      const left = orders.flatMap((d) => {
        const follower = documents.find((one) => one.type === 'invoice' && one.from === d.ref)
        return (d.lines as Raw[]).map((l, i) => ({
          ref: d.ref as string,
          customer: d.customer as string,
          item: `${l.item}@${l.account}`,
          ordered: l.qty_milli,
          left: l.qty_milli - (follower ? (takes(d, i) ?? 0) : 0),
          net: l.net,
        }))
      })
      const open = left.filter((l) => l.left > 0)
      expect(open.length).toBeGreaterThan(0)
      expect(open.length).toBeLessThan(left.length)
      const worth = (l: (typeof left)[number]) => divide(BigInt(l.net) * BigInt(l.left), BigInt(l.ordered))
      const byCustomer = await run('openOrdersByCustomer')
      const text = (id: string, ordered: number, rest: number, agorot: number) =>
        `${id} ${ordered} ${rest} ${agorot}`
      expect(
        byCustomer.rows
          .map((r: Raw) =>
            text(idIn(r.open), Math.round(r.ordered * 1000), Math.round(r.left * 1000), r.leftAgorot),
          )
          .sort(),
      ).toEqual(open.map((l) => text(year.id(l.ref), l.ordered, l.left, worth(l))).sort())
      const byProduct = await run('openOrdersByProduct')
      expect(
        new Map(
          byProduct.rows.map((r: Raw) => [idIn(r.open), [Math.round(r.left * 1000), r.orders, r.leftAgorot]]),
        ),
      ).toEqual(
        new Map(
          [...groupBy(open, (l) => l.item)].map(([item, all]) => [
            year.id(item),
            [sum(all.map((l) => l.left)), new Set(all.map((l) => l.ref)).size, sum(all.map(worth))],
          ]),
        ),
      )
      const states = await run('ordersByState')
      const stateOf = (d: Raw) => {
        const own = left.filter((l) => l.ref === d.ref)
        return own.every((l) => l.left <= 0)
          ? 'closed'
          : own.every((l) => l.left === l.ordered)
            ? 'open'
            : 'partly'
      }
      expect(new Map(states.rows.map((r: Raw) => [idIn(r.open), r.state]))).toEqual(
        new Map(orders.map((d) => [year.id(d.ref), stateOf(d)])),
      )
      expect(states.totals.leftAgorot).toBe(sum(open.map(worth)))
    })

    test('the movements of products are those of their cards', async () => {
      const report = await run('productMovements')
      expect(failing(report)).toEqual([])
      // No delivery note is in these years: an invoice takes its goods out, a credit brings them back.
      const want = new Map(
        [...groupBy(lines, (l) => l.item)].map(([item, all]) => [
          year.id(item),
          [sum(all.map((l) => Math.max(l.qty, 0))), sum(all.map((l) => Math.max(-l.qty, 0)))],
        ]),
      )
      const inThousandths = (quantity: unknown) => Math.round(Number(quantity) * 1000)
      expect(
        new Map(
          report.rows.map((row: Raw) => [
            idIn(row.open),
            [inThousandths(row.supplied), inThousandths(row.returned)],
          ]),
        ),
      ).toEqual(want)
      for (const [item, [out = 0, back = 0]] of [...want].slice(0, 5)) {
        const card = await run('skuCard', { item })
        expect(failing(card)).toEqual([])
        expect(inThousandths(card.rows.at(-1).balance)).toBe(back - out)
        const later = await run('skuCard', { item, from: middle })
        expect(later.rows.at(-1).balance).toBe(card.rows.at(-1).balance)
      }
    })
  })
})

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

function months(): { from: string; to: string }[] {
  return Array.from({ length: 12 }, (_, i) => {
    const first = new Date(Date.UTC(2024, 6 + i, 1))
    const last = new Date(Date.UTC(2024, 7 + i, 0))
    return { from: first.toISOString().slice(0, 10), to: last.toISOString().slice(0, 10) }
  })
}
