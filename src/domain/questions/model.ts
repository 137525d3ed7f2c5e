import {
  addDays,
  addMonths,
  endOfMonth,
  isDay,
  quarterPeriod,
  startOfMonth,
  weekday,
  yearPeriod,
  type Day,
  type Period,
} from '../day.ts'
import { statusesThat } from '../documents/facts.ts'
import { documentTypeNames, paymentMeans } from '../documents/kinds.ts'

/*
 * What can be asked of a business, as data: facts, their dimensions, their measures, their filters. A question
 * contains names of this catalogue and values, nothing else; the compiler of a query looks the names up in its own
 * table, so that no text of a caller ever becomes one.
 */

export interface Dimension {
  /**
   * time: of the fact's day. choice: a few fixed words. record: another record, by its id. text: a short word
   * as it was written.
   */
  readonly kind: 'time' | 'choice' | 'record' | 'text'
  /** The choices in their order. */
  readonly of?: readonly string[]
  /** The words of the choices start with this. */
  readonly words?: string
  /** The resource a record is of. */
  readonly to?: string
}

const time = { kind: 'time' } as const
const choice = (of: readonly string[], words: string): Dimension => ({ kind: 'choice', of, words })
const record = (to: string): Dimension => ({ kind: 'record', to })
const text = { kind: 'text' } as const

export const monthsOfYear = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const
/** Kinds of entry that have a word; the ledger names them. */
export const entryKinds = [
  'taxInvoice',
  'taxInvoiceReceipt',
  'creditInvoice',
  'receipt',
  'donationReceipt',
  'depositReceipt',
  'selfBilledInvoice',
  'expense',
  'supplierPayment',
  'deposit',
  'bounced',
  'chequeGivenBack',
  'manual',
  'opening',
  'depreciation',
  'assetDisposal',
  'exchangeDifference',
  'revaluation',
  'revaluationBack',
  'reversal',
] as const

export const dimensions = {
  year: time,
  quarter: time,
  month: time,
  week: time,
  day: time,
  // One month of several years beside each other.
  monthOfYear: choice(monthsOfYear, 'questions.monthOfYear'),
  weekday: choice(weekdays, 'questions.weekday'),
  type: choice(documentTypeNames, 'documents.types'),
  status: choice(statusesThat('isIssued'), 'documents.status'),
  means: choice(Object.keys(paymentMeans), 'documents.means'),
  customer: record('customers'),
  customerType: record('customerTypes'),
  customerStatus: record('customerStatuses'),
  city: text,
  agent: record('agents'),
  project: record('projects'),
  currency: text,
  item: record('items'),
  category: record('categories'),
  unit: text,
  supplier: record('suppliers'),
  expenseType: record('expensetypes'),
  expenseState: choice(['approved', 'waiting'], 'expenses.state'),
  account: record('accounts'),
  accountKind: choice(['asset', 'liability', 'equity', 'income', 'expense'], 'accounts.kind'),
  entryKind: choice(entryKinds, 'ledger.kinds'),
  active: choice(['yes', 'no'], 'questions.yesNo'),
} as const satisfies Record<string, Dimension>

export type DimensionName = keyof typeof dimensions
export const dimensionNamed = (name: DimensionName): Dimension => dimensions[name]
const times = ['year', 'quarter', 'month', 'week', 'day', 'monthOfYear', 'weekday'] as const

export interface Measure {
  readonly kind: 'money' | 'number' | 'quantity'
  /**
   * A sum or a count may be shared out and run on; an average, a greatest or a number of different ones may
   * not.
   */
  readonly how: 'sum' | 'count' | 'average' | 'distinct' | 'most'
}

const sum: Measure = { kind: 'money', how: 'sum' }
const count: Measure = { kind: 'number', how: 'count' }
const distinct: Measure = { kind: 'number', how: 'distinct' }
const average: Measure = { kind: 'money', how: 'average' }
const most: Measure = { kind: 'money', how: 'most' }

