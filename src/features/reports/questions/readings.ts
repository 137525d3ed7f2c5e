import type { Day, Period } from '#domain/day.ts'
import { dayBefore, daysOf, type Reading, type ReadingName } from '#domain/questions/answers.ts'
import { periodOf } from '#domain/questions/model.ts'
import type { SaidReading } from './endpoints.ts'

interface Asked {
  today: Day
  period: Period | undefined
  /** Before this day, for what has an age. */
  before: Day | undefined
  days: number | undefined
  beside: Reading['beside']
}

const query = (of: Record<string, string | number | undefined>): string => {
  const given = Object.entries(of).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length ? `?${new URLSearchParams(given).toString()}` : ''
}
const days = ({ period }: Asked) => ({ from: period?.from, to: period?.to })
const beside = { year: 'previousYear', before: 'previousPeriod' } as const
/** Of a time to come from its first day; what is due now includes what was due before. */
const within = (field: string, { period, today }: Asked) => ({
  [`${field}.gte`]: period && period.from > today ? period.from : undefined,
  [`${field}.lte`]: period?.to,
})

/** Where a screen answers; the others are questions of facts, which the page of questions answers. */
const screens: Partial<Record<ReadingName, (asked: Asked) => string>> = {
  profit: (asked) =>
    `/invoice/reportprofitloss${query({ ...days(asked), compare: asked.beside ? beside[asked.beside] : undefined })}`,
  vatToPay: (asked) => `/invoice/reportvat${query(days(asked))}`,
  bankBalance: () => '/invoice/banklist',
  debts: () => '/invoice/reportowesummary',
  debtors: () => '/invoice/reportowesummary',
  oldDebts: ({ days: over }) => `/invoice/reportowe${query({ due: 'late', lateOver: over })}`,
  lateDebts: () => `/invoice/reportowe${query({ due: 'late' })}`,
  lostCustomers: ({ period, before }) =>
    `/invoice/InvoiceCustomers${query({ 'lastDocumentDay.lte': period?.from ?? before, sort: '-lastDocumentDay' })}`,
  incomeBeside: (asked) =>
    `/invoice/reportincome${query({ ...days(asked), vs: beside[asked.beside ?? 'year'] })}`,
  billsToPay: () => '/invoice/supplierdue',
  comingOrders: (asked) =>
    `/invoice/retainers${query({ 'state.in': 'trial,active', ...within('nextDay', asked), sort: 'nextDay' })}`,
  failedOrders: () => '/invoice/retainersfailed',
  ceilingLeft: () => '/invoice/smallbusiness',
  hours: ({ period }) => `/time/team${query({ month: period?.from.slice(0, 7) })}`,
  lowStock: () => '/invoice/storage?low=true',
  stockValue: () => '/invoice/storage',
  openQuotes: () => '/invoice/documents/1?status.in=issued,partlyClosed',
  cheques: () => '/invoice/reportchecks?state=received',
  advance: (asked) => `/invoice/reportadvance${query(days(asked))}`,
  leads: () => '/invoice/invoiceLeadsManager',
  tasks: (asked) => `/invoice/alltasks${query({ isDone: 'false', ...within('dueDay', asked) })}`,
  appointments: ({ period }) =>
    `/invoice/calander${query({ day: period?.from, view: period && (period.from === period.to ? 'day' : 'week') })}`,
  forecast: () => '/invoice/cashforecast',
}

/** A reading with the address of its answer. */
export function placed({ name, period, age, beside: vs, question }: Reading, today: Day): SaidReading {
  const asked: Asked = {
    today,
    period: period ? periodOf(period, today) : undefined,
    before: age ? dayBefore(age, today) : undefined,
    days: age ? daysOf(age, today) : undefined,
    beside: vs,
  }
  return {
    name,
    href: question
      ? `/invoice/reportbuilder${query({ ask: JSON.stringify(question) })}`
      : screens[name]!(asked),
    period: asked.period ?? null,
    days: asked.days ?? null,
    question,
  }
}
