import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import { statusFacts } from '#domain/documents/facts.ts'
import { documentTypeById, documentTypes, paymentMeansById } from '#domain/documents/kinds.ts'
import { paymentDetails, type PaymentDetail } from '#domain/documents/paymentDetails.ts'
import { inCodePage } from '#domain/filings/uniform/charset.ts'
import { priceOfLine } from '#domain/filings/uniform/build.ts'
import { hasLines, hasPayments, type DataCode } from '#domain/filings/uniform/layout.ts'
import { readRecord, type Values } from '#domain/filings/uniform/record.ts'
import { timesFraction } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import type { BranchOf } from './branches.ts'
import { cardKey, cardTurnovers } from './cards.ts'
import { groupBy } from './groups.ts'

/**
 * Writes one record; record and dealer number are its business. `stands`: another program wrote it, and it is
 * written unchanged.
 */
export type Give = (code: DataCode, values: Values, stands?: boolean) => Promise<void>

/** Text that must be given: signs the code page lacks leave nothing of some names. */
export const said = (words: string | null | undefined): string =>
  inCodePage(words ?? '').trim() === '' ? '-' : words!

const page = 400

interface DocumentRow {
  id: string
  type: number
  series: string
  number: number
  status: string
  day: string
  branch: string
  currency: string
  rate: string
  customer: {
    name?: string
    street?: string
    city?: string
    zip?: string
    country?: string
    phone?: string
    taxId?: string
    isDealer?: boolean
  }
  customerKey: string | null
  cancelled_by_id: string | null
  source_id: string | null
  vat_rate_bp: number
  total_agorot: number
  ils_net_agorot: number
  ils_vat_agorot: number
  ils_total_agorot: number
  issued_at: string
  issued_by: string | null
  records: string[] | null
}

interface LineRow {
  document_id: string
  line: number
  sku: string
  description: string
  quantity: string
  unit: string
  unit_price: string
  vat_kind: number
  vat_class: string
  discount_share_agorot: number
  net_agorot: number
  ils_net_agorot: number
  source_document_id: string | null
  is_stocked: boolean | null
  serials: string | null
}

interface PaymentRow {
  document_id: string
  means: number
  ils_agorot: number
  due_day: string
  instalments: number | null
  card_brand: string
  bank: string
  branch: string
  account: string
  number: string
  isDebit: boolean
}

/** Ids of kinds that the uniform file knows. */
const told = Object.values(documentTypes).flatMap((type) =>
  type.uniformCode === undefined ? [] : [type.id as number],
)

const codeOf = (typeId: number): number => documentTypes[documentTypeById(typeId)!].uniformCode ?? 0

/**
 * The number with the letters of its series: money on deposit and papers written by hand have numbers of
 * their own, and a number may stand once in its type.
 */
const numberOf = ({ series, type, number }: { series: string; type: number; number: number }): string => {
  const letters = /#before:(\w*)$/.exec(series)?.[1]
  if (letters !== undefined) return `${letters}${number}`
  return `${type === documentTypes.depositReceipt.id ? 'D' : ''}${series.includes('#hand') ? 'H' : ''}${number}`
}

/**
 * 1 cash, 2 cheque, 3 card, 4 transfer, 9 other; by our own means. What a bank debited by Masav is 8, a
 * standing order.
 */
const methods: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 4, 4: 3, 5: 9, 6: 9, 7: 9, 8: 9 }
const standingOrder = 8
const withheld = 7
/** Whose a card is, where its brand says so; a Visa or a Mastercard may be anybody's. */
const acquirers: Readonly<Record<string, number>> = { isracard: 1, diners: 3, amex: 4 }

const digits = (text: string, most: number): string => text.replace(/\D/g, '').slice(-most)

/**
 * C100, D110 and D120 of every document of the range, by day; a document of another program as that program
 * told it. Answers the last link given.
 */
