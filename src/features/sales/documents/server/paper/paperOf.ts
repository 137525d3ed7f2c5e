import { encode } from 'uqr'
import { momentInJerusalem, type Day } from '#domain/day.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import type { LanguageCode } from '#domain/languages.ts'
import { documentTypes, type DocumentTypeName } from '#domain/documents/kinds.ts'
import {
  formatDay,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  withCurrency,
} from '#domain/format.ts'
import type { Agorot, BasisPoints } from '#domain/money.ts'
import { imageSize } from '#kit/server/paper/image.ts'
import { accentOf } from '#kit/server/paper/accent.ts'
import { accountRows } from '#features/base/companies/inLanguage.ts'
import type {
  ColumnKey,
  DocumentPaper,
  PaperColumn,
  PaperFact,
  PaperLine,
  PaperPayments,
  PaperSum,
  PaperTable,
} from './paper.ts'
import { code, fill, freeText, link } from './say.ts'
import type {
  PaperSettings,
  PaperSource,
  SourceBusiness,
  SourceLine,
  SourceParty,
  SourcePayment,
} from './source.ts'
import { madeWith, paperWords } from './words.ts'

/**
 * Kinds the law lets a computer issue under 'computerised document' and which carry original and copy marks.
 */
const isMarked = (type: DocumentTypeName): boolean => typeFacts(type).isTaxDocument || typeFacts(type).asks
const isDelivery = (type: DocumentTypeName): boolean =>
  typeFacts(type).movesGoods && !typeFacts(type).isVatDocument
const mostFacts = 6

/**
 * Puts a document into the words and figures it will be read in. Pure: the same source gives the same paper,
 * and the paper the same file. Never throws on what people typed; a logo that is no PNG or JPEG is left out.
 */