export interface Fact {
  /** The rule without which it cannot be asked about. */
  readonly rule: string
  /** Shown only to people who see the business whole: totals of the books include everybody's customers. */
  readonly whole?: true
  /** Has a day, so that it can be told by time and asked about for a period. */
  readonly dated: boolean
  readonly dimensions: readonly DimensionName[]
  readonly measures: Readonly<Record<string, Measure>>
  /** Figures of one record that narrow the question: `total` from 5,000. */
  readonly amounts: Readonly<Record<string, 'money' | 'quantity'>>
  /** Conditions that hold of a record or do not. */
  readonly flags: readonly string[]
  /** Free text of a record can be looked into. */
  readonly hasText: boolean
  /** What it begins with. */
  readonly first: { readonly rows: readonly DimensionName[]; readonly measures: readonly string[] }
}

const fact = (one: Fact): Fact => one
const ofCustomer = ['customer', 'customerType', 'customerStatus', 'city', 'agent'] as const

export const facts = {
  /** Invoices less credits, and money papers that are the income themselves. */
  income: fact({
    rule: 'reports.sales',
    dated: true,
    dimensions: [...times, ...ofCustomer, 'type', 'status', 'project', 'currency'],
    measures: { net: sum, vat: sum, total: sum, open: sum, count, average, most, customers: distinct },
    amounts: { net: 'money', total: 'money', open: 'money' },
    flags: ['unpaid', 'overdue'],
    hasText: true,
    first: { rows: ['month'], measures: ['net', 'count'] },
  }),
  /** Papers of every type that were issued, those that are no income too: quotes, orders, receipts. */
  documents: fact({
    rule: 'documents.see',
    dated: true,
    dimensions: ['type', ...times, ...ofCustomer, 'status', 'project', 'currency'],
    measures: { count, total: sum, net: sum, open: sum, average, most, customers: distinct },
    amounts: { total: 'money', net: 'money', open: 'money' },
    flags: ['unpaid', 'overdue'],
    hasText: true,
    first: { rows: ['type'], measures: ['count', 'total'] },
  }),
  /** What was sold, line by line. */
  lines: fact({
    rule: 'reports.sales',
    dated: true,
    dimensions: ['item', 'category', 'unit', ...times, ...ofCustomer, 'type', 'project', 'currency'],
    measures: {
      quantity: { kind: 'quantity', how: 'sum' },
      net: sum,
      count,
      price: average,
      documents: distinct,
      items: distinct,
      customers: distinct,
    },
    amounts: { net: 'money', quantity: 'quantity' },
    flags: [],
    hasText: true,
    first: { rows: ['item'], measures: ['quantity', 'net'] },
  }),
  /** Money that came in, by each means. */
  payments: fact({
    rule: 'payments.see',
    dated: true,
    dimensions: ['means', ...times, ...ofCustomer, 'type', 'currency'],
    measures: { sum, count, average, most, customers: distinct },
    amounts: { sum: 'money' },
    flags: [],
    hasText: false,
    first: { rows: ['means'], measures: ['sum', 'count'] },
  }),
  /** Lines of bills that are neither drafts nor sent back. */
  expenses: fact({
    rule: 'reports.expenses',
    dated: true,
    dimensions: ['supplier', 'expenseType', 'account', ...times, 'project', 'expenseState', 'currency'],
    measures: {
      net: sum,
      vat: sum,
      recognisedVat: sum,
      total: sum,
      count,
      average,
      bills: distinct,
      suppliers: distinct,
    },
    amounts: { net: 'money', total: 'money' },
    flags: ['unpaid'],
    hasText: true,
    first: { rows: ['expenseType'], measures: ['net', 'bills'] },
  }),
  /** Lines of the books. */
  entries: fact({
    rule: 'reports.accounting',
    whole: true,
    dated: true,
    dimensions: ['account', 'accountKind', 'entryKind', ...times, 'customer', 'supplier'],
    measures: { debit: sum, credit: sum, balance: sum, count, entries: distinct },
    amounts: { debit: 'money', credit: 'money' },
    flags: [],
    hasText: true,
    first: { rows: ['account'], measures: ['debit', 'credit', 'balance'] },
  }),
  items: fact({
    rule: 'items.see',
    dated: false,
    dimensions: ['category', 'unit', 'active', 'currency'],
    measures: { count, average, most },
    amounts: { price: 'money' },
    flags: [],
    hasText: true,
    first: { rows: ['category'], measures: ['count'] },
  }),
  customers: fact({
    rule: 'customers.see',
    dated: true,
    dimensions: ['customerType', 'customerStatus', 'city', 'agent', ...times],
    measures: { count, creditLimit: sum },
    amounts: { creditLimit: 'money' },
    flags: [],
    hasText: true,
    first: { rows: ['city'], measures: ['count'] },
  }),
} as const satisfies Record<string, Fact>