export async function giveDocuments(
  ctx: Ctx,
  { from, to }: { from: string; to: string },
  branchOf: BranchOf,
  give: Give,
): Promise<number> {
  let link = 0
  let after: [string, number, string, number, string] | undefined
  for (;;) {
    const { rows } =
      await sql<DocumentRow>`select d.id, d.type, d.series, d.number, d.status, d.day, d.branch, d.currency,
          d.rate, d.customer, d.cancelled_by_id, d.source_id,
        d.vat_rate_bp, d.total_agorot, d.ils_net_agorot, d.ils_vat_agorot, d.ils_total_agorot, d.issued_at,
        d.issued_by, c.key as "customerKey", u.records
      from documents d left join uniform_cards c on c.company_id = d.company_id and c.party_id = d.customer_id
        left join uniform_papers u on u.company_id = d.company_id and u.document_id = d.id
      where d.company_id = ${ctx.companyId} and ${isIssued('d')} and d.day between ${from} and ${to}
        and d.type = any(${told}::int[]) and d.series not like '%#opening'
        ${
          after
            ? sql`and (d.day, d.type, d.series, d.number, d.id) >
            (${after[0]}::date, ${after[1]}, ${after[2]}, ${after[3]}, ${after[4]}::uuid)`
            : sql``
        }
      order by d.day, d.type, d.series, d.number, d.id limit ${page}`.execute(ctx.tx)
    const own = rows.filter((row) => !row.records).map((row) => row.id)
    const lines = own.length ? await linesOf(ctx, own) : new Map<string, LineRow[]>()
    const payments = own.length ? await paymentsOf(ctx, own) : new Map<string, PaymentRow[]>()
    const sources = await namesOf(ctx, rows, lines, branchOf)
    for (const row of rows) {
      link++
      if (row.records) await giveAsItStood(row.records, link, give)
      else
        await giveDocument(
          { ...row, branch: branchOf(row.branch) },
          lines.get(row.id) ?? [],
          payments.get(row.id) ?? [],
          sources,
          link,
          give,
        )
    }
    const last = rows.at(-1)
    if (rows.length < page || !last) break
    after = [last.day, last.type, last.series, last.number, last.id]
  }
  // Papers of kinds we do not keep.
  let line = -1
  for (;;) {
    const { rows } = await sql<{ line: number; records: string[] }>`select line, records from uniform_papers
      where company_id = ${ctx.companyId} and document_id is null and day between ${from} and ${to}
        and line > ${line} order by line limit ${page}`.execute(ctx.tx)
    for (const { records } of rows) await giveAsItStood(records, ++link, give)
    if (rows.length < page) return link
    line = rows.at(-1)!.line
  }
}

async function giveAsItStood(records: string[], link: number, give: Give): Promise<void> {
  for (const record of records) {
    const code = record.slice(0, 4) as DataCode
    await give(code, { ...readRecord(code, record), link }, true)
  }
}

async function linesOf(ctx: Ctx, ids: string[]): Promise<Map<string, LineRow[]>> {
  const { rows } =
    await sql<LineRow>`select l.document_id, l.line, coalesce(nullif(l.sku, ''), i.sku, '') as sku,
        l.description, l.quantity, l.unit, l.unit_price, l.vat_kind, l.vat_class,
      l.discount_share_agorot, l.net_agorot, l.ils_net_agorot, l.source_document_id, i.is_stocked,
      (select string_agg(s.number, ',' order by s.number) from serials s
        where s.company_id = l.company_id and s.out_document_id = l.document_id and s.item_id = l.item_id) as
          serials
    from document_lines l left join items i on i.company_id = l.company_id and i.id = l.item_id
    where l.company_id = ${ctx.companyId} and l.document_id = any(${ids}::uuid[])
    order by l.document_id, l.line`.execute(ctx.tx)
  return groupBy(rows, (row) => row.document_id)
}

async function paymentsOf(ctx: Ctx, ids: string[]): Promise<Map<string, PaymentRow[]>> {
  const { rows } =
    await sql<PaymentRow>`select document_id, means, ils_agorot, due_day, instalments, card_brand, bank,
        branch, account, number,
      document_id in (select m.receipt_id from masav_lines m where m.company_id = ${ctx.companyId}
      and m.receipt_id is not null) as "isDebit"
    from document_payments where company_id = ${ctx.companyId} and document_id = any(${ids}::uuid[])
    order by document_id, line`.execute(ctx.tx)
  return groupBy(rows, (row) => row.document_id)
}

type Names = Map<string, { code: number; number: string; branch: string }>