export function paperOf(source: PaperSource): DocumentPaper {
  const { document, business, customer, settings, variant, totals, payments } = source
  const words = source.words ?? paperWords(document.language)
  const hebrewWords = paperWords('he')
  const isHebrew = document.language === 'he'
  const direction = isHebrew || document.language === 'ar' ? 'rtl' : 'ltr'
  const say = (key: string) => words[`paper.${key}`] ?? hebrewWords[`paper.${key}`] ?? key
  const inHebrew = (key: string) => (isHebrew ? null : (hebrewWords[`paper.${key}`] ?? null))
  const free = (text: string) => freeText(text, direction)
  const day = (value: Day) => code(formatDay(value))
  const percent = (rate: BasisPoints) => formatPercent(rate, document.language)
  const priced = isDelivery(document.type) ? settings.showPrices === true : settings.showPrices !== false
  const isReceipt = typeFacts(document.type).isPlainReceipt
  const titleKey = `title.${document.titleKey ?? document.type}`
  const title = document.title ?? say(titleKey)
  const titleHebrew = isHebrew ? null : document.title ? null : inHebrew(titleKey)
  const number = variant.mark === 'draft' ? null : document.number
  const hasMark = isMarked(document.type)
  const lines = isReceipt ? [] : source.lines
  const layout = variant.layout ?? settings.layout ?? 'classic'
  // Where lines are short, a bare number would be a riddle.
  const terse = layout === 'compact' || layout === 'slip'
  const due =
    totals && typeFacts(document.type).isToBePaid && totals.total > 0 && variant.mark !== 'cancelled'

  const registration = registrationOf(business, document.language, say)
  const made = momentInJerusalem(document.madeAt)
  const logo = business.logo && imageSize(business.logo) ? business.logo : null

  return {
    layout,
    language: document.language,
    direction,
    dense: settings.density === 'dense',
    accent: accentOf(settings.accent),
    fileTitle: number === null ? title : `${title} ${number}`,
    author: business.name,
    madeAt: [...made.day.split('-'), ...made.time.split(':'), '0'].map(Number),
    title,
    titleHebrew,
    numberLabel: say('number'),
    number,
    mark:
      variant.mark === 'plain' ||
      (!hasMark &&
        (variant.mark === 'original' || variant.mark === 'copy' || variant.mark === 'certifiedCopy'))
        ? null
        : { kind: variant.mark, text: say(variant.mark), hebrew: inHebrew(variant.mark) },
    computerised:
      hasMark && variant.mark !== 'draft'
        ? { text: say('computerised'), hebrew: inHebrew('computerised') }
        : null,
    watermark: business.isTest ? say('test') : variant.mark === 'draft' ? say('draft') : null,
    business: {
      name: free(business.nameInLanguage ?? business.name),
      lines: [...business.address.map(free), registration.long],
      contact: [
        terse && business.phone
          ? fill(say('phone'), { number: code(business.phone) })
          : code(business.phone ?? ''),
        ...[business.email, business.website].filter(isText).map(code),
      ].filter(isText),
    },
    logo,
    handSignature:
      business.signature && imageSize(business.signature)
        ? { picture: business.signature, label: free(business.name) }
        : null,
    fromLabel: say('from'),
    customer: customer
      ? partyOf(
          customer,
          say(
            document.type === 'donationReceipt'
              ? 'donor'
              : documentTypes[document.type].side === 'purchases'
                ? 'supplier'
                : direction === 'ltr' && totals
                  ? 'billTo'
                  : 'to',
          ),
          say,
          free,
        )
      : null,
    deliverTo: document.deliverTo?.length
      ? { label: say('deliverTo'), lines: document.deliverTo.map(free) }
      : null,
    facts: factsOf(source, say, day, free).slice(0, mostFacts),
    allocation:
      document.allocation?.state === 'granted'
        ? { label: say('allocation'), number: document.allocation.number.slice(-9) }
        : null,
    hero:
      due && document.dueDate
        ? {
            sum: withCurrency(totals.total, document.currency, document.language),
            words: fill(say('dueHero'), { date: day(document.dueDate) }),
          }
        : null,
    notice: noticeOf(source, say, day),
    opening: document.notesAbove ? free(document.notesAbove) : null,
    columns: columnsOf(source, lines, priced, say),
    lines: linesOf(lines, totals?.vatRate ?? 0, priced, say, percent, free),
    carry: { forward: say('carryForward'), brought: say('broughtForward') },
    totals: isReceipt ? receiptTotals(source, say) : priced ? totalsOf(source, say, percent) : [],
    vatTable: priced ? vatTableOf(source, say, percent) : null,
    currencyTable: priced ? currencyTableOf(source, say, percent, day) : null,
    sold: isReceipt ? soldTableOf(source, say, free) : null,
    paid: isReceipt ? paidTableOf(source, say, free) : null,
    payments: payments && payments.rows.length > 0 ? paymentsOf(source, say, free) : null,
    settled: isReceipt || !payments ? [] : settledOf(source, say, percent),
    notesHeading: say('notes'),
    notes: notesOf(source, say, free, isHebrew),
    pay: due ? payPanelOf(source, say, number, free) : null,
    signature: signatureOf(source, say, number, free),
    seal:
      variant.seal && variant.mark !== 'draft'
        ? {
            heading: say(`sealed.${variant.seal.kind}`),
            lines: [
              `${free(variant.seal.by)}, ${day(momentInJerusalem(variant.seal.at).day)}, ${code(momentInJerusalem(variant.seal.at).time)}`,
              ...(variant.seal.verifyLink
                ? [fill(say('verify'), { link: link(variant.seal.verifyLink) })]
                : []),
            ],
          }
        : null,
    footer: {
      pieces: [
        free(business.nameInLanguage ?? business.name),
        registration.short,
        ...(settings.showPinkas === false ? [] : [madeWith(say, settings.brandName)]),
      ],
      page: say('page'),
    },
    slipPayments: slipPaymentsOf(source, say, free),
    slip: {
      facts: [
        { label: say('date'), value: `${day(document.date)}, ${code(made.time)}` },
        ...(settings.till ? [{ label: say('till'), value: free(settings.till) }] : []),
        ...(customer ? [{ label: say('to'), value: free(customer.name) }] : []),
        ...(document.deliverTo?.length
          ? [{ label: say('deliverTo'), value: document.deliverTo.map(free).join(', ') }]
          : []),
      ],
      qr: variant.seal?.verifyLink ? qrOf(variant.seal.verifyLink) : null,
      closing: [
        ...(variant.seal?.verifyLink
          ? [fill(say('digitalDocument'), { link: link(variant.seal.verifyLink) })]
          : []),
        ...(settings.slipGoodbye ? [free(settings.slipGoodbye)] : []),
      ],
    },
  }
}

