import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, startDemo, type World } from '../../../../tests/world.ts'
import {
  dimensionNamed,
  dimensionNames,
  factNamed,
  factNames,
  firstQuestion,
  isAdditive,
  type DimensionName,
  type FactName,
  type Filter,
  type Question,
} from '#domain/questions/model.ts'
import { runQuestion } from './endpoints.ts'

/*
 * What a question answers is worked out a second time, from the raw rows of a business, by a program that
 * knows nothing of the catalogue: every record in turn, in plain JavaScript.
 */

const today = '2026-11-20'
let world: World
let token: string

/** A record of a fact: its dimensions, its measures, its filters. */
interface Record_ {
  told: Partial<Record<DimensionName, string>>
  /** A figure to add up; null where it has none. */
  figures: Record<string, number | null>
  /** Things of which the different ones are counted. */
  things: Record<string, string | null>
  amounts: Record<string, number | null>
  flags: Record<string, boolean>
  text: string
  day: string
  /** Owed from before the books: told of where what is unpaid is asked for, and nowhere else. */
  isOpening?: boolean
}
let records: Record<FactName, Record_[]>

const types: Record<number, string> = {
  1: 'priceQuote', 2: 'order', 3: 'deliveryNote', 4: 'returnNote', 5: 'paymentRequest', 6: 'receipt', 7: 'purchaseOrder', 8: 'taxInvoice',
  9: 'taxInvoiceReceipt', 10: 'creditInvoice', 11: 'donationReceipt', 12: 'selfBilledInvoice', 13: 'goodsReceived', 14: 'depositReceipt',
} // prettier-ignore
const means = ['', 'cash', 'cheque', 'transfer', 'card', 'paymentApp', 'payPal', 'withheldTax', 'other']

/** Times of a day by the calendar of JavaScript. */
function times(day: string): Partial<Record<DimensionName, string>> {
  const date = new Date(`${day}T00:00:00Z`)
  const sunday = new Date(date.getTime() - date.getUTCDay() * 86_400_000)
  return {
    year: day.slice(0, 4),
    quarter: `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`,
    month: day.slice(0, 7),
    week: sunday.toISOString().slice(0, 10),
    day,
    monthOfYear: String(Number(day.slice(5, 7))),
    weekday: ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'][
      date.getUTCDay()
    ]!,
  }
}

const all = async (table: string): Promise<any[]> =>
  (await sql.raw(`select * from ${table}`).execute(world.app.db.kysely)).rows

