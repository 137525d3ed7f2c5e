import { typeFacts } from '#domain/documents/facts.ts'
import { paymentMeans, paymentMeansById } from '#domain/documents/kinds.ts'
import { ownDetails } from '#domain/documents/paymentDetails.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { addDays } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { checkUniform } from '#domain/filings/uniform/check.ts'
import { documentKey, headFinder, plainNumber } from '#domain/filings/uniform/heads.ts'
import { countedCodes, hasPayments } from '#domain/filings/uniform/layout.ts'
import {
  amount,
  countRecords,
  Faults,
  text,
  type UniformFile,
  type UniformRecord,
} from '#domain/filings/uniform/read.ts'
import { splitByLargestRemainder } from '#domain/money.ts'
import { normaliseTaxId } from '#domain/taxId.ts'
import {
  specialAccounts,
  type CardRole,
  type Choices,
  type Parity,
  type SpecialAccount,
} from '../endpoints.ts'
import { groupBy } from './groups.ts'
import type { Told } from './records.ts'
import { software } from './software.ts'

/** Whose number it is, as the file tells it. An empty numeric field is all zeros: nobody has that number. */
function dealerNumberOf(
  record: UniformRecord,
  field: 'customerDealerNumber' | 'partnerDealerNumber',
): string | undefined {
  const number = normaliseTaxId(text(record, field))
  return number === '000000000' ? undefined : number
}

/*
 * What a uniform file of another program would become here: pure reading, nothing is written. The dry run
 * shows it and the import carries it out, so that the two cannot differ.
 */

export interface PlannedCard {
  key: string
  name: string
  role: CardRole
  /** Which of our own accounts it is. */
  special?: SpecialAccount
  sortCode: string
  code6111: string
  street: string
  city: string
  zip: string
  country: string
  phone: string
  taxId: string | null
  opening: number
  said: number | undefined
  found: number
}

interface PlannedLine {
  sku: string
  description: string
  unit: string
  /** Decimal text. */
  quantity: string
  unitPrice: string
  /** By percent where one says it exactly, else by sum. */
  discountBp: number
  discountAgorot: number
  vatBp: number
  amount: number
  share: number
  net: number
  vat: number
  baseKey: string | null
}

interface PlannedPayment {
  means: number
  amount: number
  day: string
  bank: string
  branch: string
  account: string
  number: string
  cardBrand: string
}

export interface PlannedDocument {
  line: number
  code: number
  /** As it is in the file. */
  numberText: string
  letters: string
  number: number
  /** Our numeric id of its type; null when we keep no such kind. */
  type: number | null
  key: string
  day: string
  issuedDay: string
  issuedTime: string
  dueDay: string
  cardKey: string
  customer: {
    name: string
    street: string
    city: string
    zip: string
    country: string
    phone: string
    taxId: string
  }
  branch: string
  subtotal: number
  discount: number
  net: number
  vat: number
  total: number
  isCancelled: boolean
  lines: PlannedLine[]
  payments: PlannedPayment[]
  /** What of it is left open: positive owed to us, negative to the customer's credit. */
  open: number
  /** How the amount that it left open changed, by days, until it was `open`. */
  closed: { day: string; agorot: number }[]
  records: string[]
}

interface PlannedEntry {
  line: number
  day: string
  valueDay: string
  kind: string
  reference: string
  details: string
  documentKey: string | null
  lines: { key: string; amount: number }[]
  /** What is missing for the two sides to be equal. */
  difference: number
  /** Batch and match numbers, kept as the file told them; null where it told none. */
  told: Told | null
}

interface PlannedItem {
  sku: string
  name: string
  unit: string
  barcode: string
  cost: string | null
}

export interface Plan {
  cards: Map<string, PlannedCard>
  documents: PlannedDocument[]
  entries: PlannedEntry[]
  items: PlannedItem[]
  /** By card key: what of its balance no document explains. */
  openingItems: Map<string, number>
  /** The last day before the file, when its opening balances stood. */
  openingDay: string
  from: string
  to: string
  isOurs: boolean
  parity: Parity
}

/** Our type by the code of appendix 1; what is missing is kept as it stood, beside the documents. */
const typeOfCode: Readonly<Record<number, number>> = {
  100: 2,
  200: 3,
  205: 3,
  210: 4,
  300: 5,
  305: 8,
  310: 8,
  320: 9,
  330: 10,
  400: 6,
  405: 11,
  500: 7,
  600: 13,
}
const meansOf: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 4, 4: 3 }
const withheldTax = 7

