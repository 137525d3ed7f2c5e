import { addDays, addMonths, type Day, type Period } from '../day.ts'
import { conceptPhrases, type Concept } from './concepts.ts'
import { periodOf, type AskedPeriod, type DimensionName, type PeriodUnit, type Question } from './model.ts'
import { partsOf, Reader, tokensOf, type Stretch, type Token } from './understand.ts'
import { formsOf } from './vocabulary.ts'

/*
 * Questions an owner asks about the business as a whole: profit, VAT to pay, debts older than some days. Each is a set
 * of concepts, whatever their order, so that one table serves five languages. A question is answered only when every
 * word of it was read; otherwise it comes with the words that were not and with the nearest questions.
 */

export interface Duration {
  count: number
  unit: PeriodUnit
}

/** What a question may say besides its subject. */
type Detail = 'period' | 'month' | 'week' | 'age' | 'top' | 'vsLastYear' | 'vsBefore' | 'coming'

interface Sort {
  /** Of each group one concept is said. */
  needs: readonly (readonly Concept[])[]
  /** May be said, and changes nothing. */
  also?: readonly Concept[]
  details?: readonly Detail[]
  /** What it asks of the questions about facts; nothing when a screen answers. */
  question?: (details: Details) => Question
}

interface Details {
  period?: AskedPeriod
  age?: Duration
  top?: number
  beside?: 'year' | 'before'
}

const pivot =
  (
    fact: Question['fact'],
    rows: readonly DimensionName[],
    measures: readonly string[],
    filters: Question['filters'] = [],
  ) =>
  ({ period, top }: Details): Question => ({
    fact,
    rows: [...rows],
    column: null,
    measures: measures.map((name) => ({ name, as: 'value' })),
    filters: [...filters, ...(period ? [{ kind: 'period' as const, period }] : [])],
    sort: rows.length === 0 || rows[0] === 'month' ? 'own' : 'most',
    top: top && rows.length ? { most: top, others: true } : null,
  })
const first =
  (count: number, of: (details: Details) => Question) =>
  (details: Details): Question =>
    of({ ...details, top: details.top ?? count })
const invoices: Question['filters'] = [
  { kind: 'is', dimension: 'type', values: ['taxInvoice', 'taxInvoiceReceipt'] },
]