type Say = (key: string) => string
type Percent = (rate: BasisPoints) => string
type InDays = (day: Day) => string
type Free = (text: string) => string

const isText = (value: string | undefined): value is string => value !== undefined && value !== ''

/**
 * 'עוסק מורשה 777777715': in its own language and in Hebrew at the head, in Hebrew at the foot, for that is
 * what an auditor looks for.
 */
export function registrationOf(
  business: SourceBusiness,
  language: LanguageCode,
  say: Say,
): { long: string; short: string } {
  const hebrew = paperWords('he')[`paper.kind.${business.kind}`] ?? ''
  const number = code(business.taxId)
  if (language === 'he')
    return { long: `${hebrew} ${number}`, short: `${business.kind === 'company' ? 'ח״פ' : hebrew} ${number}` }
  return {
    long: `${say(`kind.${business.kind}`)} \u2067${hebrew}\u2069 ${number}`,
    short: `\u2067${hebrew} ${business.taxId}\u2069`,
  }
}

/** Whom the document is for: name, and what is known of them line by line. */
export function partyOf(
  party: SourceParty,
  label: string,
  say: Say,
  free: Free,
): { label: string; name: string; lines: string[] } {
  return {
    label,
    name: free(party.name),
    lines: [
      ...(party.contact ? [fill(say('contact'), { name: free(party.contact) })] : []),
      ...(party.address ?? []).map(free),
      ...(party.taxId ? [`${say(`kind.${party.taxId.kind}`)} ${code(party.taxId.number)}`] : []),
      ...[party.phone, party.email].filter(isText).map(code),
    ],
  }
}

function factsOf({ document, payments }: PaperSource, say: Say, day: InDays, free: Free): PaperFact[] {
  const facts: PaperFact[] = [{ label: say('date'), value: day(document.date) }]
  const add = (key: string, value: string | undefined) =>
    value !== undefined && facts.push({ label: say(key), value })
  add('due', document.dueDate && day(document.dueDate))
  add('validUntil', document.validUntil && day(document.validUntil))
  add('wantedBy', document.wantedBy && day(document.wantedBy))
  add('terms', document.terms && free(document.terms))
  add('yourOrder', document.customerReference && free(document.customerReference))
  if (document.credits) {
    add('creditOf', code(document.credits.number))
    add('creditOfDate', day(document.credits.date))
  }
  add('source', document.sources?.length ? document.sources.map(free).join(say('listComma')) : undefined)
  add('paidOn', payments && document.paidOn ? day(document.paidOn) : undefined)
  add('donationNumber', document.donationNumber && code(document.donationNumber))
  for (const fact of document.facts ?? []) facts.push({ label: free(fact.label), value: free(fact.value) })
  if (document.currency !== 'ILS') facts.push({ label: say('currency'), value: code(document.currency) })
  return facts
}