export type FactName = keyof typeof facts
export const factNames = Object.keys(facts) as readonly FactName[]
export const factNamed = (name: FactName): Fact => facts[name]
export const dimensionNames = Object.keys(dimensions) as readonly DimensionName[]

export const periodUnits = ['day', 'week', 'month', 'quarter', 'year'] as const
export type PeriodUnit = (typeof periodUnits)[number]

/**
 * Two days, or whole units counted from the one of today: the last quarter is { unit: 'quarter', from: -1,
 * to: -1 }, and moves with time.
 */
export type AskedPeriod = Period | { readonly unit: PeriodUnit; readonly from: number; readonly to: number }

export type Filter =
  | { kind: 'period'; period: AskedPeriod }
  /** One of these values, or none of them. */
  | { kind: 'is'; dimension: DimensionName; values: string[]; not?: boolean | undefined }
  /** Both ends included; money in agorot, quantities in ten-thousandths. */
  | { kind: 'amount'; amount: string; from?: number | undefined; to?: number | undefined }
  | { kind: 'flag'; flag: string; not?: boolean | undefined }
  | { kind: 'text'; has: string }

/**
 * How a measure is shown: as it is, as its part of the whole, or summed up from the first row to this one.
 */
export const shownAs = ['value', 'share', 'running'] as const
export type ShownAs = (typeof shownAs)[number]

export interface AskedMeasure {
  name: string
  as: ShownAs
}

export const sorts = ['own', 'most', 'least'] as const

export interface Question {
  fact: FactName
  rows: DimensionName[]
  column: DimensionName | null
  measures: AskedMeasure[]
  filters: Filter[]
  /** own: time as it runs, words in their order, names by the alphabet; most, least: by the first measure. */
  sort: (typeof sorts)[number]
  /**
   * Only so many of the first row's values, by the first measure; the others together in one row, or left
   * out.
   */
  top: { most: number; others: boolean } | null
}

export const limits = {
  rows: 3,
  measures: 4,
  filters: 12,
  values: 50,
  top: 500,
  cells: 5000,
  columns: 120,
} as const

/** Why a question cannot be asked, by the place in it. */
export interface Fault {
  path: string
  code: 'unknown' | 'twice' | 'tooMany' | 'need' | 'notAdditive' | 'turned'
}

export const isAdditive = ({ how }: Measure): boolean => how === 'sum' || how === 'count'