const sorts = {
  profit: {
    needs: [['profit']],
    also: ['business'],
    details: ['period', 'vsLastYear', 'vsBefore'],
  },
  vatToPay: { needs: [['vat'], ['pay', 'iOwe']], also: ['money', 'left'], details: ['period'] },
  bankBalance: { needs: [['bank']], also: ['money', 'left'] },
  oldDebts: {
    needs: [['owesMe', 'debt', 'unpaid', 'late']],
    also: ['customer', 'money', 'debt', 'invoice', 'owesMe', 'late', 'open'],
    details: ['age'],
  },
  debts: { needs: [['owesMe', 'debt']], also: ['customer', 'money', 'open', 'debt', 'byCustomer'] },
  debtors: { needs: [['unpaid'], ['customer']], also: ['money', 'invoice'] },
  lateDebts: { needs: [['late']], also: ['customer', 'pay', 'invoice', 'owesMe', 'debt', 'money'] },
  lostCustomers: { needs: [['notBought']], also: ['customer', 'business'], details: ['age', 'period'] },
  bestCustomers: {
    needs: [['best'], ['customer', 'byCustomer']],
    also: ['income'],
    details: ['period', 'top'],
    question: first(10, pivot('income', ['customer'], ['net', 'count'])),
  },
  expensesBySupplier: {
    needs: [['expense'], ['bySupplier']],
    also: ['money'],
    details: ['period', 'top'],
    question: pivot('expenses', ['supplier'], ['net', 'bills']),
  },
  expensesByType: {
    needs: [['expense'], ['byType']],
    also: ['money'],
    details: ['period', 'top'],
    question: pivot('expenses', ['expenseType'], ['net', 'bills']),
  },
  biggestExpenses: {
    needs: [['best'], ['expense']],
    also: ['money', 'bySupplier'],
    details: ['period', 'top'],
    question: first(10, pivot('expenses', ['supplier'], ['net', 'bills'])),
  },
  expenses: {
    needs: [['expense']],
    also: ['money'],
    details: ['period'],
    question: pivot('expenses', [], ['net', 'bills']),
  },
  incomeBeside: {
    needs: [['income'], ['vsLastYear', 'vsBefore']],
    also: ['money'],
    details: ['period', 'vsLastYear', 'vsBefore'],
  },
  incomeByMonth: {
    needs: [['income'], ['byMonth']],
    also: ['money'],
    details: ['period'],
    question: pivot('income', ['month'], ['net', 'count']),
  },
  income: {
    needs: [['income']],
    also: ['money', 'business'],
    details: ['period'],
    question: pivot('income', [], ['net', 'count']),
  },
  billsToPay: {
    needs: [
      ['bill', 'supplier'],
      ['unpaid', 'pay', 'iOwe', 'open'],
    ],
    also: ['money', 'bill', 'supplier', 'pay', 'invoice'],
  },
  unpaidInvoices: {
    needs: [['unpaid', 'open'], ['invoice']],
    details: ['period'],
    question: pivot(
      'documents',
      ['customer'],
      ['open', 'count'],
      [...invoices, { kind: 'flag', flag: 'unpaid' }],
    ),
  },
  comingOrders: {
    needs: [['standing'], ['upcoming', 'charge']],
    also: ['charge', 'upcoming'],
    details: ['coming'],
  },
  failedOrders: { needs: [['failed'], ['standing', 'charge']], also: ['standing', 'charge'] },
  ceilingLeft: { needs: [['ceiling']], also: ['left', 'income', 'money'] },
  hours: { needs: [['hours']], also: ['worker'], details: ['month'] },
  lowStock: { needs: [['low'], ['stock', 'item']], also: ['stock', 'item'] },
  stockValue: { needs: [['value'], ['stock']], also: ['money'] },
  bestItems: {
    needs: [['best'], ['item']],
    also: ['income'],
    details: ['period', 'top'],
    question: first(10, pivot('lines', ['item'], ['net', 'quantity'])),
  },
  openQuotes: { needs: [['quote'], ['open']] },
  cheques: { needs: [['cheque'], ['deposit', 'open']], also: ['iOwe'] },
  advance: { needs: [['advance']], also: ['pay', 'iOwe', 'taxes', 'money'], details: ['period'] },
  averageInvoice: {
    needs: [['average'], ['invoice', 'income']],
    also: ['value'],
    details: ['period'],
    question: pivot('documents', [], ['average', 'count'], invoices),
  },
  newCustomers: {
    needs: [['new'], ['customer', 'thatMany']],
    details: ['period'],
    question: pivot('customers', [], ['count']),
  },
  customers: { needs: [['thatMany']], question: pivot('customers', [], ['count']) },
  leads: { needs: [['lead']], also: ['new'] },
  tasks: { needs: [['task']], also: ['open', 'left'], details: ['coming'] },
  appointments: { needs: [['appointment']], also: ['upcoming'], details: ['week'] },
  forecast: { needs: [['forecast']], also: ['money', 'pay'] },
  received: {
    needs: [['received']],
    also: ['money', 'charge', 'customer'],
    details: ['period'],
    question: pivot('payments', ['means'], ['sum', 'count']),
  },
} as const satisfies Record<string, Sort>

export type ReadingName = keyof typeof sorts
export const readingNames = Object.keys(sorts) as readonly ReadingName[]
const sortNamed = (name: ReadingName): Sort => sorts[name]

/** The question of facts that a reading is, without details; nothing when a screen answers it. */
export const questionOf = (name: ReadingName): Question | null => sortNamed(name).question?.({}) ?? null

/** A question of the table, with what was said besides. */
export interface Reading {
  name: ReadingName
  period: AskedPeriod | null
  age: Duration | null
  beside: 'year' | 'before' | null
  question: Question | null
}

export interface Read {
  /** Nothing when a word was not read, or no question has all of them. */
  reading: Reading | undefined
  unread: Stretch[]
  /** What may have been meant, the nearest first. */
  nearest: Reading[]
}

/** The first day of a time that ends today. */
export const dayBefore = ({ count, unit }: Duration, today: Day): Day =>
  unit === 'day' || unit === 'week'
    ? addDays(today, -count * (unit === 'week' ? 7 : 1))
    : addMonths(today, -count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12))

/** Days since a time ago, for what counts days. */
export const daysOf = (age: Duration, today: Day): number =>
  Math.round((Date.parse(today) - Date.parse(dayBefore(age, today))) / 86_400_000)

interface Found {
  concept?: Concept
  /** The details it can be taken as. */
  details?: readonly Detail[]
  stretch: Stretch
}