/** The documents these rest on. */
async function namesOf(
  ctx: Ctx,
  rows: DocumentRow[],
  lines: Map<string, LineRow[]>,
  branchOf: BranchOf,
): Promise<Names> {
  const ids = [
    ...rows.map((row) => row.source_id),
    ...[...lines.values()].flat().map((line) => line.source_document_id),
  ].filter((id) => id !== null)
  if (!ids.length) return new Map()
  const { rows: found } = await sql<{
    id: string
    type: number
    series: string
    number: number
    branch: string
  }>`select id, type, series, number, branch from documents
    where company_id = ${ctx.companyId} and id = any(${[...new Set(ids)]}::uuid[])
      and number is not null`.execute(ctx.tx)
  return new Map(
    found.map((one) => [
      one.id,
      { code: codeOf(one.type), number: numberOf(one), branch: branchOf(one.branch) },
    ]),
  )
}

/** What identifies a document in each of its records. */
const nameOf = (row: DocumentRow, link: number) => ({
  documentType: codeOf(row.type),
  documentNumber: numberOf(row),
  branch: row.branch,
  documentDate: row.day,
  link,
})

async function giveDocument(
  row: DocumentRow,
  lines: LineRow[],
  payments: PaymentRow[],
  sources: Names,
  link: number,
  give: Give,
): Promise<void> {
  const code = codeOf(row.type)
  const name = nameOf(row, link)
  const told = hasLines(code) ? lines.map((line) => priceOf(row, line)) : []
  const withheldSum = payments
    .filter((one) => one.means === withheld)
    .reduce((sum, one) => sum + one.ils_agorot, 0)
  const isReceipt = hasPayments(code) && !hasLines(code)
  // What is offset by a separate document stays, and the two come to nothing. Withheld tax has no sign in the file, so
  // that a receipt with some and what took it back are both told as cancelled.
  const isVoid =
    (statusFacts(row.status).isCancelled && (!row.cancelled_by_id || (isReceipt && withheldSum !== 0))) ||
    (isReceipt && withheldSum < 0)
  const received = row.ils_total_agorot - (isReceipt ? withheldSum : 0)
  const before = told.reduce((sum, line) => sum + line.total, 0)
  const net = row.ils_total_agorot - row.ils_vat_agorot
  const share = told.reduce((sum, line) => sum + line.share, 0)
  // The rounding of the total, to a shekel or by an agora of exchange, is a separate line: then the totals are those of
  // the document.
  const parted = isReceipt ? 0 : net + share - before
  // More than that is no rounding: it is left for the check of the file to find.
  const rounding =
    Math.abs(parted - (net - row.ils_net_agorot)) <= (row.currency === 'ILS' ? 0 : 100) ? parted : 0
  const issued = momentInJerusalem(new Date(row.issued_at))
  const { customer } = row
  await give('C100', {
    ...name,
    issueDate: issued.day,
    issueTime: issued.time,
    customerName: said(customer.name),
    street: customer.street ?? '',
    city: customer.city ?? '',
    zip: customer.zip ?? '',
    country: customer.country ?? '',
    phone: customer.phone ?? '',
    customerDealerNumber: customer.isDealer && /^\d{9}$/.test(customer.taxId ?? '') ? customer.taxId : '',
    valueDate: row.day,
    ...(row.currency === 'ILS' ? {} : { foreignTotal: row.total_agorot, foreignCurrency: row.currency }),
    beforeDiscount: isReceipt ? received : before + rounding,
    discount: -share,
    netAmount: isReceipt ? received : net,
    vat: isReceipt ? 0 : row.ils_vat_agorot,
    total: received,
    // Positive whatever the receipt says: that of a receipt that was reversed is void with it, on both of them.
    withholding: isReceipt ? Math.abs(withheldSum) : 0,
    customerKey: row.customerKey ?? '',
    cancelled: isVoid ? '1' : '',
    operator: row.issued_by?.slice(-9) ?? '',
  })
  let n = 0
  for (const { line, total, share: _, ...price } of told) {
    const base = sources.get(line.source_document_id ?? row.source_id ?? '')
    await give('D110', {
      ...name,
      line: ++n,
      baseDocumentType: base?.code || '',
      baseDocumentNumber: base?.code ? base.number : '',
      baseBranch: base?.code ? base.branch : '',
      transactionKind: line.is_stocked ? 2 : 1,
      internalSku: line.sku,
      description: said(line.description),
      // More of them than the field holds stay with the paper.
      serialNumber: line.serials && line.serials.length <= 30 ? said(line.serials) : '',
      unit: line.unit || 'יחידה',
      ...price,
      total,
      vatRate: line.vat_class === 'standard' && line.vat_kind < 3 ? row.vat_rate_bp : 0,
    })
  }
  if (hasLines(code) && rounding !== 0)
    await give('D110', {
      ...name,
      line: ++n,
      transactionKind: 1,
      description: 'עיגול',
      unit: 'יחידה',
      quantity: Math.sign(rounding) * 10_000,
      unitPrice: Math.abs(rounding),
      total: rounding,
      vatRate: 0,
    })
  if (!hasPayments(code)) return
  n = 0
  const money = payments.filter((one) => !(isReceipt && one.means === withheld))
  // Each receipt has its payment: of one for withheld tax alone nothing was received.
  if (isReceipt && !money.length && payments.length)
    await give('D120', { ...name, line: ++n, paymentMethod: 9, dueDate: row.day, amount: 0 })
  for (const payment of money) {
    const method = payment.isDebit ? standingOrder : (methods[payment.means] ?? 9)
    const means = paymentMeansById(payment.means) ?? 'other'
    // What the bank debited names no account of the customer.
    const has = (detail: PaymentDetail) => !payment.isDebit && paymentDetails[means][detail] !== undefined
    await give('D120', {
      ...name,
      line: ++n,
      paymentMethod: method,
      ...(has('bank')
        ? {
            bank: digits(payment.bank, 10),
            branchOfBank: digits(payment.branch, 10),
            account: digits(payment.account, 15),
          }
        : {}),
      ...(means === 'cheque' ? { chequeNumber: digits(payment.number, 10) } : {}),
      dueDate: payment.due_day,
      amount: payment.ils_agorot,
      ...(has('cardBrand')
        ? {
            acquirer: acquirers[payment.card_brand] ?? '',
            cardName: payment.card_brand,
            cardDealType: (payment.instalments ?? 1) > 1 ? 2 : 1,
          }
        : {}),
    })
  }
}

