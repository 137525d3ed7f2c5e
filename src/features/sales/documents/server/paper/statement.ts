import path from 'node:path'
import { momentInJerusalem, type Day } from '#domain/day.ts'
import type { LanguageCode } from '#domain/languages.ts'
import { currencySign, formatDay, formatMoney, withCurrency } from '#domain/format.ts'
import type { Agorot } from '#domain/money.ts'
import { renderPdf, renderSvg, type PaperJob } from '#kit/server/paper/engine.ts'
import { textWidth } from '#kit/server/paper/fonts.ts'
import { imageSize } from '#kit/server/paper/image.ts'
import { checkoutRoot } from '#kit/server/root.ts'
import { accentOf } from '#kit/server/paper/accent.ts'
import { partyOf, payLinkOf, payRowsOf, registrationOf } from './paperOf.ts'
import { code, fill, freeText } from './say.ts'
import type { PaperSettings, SourceBusiness, SourceParty } from './source.ts'
import { madeWith, paperWords } from './words.ts'

/**
 * A customer's account over a period, in plain terms. Amounts in agorot of `currency`; debit is what the customer
 * was charged.
 */
export interface StatementSource {
  readonly language: LanguageCode
  readonly currency: string
  readonly from: Day
  readonly to: Day
  readonly madeAt: Date
  readonly customerNumber?: string
  readonly opening: Agorot
  readonly charged: Agorot
  readonly credited: Agorot
  readonly balance: Agorot
  /** In order; `balance` is the balance after the entry. */
  readonly entries: readonly {
    readonly date: Day
    readonly document: string
    readonly details?: string
    readonly due?: Day
    readonly debit?: Agorot
    readonly credit?: Agorot
    readonly balance: Agorot
  }[]
  /** Not yet due, overdue up to 30, 31 to 60, 61 to 90, above 90 days. */
  readonly ageing: readonly [Agorot, Agorot, Agorot, Agorot, Agorot]
  readonly notes?: readonly string[]
  readonly business: SourceBusiness
  readonly customer: SourceParty
  readonly settings: PaperSettings
}

/** The statement as a PDF/A file. The same statement of the same moment is the same file. */
export const statementPdf = (source: StatementSource): Promise<Uint8Array> => statement(source, renderPdf)

/** Pictures of its pages, to look at before it is sent. */
export const statementSvg = (source: StatementSource): Promise<string[]> => statement(source, renderSvg)

