import { vatShareNames } from '#domain/vat/shares.ts'
import { profitLines, returnLines, vatKinds } from '#domain/ledger/codes.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, money, number, percent, ref, text } from '#kit/fields/field.ts'

const prefix = '/api5/invoicecpa'
const allow = { see: 'ledger.see', change: 'ledger.change' }
const kinds = ['asset', 'liability', 'equity', 'income', 'expense'] as const
const sides = ['debit', 'credit'] as const

/** Kinds of ledger cards: what an account of such a number usually is. */
export const cardKinds = defineResource({
  name: 'cardKinds',
  table: 'card_kinds',
  prefix,
  title: 'name',
  hint: 'fromNumber',
  fields: {
    name: text({ need: true, max: 120 }),
    kind: choice(kinds, { need: true, words: 'accounts.kind' }),
    fromNumber: text({ need: true, max: 15 }),
    toNumber: text({ need: true, max: 15 }),
    accountCount: number({ computed: true }),
  },
  list: {
    columns: ['name', 'kind', 'fromNumber', 'toNumber', 'accountCount'],
    filters: ['kind'],
    sort: ['fromNumber', 'asc'],
  },
  form: [{ section: 'facts', fields: ['name', 'kind', 'fromNumber', 'toNumber'] }],
  allow,
  screens: { list: '/invoice/cardtypes', form: '/invoice/cardtypes' },
})

/** Sort codes: the groups of the trial balance, in their order and one below another. */
export const sortCodes = defineResource({
  name: 'sortCodes',
  table: 'sort_codes',
  prefix,
  title: 'code',
  hint: 'name',
  fields: {
    code: text({ need: true, max: 15 }),
    name: text({ need: true, max: 120 }),
    parentId: ref('sortCodes'),
    position: number({ need: true, start: 0 }),
    side: choice(sides, { need: true, start: 'debit', words: 'ledger.side' }),
    profitLine: choice(profitLines, { words: 'ledger.profitLine' }),
    balanceCodeId: ref('balanceCodes'),
    accountCount: number({ computed: true }),
  },
  list: {
    columns: ['code', 'name', 'parentId', 'side', 'profitLine', 'balanceCodeId', 'accountCount'],
    filters: ['parentId', 'side', 'profitLine', 'balanceCodeId'],
    sort: ['code', 'asc'],
  },
  form: [
    { section: 'facts', fields: ['code', 'name', 'parentId', 'position', 'side'] },
    { section: 'statements', fields: ['profitLine', 'balanceCodeId'] },
  ],
  allow,
  unique: ['code'],
  screens: { list: '/invoice/codebalance', form: '/invoice/codebalance' },
})
export type SortCode = Row<typeof sortCodes>

/** Codes of the balance sheet, to which sort codes belong. */
export const balanceCodes = defineResource({
  name: 'balanceCodes',
  table: 'balance_codes',
  prefix,
  title: 'code',
  hint: 'name',
  fields: {
    code: text({ need: true, max: 15 }),
    name: text({ need: true, max: 120 }),
    parentId: ref('balanceCodes'),
    position: number({ need: true, start: 0 }),
    side: choice(sides, { need: true, start: 'debit', words: 'ledger.side' }),
    sortCount: number({ computed: true }),
  },
  list: {
    columns: ['code', 'name', 'parentId', 'side', 'position', 'sortCount'],
    filters: ['parentId', 'side'],
    sort: ['code', 'asc'],
  },
  form: [{ section: 'facts', fields: ['code', 'name', 'parentId', 'position', 'side'] }],
  allow,
  unique: ['code'],
  screens: { list: '/invoice/codebalancesheet', form: '/invoice/codebalancesheet' },
})

/** VAT codes of the journal: what of a sum is VAT and where it is reported. */
export const vatCodes = defineResource({
  name: 'vatCodes',
  table: 'vat_codes',
  prefix,
  title: 'name',
  hint: 'code',
  fields: {
    code: text({ need: true, max: 15 }),
    name: text({ need: true, max: 120 }),
    kind: choice(vatKinds, { need: true }),
    // Today's, by the law or its own.
    nowBp: percent({ computed: true }),
    nowShare: choice(vatShareNames, { computed: true, words: 'ledger.vatShare' }),
    vatShare: choice(vatShareNames, { need: true, start: 'full', words: 'ledger.vatShare' }),
    returnLine: choice(returnLines, { need: true, start: 'none' }),
  },
  list: {
    columns: ['code', 'name', 'kind', 'nowBp', 'nowShare', 'returnLine'],
    filters: ['kind', 'returnLine'],
    sort: ['code', 'asc'],
  },
  form: [{ section: 'facts', fields: ['code', 'name', 'kind', 'vatShare', 'returnLine'] }],
  allow,
  unique: ['code'],
  screens: { list: '/invoice/codevat', form: '/invoice/codevat' },
})

/**
 * What of a VAT code changes on a day: its rate, or the share that may be deducted. It holds until the next.
 */
export const vatCodeTerms = defineResource({
  name: 'vatCodeTerms',
  table: 'vat_code_terms',
  prefix,
  title: 'title',
  fields: {
    title: text({ computed: true }),
    vatCodeId: ref('vatCodes', { need: true }),
    fromDay: day({ need: true }),
    rateBp: percent(),
    vatShare: choice(vatShareNames, { need: true, start: 'full', words: 'ledger.vatShare' }),
  },
  list: {
    columns: ['vatCodeId', 'fromDay', 'rateBp', 'vatShare'],
    filters: ['vatCodeId', 'fromDay', 'vatShare'],
    sort: ['fromDay', 'desc'],
  },
  form: [{ section: 'facts', fields: ['vatCodeId', 'fromDay', 'rateBp', 'vatShare'] }],
  allow,
  screens: { list: '/invoice/codevat/terms', form: '/invoice/codevat/terms' },
})

/** The same codes, asked where each posts its VAT. */
export const vatAccounts = defineResource({
  name: 'vatAccounts',
  table: 'vat_codes',
  prefix,
  title: 'name',
  hint: 'code',
  fields: {
    code: text({ computed: true }),
    name: text({ computed: true }),
    kind: choice(vatKinds, { computed: true, words: 'vatCodes.kind' }),
    accountId: ref('accounts'),
    balanceAgorot: money({ computed: true }),
  },
  list: {
    columns: ['code', 'name', 'kind', 'accountId', 'balanceAgorot'],
    filters: ['accountId'],
    sort: ['code', 'asc'],
  },
  form: [{ section: 'facts', fields: ['accountId'] }],
  allow,
  screens: { list: '/invoice/cardsvat', form: '/invoice/cardsvat' },
})