async function readAll(): Promise<Record<FactName, Record_[]>> {
  const [documents, lines, payments, expenses, expenseLines, postings, entries, items, parties, accounts] =
    (await Promise.all(
      [
        'documents',
        'document_lines',
        'document_payments',
        'expenses',
        'expense_lines',
        'postings',
        'entries',
        'items',
        'parties',
        'accounts',
      ].map(all),
    )) as any[][] as [any[], any[], any[], any[], any[], any[], any[], any[], any[], any[]]
  const by = (rows: any[]) => new Map(rows.map((one) => [one.id as string, one]))
  const party = by(parties)
  const item = by(items)
  const account = by(accounts)
  const entry = by(entries)
  const expense = by(expenses)
  const stands = (id: string | null): any => {
    const found = id ? party.get(id) : undefined
    return found?.merged_into ? party.get(found.merged_into) : found
  }
  const issued = documents.filter((d) => d.status !== 'draft' && !d.series.endsWith('#opening'))
  const document = by(issued)
  const isIncome = (d: any) =>
    ([8, 9, 10].includes(d.type) && !d.is_bad_debt) || ([6, 11].includes(d.type) && d.ils_net_agorot !== 0)
  const sign = (d: any) => (d.type === 10 ? -1 : 1)
  const ofDocument = (d: any) => {
    const customer = stands(d.customer_id)
    return {
      customer: customer?.id ?? '',
      customerType: customer?.type_id ?? '',
      customerStatus: customer?.status_id ?? '',
      city: customer?.city ?? '',
      agent: d.agent_id ?? '',
      type: types[d.type]!,
      project: d.project_id ?? '',
      currency: d.currency,
    }
  }
  const documentRecord = (d: any): Record_ => {
    const isOpening = d.series.endsWith('#opening')
    const net = sign(d) * d.ils_net_agorot
    const total = (isOpening ? -1 : sign(d)) * d.ils_total_agorot
    const isUnpaid = d.open_agorot !== 0
    return {
      isOpening,
      told: { ...times(d.day), ...ofDocument(d), status: d.status },
      figures: { net, vat: sign(d) * d.ils_vat_agorot, total, open: d.open_agorot, average: net, most: net },
      things: { customers: stands(d.customer_id)?.id ?? null },
      amounts: { net, total, open: d.open_agorot },
      flags: { unpaid: isUnpaid, overdue: isUnpaid && d.due_day !== null && d.due_day < today },
      text: `${d.subject} ${d.customer?.name ?? ''}`,
      day: d.day,
    }
  }
  return {
    documents: documents.filter((d) => d.status !== 'draft').map(documentRecord),
    income: issued.filter(isIncome).map(documentRecord),
    lines: lines
      .filter((l) => document.has(l.document_id) && isIncome(document.get(l.document_id)))
      .map((l) => {
        const d = document.get(l.document_id)
        const net = sign(d) * l.ils_net_agorot
        const quantity = sign(d) * Math.round(Number(l.quantity) * 10_000)
        return {
          told: {
            ...times(d.day),
            ...ofDocument(d),
            item: l.item_id ?? '',
            category: item.get(l.item_id)?.category_id ?? '',
            unit: l.unit,
          },
          figures: { quantity, net },
          things: {
            documents: l.document_id,
            items: l.item_id,
            customers: stands(d.customer_id)?.id ?? null,
          },
          amounts: { net, quantity },
          flags: {},
          text: l.description,
          day: d.day,
        }
      }),
    payments: payments
      .filter((p) => document.has(p.document_id))
      .map((p) => {
        const d = document.get(p.document_id)
        return {
          told: { ...ofDocument(d), ...times(p.day), means: means[p.means]! },
          figures: { sum: p.ils_agorot, average: p.ils_agorot, most: p.ils_agorot },
          things: { customers: stands(d.customer_id)?.id ?? null },
          amounts: { sum: p.ils_agorot },
          flags: {},
          text: '',
          day: p.day,
        }
      }),
    expenses: expenseLines
      .filter(
        (l) =>
          expense.get(l.expense_id).source !== 'opening' &&
          ['approved', 'waiting'].includes(expense.get(l.expense_id).state),
      )
      .map((l) => {
        const e = expense.get(l.expense_id)
        const supplier = stands(e.supplier_id)?.id ?? ''
        return {
          told: {
            ...times(e.day),
            supplier,
            expenseType: l.type_id,
            account: l.account_id,
            project: l.project_id ?? '',
            expenseState: e.state,
            currency: e.currency,
          },
          figures: {
            net: l.ils_net_agorot,
            vat: l.ils_vat_agorot,
            recognisedVat: l.recognised_vat_agorot,
            total: l.ils_net_agorot + l.ils_vat_agorot,
            average: l.ils_net_agorot,
          },
          things: { bills: e.id, suppliers: supplier || null },
          amounts: { net: l.ils_net_agorot, total: e.ils_total_agorot },
          flags: { unpaid: e.open_agorot !== 0 },
          text: `${l.details} ${e.details}`,
          day: e.day,
        }
      }),
    entries: postings.map((p) => {
      const e = entry.get(p.entry_id)
      const who = stands(p.party_id)
      const debit = p.amount_agorot > 0 ? p.amount_agorot : 0
      const credit = p.amount_agorot < 0 ? -p.amount_agorot : 0
      return {
        told: {
          ...times(p.day),
          account: p.account_id,
          accountKind: account.get(p.account_id).kind,
          entryKind: e.kind,
          customer: who?.role === 'customer' ? who.id : '',
          supplier: who?.role === 'supplier' ? who.id : '',
        },
        figures: { debit, credit, balance: p.amount_agorot },
        things: { entries: p.entry_id },
        amounts: { debit, credit },
        flags: {},
        text: `${e.details} ${e.reference}`,
        day: p.day,
      }
    }),
    items: items
      .filter((i) => !i.archived_at)
      .map((i) => {
        const price = i.currency === 'ILS' ? Number(i.price) * 100 : null
        return {
          told: {
            category: i.category_id ?? '',
            unit: i.unit ?? '',
            active: i.is_active ? 'yes' : 'no',
            currency: i.currency,
          },
          figures: { average: price, most: price },
          things: {},
          amounts: { price },
          flags: {},
          text: `${i.name} ${i.sku ?? ''}`,
          day: '',
        }
      }),
    customers: parties
      .filter((p) => p.role === 'customer' && !p.merged_into && !p.archived_at)
      .map((p) => {
        const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(
          new Date(p.created_at),
        )
        return {
          told: {
            ...times(day),
            customerType: p.type_id ?? '',
            customerStatus: p.status_id ?? '',
            city: p.city ?? '',
            agent: p.agent_id ?? '',
          },
          figures: { creditLimit: p.credit_limit_agorot },
          things: {},
          amounts: { creditLimit: p.credit_limit_agorot },
          flags: {},
          text: p.name,
          day,
        }
      }),
  }
}