function statement<T>(source: StatementSource, made: (job: PaperJob) => Promise<T>): Promise<T> {
  const words = paperWords(source.language)
  const say = (key: string) => words[`paper.${key}`] ?? key
  const direction = source.language === 'he' || source.language === 'ar' ? 'rtl' : 'ltr'
  const free = (text: string) => freeText(text, direction)
  const day = (value: Day) => code(formatDay(value))
  const sum = (amount: Agorot) => withCurrency(amount, source.currency, source.language)
  const { business, settings } = source
  const moment = momentInJerusalem(source.madeAt)
  const name = free(business.nameInLanguage ?? business.name)
  const registration = registrationOf(business, source.language, say)
  const logo = business.logo ? imageSize(business.logo) : null
  const payRows = source.balance > 0 ? payRowsOf(business, settings, null, say, free) : []

  const figures = (key: 'debit' | 'credit' | 'balance') => {
    const values = source.entries.map((entry) =>
      entry[key] === undefined || (key !== 'balance' && entry[key] === 0) ? '' : formatMoney(entry[key]),
    )
    const bracket = values.some((value) => value.endsWith('-)'))
    return values.map((value) => ({
      value,
      pad: bracket && value !== '' && !value.endsWith('-)') ? '-)' : '',
    }))
  }
  const [debit, credit, balance] = [figures('debit'), figures('credit'), figures('balance')]
  const entries = source.entries.map((entry, at) => ({
    date: formatDay(entry.date),
    document: free(entry.document),
    details: free(entry.details ?? ''),
    due: entry.due ? formatDay(entry.due) : '',
    debit: debit[at]!,
    credit: credit[at]!,
    balance: balance[at]!,
  }))
  const headings = [
    'date',
    'statement.details',
    'due',
    'statement.debit',
    'statement.credit',
    'statement.running',
  ].map(say)
  const most = Math.max(
    1,
    source.ageing.reduce((total, part) => total + Math.max(0, part), 0),
  )
  const data = {
    layout: 'classic',
    language: source.language,
    direction,
    accent: accentOf(settings.accent),
    fileTitle: `${say('statement.title')} ${source.customer.name}`,
    author: business.name,
    madeAt: [...moment.day.split('-'), ...moment.time.split(':'), '0'].map(Number),
    // What the shared parts look for and a statement has not.
    bodySize: 9,
    rowPad: 5.4,
    tableEdge: 0,
    totalsWidth: 62,
    totalColumn: 60,
    columns: [],
    lines: [],
    carry: { on: false },
    anyTexts: false,
    title: say('statement.title'),
    titleHebrew: null,
    number: null,
    numberLabel: '',
    mark: null,
    computerised: null,
    allocation: null,
    logoRatio: logo ? logo.width / logo.height : 1,
    business: {
      name,
      lines: [...business.address.map(free), registration.long],
      contact: [business.phone, business.email, business.website].flatMap((part) =>
        part ? [code(part)] : [],
      ),
    },
    customer: partyOf(source.customer, say('to'), say, free),
    facts: [
      {
        label: say('statement.period'),
        value: fill(say('statement.until'), { from: day(source.from), to: day(source.to) }),
      },
      { label: say('statement.made'), value: day(moment.day) },
      ...(source.customerNumber
        ? [{ label: say('statement.customerNumber'), value: code(source.customerNumber) }]
        : []),
      {
        label: say('currency'),
        value: source.currency === 'ILS' ? say('shekel') : code(currencySign(source.currency)),
      },
    ],
    boxes: (['opening', 'charged', 'credited', 'balance'] as const).map((key) => ({
      label: say(`statement.${key}`),
      value: sum(source[key]),
    })),
    headings,
    widths: widthsOf(headings, entries),
    entries,
    ageing: {
      heading: say('statement.ageing'),
      bars: source.ageing.map((amount, at) => ({
        label: say(`statement.age${at}`),
        value: formatMoney(amount),
        share: (Math.max(0, amount) / most) * 100,
      })),
    },
    pay:
      payRows.length > 0
        ? {
            heading: say('statement.pay'),
            rows: payRows,
            ...payLinkOf(settings, say),
          }
        : null,
    notesHeading: say('notes'),
    notes: (source.notes ?? []).map((text) => ({ text: free(text), strong: false })),
    footer: {
      pieces: [
        name,
        registration.short,
        ...(settings.showPinkas === false ? [] : [madeWith(say, settings.brandName)]),
      ],
      page: say('page'),
    },
  }
  const template = path.join(checkoutRoot, 'src/features/sales/documents/server/paper/statement.typ')
  const render = (images: Record<string, Uint8Array>) => made({ template, data, images })
  // A damaged logo must not stop a statement.
  return logo ? render({ logo: business.logo! }).catch(() => render({})) : render({})
}

function widthsOf(
  headings: readonly string[],
  entries: readonly { date: string; due: string; debit: Figure; credit: Figure; balance: Figure }[],
): number[] {
  const page = (174 * 72) / 25.4
  const gap = 12
  const width = (at: number, values: readonly string[]) =>
    Math.max(
      textWidth(headings[at]!, 8, 'semibold'),
      ...values.map((value) => textWidth(value, 9, 'regular', true)),
    ) + 1
  const sums = (['debit', 'credit', 'balance'] as const).map((key, at) =>
    width(
      at + 3,
      entries.map((entry) => entry[key].value + entry[key].pad),
    ),
  )
  const dates = [
    width(
      0,
      entries.map((entry) => entry.date),
    ) +
      gap +
      6,
    width(
      2,
      entries.map((entry) => entry.due),
    ) + gap,
  ]
  const others = [dates[1]!, sums[0]! + gap, sums[1]! + gap, sums[2]!]
  return [dates[0]!, page - dates[0]! - others.reduce((total, part) => total + part, 0), ...others]
}

interface Figure {
  value: string
  pad: string
}