/** What does not fit together; a question without faults can be asked of its fact. */
export function faultsOf(question: Question): Fault[] {
  const faults: Fault[] = []
  const say = (path: string, code: Fault['code']) => void faults.push({ path, code })
  const of = factNamed(question.fact)
  const told = [...question.rows, ...(question.column ? [question.column] : [])]
  const knows = (name: DimensionName) => of.dimensions.includes(name)
  question.rows.forEach((name, n) => {
    if (!knows(name)) say(`rows.${n}`, 'unknown')
    else if (told.indexOf(name) !== n) say(`rows.${n}`, 'twice')
  })
  if (question.column && !knows(question.column)) say('column', 'unknown')
  else if (question.column && question.rows.includes(question.column)) say('column', 'twice')
  if (question.rows.length > limits.rows) say('rows', 'tooMany')
  if (question.measures.length === 0) say('measures', 'need')
  if (question.measures.length > limits.measures) say('measures', 'tooMany')
  question.measures.forEach(({ name, as }, n) => {
    const measure = Object.hasOwn(of.measures, name) ? of.measures[name] : undefined
    if (!measure) say(`measures.${n}`, 'unknown')
    else if (as !== 'value' && !isAdditive(measure)) say(`measures.${n}`, 'notAdditive')
    else if (question.measures.findIndex((other) => other.name === name && other.as === as) !== n)
      say(`measures.${n}`, 'twice')
  })
  if (question.top && question.rows.length === 0) say('top', 'need')
  if (question.filters.length > limits.filters) say('filters', 'tooMany')
  question.filters.forEach((filter, n) => {
    const path = `filters.${n}`
    const isSecond = (same: (other: Filter) => boolean) => question.filters.findIndex(same) !== n
    if (filter.kind === 'period') {
      if (!of.dated) say(path, 'unknown')
      else if (filter.period.from > filter.period.to) say(path, 'turned')
      else if (isSecond((other) => other.kind === 'period')) say(path, 'twice')
    } else if (filter.kind === 'is') {
      const { of: choices } = dimensionNamed(filter.dimension)
      if (!knows(filter.dimension) || dimensionNamed(filter.dimension).kind === 'time') say(path, 'unknown')
      else if (filter.values.length === 0) say(path, 'need')
      else if (filter.values.length > limits.values) say(path, 'tooMany')
      else if (choices && filter.values.some((value) => !choices.includes(value))) say(path, 'unknown')
      else if (
        dimensionNamed(filter.dimension).kind === 'record' &&
        filter.values.some((value) => value !== '' && !isId(value))
      )
        say(path, 'unknown')
      else if (
        isSecond(
          (other) =>
            other.kind === 'is' && other.dimension === filter.dimension && !other.not === !filter.not,
        )
      )
        say(path, 'twice')
    } else if (filter.kind === 'amount') {
      if (!Object.hasOwn(of.amounts, filter.amount)) say(path, 'unknown')
      else if (filter.from === undefined && filter.to === undefined) say(path, 'need')
      else if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
        say(path, 'turned')
      else if (isSecond((other) => other.kind === 'amount' && other.amount === filter.amount))
        say(path, 'twice')
    } else if (filter.kind === 'flag') {
      if (!of.flags.includes(filter.flag)) say(path, 'unknown')
      else if (isSecond((other) => other.kind === 'flag' && other.flag === filter.flag)) say(path, 'twice')
    } else if (!of.hasText) say(path, 'unknown')
    else if (filter.has.trim() === '') say(path, 'need')
    else if (isSecond((other) => other.kind === 'text')) say(path, 'twice')
  })
  return faults
}

const isId = (value: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)

/**
 * A question out of an address or a file, as far as it has the shape of one and fits together; anything else
 * is none.
 */
export function readQuestion(value: unknown): Question | undefined {
  const given = value as Partial<Question> | null
  const isName = (name: unknown): name is DimensionName =>
    typeof name === 'string' && Object.hasOwn(dimensions, name)
  const isWhole = (n: unknown) => n === undefined || Number.isSafeInteger(n)
  if (
    typeof given !== 'object' ||
    given === null ||
    typeof given.fact !== 'string' ||
    !Object.hasOwn(facts, given.fact)
  )
    return undefined
  const { fact: name, rows, column = null, measures, filters, sort, top = null } = given
  if (!Array.isArray(rows) || !rows.every(isName) || !(column === null || isName(column))) return undefined
  if (
    !Array.isArray(measures) ||
    !measures.every((one) => typeof one?.name === 'string' && shownAs.includes(one.as))
  )
    return undefined
  if (
    !sorts.includes(sort!) ||
    !(top === null || (Number.isInteger(top?.most) && top.most >= 1 && top.most <= limits.top))
  )
    return undefined
  if (!Array.isArray(filters) || !filters.every((one) => isFilter(one))) return undefined
  const question: Question = {
    fact: name,
    rows,
    column,
    measures,
    filters,
    sort: sort!,
    top: top && { most: top.most, others: !!top.others },
  }
  // A question on its way may have no figure yet; asked it is not.
  return faultsOf(question).every(({ path, code }) => path === 'measures' && code === 'need')
    ? question
    : undefined

  function isFilter(one: Partial<Record<string, any>> | null): boolean {
    if (typeof one !== 'object' || one === null) return false
    if (one.kind === 'period') {
      const { unit, from, to } = (one.period ?? {}) as Record<string, any>
      return unit === undefined
        ? [from, to].every((day) => typeof day === 'string' && isDay(day))
        : periodUnits.includes(unit) && [from, to].every((n) => Number.isInteger(n) && Math.abs(n) <= 600)
    }
    if (one.kind === 'is')
      return (
        isName(one.dimension) &&
        Array.isArray(one.values) &&
        one.values.every((text) => typeof text === 'string')
      )
    if (one.kind === 'amount') return typeof one.amount === 'string' && isWhole(one.from) && isWhole(one.to)
    if (one.kind === 'flag') return typeof one.flag === 'string'
    return one.kind === 'text' && typeof one.has === 'string'
  }
}