beforeAll(async () => {
  ;({ world, token } = await startDemo())
  // A customer who was merged into another, and sorts that demo customers have none of.
  await world.app.db.kysely.connection().execute(async (connection) => {
    const run = (text: string) => sql.raw(text).execute(connection)
    await run('set session_replication_role = replica')
    await run(`update parties set merged_into = (select id from parties where role = 'customer' order by name limit 1), archived_at = now()
      where id = (select id from parties where role = 'customer' order by name offset 1 limit 1)`)
    await run(
      `insert into customer_types (company_id, id, name) select id, gen_random_uuid(), 'סיטונאי' from companies`,
    )
    await run(
      `update parties set type_id = (select id from customer_types limit 1) where role = 'customer' and length(name) % 2 = 0`,
    )
    await run('set session_replication_role = origin')
  })
  records = await readAll()
}, 180_000)
afterAll(() => world.close())

/** Numbers that look random and are the same every time. */
function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

function randomQuestion(seed: number): Question {
  const roll = dice(seed * 7919 + 13)
  for (let n = 0; n < 5; n++) roll(2)
  const one = <T>(of: readonly T[]): T => of[roll(of.length)]!
  const fact = one(factNames)
  const known = factNamed(fact)
  const left = [...known.dimensions]
  const take = () => left.splice(roll(left.length), 1)[0]!
  const rows = Array.from({ length: roll(4) }, take)
  const column = left.length && roll(2) ? take() : null
  const names = Object.keys(known.measures)
  const measures: Question['measures'] = []
  for (let n = 0; n < 1 + roll(3); n++) {
    const name = one(names)
    const as = isAdditive(known.measures[name]!)
      ? one(['value', 'value', 'share', 'running'] as const)
      : ('value' as const)
    if (!measures.some((other) => other.name === name && other.as === as)) measures.push({ name, as })
  }
  const sample = () => one(records[fact])
  const filters: Filter[] = []
  if (known.dated && roll(3))
    filters.push({
      kind: 'period',
      period: one([
        { unit: 'year', from: 0, to: 0 },
        { unit: 'quarter', from: -1, to: -1 },
        { unit: 'month', from: -5, to: 0 },
        { from: '2026-02-10', to: '2026-09-03' },
      ]),
    })
  if (roll(2)) {
    const dimension = one(known.dimensions.filter((name) => dimensionNamed(name).kind !== 'time'))
    const values = [...new Set([sample().told[dimension]!, sample().told[dimension]!])]
    if (
      !dimensionNamed(dimension).of ||
      values.every((value) => dimensionNamed(dimension).of!.includes(value))
    )
      filters.push({ kind: 'is', dimension, values, ...(roll(3) === 0 ? { not: true } : {}) })
  }
  const amounts = Object.keys(known.amounts)
  if (roll(3) === 0) {
    const amount = one(amounts)
    const value = Math.round(sample().amounts[amount] ?? 1000)
    filters.push({ kind: 'amount', amount, ...(roll(2) ? { from: value } : { to: value }) })
  }
  if (known.flags.length && roll(4) === 0)
    filters.push({ kind: 'flag', flag: one(known.flags), ...(roll(2) ? { not: true } : {}) })
  if (known.hasText && roll(5) === 0) filters.push({ kind: 'text', has: one(['א', 'יה', '%', '1', 'a']) })
  return {
    fact,
    rows,
    column,
    measures,
    filters,
    sort: one(['own', 'most', 'least']),
    top: rows.length && roll(3) === 0 ? { most: 1 + roll(5), others: roll(2) === 0 } : null,
  }
}