function noticeOf({ document }: PaperSource, say: Say, day: InDays): string | null {
  const { credits } = document
  if (document.cancelledBy !== undefined)
    return fill(say('cancelledBy'), { number: code(document.cancelledBy) })
  const rtl = document.language === 'he' || document.language === 'ar'
  const reasonOf = (reason: string | undefined) =>
    reason
      ? fill(say('creditReason'), { reason: freeText(reason.replace(/[.\s]+$/, ''), rtl ? 'rtl' : 'ltr') })
      : ''
  if (document.givesBack)
    return [say('givesBack'), reasonOf(document.givesBack.reason)].filter(isText).join(' ')
  if (!credits) return null
  const about = { title: say(`title.${credits.type}`), number: code(credits.number), date: day(credits.date) }
  return [
    credits.allocationNumber
      ? fill(say('creditNoticeAllocation'), {
          ...about,
          allocation: code(credits.allocationNumber.slice(-9)),
        })
      : fill(say('creditNotice'), about),
    reasonOf(credits.reason),
    credits.left === undefined
      ? ''
      : fill(say('creditLeft'), {
          sum: code(withCurrency(credits.left, document.currency, document.language)),
        }),
  ]
    .filter(isText)
    .join(' ')
}

const hasSku = (line: SourceLine) => isText(line.sku)

function columnsOf(
  { settings, variant, document }: PaperSource,
  lines: readonly SourceLine[],
  priced: boolean,
  say: Say,
): PaperColumn[] {
  const items = lines.filter((line) => line.kind !== 'heading')
  const layout = variant.layout ?? settings.layout ?? 'classic'
  const skuColumn =
    items.some(hasSku) && (layout === 'compact' || settings.skuColumn === true || isDelivery(document.type))
  const kinds = new Set(items.map((line) => line.vat))
  const wanted: [ColumnKey, string, boolean][] = [
    ['n', 'line', true],
    ['sku', 'sku', skuColumn],
    ['description', 'description', true],
    ['quantity', 'quantity', true],
    ['unit', 'quantity', items.some((line) => isText(line.unit))],
    ['ordered', 'ordered', items.some((line) => line.ordered !== undefined)],
    ['left', 'left', items.some((line) => line.left !== undefined)],
    ['price', 'unitPrice', priced],
    ['discount', 'discount', priced && items.some((line) => line.discount || line.discountSum)],
    ['vat', 'vat', priced && kinds.size > 1],
    ['total', 'total', priced],
  ]
  return wanted.filter(([, , shown]) => shown).map(([key, word]) => ({ key, label: say(word) }))
}

function linesOf(
  lines: readonly SourceLine[],
  rate: BasisPoints,
  priced: boolean,
  say: Say,
  percent: Percent,
  free: Free,
): PaperLine[] {
  let sum = 0
  let n = 0
  return lines.map((line) => {
    if (line.kind === 'heading') return { heading: true, name: free(line.name), carried: formatMoney(sum) }
    if (!line.optional) sum += line.total
    n += 1
    return {
      n: String(n),
      name: free(line.name),
      ...(line.text ? { text: free(line.text) } : {}),
      ...(line.sku ? { sku: line.sku } : {}),
      ...(line.optional && line.quantity === 0 ? {} : { quantity: formatQuantity(line.quantity) }),
      ...(line.unit ? { unit: free(line.unit) } : {}),
      ...(line.ordered === undefined ? {} : { ordered: formatQuantity(line.ordered) }),
      ...(line.left === undefined ? {} : { left: formatQuantity(line.left) }),
      ...(priced
        ? {
            ...(line.optional && line.unitPrice === 0 ? {} : { price: formatPrice(line.unitPrice) }),
            ...(line.discount
              ? { discount: percent(line.discount) }
              : line.discountSum
                ? { discount: formatMoney(line.discountSum) }
                : {}),
            vat: vatWord(line, rate, say, percent),
            ...(line.optional
              ? { total: say('option'), option: true as const }
              : { total: formatMoney(line.total) }),
          }
        : {}),
      carried: formatMoney(sum),
    }
  })
}

function vatWord(line: SourceLine, rate: BasisPoints, say: Say, percent: Percent): string {
  if (line.vat === 'exempt') return say('vat.exempt')
  if (line.vat === 'deposit') return say('vat.deposit')
  return code(percent(line.vat === 'zero' ? 0 : rate))
}