/**
 * Whether it would reveal amounts of money, shown or only filtered by: people who may not see them could find them
 * by asking.
 */
export const tellsMoney = ({ fact: name, measures, filters }: Question): boolean =>
  measures.some((one) => factNamed(name).measures[one.name]?.kind === 'money') ||
  filters.some((one) => one.kind === 'amount' && factNamed(name).amounts[one.amount] === 'money')

/** The days of a period, by today. */
export function periodOf(asked: AskedPeriod, today: Day): Period {
  if (!('unit' in asked)) return asked
  const { unit, from, to } = asked
  if (unit === 'day') return { from: addDays(today, from), to: addDays(today, to) }
  if (unit === 'week') {
    const sunday = addDays(today, -weekday(today))
    return { from: addDays(sunday, 7 * from), to: addDays(sunday, 7 * to + 6) }
  }
  const months = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12
  const start =
    unit === 'month'
      ? startOfMonth(today)
      : (unit === 'quarter' ? quarterPeriod(today) : yearPeriod(today)).from
  return { from: addMonths(start, months * from), to: endOfMonth(addMonths(start, months * to + months - 1)) }
}

/**
 * The initial question of a fact: this year, as far as it has days; only counts for people who see no amounts.
 */
export function firstQuestion(name: FactName, hidesSums = false): Question {
  const { first, dated, measures } = factNamed(name)
  const shown = first.measures.filter((measure) => !hidesSums || measures[measure]!.kind !== 'money')
  return {
    fact: name,
    rows: [...first.rows],
    column: null,
    measures: (shown.length ? shown : ['count']).map((measure) => ({ name: measure, as: 'value' })),
    filters:
      dated && name !== 'customers' ? [{ kind: 'period', period: { unit: 'year', from: 0, to: 0 } }] : [],
    sort: first.rows.some((row) => dimensionNamed(row).kind === 'time') ? 'own' : 'most',
    top: null,
  }
}

/** A time key: '2026', '2026-Q3', '2026-07', the Sunday a week begins with, a day. */
export function periodOfKey(dimension: DimensionName, key: string): Period | undefined {
  if (dimension === 'year' && /^\d{4}$/.test(key)) return { from: `${key}-01-01`, to: `${key}-12-31` }
  const quarter = dimension === 'quarter' ? /^(\d{4})-Q([1-4])$/.exec(key) : null
  if (quarter) return quarterPeriod(`${quarter[1]}-${String(Number(quarter[2]) * 3).padStart(2, '0')}-01`)
  if (dimension === 'month' && /^\d{4}-\d{2}$/.test(key))
    return { from: `${key}-01`, to: endOfMonth(`${key}-01`) }
  if (!isDay(key)) return undefined
  return dimension === 'week'
    ? { from: key, to: addDays(key, 6) }
    : dimension === 'day'
      ? { from: key, to: key }
      : undefined
}