/** Days of the periods that random questions ask for, by the calendar on the wall. */
const daysOf = (period: any): [string, string] =>
  period.from?.length === 10
    ? [period.from, period.to]
    : (
        {
          year: ['2026-01-01', '2026-12-31'],
          quarter: ['2026-07-01', '2026-09-30'],
          month: ['2026-06-01', '2026-11-30'],
        } as any
      )[period.unit]

const holds = (record: Record_, filter: Filter): boolean => {
  if (filter.kind === 'period') {
    const [from, to] = daysOf(filter.period)
    return record.day >= from && record.day <= to
  }
  if (filter.kind === 'is') return filter.values.includes(record.told[filter.dimension]!) !== !!filter.not
  if (filter.kind === 'flag') return record.flags[filter.flag]! !== !!filter.not
  if (filter.kind === 'text') return record.text.toLowerCase().includes(filter.has.toLowerCase())
  const value = record.amounts[filter.amount]
  return (
    value !== null &&
    value !== undefined &&
    (filter.from === undefined || value >= filter.from) &&
    (filter.to === undefined || value <= filter.to)
  )
}

const rounded = (n: number): number => (n < 0 ? -Math.round(-n) : Math.round(n)) + 0

function measured(fact: FactName, name: string, of: readonly Record_[]): number | null {
  const { how } = factNamed(fact).measures[name]!
  if (how === 'count') return of.length
  if (how === 'distinct')
    return new Set(of.map(({ things }) => things[name]).filter((thing) => thing !== null)).size
  if (name === 'price') {
    const quantity = of.reduce((sum, { figures }) => sum + figures.quantity!, 0)
    return quantity === 0
      ? null
      : rounded(of.reduce((sum, { figures }) => sum + figures.net!, 0) / (quantity / 10_000))
  }
  const values = of
    .map(({ figures }) => figures[name])
    .filter((value): value is number => value !== null && value !== undefined)
  if (how === 'sum') return values.reduce((sum, value) => sum + value, 0)
  if (values.length === 0) return null
  if (how === 'most') return rounded(Math.max(...values))
  return rounded(values.reduce((sum, value) => sum + value, 0) / values.length)
}

const groupsOf = (of: readonly Record_[], names: readonly DimensionName[]): Map<string, Record_[]> => {
  const groups = new Map<string, Record_[]>()
  for (const record of of) {
    const key = JSON.stringify(names.map((name) => record.told[name]))
    groups.set(key, [...(groups.get(key) ?? []), record])
  }
  return groups
}