/** What the row of VAT is called: by what the lines are. A rate that no line bears is not printed. */
function vatLabel(
  { credits }: PaperSource['document'],
  { classes = [], vatRate = 0 }: NonNullable<PaperSource['totals']>,
  say: Say,
  percent: Percent,
): string {
  const [first, ...others] = classes
  const bearsNone = first !== undefined && !classes.some(({ kind }) => kind === 'standard')
  if (bearsNone && others.length === 0) return say(`class.${first.kind}`)
  const rate = code(percent(bearsNone ? 0 : vatRate))
  return fill(say(credits && !bearsNone ? 'vatOfOriginal' : 'vatRate'), { rate })
}

function totalsOf({ document, totals }: PaperSource, say: Say, percent: Percent): PaperSum[] {
  if (!totals) return []
  const rows: PaperSum[] = []
  const add = (label: string, amount: Agorot) =>
    rows.push({ label, value: formatMoney(amount), rank: 'plain' })
  const hasVat = totals.vat !== undefined
  const discounted = totals.discount !== undefined && totals.discount.amount !== 0
  if (discounted || (hasVat && totals.beforeVat !== totals.subtotal)) add(say('subtotal'), totals.subtotal)
  if (discounted) {
    const rate = totals.discount!.rate
    add(
      rate ? fill(say('documentDiscountRate'), { rate: code(percent(rate)) }) : say('documentDiscount'),
      -totals.discount!.amount,
    )
  }
  if (hasVat && totals.beforeVat !== undefined) add(say('beforeVat'), totals.beforeVat)
  if (hasVat) add(vatLabel(document, totals, say, percent), totals.vat)
  if (totals.rounding) add(say('rounding'), totals.rounding)
  const word: Partial<Record<DocumentTypeName, string>> = {
    creditInvoice: 'totalCredit',
    priceQuote: 'totalQuote',
    order: 'totalOrder',
    purchaseOrder: 'totalOrder',
    taxInvoice: 'totalDue',
    paymentRequest: 'totalDue',
    taxInvoiceReceipt: hasVat ? 'totalIncludingVat' : 'totalPlain',
  }
  rows.push({
    label: say(word[document.type] ?? 'totalPlain'),
    value: withCurrency(totals.total, document.currency, document.language),
    rank: 'grand',
  })
  return rows
}

function receiptTotals({ document, payments, totals }: PaperSource, say: Say): PaperSum[] {
  const rows: PaperSum[] = []
  if (payments?.withheld) {
    rows.push({ label: say('received'), value: formatMoney(payments.received), rank: 'plain' })
    const { rate, amount } = payments.withheld
    rows.push({
      label: rate
        ? fill(say('withheldRate'), { rate: code(formatPercent(rate, document.language)) })
        : say('withheld'),
      value: formatMoney(amount),
      rank: 'plain',
    })
  }
  if (payments?.difference)
    rows.push({
      label: say(payments.difference > 0 ? 'overpaid' : 'underpaid'),
      value: formatMoney(Math.abs(payments.difference)),
      rank: 'plain',
    })
  const total = payments?.credited ?? totals?.total ?? 0
  rows.push({
    label: say(payments?.withheld ? 'credited' : 'totalReceived'),
    value: withCurrency(total, document.currency, document.language),
    rank: 'grand',
  })
  return rows
}

function vatTableOf({ totals }: PaperSource, say: Say, percent: Percent): PaperTable | null {
  const classes = totals?.classes ?? []
  if (classes.length < 2) return null
  return {
    heading: say('vatHeading'),
    columns: [
      { label: say('vatKind'), kind: 'text' },
      { label: say('vatBase'), kind: 'number' },
      { label: say('rate'), kind: 'number' },
      { label: say('vat'), kind: 'number' },
    ],
    rows: classes.map((part) => ({
      cells: [
        say(`class.${part.kind}`),
        formatMoney(part.base),
        part.rate === undefined ? '–' : percent(part.rate),
        part.vat === undefined ? '–' : formatMoney(part.vat),
      ],
    })),
  }
}