/** A word of two letters is only itself: what is left of a longer one without its prefix is another word. */
const fits = (pattern: string, token: Token, forms: readonly string[]): boolean =>
  token.kind === 'word' &&
  (pattern.endsWith('*')
    ? forms.some((form) => form.startsWith(pattern.slice(0, -1)))
    : pattern.length > 2
      ? forms.includes(pattern)
      : token.folded === pattern)

interface At {
  concept: Concept
  length: number
}

/** The longest phrase that begins at each place. Small words are only themselves. */
function phrasesOf(tokens: readonly Token[]): (At | undefined)[] {
  const forms = tokens.map((token) =>
    token.kind === 'word' ? formsOf(token.folded).map(({ word }) => word) : [],
  )
  return tokens.map((_, at) => {
    let best: At | undefined
    for (const start of new Set(forms[at]!.map((form) => form.slice(0, 2))))
      for (const { concept, words } of conceptPhrases.get(start) ?? []) {
        if (words.length <= (best?.length ?? 0)) continue
        const isHere = words.every((word, n) => {
          const token = tokens[at + n]
          return (
            token !== undefined &&
            (concept === 'small'
              ? token.kind === 'word' && token.folded === word
              : fits(word, token, forms[at + n]!))
          )
        })
        if (isHere) best = { concept, length: words.length }
      }
    return best
  })
}