async function compare(question: Question): Promise<number> {
  const answer = await callAs(world, runQuestion, { question }, { token })
  const { fact, rows, column, measures, top, sort } = question
  const asksOwed = question.filters.some((filter) => filter.kind === 'flag' && !filter.not)
  const asked = records[fact].filter(
    (record) => (asksOwed || !record.isOpening) && question.filters.every((filter) => holds(record, filter)),
  )
  const first = measures[0]!.name
  const isSum = (as: string) => as !== 'value'
  let shown = asked
  let firsts: Set<string> | undefined
  if (top) {
    const outer = [...groupsOf(asked, [rows[0]!])].map(([key, of]) => ({
      key: (JSON.parse(key) as string[])[0]!,
      value: measured(fact, first, of),
    }))
    outer.sort((a, b) => {
      if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1
      const by = sort === 'least' ? a.value! - b.value! : b.value! - a.value!
      return by || (a.key < b.key ? -1 : 1)
    })
    firsts = new Set(outer.slice(0, top.most).map(({ key }) => key))
    if (!top.others) shown = asked.filter((record) => firsts!.has(record.told[rows[0]!]!))
  }
  const keysOf = (record: Record_): string =>
    firsts && !firsts.has(record.told[rows[0]!]!)
      ? 'others'
      : JSON.stringify(rows.map((name) => record.told[name]))
  const cells = new Map<string, Record_[]>()
  for (const record of shown) {
    const key = rows.length ? keysOf(record) : ''
    for (const at of [
      `${key}|*`,
      `*|*`,
      ...(column ? [`${key}|${record.told[column]}`, `*|${record.told[column]}`] : []),
    ])
      if (rows.length || at.startsWith('*')) cells.set(at, [...(cells.get(at) ?? []), record])
  }
  const whole = (key: string) =>
    top && !top.others
      ? asked.filter((record) => key === '*' || record.told[column!] === key)
      : (cells.get(`*|${key}`) ?? [])
  const isTold = rows.length > 0
  expect(answer.many.rows, 'rows').toBe(isTold ? new Set(shown.map(keysOf)).size : 0)
  expect(answer.many.columns, 'columns').toBe(
    column ? new Set(shown.map((record) => record.told[column])).size : 0,
  )
  let checked = 0
  const check = (place: string, columnKey: string, figures: (number | null)[] | null) => {
    const of = cells.get(`${place}|${columnKey}`) ?? []
    measures.forEach(({ name, as }, n) => {
      // Running totals are checked separately.
      if (as === 'running') return
      const value = of.length === 0 && figures === null ? null : measured(fact, name, of)
      const over = isSum(as) ? measured(fact, name, whole(columnKey)) : null
      const wanted =
        of.length === 0 && place !== '*' && figures === null
          ? null
          : as === 'share'
            ? value === null || !over
              ? null
              : rounded((value * 10_000) / over)
            : value
      if (figures === null) expect(of.length, `${place} ${columnKey}`).toBe(0)
      else if (!(of.length === 0 && place !== '*' && figures[n] === null))
        expect(figures[n], `${place} ${columnKey} ${name} ${as}`).toBe(wanted)
      checked++
    })
  }
  for (const row of answer.rows) {
    const key = row.others ? 'others' : JSON.stringify(row.keys)
    check(key, '*', row.total)
    answer.columns.forEach(({ key: at }, n) => check(key, at, row.cells[n]!))
  }
  check('*', '*', answer.totals.total)
  answer.columns.forEach(({ key: at }, n) => check('*', at, answer.totals.cells[n]!))
  for (const part of answer.parts) {
    const of = shown.filter((record) => {
      if (firsts && !firsts.has(record.told[rows[0]!]!)) return part.keys[0] === '\u0001'
      return part.keys.every((at, n) => record.told[rows[n]!] === at)
    })
    measures.forEach(({ name, as }, n) => {
      if (as === 'value') expect(part.total[n], `part ${part.keys.join()}`).toBe(measured(fact, name, of))
    })
  }
  // A running sum ends in what all come to, and each step is the row's own figure.
  const runsAcross = column !== null && dimensionNamed(column).kind === 'time'
  measures.forEach(({ name, as }, n) => {
    if (as !== 'running' || answer.rows.length === 0 || answer.many.rows > answer.rows.length) return
    if (runsAcross) {
      for (const row of answer.rows) {
        const key = row.others ? 'others' : JSON.stringify(row.keys)
        let sum = 0
        answer.columns.forEach(({ key: at }, c) => {
          sum += measured(fact, name, cells.get(`${key}|${at}`) ?? []) ?? 0
          expect(row.cells[c]?.[n], `running ${key} ${at}`).toBe(sum)
        })
      }
    } else {
      let sum = 0
      for (const row of answer.rows) {
        sum +=
          measured(fact, name, cells.get(`${row.others ? 'others' : JSON.stringify(row.keys)}|*`) ?? []) ?? 0
        expect(row.total[n], 'running').toBe(sum)
      }
      expect(sum).toBe(answer.totals.total[n])
    }
    checked++
  })
  // In their order: by the first measure, outer rows first, the others last.
  if (sort !== 'own' && isTold) {
    const values = answer.rows
      .filter((row) => !row.others)
      .map(
        (row) => [measured(fact, first, cellsOfOuter(shown, rows[0]!, row.keys[0]!)), row.keys[0]!] as const,
      )
    for (let n = 1; n < values.length; n++) {
      const [[a, ka], [b, kb]] = [values[n - 1]!, values[n]!]
      if (ka === kb || a === null || b === null) continue
      expect(sort === 'most' ? a >= b : a <= b, 'order').toBe(true)
    }
  }
  return checked
}