function currencyTableOf(
  { document, totals }: PaperSource,
  say: Say,
  percent: Percent,
  day: InDays,
): PaperTable | null {
  const { exchange, currency } = document
  if (!exchange || !totals || currency === 'ILS') return null
  const [whole = '0', decimals = ''] = exchange.rate.split('.')
  const rate = code(`1 ${currency} = ${whole}.${decimals.padEnd(4, '0')} ILS`)
  return {
    heading: fill(say(headingOf(exchange)), exchange.date ? { rate, date: day(exchange.date) } : { rate }),
    columns: [
      { label: '', kind: 'text' },
      { label: currency, kind: 'number' },
      { label: 'ILS', kind: 'number' },
    ],
    rows: [
      {
        cells: [
          say('amountBeforeVat'),
          formatMoney(totals.beforeVat ?? totals.total),
          formatMoney(exchange.beforeVat),
        ],
      },
      {
        cells: [
          vatLabel({ ...document, credits: undefined }, totals, say, percent),
          formatMoney(totals.vat ?? 0),
          formatMoney(exchange.vat),
        ],
      },
      { cells: [say('totalPlain'), formatMoney(totals.total), formatMoney(exchange.total)], strong: true },
    ],
  }
}

/** A published rate names its publisher and its own day; one that a person wrote says so. */
function headingOf({ source, date }: NonNullable<PaperSource['document']['exchange']>): string {
  if (source === 'typed') return 'currencyHeadingTyped'
  if (!source || !date) return 'currencyHeadingPlain'
  return source === 'own' ? 'currencyHeadingOwn' : 'currencyHeading'
}

/**
 * What the money of a receipt is for: its lines. Without VAT their prices are what was paid and are printed; with VAT
 * they are before it and would contradict the amount received, and the document they belong to prints them.
 */
function soldTableOf({ lines, totals }: PaperSource, say: Say, free: Free): PaperTable | null {
  if (lines.length === 0) return null
  const priced = totals?.vatRate === undefined
  const items = lines.filter((line) => line.kind !== 'heading')
  const counted = items.some((line) => line.quantity !== 10_000)
  return {
    heading: say('soldHeading'),
    columns: [
      { label: say('description'), kind: 'text' },
      ...(counted ? [{ label: say('quantity'), kind: 'number' as const }] : []),
      ...(priced && counted ? [{ label: say('unitPrice'), kind: 'number' as const }] : []),
      ...(priced ? [{ label: say('total'), kind: 'number' as const }] : []),
    ],
    rows: lines.map((line) => {
      const isItem = line.kind !== 'heading'
      return {
        cells: [
          [line.unit ? `${line.name} (${line.unit})` : line.name, line.text]
            .filter(isText)
            .map(free)
            .join('\n'),
          ...(counted ? [isItem ? formatQuantity(line.quantity) : ''] : []),
          ...(priced && counted ? [isItem ? formatPrice(line.unitPrice) : ''] : []),
          ...(priced ? [isItem ? formatMoney(line.total) : ''] : []),
        ],
      }
    }),
  }
}

function paidTableOf({ payments }: PaperSource, say: Say, free: Free): PaperTable | null {
  const closes = payments?.closes ?? []
  if (closes.length === 0) return null
  return {
    heading: say('paidHeading'),
    columns: [
      { label: say('paidDocument'), kind: 'text' },
      { label: say('date'), kind: 'number' },
      { label: say('paidTotal'), kind: 'number' },
      { label: say('paidNow'), kind: 'number' },
    ],
    rows: closes.map((part) => ({
      cells: [
        free(part.document),
        part.date ? formatDay(part.date) : '',
        part.total === undefined ? '' : formatMoney(part.total),
        formatMoney(part.paid),
      ],
    })),
  }
}