/** A line in shekels without VAT, before its share of the document's discount. */
function priceOf(row: DocumentRow, line: LineRow) {
  const rate = Number(row.rate)
  const includes = line.vat_kind === 2 && line.vat_class === 'standard'
  const withoutVat = includes ? 10_000 / (10_000 + row.vat_rate_bp) : 1
  const shareInCurrency = includes
    ? timesFraction(line.discount_share_agorot, 10_000, 10_000 + row.vat_rate_bp, 'halfAwayFromZero')
    : line.discount_share_agorot
  const share = row.currency === 'ILS' ? shareInCurrency : Math.round(shareInCurrency * rate)
  const total = line.ils_net_agorot + share
  const quantity = Math.round(Number(line.quantity) * 10_000)
  return {
    line,
    total,
    share,
    quantity,
    ...priceOfLine(quantity, Number(line.unit_price) * 100 * withoutVat * rate, total),
  }
}

/** The content of another program's entry beside its amounts, line by line where it has lines. */
export interface Told {
  batch: string
  matches: [string, string][]
  /** The code of the paper it was written for, where that is no document here. */
  paper?: number
}

interface EntryRow {
  id: string
  day: string
  value_day: string
  kind: string
  reference: string
  details: string
  created_at: string
  created_by: string | null
  code: number | null
  paper: string | null
  branch: string | null
  batch: number | null
  told: Told | null
  lines: {
    key: string
    amount: number
    currency: string | null
    foreign: number | null
    card: number | null
    bank: number | null
  }[]
}

/**
 * B100: every line of the journal in the range, entry by entry. Answers the turnover of every card as it was
 * given out.
 */