const cellsOfOuter = (of: readonly Record_[], name: DimensionName, key: string) =>
  of.filter((record) => record.told[name] === key)

/** `npm run test:all` puts more of them. */
const rounds = Number(process.env.QUESTIONS ?? 80)

describe('random questions', () => {
  test(`answer what a naive count over the raw rows answers, ${rounds} of them`, async () => {
    expect(Math.min(...factNames.map((name) => records[name].length))).toBeGreaterThan(4)
    const seen = new Set<string>()
    let figures = 0
    let filled = 0
    const unseen = () => dimensionNames.filter((name) => !seen.has(name))
    for (let seed = 1; seed <= rounds || (unseen().length > 0 && seed <= 1000); seed++) {
      const question = randomQuestion(seed)
      const names = [...question.rows, ...(question.column ? [question.column] : [])]
      // Beyond the rounds, what no question was about yet.
      if (seed > rounds && !names.some((name) => unseen().includes(name))) continue
      try {
        const checked = await compare(question)
        figures += checked
        if (checked > 10) filled++
      } catch (e) {
        throw new Error(`seed ${seed}: ${JSON.stringify(question)}`, { cause: e })
      }
      for (const name of names) seen.add(name)
    }
    // The walk went over the whole model and through figures, not past them.
    expect(unseen()).toEqual([])
    expect(filled).toBeGreaterThan(rounds / 3)
    expect(figures).toBeGreaterThan(40 * rounds)
  }, 240_000)
})

describe('a question and the report of the same', () => {
  const asked = { from: '2026-01-01', to: '2026-10-31' }
  const totals = async (fact: FactName, ...names: string[]) => {
    const question: Question = {
      fact,
      rows: [],
      column: null,
      measures: names.map((name) => ({ name, as: 'value' as const })),
      filters: [{ kind: 'period', period: asked }],
      sort: 'own',
      top: null,
    }
    return (await callAs(world, runQuestion, { question }, { token })).totals.total
  }
  const report = async (name: string) =>
    (
      await world.http.inject({
        method: 'GET',
        url: `/api4/invoice/reports/${name}?from=${asked.from}&to=${asked.to}`,
        headers: { 'x-access-token': token },
      })
    ).json().totals as Record<string, number>

  test('come to the same: income, money that came in, expenses, both sides of the books', async () => {
    const income = await report('income')
    expect(await totals('income', 'net', 'vat', 'total', 'count')).toEqual([
      income.netAgorot,
      income.vatAgorot,
      income.totalAgorot,
      income.count,
    ])
    // Every line of what was sold is in the net of its paper.
    expect(await totals('lines', 'net')).toEqual([income.netAgorot])
    expect(await totals('payments', 'sum')).toEqual([(await report('payments')).sumAgorot])
    const expenses = await report('expenseList')
    expect(await totals('expenses', 'net', 'vat', 'recognisedVat')).toEqual([
      expenses.netAgorot,
      expenses.vatAgorot,
      expenses.recognisedVatAgorot,
    ])
    // Who owes is asked of all that is owed, from before the books too.
    const owed: Question = {
      ...firstQuestion('documents'),
      rows: ['customer'],
      measures: [{ name: 'open', as: 'value' }],
      filters: [{ kind: 'flag', flag: 'unpaid' }],
    }
    expect((await callAs(world, runQuestion, { question: owed }, { token })).totals.total).toEqual([
      (await report('ageing')).openAgorot,
    ])
    const trial = await report('trialBalance')
    expect(await totals('entries', 'debit', 'credit')).toEqual([trial.debitAgorot, trial.creditAgorot])
  })
})