function paymentsOf({ payments }: PaperSource, say: Say, free: Free): PaperPayments {
  return {
    heading: say('paymentsHeading'),
    columns: ['means', 'bank', 'branch', 'account', 'paymentNumber', 'paymentDue', 'sum'].map(say),
    rows: payments!.rows.map((row) => {
      const card = row.card && cardWords(row.card, say, free)
      const places = [row.bank, row.branch, row.account].some(isText)
      return {
        means: say(`means.${row.means}`),
        details: card ?? (row.details ? free(row.details) : places ? null : ''),
        bank: row.bank ?? '',
        branch: row.branch ?? '',
        account: row.account ?? '',
        number: row.number ?? '',
        due: row.due ? formatDay(row.due) : '',
        sum: formatMoney(row.amount),
      }
    }),
  }
}

function cardWords(card: NonNullable<SourcePayment['card']>, say: Say, free: Free): string {
  const instalments =
    (card.instalments ?? 1) > 1 ? [fill(say('instalments'), { count: code(String(card.instalments)) })] : []
  const brand = card.brand ? [free(card.brand)] : []
  const ending = card.lastDigits ? [fill(say('cardEnding'), { digits: code(card.lastDigits) })] : []
  return [...brand, ...ending, ...instalments].join(say('listComma'))
}

function slipPaymentsOf({ payments }: PaperSource, say: Say, free: Free): PaperFact[] {
  if (!payments) return []
  const rows = payments.rows.map((row) => ({
    label: row.card
      ? cardWords(row.card, say, free)
      : row.details
        ? free(row.details)
        : say(`means.${row.means}`),
    value: formatMoney(row.amount),
  }))
  if (payments.withheld) rows.push({ label: say('withheld'), value: formatMoney(payments.withheld.amount) })
  if (payments.change) rows.push({ label: say('change'), value: formatMoney(-payments.change) })
  return rows
}

function settledOf({ payments }: PaperSource, say: Say, percent: Percent): PaperSum[] {
  const { received, withheld, difference, credited } = payments!
  const rows: PaperSum[] = [{ label: say('received'), value: formatMoney(received), rank: 'strong' }]
  if (withheld)
    rows.push({
      label: withheld.rate
        ? fill(say('withheldRate'), { rate: code(percent(withheld.rate)) })
        : say('withheld'),
      value: formatMoney(withheld.amount),
      rank: 'plain',
    })
  if (difference)
    rows.push({
      label: say(difference > 0 ? 'overpaid' : 'underpaid'),
      value: formatMoney(Math.abs(difference)),
      rank: 'plain',
    })
  if (withheld || difference)
    rows.push({ label: say('credited'), value: formatMoney(credited), rank: 'strong' })
  return rows
}

function notesOf(
  { document }: PaperSource,
  say: Say,
  free: Free,
  isHebrew: boolean,
): { text: string; strong: boolean }[] {
  const law = (key: string, translated: string) => [
    { text: isHebrew ? say(`law.${key}`) : `\u2067${say(`law.${key}`)}\u2069`, strong: true },
    ...(isHebrew ? [] : [{ text: say(translated), strong: false }]),
  ]
  const state = document.allocation?.state
  return [
    ...(document.grounds ?? []).map((ground) => ({ text: say(`ground.${ground}`), strong: false })),
    ...(state === 'refused'
      ? law('refused', 'refused')
      : state === 'reverseCharge'
        ? law('reverseCharge', 'reverseCharge')
        : []),
    ...(document.type === 'paymentRequest' ? law('proforma', 'proforma') : []),
    ...(document.type === 'donationReceipt'
      ? [
          document.section46
            ? { text: free(document.section46), strong: true }
            : { text: isHebrew ? say('section46') : `\u2067${say('section46')}\u2069`, strong: true },
        ]
      : []),
    ...(document.notesBelow ?? []).filter(isText).map((text) => ({ text: free(text), strong: false })),
  ]
}