export async function giveEntries(
  ctx: Ctx,
  { from, to }: { from: string; to: string },
  branchOf: BranchOf,
  give: Give,
): Promise<Map<string, { debit: number; credit: number }>> {
  const turnover = new Map<string, { debit: number; credit: number }>()
  let transaction = 0
  let after: [string, string] | undefined
  for (;;) {
    const { rows } =
      await sql<EntryRow>`select e.id, e.day, e.value_day, e.kind, e.reference, e.details, e.created_at,
          e.created_by, d.type as code,
        coalesce(u.code, case when x.paper = 'taxInvoice' and x.supplier_id is not null
        and x.document_id is null then case when x.ils_total_agorot < 0 then 710 else 700 end end) as paper,
        nullif(d.branch, '') as branch, b.number as batch, t.told,
        (select jsonb_agg(jsonb_build_object('key', ${cardKey}, 'amount', p.amount_agorot, 'currency',
        p.currency, 'foreign', p.foreign_amount,
            'card', m.card, 'bank', m.bank) order by p.line)
          from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
          left join uniform_cards c on c.company_id = p.company_id and c.party_id = p.party_id
          -- A line that was matched in parts is told once, by the newest of its matches.
          cross join lateral (select max(m.number) filter (where m.kind = 'card') as card,
            max(m.number) filter (where m.kind = 'bank') as bank
            from match_postings mp join matches m on m.company_id = mp.company_id and m.id = mp.match_id
            where mp.company_id = p.company_id and mp.entry_id = p.entry_id and mp.line = p.line) m
          where p.company_id = e.company_id and p.entry_id = e.id) as lines
      from entries e left join documents d on d.company_id = e.company_id and d.id = e.document_id
        and d.series not like '%#opening'
        left join uniform_papers u on u.company_id = e.company_id and u.document_id = e.document_id
        left join uniform_entries t on t.company_id = e.company_id and t.entry_id = e.id
        left join expense_entries xe on xe.company_id = e.company_id and xe.entry_id = e.id
        left join expenses x on x.company_id = xe.company_id and x.id = xe.expense_id and e.kind = 'expense'
        left join batch_entries be on be.company_id = e.company_id and be.entry_id = e.id
        left join journal_batches b on b.company_id = be.company_id and b.id = be.batch_id
      where e.company_id = ${ctx.companyId} and e.day between ${from} and ${to}
        ${after ? sql`and (e.day, e.id) > (${after[0]}::date, ${after[1]}::uuid)` : sql``}
      order by e.day, e.id limit ${page}`.execute(ctx.tx)
    for (const row of rows) {
      if (!row.lines?.length) continue
      transaction++
      let n = 0
      for (const { key, amount, currency, foreign, card, bank } of row.lines) {
        const [match1, match2] = row.told?.matches[n] ?? [card ?? '', bank ?? '']
        const opposite = row.lines.filter((other) => other.amount > 0 !== amount > 0)
        const sums = turnover.get(key) ?? { debit: 0, credit: 0 }
        turnover.set(key, {
          debit: sums.debit + Math.max(amount, 0),
          credit: sums.credit + Math.max(-amount, 0),
        })
        await give('B100', {
          transaction,
          line: ++n,
          batch: row.told?.batch || row.batch || '',
          transactionType: row.kind,
          reference: row.reference,
          referenceType: row.paper ?? row.told?.paper ?? (row.code === null ? '' : codeOf(row.code) || ''),
          details: row.details,
          date: row.day,
          valueDate: row.value_day,
          account: key,
          counterAccount: opposite.length === 1 ? opposite[0]!.key : '',
          debitCredit: amount > 0 ? 1 : 2,
          amount: Math.abs(amount),
          ...(currency && currency !== 'ILS'
            ? { foreignCurrency: currency, foreignAmount: Math.abs(foreign ?? 0) }
            : {}),
          match1,
          match2,
          branch: branchOf(row.branch),
          entryDate: momentInJerusalem(new Date(row.created_at)).day,
          operator: row.created_by?.slice(-9) ?? '',
        })
      }
    }
    const last = rows.at(-1)
    if (rows.length < page || !last) return turnover
    after = [last.day, last.id]
  }
}

interface Address {
  id: string
  street: string | null
  city: string | null
  zip: string | null
  country: string | null
  tax_id: string | null
  is_dealer: boolean
  role: 'customer' | 'supplier'
}

/**
 * B110: every card with a balance or a movement. The movements are those that were given out, so that they
 * cannot part from the lines.
 */
export async function giveAccounts(
  ctx: Ctx,
  { from, to }: { from: string; to: string },
  turnover: Map<string, { debit: number; credit: number }>,
  main: string,
  give: Give,
): Promise<void> {
  const cards = await cardTurnovers(ctx, from, to)
  const { rows } =
    await sql<Address>`select id, street, city, zip, country, tax_id, is_dealer, role from parties
      where company_id = ${ctx.companyId}
    and id in (select party_id from uniform_cards where company_id = ${ctx.companyId})`.execute(ctx.tx)
  const parties = new Map(rows.map((row) => [row.id, row]))
  await giveParents(ctx, cards, main, give)
  for (const card of cards) {
    const moved = turnover.get(card.key) ?? { debit: 0, credit: 0 }
    const party = card.partyId && card.parent ? parties.get(card.partyId) : undefined
    await give('B110', {
      accountKey: card.key,
      accountName: said(card.name),
      sortCode: card.sortCode || card.kind,
      sortCodeName: say('he', `uniform.kinds.${card.kind}`),
      street: party?.street ?? '',
      city: party?.city ?? '',
      zip: party?.zip ?? '',
      country: party?.country ?? '',
      parentAccount: card.parent,
      openingBalance: card.openingAgorot,
      totalDebit: moved.debit,
      totalCredit: moved.credit,
      form6111Code: card.code6111,
      branch: main,
      // A supplier's number is that of the supplier's business; of customers only dealers have one.
      partnerDealerNumber:
        party?.tax_id && (party.is_dealer || party.role === 'supplier') ? party.tax_id : '',
    })
  }
}