/** Reads a question of an owner. */
export function readAnswer(said: string, today: Day): Read {
  const all = tokensOf(said.slice(0, 300), today)
  // A hyphen inside a question joins words.
  const tokens = all.filter((token) => !(token.kind === 'word' && !/[\p{L}<>&]/u.test(token.text)))
  const phrases = phrasesOf(tokens)
  const parts = partsOf(said, tokens)
  const reader = new Reader(parts, today)
  const partAt = new Map(parts.map((part, n) => [part.from, n]))
  const stretch = (at: number, length: number): Stretch => {
    const [from, to] = [tokens[at]!.from, tokens[at + length - 1]!.to]
    return { from, to, text: said.slice(from, to) }
  }
  const found: Found[] = []
  const details: Details = {}
  const unknown: Stretch[] = []

  for (let at = 0; at < tokens.length;) {
    const phrase = phrases[at]
    const time = durationAt(at)
    const period = periodAt(at)
    const top = topAt(at)
    if (time && time.length >= (phrase?.length ?? 0) && time.length >= (period?.length ?? 0)) {
      if (details.age) unknown.push(stretch(at, time.length))
      else {
        details.age = time.age
        found.push({ details: ['age'], stretch: stretch(at, time.length) })
      }
      at += time.length
    } else if (period && (phrase?.concept === 'small' || period.length >= (phrase?.length ?? 0))) {
      if (details.period) unknown.push(stretch(at, period.length))
      else {
        details.period = period.asked
        found.push({ details: detailsOf(periodOf(period.asked, today)), stretch: stretch(at, period.length) })
      }
      at += period.length
    } else if (top && !details.top) {
      details.top = top
      found.push({ details: ['top'], stretch: stretch(at, 1) })
      at++
    } else if (phrase) {
      if (phrase.concept === 'vsLastYear' || phrase.concept === 'vsBefore')
        details.beside = phrase.concept === 'vsLastYear' ? 'year' : 'before'
      if (phrase.concept === 'moreThan' && !isEmptyBefore(at + phrase.length))
        unknown.push(stretch(at, phrase.length))
      else if (phrase.concept !== 'small' && phrase.concept !== 'moreThan')
        found.push({ concept: phrase.concept, stretch: stretch(at, phrase.length) })
      at += phrase.length
    } else {
      unknown.push(stretch(at, 1))
      at++
    }
  }

  const concepts = new Set(found.flatMap(({ concept }) => concept ?? []))
  const fitting = readingNames
    .map((name) => {
      const { needs, also = [], details: may = [] }: Sort = sortNamed(name)
      const met = needs.filter((group) => group.some((one) => concepts.has(one))).length
      const known = new Set<Concept>([...needs.flat(), ...also])
      const extra = found.filter(
        ({ concept, details: takes }) =>
          (concept !== undefined && !known.has(concept) && !may.some((one) => one === concept)) ||
          (takes !== undefined &&
            !takes.some((one) => may.includes(one)) &&
            !(name === 'bankBalance' && details.period && isToday(details.period))),
      )
      const needsAge = name === 'oldDebts' && !details.age
      return { name, met, all: needs.length, isMet: met === needs.length && !needsAge, extra }
    })
    .filter(({ met }) => met > 0)
    .sort(
      (a, b) =>
        Number(b.isMet) - Number(a.isMet) ||
        a.extra.length - b.extra.length ||
        b.met - a.met ||
        readingNames.indexOf(a.name) - readingNames.indexOf(b.name),
    )
  const best = fitting[0]
  const isRead = best !== undefined && best.isMet && best.extra.length === 0 && unknown.length === 0
  const left = [...unknown, ...(best && !isRead ? best.extra.map((one) => one.stretch) : [])]
  return {
    reading: isRead ? readingOf(best.name) : undefined,
    unread: left.sort((a, b) => a.from - b.from),
    nearest: isRead ? [] : fitting.slice(0, 3).map(({ name }) => readingOf(name)),
  }

  function readingOf(name: ReadingName): Reading {
    const { details: may = [], question }: Sort = sortNamed(name)
    const keeps = (detail: Detail) => may.includes(detail)
    const kept: Details = {
      ...(details.period && detailsOf(periodOf(details.period, today)).some(keeps)
        ? { period: details.period }
        : {}),
      ...(details.age && keeps('age') ? { age: details.age } : {}),
      ...(details.top && keeps('top') ? { top: details.top } : {}),
      ...(details.beside && keeps('vsLastYear') ? { beside: details.beside } : {}),
    }
    return {
      name,
      period: kept.period ?? null,
      age: kept.age ?? (name === 'lostCustomers' && !kept.period ? { count: 6, unit: 'month' } : null),
      beside: kept.beside ?? null,
      question: question?.(kept) ?? null,
    }
  }

  function isEmptyBefore(at: number): boolean {
    // 'For' and 'in' are small before a word; before a figure they would say how much.
    return tokens[at] === undefined || !['number', 'day'].includes(tokens[at].kind)
  }

  /** 'More than 60 days', 'half a year', 'over a year'. */
  function durationAt(start: number): { age: Duration; length: number } | undefined {
    const lead = phrases[start]
    const at = lead?.concept === 'moreThan' ? start + lead.length : start
    const half = phrases[at]
    if (half?.concept === 'halfYear')
      return { age: { count: 6, unit: 'month' }, length: at + half.length - start }
    const part = partAt.get(tokens[at]?.from ?? -1)
    if (part === undefined) return undefined
    const count = reader.whole(part)
    const unit = count === undefined ? undefined : reader.unit(part + 1)
    const isPeriod = reader.is(part + 2, 'last') || reader.is(part - 1, 'last')
    if (count !== undefined && unit && !isPeriod) return { age: { count, unit }, length: lengthTo(part + 2) }
    const alone = at > start && lead!.length > 0 ? reader.unit(part) : undefined
    const isOver = at > start && reader.is(partAt.get(tokens[start]!.from) ?? -1, 'over')
    if (alone && isOver && !/[הב]/.test(parts[part]!.prefix))
      return { age: { count: 1, unit: alone }, length: lengthTo(part + 1) }
    return undefined

    function lengthTo(next: number): number {
      const end = parts[next - 1]!.to
      return tokens.findLastIndex((token) => token.to <= end) - start + 1
    }
  }

  function periodAt(at: number): { asked: AskedPeriod; length: number } | undefined {
    const part = partAt.get(tokens[at]!.from)
    if (part === undefined || reader.is(part, 'over', 'under')) return undefined
    const period = reader.period(part)
    if (!period) return undefined
    const end = parts[period.next - 1]!.to
    return { asked: period.asked, length: tokens.findLastIndex((token) => token.to <= end) - at + 1 }
  }

  /** A number beside a word for the best. */
  function topAt(at: number): number | undefined {
    const part = partAt.get(tokens[at]!.from)
    if (part === undefined || reader.unit(part + 1)) return undefined
    const count = reader.whole(part)
    const isBeside = [-1, 1, 2].some((step) => {
      const other = tokens[at + step]
      return other && phrases[at + step]?.concept === 'best'
    })
    return count !== undefined && isBeside ? count : undefined
  }

  /** A screen may show any period, one that has not ended, one month, or one week. */
  function detailsOf({ from, to }: Period): Detail[] {
    return [
      'period',
      ...(to >= today ? (['coming'] as const) : []),
      ...(from.slice(0, 7) === to.slice(0, 7) ? (['month'] as const) : []),
      ...(addDays(from, 6) >= to ? (['week'] as const) : []),
    ]
  }

  function isToday(asked: AskedPeriod): boolean {
    const { from, to }: Period = periodOf(asked, today)
    return from === today && to === today
  }
}