const specialByName: readonly (readonly [SpecialAccount, RegExp])[] = [
  ['inputVatFixedAssets', /מע"?מ.*(ציוד|נכסים|רכוש)/],
  ['inputVat', /מע"?מ.*(תשומות|תשומה)|תשומות.*מע"?מ/],
  ['vatSettlement', /מע"?מ.*(חו"?ז|ריכוז|לתשלום|סליקה|שוטף)|חו"?ז.*מע"?מ/],
  ['outputVat', /מע"?מ.*(עסקאות|עיסקאות|מכירות)|^מע"?מ$/],
  ['withheldByCustomers', /(ניכוי|מס|נוכה).*לקוחות|ניכוי.*מס.*ממנו/],
  ['withheldFromSuppliers', /(ניכוי|מס|נוכה).*ספקים/],
  ['cheques', /שיקים|צ'?קים|המחאות/],
  ['cardClearing', /כרטיסי אשראי|סליקת אשראי|חברות אשראי/],
  ['rounding', /עיגול/],
  ['openingBalances', /יתרו?ת פתיחה/],
  ['cash', /^קופ|מזומ[ןנ]/],
  ['bank', /בנק/],
]

const roleWords: readonly (readonly [CardRole, RegExp])[] = [
  ['customers', /לקוחות|customers?/i],
  ['suppliers', /ספקים|suppliers?|vendors?/i],
  ['income', /הכנס|מכירות|income|revenue/i],
  ['expense', /הוצא|עלות|קניות|הנהלה|שכר|מימון|expenses?|cost/i],
  ['equity', /הון|עודפים|מניות|בעלים|equity|capital/i],
  ['liability', /התחייב|הלווא|הלוואות|זכאים|מוסדות|liabilit|payable/i],
  [
    'asset',
    /נכס|רכוש|ציוד|בנק|קופ|מזומ[ןנ]|מלאי|חייבים|שיקים|פיקדו[ןנ]|פקדו[ןנ]|עו"?ש|assets?|cash|bank|deposit/i,
  ],
]

/** Programs fill a code that they do not have with nines. */
const filler6111 = 9999

function roleOf6111(code: string): CardRole | undefined {
  const n = Number(code)
  if (!n || n === filler6111) return undefined
  if (n === 7310) return 'customers'
  if (n === 9210 || n === 9220) return 'suppliers'
  if (n < 1300) return 'income'
  if (n < 5000) return 'expense'
  if (n >= 5100 && n < 5600) return 'income'
  if (n < 7000) return 'expense'
  if (n < 9000) return 'asset'
  return n >= 9900 ? 'equity' : 'liability'
}

export function planOf(file: UniformFile, choices: Choices, debtOf: (type: number) => number): Plan {
  const { ini, records } = file
  const isOurs = String(ini?.softwareName ?? '') === software.name
  const cards = readCards(records)
  const salesKeys = new Set<string>()
  const purchaseKeys = new Set<string>()
  for (const record of records) {
    if (record.code !== 'C100') continue
    const key = text(record, 'customerKey')
    const code = Number(text(record, 'documentType'))
    if (key) (code >= 500 ? purchaseKeys : salesKeys).add(key)
  }
  const sorts = sortRoles(records, cards, salesKeys, purchaseKeys, choices)
  const parents = new Map(
    records.flatMap((record): [string, string][] =>
      record.code === 'B110' ? [[text(record, 'accountKey'), text(record, 'parentAccount')]] : [],
    ),
  )
  const controls = new Set(parents.values())
  /** Sort codes whose customers or suppliers name the account that holds them together. */
  const held = new Set(
    [...cards.values()].flatMap(({ key, sortCode }) => (parents.get(key) ? [sortCode] : [])),
  )
  for (const card of cards.values()) {
    const role = sorts.get(card.sortCode)!.role
    const isParty = role === 'customers' || role === 'suppliers'
    const isUsed = salesKeys.has(card.key) || purchaseKeys.has(card.key)
    // Whatever its sort code, the control account itself is no customer, and neither is an account beside it, such as the
    // one a revaluation of their balances is posted to.
    const isAccount = controls.has(card.key) || (held.has(card.sortCode) && !parents.get(card.key))
    if (isParty && isAccount && !isUsed) card.role = role === 'customers' ? 'asset' : 'liability'
    else if (!isParty && !choices.sorts[card.sortCode] && salesKeys.has(card.key)) card.role = 'customers'
    else card.role = role
  }
  nameSpecials(cards, choices, isOurs)
  const cardKeyOf = cardFinder(cards)
  // Who has documents and no card in the books is a customer all the same.
  for (const record of records) {
    if (record.code !== 'C100') continue
    const key = cardKeyOf(record)
    const code = Number(text(record, 'documentType'))
    if (key && !cards.has(key) && typeOfCode[code])
      cards.set(key, partyOf(record, key, code >= 500 ? 'suppliers' : 'customers'))
    const card = cards.get(key)
    if (card && !card.phone) card.phone = text(record, 'phone')
    if (card && !card.taxId) card.taxId = dealerNumberOf(record, 'customerDealerNumber') ?? null
  }

  const faults = checkUniform(file, new Faults(40))
  const documents = readDocuments(records, cardKeyOf, faults)
  const entries = readEntries(records, cards, faults)
  for (const { lines } of entries) for (const { key, amount: sum } of lines) cards.get(key)!.found += sum

  const days = [...documents.map(({ day }) => day), ...entries.map(({ day }) => day)]
    .filter(Boolean)
    .toSorted()
  const from =
    String(ini?.rangeStart || (ini?.taxYear && Number(ini.taxYear) ? `${String(ini.taxYear)}-01-01` : '')) ||
    days[0] ||
    '2000-01-01'
  const to =
    String(ini?.rangeEnd || (ini?.taxYear && Number(ini.taxYear) ? `${String(ini.taxYear)}-12-31` : '')) ||
    days.at(-1) ||
    from
  const openingItems = openItems(cards, documents, debtOf)
  const items = readItems(records)
  return {
    cards,
    documents,
    entries,
    items,
    openingItems,
    openingDay: addDays([from, days[0] ?? from].toSorted()[0]!, -1),
    from,
    to,
    isOurs,
    parity: parityOf(file, { cards, documents, entries, items, openingItems, sorts, from, to, faults }),
  }
}

function readCards(records: UniformRecord[]): Map<string, PlannedCard> {
  const cards = new Map<string, PlannedCard>()
  for (const record of records) {
    if (record.code !== 'B110') continue
    const key = text(record, 'accountKey')
    if (!key) continue
    const opening = amount(record, 'openingBalance')
    const said = opening + amount(record, 'totalDebit') - amount(record, 'totalCredit')
    const before = cards.get(key)
    if (before) {
      // The same card once more, as files of several branches have it.
      before.opening += opening
      before.found += opening
      before.said = (before.said ?? 0) + said
      continue
    }
    cards.set(key, {
      key,
      name: text(record, 'accountName') || key,
      role: 'asset',
      sortCode: text(record, 'sortCode'),
      code6111: /^\d{3,4}$/.test(plainNumber(text(record, 'form6111Code')))
        ? plainNumber(text(record, 'form6111Code'))
        : '',
      street: [text(record, 'street'), text(record, 'house')].filter(Boolean).join(' '),
      city: text(record, 'city'),
      zip: text(record, 'zip'),
      country: text(record, 'country'),
      phone: '',
      taxId: dealerNumberOf(record, 'partnerDealerNumber') ?? null,
      opening,
      said,
      found: opening,
    })
  }
  for (const record of records) {
    if (record.code !== 'B100') continue
    const key = text(record, 'account')
    if (key && !cards.has(key)) cards.set(key, bareCard(key, key))
  }
  return cards
}

const bareCard = (key: string, name: string): PlannedCard => ({
  key,
  name,
  role: 'asset',
  sortCode: '',
  code6111: '',
  street: '',
  city: '',
  zip: '',
  country: '',
  phone: '',
  taxId: null,
  opening: 0,
  said: undefined,
  found: 0,
})

/**
 * The customer of a document. Where the file gives no key, documents of one name belong to one customer: the one
 * whose card alone has that name in the books, if there is one.
 */
function cardFinder(cards: Map<string, PlannedCard>): (record: UniformRecord) => string {
  const byName = new Map<string, string | null>()
  const named = (role: CardRole, name: string) => `${role} ${name}`
  for (const { key, name, role } of cards.values()) {
    if (role !== 'customers' && role !== 'suppliers') continue
    const at = named(role, name)
    byName.set(at, byName.has(at) ? null : key)
  }
  return (record) => {
    const key = text(record, 'customerKey')
    if (key) return key
    const name = text(record, 'customerName')
    const role = Number(text(record, 'documentType')) >= 500 ? 'suppliers' : 'customers'
    return byName.get(named(role, name)) ?? name.slice(0, 15)
  }
}

function partyOf(record: UniformRecord, key: string, role: 'customers' | 'suppliers'): PlannedCard {
  return {
    ...bareCard(key, text(record, 'customerName') || key),
    role,
    street: [text(record, 'street'), text(record, 'house')].filter(Boolean).join(' '),
    city: text(record, 'city'),
    zip: text(record, 'zip'),
    country: text(record, 'country'),
    phone: text(record, 'phone'),
    taxId: dealerNumberOf(record, 'customerDealerNumber') ?? null,
  }
}

interface Sort {
  role: CardRole
  name: string
  accounts: number
  example: string
  sure: boolean
}

/**
 * What each sort code holds: as chosen, or by what its cards do, its name, the codes of form 6111, and at
 * last by the side of its balance.
 */
function sortRoles(
  records: UniformRecord[],
  cards: Map<string, PlannedCard>,
  salesKeys: Set<string>,
  purchaseKeys: Set<string>,
  choices: Choices,
): Map<string, Sort> {
  const names = new Map<string, string>()
  for (const record of records)
    if (record.code === 'B110') names.set(text(record, 'sortCode'), text(record, 'sortCodeName'))
  const parents = new Map<string, string>()
  for (const record of records)
    if (record.code === 'B110') parents.set(text(record, 'accountKey'), text(record, 'parentAccount'))
  const sorts = new Map<string, Sort>()
  for (const [code, some] of groupBy(cards.values(), (card) => card.sortCode)) {
    const share = (keys: Set<string>) => some.filter(({ key }) => keys.has(key)).length / some.length
    const control = some.map(({ key }) => parents.get(key)).find(Boolean)
    const byParent: CardRole | undefined =
      control === systemAccounts.customers
        ? 'customers'
        : control === systemAccounts.suppliers
          ? 'suppliers'
          : undefined
    const byUse: CardRole | undefined =
      share(salesKeys) >= 0.3 ? 'customers' : share(purchaseKeys) >= 0.3 ? 'suppliers' : undefined
    const title = names.get(code) ?? ''
    const byName = roleWords.find(([, words]) => words.test(title))?.[0]
    const codes = some.map((card) => roleOf6111(card.code6111)).filter((role) => role !== undefined)
    const by6111 = codes[0]
    const sum = some.reduce((all, card) => all + card.found, 0)
    const chosen = choices.sorts[code]
    sorts.set(code, {
      role: chosen ?? byParent ?? byUse ?? byName ?? by6111 ?? (sum < 0 ? 'liability' : 'asset'),
      name: title,
      accounts: some.length,
      example: some[0]!.name,
      sure: Boolean(chosen ?? byParent ?? byUse ?? byName ?? by6111),
    })
  }
  return sorts
}

function nameSpecials(cards: Map<string, PlannedCard>, choices: Choices, isOurs: boolean): void {
  const free = [...cards.values()].filter(({ role }) => role !== 'customers' && role !== 'suppliers')
  for (const name of specialAccounts) {
    const key = choices.accounts[name]
    if (key === undefined) continue
    const card = key ? cards.get(key) : undefined
    if (card && card.role !== 'customers' && card.role !== 'suppliers') card.special = name
  }
  for (const [name, words] of specialByName) {
    if (choices.accounts[name] !== undefined) continue
    const found = isOurs
      ? free.find(({ key, special }) => !special && key === systemAccounts[name])
      : free.find(({ name: title, special }) => !special && words.test(title))
    if (found) found.special = name
  }
}

function readDocuments(
  records: UniformRecord[],
  cardKeyOf: (record: UniformRecord) => string,
  faults: Faults,
): PlannedDocument[] {
  const documents = new Map<string, PlannedDocument>()
  const byHeader = new Map<UniformRecord, PlannedDocument>()
  const taken = new Set<string>()
  const voids = new Set<string>()
  for (const record of records) {
    if (record.code !== 'C100') continue
    const code = Number(text(record, 'documentType'))
    const numberText = text(record, 'documentNumber')
    const [, before = '', figures = ''] = /^(.*?)(\d{1,15})$/.exec(numberText) ?? []
    const letters = before.replace(/^0+$/, '').slice(0, 12)
    const branch = text(record, 'branch').replace(/^0+$/, '')
    const day = text(record, 'documentDate') || text(record, 'issueDate')
    let type = typeOfCode[code] ?? null
    const series = `${type}|${branch}|${letters}|${Number(figures)}`
    if (type !== null && (!figures || !day || taken.has(series))) {
      faults.add(record.line, 'kept', { type: code, number: numberText })
      type = null
    }
    taken.add(series)
    const net = amount(record, 'netAmount')
    const key = documentKey(record)
    const document: PlannedDocument = {
      line: record.line,
      code,
      numberText,
      letters,
      number: Number(figures),
      type,
      key,
      day: day || '2000-01-01',
      issuedDay: text(record, 'issueDate') || day || '2000-01-01',
      issuedTime: text(record, 'issueTime').padStart(4, '0'),
      dueDay: text(record, 'valueDate') || day,
      cardKey: cardKeyOf(record),
      customer: {
        name: text(record, 'customerName'),
        street: [text(record, 'street'), text(record, 'house')].filter(Boolean).join(' '),
        city: text(record, 'city'),
        zip: text(record, 'zip'),
        country: text(record, 'country'),
        phone: text(record, 'phone'),
        taxId: dealerNumberOf(record, 'customerDealerNumber') ?? '',
      },
      branch,
      subtotal: amount(record, 'beforeDiscount'),
      discount: -amount(record, 'discount'),
      net,
      vat: amount(record, 'vat'),
      total: amount(record, 'total'),
      isCancelled: text(record, 'cancelled') === '1',
      lines: [],
      payments: [],
      open: 0,
      closed: [],
      records: [record.text],
    }
    const withholding = withholdingOf(record, document, voids)
    if (hasPayments(code) && withholding !== 0) {
      // What the customer withheld closes the debt like money.
      document.payments.push({
        means: withheldTax,
        amount: withholding,
        day: document.day,
        bank: '',
        branch: '',
        account: '',
        number: '',
        cardBrand: '',
      })
      if (typeFacts(type).mayBeIncome) document.total += withholding
    }
    byHeader.set(record, document)
    if (documents.has(key)) documents.set(`${key}|${record.line}`, document)
    else documents.set(key, document)
  }
  const headOf = headFinder(records)
  for (const record of records) {
    if (record.code !== 'D110' && record.code !== 'D120') continue
    const head = headOf(record)
    const document = head && byHeader.get(head)
    if (!document) continue
    document.records.push(record.text)
    if (record.code === 'D110') document.lines.push(lineOf(record))
    else if (amount(record, 'amount') !== 0) document.payments.push(paymentOf(record, document.day))
  }
  for (const document of documents.values()) finish(document)
  return [...documents.values()]
}

/**
 * What a receipt says was withheld, with the sign of its money: the file gives it none. Of cancelled receipts for
 * withheld tax alone the second of a pair took the first back.
 */
function withholdingOf(record: UniformRecord, document: PlannedDocument, voids: Set<string>): number {
  const said = amount(record, 'withholding')
  if (document.total !== 0 || !document.isCancelled) return document.total < 0 ? -Math.abs(said) : said
  const pair = `${document.cardKey}|${said}`
  if (voids.delete(pair)) return -said
  voids.add(pair)
  return said
}

/** Ten-thousandths as decimal text. */
const decimal = (n: number, places: number): string => {
  const size = String(Math.abs(n)).padStart(places + 1, '0')
  return `${n < 0 ? '-' : ''}${size.slice(0, -places)}.${size.slice(-places)}`
}

function lineOf(record: UniformRecord): PlannedLine {
  const quantity = amount(record, 'quantity')
  const price = amount(record, 'unitPrice')
  const list = (quantity * price) / 10_000
  const base = Number(text(record, 'baseDocumentType'))
  return {
    sku: text(record, 'internalSku'),
    description: text(record, 'description') || '-',
    unit: text(record, 'unit'),
    quantity: decimal(quantity, 4),
    unitPrice: decimal(price, 2),
    ...discountOf(list, -amount(record, 'discount')),
    vatBp: Math.min(10_000, Number(text(record, 'vatRate')) || 0),
    amount: amount(record, 'total'),
    share: 0,
    net: 0,
    vat: 0,
    // Programs that name no branch for it mean the paper's own.
    baseKey: base
      ? `${base}|${text(record, 'baseBranch') || text(record, 'branch')}|${plainNumber(text(record, 'baseDocumentNumber'))}`
      : null,
  }
}

/**
 * What was taken off a list price in agorot: a percentage that gives it to the agora, or the sum. A
 * supplement is neither.
 */
function discountOf(list: number, discount: number): Pick<PlannedLine, 'discountBp' | 'discountAgorot'> {
  const none = { discountBp: 0, discountAgorot: 0 }
  if (!list || discount / list <= 0 || Math.abs(discount) > Math.abs(list)) return none
  const discountBp = Math.round((discount / list) * 10_000)
  return Math.round((list * discountBp) / 10_000) === discount
    ? { ...none, discountBp }
    : { ...none, discountAgorot: Math.abs(discount) }
}

function paymentOf(record: UniformRecord, day: string): PlannedPayment {
  const figures = (name: string, most: number) =>
    plainNumber(text(record, name).replace(/\D/g, '')).replace(/^0$/, '').slice(-most)
  const means = meansOf[Number(text(record, 'paymentMethod'))] ?? paymentMeans.other
  return {
    means,
    amount: amount(record, 'amount'),
    day: text(record, 'dueDate') || day,
    bank: '',
    branch: '',
    account: '',
    number: '',
    cardBrand: '',
    // A program may fill the fields of a cheque for any method; what does not belong to it is left out.
    ...ownDetails(paymentMeansById(means)!, {
      bank: figures('bank', 3),
      branch: figures('branchOfBank', 4),
      account: figures('account', 20),
      number: figures('chequeNumber', 20),
      cardBrand: text(record, 'cardName'),
    }),
  }
}

const split = (total: number, weights: number[]): number[] => {
  const sign = total < 0 ? -1 : 1
  const sizes = weights.map(Math.abs)
  if (!sizes.some(Boolean)) return weights.map((_, i) => (i ? 0 : total))
  return splitByLargestRemainder(Math.abs(total), sizes).map((part) => part * sign)
}

/**
 * Distributes discount and VAT over the lines; a document without lines gets one, so that its subject is printed.
 */
function finish(document: PlannedDocument): void {
  const { lines, type } = document
  const isMoney = typeFacts(type).mayBeIncome
  if (type !== null && !isMoney && !lines.length)
    lines.push({
      sku: '',
      description: document.customer.name || '-',
      unit: '',
      quantity: '1.0000',
      unitPrice: decimal(document.subtotal, 2),
      discountBp: 0,
      discountAgorot: 0,
      vatBp: document.net
        ? Math.min(10_000, Math.max(0, Math.round((document.vat / document.net) * 10_000)))
        : 0,
      amount: document.subtotal,
      share: 0,
      net: 0,
      vat: 0,
      baseKey: null,
    })
  if (!lines.length) return
  const shares = split(
    document.discount,
    lines.map((line) => line.amount),
  )
  lines.forEach((line, i) => {
    line.share = shares[i]!
    line.net = line.amount - line.share
  })
  const taxed = lines.filter((line) => line.vatBp > 0)
  // A file that names no rate on its lines has its VAT on all of them.
  const bearing = taxed.length ? taxed : document.vat ? lines : []
  const rate =
    Math.max(...bearing.map((line) => line.vatBp), 0) ||
    (document.net ? Math.round((document.vat / document.net) * 10_000) : 0)
  split(
    document.vat,
    bearing.map((line) => line.net),
  ).forEach((vat, i) => {
    bearing[i]!.vat = vat
    bearing[i]!.vatBp ||= Math.min(10_000, Math.max(0, rate))
  })
}

/** Zeros mean nothing is given. */
const plainDigits = (digits: string): string => digits.replace(/^0+/, '')

/**
 * The day of each line of the journal. One without a day is on the day of the line before, or of the next that has
 * one.
 */
function daysOf(rows: readonly UniformRecord[]): {
  dayOf: Map<UniformRecord, string>
  taken: Set<UniformRecord>
} {
  const said = rows.map(
    (record) => text(record, 'date') || text(record, 'valueDate') || text(record, 'entryDate'),
  )
  const dayOf = new Map<UniformRecord, string>()
  const taken = new Set<UniformRecord>()
  let last = said.find(Boolean) ?? ''
  for (const [i, record] of rows.entries()) {
    if (!said[i]) taken.add(record)
    last = said[i] || last
    dayOf.set(record, last)
  }
  return { dayOf, taken }
}

function readEntries(
  records: UniformRecord[],
  cards: Map<string, PlannedCard>,
  faults: Faults,
): PlannedEntry[] {
  const rows = records.filter((record) => record.code === 'B100')
  const { dayOf, taken } = daysOf(rows)
  const entries: PlannedEntry[] = []
  const sideOf = (record: UniformRecord) =>
    (text(record, 'debitCredit') === '2' ? -1 : 1) * amount(record, 'amount')
  const make = (some: UniformRecord[]) => {
    const first = some[0]!
    const posted = some.filter((record) => sideOf(record) !== 0 && cards.has(text(record, 'account')))
    const lines = posted.map((record) => ({ key: text(record, 'account'), amount: sideOf(record) }))
    const batch = plainDigits(text(first, 'batch'))
    const matches = posted.map((record): [string, string] => [text(record, 'match1'), text(record, 'match2')])
    const type = Number(text(first, 'referenceType'))
    const reference = text(first, 'reference')
    const day = dayOf.get(first) ?? ''
    if (!lines.length || !day) return
    if (taken.has(first))
      faults.add(first.line, 'dayTaken', {
        number: plainDigits(text(first, 'transaction')),
        day: formatDay(day),
      })
    entries.push({
      line: first.line,
      day,
      valueDay: text(first, 'valueDate') || day,
      kind: text(first, 'transactionType'),
      reference,
      details: text(first, 'details'),
      documentKey: type && reference ? `${type}|${text(first, 'branch')}|${plainNumber(reference)}` : null,
      lines,
      difference: -lines.reduce((sum, line) => sum + line.amount, 0),
      told: batch || matches.some((one) => one.some(Boolean)) ? { batch, matches } : null,
    })
  }
  // Lines of one transaction belong together; programs that balance by batch give each line a transaction of
  // its own.
  const groups = groupBy(
    rows,
    (record) =>
      `${Number(text(record, 'batch'))}|${Number(text(record, 'transaction'))}|${text(record, 'branch')}`,
  )
  const loose: UniformRecord[] = []
  for (const group of groups.values()) {
    const days = groupBy(group, (record) => text(record, 'date'))
    const balances = (some: UniformRecord[]) => some.reduce((sum, record) => sum + sideOf(record), 0) === 0
    if (days.size > 1 && [...days.values()].every(balances)) for (const some of days.values()) make(some)
    else if (balances(group)) make(group)
    else loose.push(...group)
  }
  for (const batch of groupBy(
    loose,
    (record) => `${Number(text(record, 'batch'))}|${text(record, 'date')}`,
  ).values())
    make(batch)
  return entries.toSorted((a, b) => a.line - b.line)
}

function readItems(records: UniformRecord[]): PlannedItem[] {
  const items = new Map<string, PlannedItem>()
  for (const record of records) {
    if (record.code !== 'M100') continue
    const sku = text(record, 'internalSku').slice(0, 40)
    const cost = Number(text(record, 'closingCost') || 0)
    if (sku && !items.has(sku))
      items.set(sku, {
        sku,
        name: text(record, 'itemName') || sku,
        unit: text(record, 'unit'),
        barcode: text(record, 'universalSku'),
        cost: cost ? decimal(cost, 2) : null,
      })
  }
  return [...items.values()]
}

/**
 * A uniform file does not say which receipt paid which invoice. A card's balance is what is open, so the
 * newest debts make it up: money closed the oldest. What no document explains is one opening item. Answers
 * those by card.
 */
function openItems(
  cards: Map<string, PlannedCard>,
  documents: PlannedDocument[],
  debtOf: (type: number) => number,
): Map<string, number> {
  const items = new Map<string, number>()
  const byCard = groupBy(
    documents.filter(({ type, isCancelled }) => type !== null && !isCancelled),
    ({ cardKey }) => cardKey,
  )
  for (const card of cards.values()) {
    if (card.role !== 'customers' && card.role !== 'suppliers') continue
    let left = card.found
    const side = Math.sign(left)
    const some = card.role === 'customers' ? (byCard.get(card.key) ?? []) : []
    for (const document of some.toSorted((a, b) =>
      a.day === b.day ? b.line - a.line : a.day < b.day ? 1 : -1,
    )) {
      const effect = debtOf(document.type!) * document.total
      if (left === 0) break
      if (Math.sign(effect) !== side) continue
      document.open = side * Math.min(Math.abs(effect), Math.abs(left))
      left -= document.open
    }
    if (left !== 0) items.set(card.key, left)
    closeByDay(some, (document) => debtOf(document.type!) * document.total)
  }
  return items
}

/**
 * The day on which the documents of a customer were closed, so that the debt on a past day equals the card: money
 * closes the oldest debts from the day on which both are there. What that leaves beside what is open by the card,
 * because the journal moved it without a document, is closed with the last of them.
 */
function closeByDay(
  documents: readonly PlannedDocument[],
  effectOf: (document: PlannedDocument) => number,
): void {
  interface Waiting {
    document: PlannedDocument
    left: number
  }
  const close = (waiting: Waiting, agorot: number, day: string) => {
    waiting.left += agorot
    waiting.document.closed.push({ day, agorot })
  }
  const all = documents
    .toSorted((a, b) => (a.day === b.day ? a.line - b.line : a.day < b.day ? -1 : 1))
    .map((document): Waiting => ({ document, left: effectOf(document) }))
  /** Debts and money that wait, the oldest first, from the first that is not closed. */
  const waiting = { debts: [] as Waiting[], money: [] as Waiting[] }
  const first = { debts: 0, money: 0 }
  for (const one of all) {
    const [own, others] = one.left > 0 ? (['debts', 'money'] as const) : (['money', 'debts'] as const)
    for (; one.left !== 0 && first[others] < waiting[others].length;) {
      const other = waiting[others][first[others]]!
      const agorot = Math.sign(one.left) * Math.min(Math.abs(one.left), Math.abs(other.left))
      close(one, -agorot, one.document.day)
      close(other, agorot, one.document.day)
      if (other.left === 0) first[others]++
    }
    if (one.left !== 0) waiting[own].push(one)
  }
  const last = all.at(-1)?.document.day
  for (const one of all) if (one.left !== one.document.open) close(one, one.document.open - one.left, last!)
}

interface Read {
  cards: Map<string, PlannedCard>
  documents: PlannedDocument[]
  entries: PlannedEntry[]
  items: PlannedItem[]
  openingItems: Map<string, number>
  sorts: Map<string, Sort>
  from: string
  to: string
  faults: Faults
}

/** What the person sees before anything is brought in. */
function parityOf({ ini, summary, records, charset, faults: writing }: UniformFile, read: Read): Parity {
  const { cards, documents, entries, items, openingItems, sorts, faults } = read
  const counts = countRecords(records)
  const kept = documents.filter(({ type }) => type !== null)
  const openOf = new Map<string, number>()
  for (const { cardKey, open } of documents) openOf.set(cardKey, (openOf.get(cardKey) ?? 0) + open)
  const parties = [...cards.values()].filter(({ role }) => role === 'customers' || role === 'suppliers')
  const listed = ({ kept: rows, counts: by }: Faults) => ({
    rows: rows.toSorted((a, b) => a.line - b.line),
    counts: Object.fromEntries(by),
  })
  return {
    program: {
      name: String(ini?.softwareName ?? ''),
      version: String(ini?.softwareVersion ?? ''),
      vendor: String(ini?.vendorName ?? ''),
      business: String(ini?.businessName ?? ''),
      dealerNumber: String(ini?.dealerNumber ?? (records[0] ? text(records[0], 'dealerNumber') : '')),
      from: read.from,
      to: read.to,
      charset,
    },
    records: countedCodes.map((code) => ({
      code,
      found: counts.get(code) ?? 0,
      said: ini ? (summary.get(code) ?? 0) : null,
    })),
    sorts: [...sorts]
      .map(([code, sort]) => ({ code, ...sort }))
      .toSorted((a, b) => a.code.localeCompare(b.code)),
    accounts: specialAccounts.map((name) => {
      const card = [...cards.values()].find(({ special }) => special === name)
      return { name, key: card?.key ?? null, account: card?.name ?? '' }
    }),
    cards: [...cards.values()]
      .filter(({ role }) => role !== 'customers' && role !== 'suppliers')
      .slice(0, 1000)
      .map(({ key, name, sortCode }) => ({ key, name, sort: sortCode })),
    documents: [
      ...groupBy(documents, ({ code, day }) => `${String(code).padStart(3, '0')}|${day.slice(0, 7)}`),
    ]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, some]) => {
        const here = some.filter(({ type }) => type !== null)
        // As the file counts: of a receipt what was received.
        const sum = (of: PlannedDocument[]) => of.reduce((all, one) => all + one.total - withheldOf(one), 0)
        return {
          code: Number(name.slice(0, 3)),
          month: name.slice(4),
          count: some.length,
          totalAgorot: sum(some),
          kept: here.length,
          keptAgorot: sum(here),
        }
      }),
    series: [...groupBy(kept, ({ code, letters, branch }) => `${code}|${branch}|${letters}`).values()].map(
      (some) => {
        const sorted = some.toSorted((a, b) => a.number - b.number)
        const [first, last] = [sorted[0]!, sorted.at(-1)!]
        return {
          code: first.code,
          first: first.numberText,
          last: last.numberText,
          count: some.length,
          missing: last.number - first.number + 1 - new Set(some.map(({ number }) => number)).size,
        }
      },
    ),
    balances: [...cards.values()]
      .filter((card) => card.found !== 0 || card.said || openOf.get(card.key))
      .map((card) => ({
        key: card.key,
        name: card.name,
        role: card.role,
        openingAgorot: card.opening,
        saidAgorot: card.said ?? 0,
        foundAgorot: card.found,
        openAgorot: openOf.get(card.key) ?? 0,
        openingItemAgorot: openingItems.get(card.key) ?? 0,
      }))
      .toSorted((a, b) => a.key.localeCompare(b.key)),
    counts: {
      customers: parties.filter(({ role }) => role === 'customers').length,
      suppliers: parties.filter(({ role }) => role === 'suppliers').length,
      accounts: cards.size - parties.length,
      items: items.length,
      documents: kept.length,
      otherPapers: documents.length - kept.length,
      entries: entries.length,
      openingItems: openingItems.size,
    },
    unbalancedAgorot:
      entries.reduce((sum, { difference }) => sum + difference, 0) -
      [...cards.values()].reduce((sum, { opening }) => sum + opening, 0),
    writing: listed(writing),
    identities: listed(faults),
  }
}

const withheldOf = ({ type, payments }: PlannedDocument): number =>
  typeFacts(type).mayBeIncome
    ? payments.filter(({ means }) => means === withheldTax).reduce((sum, { amount: one }) => sum + one, 0)
    : 0