/**
 * A parent card has a record too, when nothing was posted to it: with zero, because its children's totals are
 * theirs.
 */
async function giveParents(
  ctx: Ctx,
  cards: readonly { key: string; parent: string }[],
  main: string,
  give: Give,
): Promise<void> {
  const own = new Set(cards.map(({ key }) => key))
  const missing = [...new Set(cards.map(({ parent }) => parent))].filter(
    (parent) => parent && !own.has(parent),
  )
  const { rows } = await sql<{
    number: string
    name: string
    kind: string
    sortCode: string | null
    code6111: string | null
  }>`
    select number, name, kind, sort_code as "sortCode", code6111 from accounts
    where company_id = ${ctx.companyId} and number = any(${missing}::text[])
    order by number`.execute(ctx.tx)
  for (const { number, name, kind, sortCode, code6111 } of rows)
    await give('B110', {
      accountKey: number,
      accountName: said(name),
      sortCode: sortCode || kind,
      sortCodeName: say('he', `uniform.kinds.${kind}`),
      openingBalance: 0,
      totalDebit: 0,
      totalCredit: 0,
      form6111Code: code6111 ?? '',
      branch: main,
    })
}

/**
 * M100: every item kept in stock that has a quantity or a movement, as the ledger of stock says; what only
 * went from place to place neither came nor went. A unit costs what the ledger holds it at on the last day;
 * of what is not there, what its card says in shekels.
 */
export async function giveItems(
  ctx: Ctx,
  { from, to }: { from: string; to: string },
  give: Give,
): Promise<void> {
  const { rows } = await sql<{
    id: string
    sku: string | null
    barcode: string | null
    name: string
    unit: string | null
    cost: string | null
    quantity: string
    value: number
    opening: string
    came: string
    went: string
  }>`select i.id, i.sku, i.barcode, i.name, i.unit, case when i.currency = 'ILS' then i.cost end as cost,
      sum(m.quantity)::text as quantity,
      sum(m.value_agorot)::bigint as value, coalesce(sum(m.quantity) filter (where m.day < ${from}), 0)::text
      as opening,
      coalesce(sum(m.quantity) filter (where m.day >= ${from} and m.quantity > 0), 0)::text as came,
      coalesce(-sum(m.quantity) filter (where m.day >= ${from} and m.quantity < 0), 0)::text as went
    from items i join stock_moves m on m.company_id = i.company_id and m.item_id = i.id and m.day <= ${to}
      and m.kind <> 'transfer'
    where i.company_id = ${ctx.companyId} and i.is_stocked and m.quantity <> 0
    group by i.id, i.sku, i.barcode, i.name, i.unit, i.cost, i.currency order by coalesce(i.sku, i.name),
      i.id`.execute(ctx.tx)
  const used = new Set<string>()
  const hundredths = (text: string) => Math.round(Number(text) * 100)
  for (const row of rows) {
    // A key may occur once; an item without one is identified by the end of its id.
    let sku = row.sku?.slice(0, 20) || row.id.slice(-12)
    if (used.has(sku)) sku = row.id.slice(-12)
    used.add(sku)
    await give('M100', {
      universalSku: row.barcode ?? '',
      internalSku: sku,
      itemName: said(row.name),
      unit: row.unit || 'יחידה',
      openingQuantity: hundredths(row.opening),
      totalIn: hundredths(row.came),
      totalOut: hundredths(row.went),
      closingCost:
        Number(row.quantity) > 0 && row.value > 0
          ? Math.round(row.value / Number(row.quantity))
          : row.cost
            ? Math.abs(hundredths(row.cost))
            : '',
    })
  }
}