function payPanelOf(
  { business, settings }: PaperSource,
  say: Say,
  number: string | null,
  free: Free,
): DocumentPaper['pay'] {
  const rows = payRowsOf(business, settings, number, say, free)
  if (rows.length === 0) return null
  return { heading: say('payHeading'), rows, ...payLinkOf(settings, say) }
}

/** As wide as the panel beside its picture; a longer address would run over both. */
const longestInPanel = 34
const addressOf = (url: string): string => url.replace(/^https?:\/\//i, '')

/** The address at which it is paid, as a picture, and in letters where the panel has no room for them. */
export function payLinkOf(
  { payLink, showQr }: PaperSettings,
  say: Say,
): Pick<NonNullable<DocumentPaper['pay']>, 'link' | 'qr'> {
  if (!payLink) return { link: null, qr: null }
  return {
    link:
      addressOf(payLink).length > longestInPanel
        ? {
            label: say('payOnline'),
            value: link(payLink),
            url: /^https?:/i.test(payLink) ? payLink : `https://${payLink}`,
          }
        : null,
    qr: showQr === false ? null : qrOf(payLink),
  }
}

/** Bank, account, reference and link: only those there are. */
export function payRowsOf(
  { bank, bankDetails, iban, swift }: SourceBusiness,
  settings: PaperSettings,
  number: string | null,
  say: Say,
  free: Free,
): PaperFact[] {
  const rows: PaperFact[] = []
  if (bank && settings.showBank !== false) {
    rows.push({
      label: say('payTransfer'),
      value: fill(say('payBank'), { bank: code(bank.bank), branch: code(bank.branch) }),
    })
    if (bank.iban === undefined) rows.push({ label: say('account'), value: code(bank.account) })
    if (bank.swift) rows.push({ label: 'SWIFT', value: code(bank.swift) })
    if (bank.iban) rows.push({ label: 'IBAN', value: code(bank.iban) })
  } else if (settings.showBank !== false) {
    const lines = (bankDetails ?? '').split('\n').flatMap((text) => text.trim() || [])
    rows.push(...lines.map((text, at) => ({ label: at === 0 ? say('payTransfer') : '', value: free(text) })))
    for (const { label, value } of accountRows({ bankDetails, iban, swift }))
      rows.push({ label, value: code(value) })
  }
  if (rows.length > 0 && number !== null) rows.push({ label: say('payReference'), value: code(number) })
  if (settings.payLink) {
    const address = addressOf(settings.payLink)
    rows.push({
      label: say('payOnline'),
      value: link(address.length > longestInPanel ? address.split('/')[0]! : address),
    })
  }
  return rows
}

function signatureOf(
  { document, settings }: PaperSource,
  say: Say,
  number: string | null,
  free: Free,
): DocumentPaper['signature'] {
  if (!settings.signatureBox) return null
  const kind = document.type === 'creditInvoice' ? 'credit' : isDelivery(document.type) ? 'delivery' : 'quote'
  const sentence = fill(say(`sign.${kind}Sentence`), { number: code(number ?? '') })
  const online =
    kind === 'quote' && settings.acceptLink
      ? ' ' + fill(say('sign.quoteOnline'), { link: link(settings.acceptLink) })
      : ''
  const given = settings.signedBy
  const at = given && momentInJerusalem(given.at)
  return {
    heading: say(`sign.${kind}Heading`),
    sentence: sentence + online,
    lines: [
      { label: say('sign.name'), value: given ? free(given.name) : null },
      { label: say('sign.date'), value: at ? `${code(formatDay(at.day))} ${code(at.time)}` : null },
      { label: say('sign.signature'), value: null },
    ],
  }
}

/** Rows of '0' and '1', level M, without a border: the paper adds its own quiet zone. */
export function qrOf(address: string): string[] {
  const text = /^[a-z]+:/i.test(address) ? address : `https://${address}`
  return encode(text, { ecc: 'M', border: 0 }).data.map((row) =>
    row.map((dark) => (dark ? '1' : '0')).join(''),
  )
}
