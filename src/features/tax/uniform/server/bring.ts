import { sql } from 'kysely'
import { typeFacts } from '#domain/documents/facts.ts'
import { statusByWhatIsLeft } from '#domain/documents/life.ts'
import { systemAccounts } from '#domain/ledger/chart.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import { insertMany } from '#kit/server/described/bulk.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { servedNamed } from '#kit/server/described/resources.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { say, wordsOf } from '#kit/server/words.ts'
import { companyOf, headOf } from '#features/base/companies/server/index.ts'
import { isIncomeItself, typeById } from '#features/sales/documents/types/index.ts'
import { post } from '#features/base/ledger/server/index.ts'
import type { InBooks } from '../endpoints.ts'
import { compareBooks } from './compare.ts'
import type { Plan, PlannedCard, PlannedDocument } from './plan.ts'

/*
 * A uniform file of another program into empty books, in one transaction: everything or nothing. Documents
 * are kept as that program issued them and post nothing; its journal is posted entry by entry. So the books
 * are that program's books, and every balance of a customer or supplier is made of open documents and, for
 * what no document explains, one opening item.
 */

/** Nothing is posted, nothing is issued: only then what comes in can be told from what is there. */
export async function isEmpty(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{
    used: boolean
  }>`select exists (select 1 from entries where company_id = ${ctx.companyId})
    or exists (select 1 from documents where company_id = ${ctx.companyId} and ${isIssued()})
    or exists (select 1 from expenses where company_id = ${ctx.companyId}
    and state in ('approved', 'cancelled')) as used`.execute(ctx.tx)
  return !rows[0]!.used
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
const batch = 250

export async function bring(
  ctx: Ctx,
  importId: string,
  plan: Plan,
  tell: (done: number, total: number) => Promise<void>,
): Promise<InBooks> {
  if (!(await isEmpty(ctx))) throw fail('uniform.notEmpty')
  const total = plan.documents.length + plan.entries.length + 1
  const accounts = await makeAccounts(ctx, plan)
  const parties = await makeParties(ctx, plan)
  const items = await makeItems(ctx, plan)
  const ids = await keepDocuments(ctx, importId, plan, { parties, items, tell: (n) => tell(n, total) })
  await openingDocuments(ctx, plan, parties)
  await openingExpenses(ctx, plan, parties)
  await postJournal(ctx, importId, plan, {
    accounts,
    parties,
    documents: ids,
    tell: (n) => tell(plan.documents.length + n, total),
  })
  // The books were empty: whatever is in them now was imported.
  await sql`insert into uniform_entries (company_id, entry_id, import_id) select company_id, id, ${importId}
    from entries where company_id = ${ctx.companyId}
    on conflict do nothing`.execute(ctx.tx)
  await goOn(ctx, plan)
  await verify(ctx, plan, accounts, parties)
  return compareBooks(ctx, plan, accounts, parties)
}

const isParty = ({ role }: PlannedCard): boolean => role === 'customers' || role === 'suppliers'

/** Account ids by card key; of customers and suppliers the control account. */
async function makeAccounts(ctx: Ctx, plan: Plan): Promise<Map<string, string>> {
  const { rows } = await sql<{
    id: string
    number: string
  }>`select id, number from accounts where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const chart = new Map(rows.map((row) => [row.number, row.id]))
  const system = new Set<string>(Object.values(systemAccounts))
  const ids = new Map<string, string>()
  const needed = (number: string): string => {
    const id = chart.get(number)
    if (!id) throw fail('ledger.noAccount', { number })
    return id
  }
  // A business without VAT has no accounts of VAT until a file brings some.
  const kinds = {
    inputVat: 'asset',
    inputVatFixedAssets: 'asset',
    outputVat: 'liability',
    vatSettlement: 'liability',
  } as const
  for (const card of plan.cards.values()) {
    if (isParty(card)) {
      ids.set(
        card.key,
        needed(card.role === 'customers' ? systemAccounts.customers : systemAccounts.suppliers),
      )
      continue
    }
    const kind = card.role as 'asset'
    if (card.special) {
      const number = systemAccounts[card.special]
      if (!chart.has(number))
        chart.set(
          number,
          await makeAccount(ctx, number, card, kinds[card.special as keyof typeof kinds] ?? kind),
        )
      ids.set(card.key, chart.get(number)!)
      continue
    }
    const known = chart.get(card.key)
    // What an older file of ours tells of the control account without a card of anybody has no place there.
    const isControl = card.key === systemAccounts.customers || card.key === systemAccounts.suppliers
    if (known && plan.isOurs && !isControl) ids.set(card.key, known)
    else if (known && !system.has(card.key)) {
      // A number of the pattern that nothing was posted to takes the name it had in the other program.
      await sql`update accounts set name = ${card.name.slice(0, 120)}, kind = ${kind},
          sort_code = ${card.sortCode}, code6111 = ${card.code6111}, key = null,
        archived_at = null, updated_at = now() where company_id = ${ctx.companyId} and id = ${known}`.execute(
        ctx.tx,
      )
      ids.set(card.key, known)
    } else {
      let number = known ? `U${card.key}`.slice(0, 15) : card.key
      for (let n = 2; chart.has(number); n++) number = `U${n}${card.key}`.slice(0, 15)
      const id = await makeAccount(ctx, number, card, kind)
      chart.set(number, id)
      ids.set(card.key, id)
    }
  }
  return ids
}

async function makeAccount(ctx: Ctx, number: string, card: PlannedCard, kind: string): Promise<string> {
  const id = newId()
  await sql`insert into accounts (company_id, id, number, name, kind, sort_code, code6111)
    values (${ctx.companyId}, ${id}, ${number}, ${card.name.slice(0, 120)}, ${kind}, ${card.sortCode},
      ${card.code6111})`.execute(ctx.tx)
  return id
}

/** Customers and suppliers by card key; an existing one with the same number is used. */
async function makeParties(ctx: Ctx, plan: Plan): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [role, register] of [
    ['customer', 'customers'],
    ['supplier', 'suppliers'],
  ] as const) {
    const source = servedNamed(register)!
    const { rows } = await sql<{
      id: string
      tax_id: string | null
      name: string
      keyed: boolean
    }>`select p.id, p.tax_id, p.name,
        exists (select 1 from uniform_cards c where c.company_id = p.company_id and c.party_id = p.id) as
        keyed
      from parties p where p.company_id = ${ctx.companyId} and p.role = ${role}
        and p.archived_at is null`.execute(ctx.tx)
    const byTaxId = new Map(rows.flatMap((row) => (row.tax_id && !row.keyed ? [[row.tax_id, row.id]] : [])))
    const byName = new Map(rows.filter((row) => !row.keyed && !row.tax_id).map((row) => [row.name, row.id]))
    const usedNumbers = new Set(rows.flatMap((row) => row.tax_id ?? []))
    const made: { id: string; values: Record<string, unknown> }[] = []
    const keys: { party_id: string; key: string }[] = []
    for (const card of plan.cards.values()) {
      if (card.role !== register) continue
      let id = (card.taxId ? byTaxId.get(card.taxId) : undefined) ?? byName.get(card.name)
      if (id) {
        for (const [name, one] of byTaxId) if (one === id) byTaxId.delete(name)
        for (const [name, one] of byName) if (one === id) byName.delete(name)
      } else {
        id = newId()
        // A number may stand once: the second card of one dealer is known by its name.
        const taxId = card.taxId && !usedNumbers.has(card.taxId) ? card.taxId : null
        if (taxId) usedNumbers.add(taxId)
        made.push({
          id,
          values: {
            name: card.name.slice(0, 200),
            ...(taxId ? { taxId, ...(role === 'customer' ? { isDealer: true } : {}) } : {}),
            ...(card.street ? { street: card.street.slice(0, 120) } : {}),
            ...(card.city ? { city: card.city.slice(0, 80) } : {}),
            ...(card.zip ? { zip: card.zip.slice(0, 10) } : {}),
            ...(card.country ? { country: card.country.slice(0, 60) } : {}),
            ...(/^\+?[\d -]{7,20}$/.test(card.phone) ? { phone: card.phone } : {}),
          },
        })
      }
      ids.set(card.key, id)
      keys.push({ party_id: id, key: card.key.slice(0, 15) })
    }
    for (let from = 0; from < made.length; from += 500)
      await insertMany(ctx, source, made.slice(from, from + 500))
    if (keys.length)
      await sql`insert into uniform_cards (company_id, party_id, key)
        select ${ctx.companyId}, party_id, key from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as r
          (party_id uuid, key text) on conflict do nothing`.execute(ctx.tx)
  }
  return ids
}

async function makeItems(ctx: Ctx, plan: Plan): Promise<Map<string, string>> {
  const { rows } = await sql<{
    id: string
    sku: string
  }>`select id, sku from items where company_id = ${ctx.companyId} and sku is not null
      and archived_at is null`.execute(ctx.tx)
  const ids = new Map(rows.map((row) => [row.sku, row.id]))
  const barcodes = new Set<string>()
  const made = plan.items
    .filter(({ sku }) => !ids.has(sku))
    .map(({ sku, name, unit, barcode, cost }) => {
      const id = newId()
      ids.set(sku, id)
      const isNew = barcode !== '' && !barcodes.has(barcode)
      if (isNew) barcodes.add(barcode)
      return {
        id,
        values: {
          name: name.slice(0, 200),
          sku,
          isStocked: true,
          ...(unit ? { unit: unit.slice(0, 20) } : {}),
          ...(isNew ? { barcode } : {}),
          ...(cost ? { cost } : {}),
        },
      }
    })
  for (let from = 0; from < made.length; from += 500)
    await insertMany(ctx, servedNamed('items')!, made.slice(from, from + 500))
  return ids
}

interface Keeping {
  parties: Map<string, string>
  items: Map<string, string>
  tell: (n: number) => Promise<void>
}

/** Ids of the documents by their key in the file. */
async function keepDocuments(
  ctx: Ctx,
  importId: string,
  plan: Plan,
  { parties, items, tell }: Keeping,
): Promise<Map<string, string>> {
  const company = await companyOf(ctx)
  const ids = new Map(plan.documents.flatMap((one) => (one.type === null ? [] : [[one.key, newId()]])))
  const idsOf = new Map<PlannedDocument, string>()
  // Of our own files: a document whose entry is on the account of bad debts writes a debt off, or charges one again.
  const ofBadDebts = new Set(
    plan.isOurs
      ? plan.entries.flatMap(({ documentKey, lines }) =>
          documentKey && lines.some(({ key }) => key === systemAccounts.badDebts) ? [documentKey] : [],
        )
      : [],
  )
  const seen = new Set<string>()
  for (const one of plan.documents) {
    if (one.type === null) continue
    idsOf.set(one, seen.has(one.key) ? newId() : ids.get(one.key)!)
    seen.add(one.key)
  }
  // A credit after its invoice: what a document rests on must be there before it.
  const order = plan.documents.toSorted(
    (a, b) => (typeFacts(a.type).isCredit ? 1 : 0) - (typeFacts(b.type).isCredit ? 1 : 0) || a.line - b.line,
  )
  for (let from = 0; from < order.length; from += batch) {
    const some = order.slice(from, from + batch)
    const papers = some.flatMap((one) => {
      if (one.type === null) return []
      const source = one.lines.map((line) => (line.baseKey ? ids.get(line.baseKey) : undefined)).find(Boolean)
      return [
        paperOf(ctx, company, one, {
          id: idsOf.get(one)!,
          customerId: parties.get(one.cardKey) ?? null,
          items,
          source: typeFacts(one.type).isCredit ? source : undefined,
          isBadDebt: typeFacts(one.type).isInvoiceOrCredit && ofBadDebts.has(one.key),
        }),
      ]
    })
    await sql`select keep_uniform_papers(${ctx.companyId}, ${json(papers)})`.execute(ctx.tx)
    const kept = some.map((one) => ({
      line: one.line,
      code: one.code,
      number: one.numberText,
      day: one.day,
      total_agorot:
        one.total -
        (typeFacts(one.type).mayBeIncome
          ? one.payments.filter(({ means }) => means === 7).reduce((sum, p) => sum + p.amount, 0)
          : 0),
      name: one.customer.name,
      party_id: parties.get(one.cardKey) ?? null,
      document_id: idsOf.get(one) ?? null,
      records: one.records,
    }))
    await sql`insert into uniform_papers (company_id, import_id, line, code, number, day, total_agorot, name,
        party_id, document_id, records)
      select ${ctx.companyId}, ${importId}, r.line, r.code, r.number, r.day, r.total_agorot, r.name,
        r.party_id, r.document_id, r.records
      from jsonb_populate_recordset(null::uniform_papers, ${json(kept)}) r`.execute(ctx.tx)
    const changes = some.flatMap((one) =>
      one.type === null
        ? []
        : one.closed.map(({ day, agorot }) => ({ document_id: idsOf.get(one)!, day, agorot })),
    )
    if (changes.length)
      await sql`insert into open_changes (company_id, document_id, day, agorot, ils_agorot, created_by)
        select ${ctx.companyId}, r.document_id, r.day, r.agorot, r.agorot, ${ctx.caller.userId}
        from jsonb_to_recordset(${json(changes)}) r (document_id uuid, day date, agorot bigint)`.execute(
        ctx.tx,
      )
    await tell(from + some.length)
  }
  return ids
}

/**
 * In Jerusalem, as near as a file tells it: two hours of winter are an hour off in summer and never another
 * day at noon.
 */
const moment = (day: string, time: string): string =>
  `${day}T${/^([01]\d|2[0-3])[0-5]\d$/.test(time) && time !== '0000' ? `${time.slice(0, 2)}:${time.slice(2)}` : '12:00'}:00+02:00`

function paperOf(
  ctx: Ctx,
  company: Awaited<ReturnType<typeof companyOf>>,
  one: PlannedDocument,
  {
    id,
    customerId,
    items,
    source,
    isBadDebt,
  }: {
    id: string
    customerId: string | null
    items: Map<string, string>
    source: string | undefined
    isBadDebt: boolean
  },
) {
  const type = typeById(one.type!)!
  const isMoney = Boolean(type.linesOptional)
  const isIncome = isIncomeItself(type, company.kind)
  const taxed = one.lines.filter((line) => line.vatBp > 0)
  const sum = (numbers: number[]) => numbers.reduce((all, n) => all + n, 0)
  const netTaxable = isMoney ? 0 : sum(taxed.map((line) => line.net))
  const netExempt = isMoney
    ? isIncome
      ? one.total
      : 0
    : sum(one.lines.filter((line) => line.vatBp === 0).map((line) => line.net))
  const rounding = isMoney ? 0 : one.total - netTaxable - netExempt - one.vat
  const at = moment(one.issuedDay, one.issuedTime)
  const closed = type.parts.includes('payments') && one.open === 0
  const status = one.isCancelled
    ? 'cancelled'
    : one.open !== 0
      ? statusByWhatIsLeft(Math.abs(one.total), Math.abs(one.open))
      : closed || type.debt !== 0
        ? 'closed'
        : 'issued'
  return {
    document: {
      ...bareDocument(ctx, company, id, one.day),
      type: one.type,
      series: `${type.series}${one.branch ? `@${one.branch}` : ''}#before:${one.letters}`,
      number: one.number,
      status,
      due_day: one.dueDay || one.day,
      customer_id: customerId,
      customer: { ...one.customer, isDealer: one.customer.taxId !== '' },
      branch: one.branch,
      vat_rate_bp: Math.max(0, ...taxed.map((line) => line.vatBp)),
      subtotal_agorot: isMoney ? one.total : one.subtotal,
      discount_agorot: isMoney ? 0 : one.discount,
      net_taxable_agorot: netTaxable,
      net_exempt_agorot: netExempt,
      vat_agorot: isMoney ? 0 : one.vat,
      rounding_agorot: rounding,
      total_agorot: one.total,
      ils_net_agorot: netTaxable + netExempt,
      ils_vat_agorot: isMoney ? 0 : one.vat,
      ils_total_agorot: one.total,
      ils_untaxed_agorot: netExempt,
      ils_held_agorot: 0,
      is_bad_debt: isBadDebt,
      open_agorot: one.open,
      open_in_currency_agorot: one.open,
      // Whether a request was answered no file says: it asks nothing again.
      asked_agorot: 0,
      source_id: source ?? null,
      issued_at: at,
      created_at: at,
    },
    lines: isMoney
      ? []
      : one.lines.map((line, i) => ({
          line: i + 1,
          item_id: items.get(line.sku) ?? null,
          sku: line.sku,
          description: line.description,
          details: '',
          quantity: line.quantity,
          unit: line.unit,
          unit_price: line.unitPrice,
          discount_bp: line.discountBp,
          discount_sum_agorot: line.discountAgorot,
          vat_kind: line.vatBp ? 1 : 4,
          vat_class: line.vatBp ? 'standard' : 'exempt',
          amount_agorot: line.amount,
          discount_share_agorot: line.share,
          net_agorot: line.net,
          vat_agorot: line.vat,
          total_agorot: line.net + line.vat,
          ils_net_agorot: line.net,
          takes: '0',
        })),
    payments: one.payments.map((payment, i) => ({
      line: i + 1,
      id: newId(),
      means: payment.means,
      amount_agorot: payment.amount,
      ils_agorot: payment.amount,
      day: one.day,
      due_day: payment.day,
      card_brand: payment.cardBrand,
      card_last4: '',
      bank: payment.bank,
      branch: payment.branch,
      account: payment.account,
      number: payment.number,
      reference: '',
      // What a file does not tell is where the money is by now; only a cheque whose day has not come must
      // still be in hand.
      state: payment.means === 2 && payment.day > ctx.today ? 'received' : 'cleared',
      created_at: at,
      updated_at: at,
    })),
  }
}

/** What every document has, whatever it says. */
function bareDocument(
  ctx: Ctx,
  company: Awaited<ReturnType<typeof companyOf>>,
  id: string,
  day: string,
): Record<string, unknown> {
  const now = ctx.now.toISOString()
  return {
    id,
    day,
    due_terms: company.dueTerms,
    currency: 'ILS',
    rate: '1',
    language: company.language,
    business: { ...headOf(company, company.language), textAbove: '', textBelow: '', showCreditLine: false },
    subject: '',
    notes: '',
    notes_below: '',
    notes_internal: '',
    order_number: '',
    discount_bp: 0,
    discount_sum_agorot: 0,
    rounding: 'none',
    zero_rate: false,
    vat_rate_bp: 0,
    subtotal_agorot: 0,
    discount_agorot: 0,
    net_taxable_agorot: 0,
    net_exempt_agorot: 0,
    net_zero_agorot: 0,
    vat_agorot: 0,
    rounding_agorot: 0,
    ils_net_agorot: 0,
    ils_vat_agorot: 0,
    ils_untaxed_agorot: 0,
    ils_held_agorot: 0,
    is_bad_debt: false,
    asked_agorot: 0,
    credited_agorot: 0,
    sub_type: 0,
    pro: false,
    branch: '',
    by_hand: true,
    reason: '',
    page_key: newToken(),
    allocation_state: 'notNeeded',
    issued_by: ctx.caller.userId,
    created_by: ctx.caller.userId,
    issued_at: now,
    created_at: now,
    updated_at: now,
  }
}

/**
 * A customer's debt or credit that no document explains: a receipt of a separate series, negated for a debt.
 */
async function openingDocuments(ctx: Ctx, plan: Plan, parties: Map<string, string>): Promise<void> {
  const company = await companyOf(ctx)
  let number = 0
  const papers = [...plan.openingItems].flatMap(([key, open]) => {
    const card = plan.cards.get(key)!
    if (card.role !== 'customers') return []
    number++
    const { found: _, ...bare } = { ...bareDocument(ctx, company, newId(), plan.openingDay), found: 0 }
    return [
      {
        document: {
          ...bare,
          type: 6,
          series: 'receipt#opening',
          number,
          status: 'issued',
          due_day: plan.openingDay,
          customer_id: parties.get(key)!,
          customer: {
            name: card.name,
            street: card.street,
            city: card.city,
            zip: card.zip,
            country: card.country,
            taxId: card.taxId ?? '',
          },
          subject: say(company.language as 'he', 'uniform.openingItem'),
          total_agorot: -open,
          ils_total_agorot: -open,
          subtotal_agorot: -open,
          open_agorot: open,
          open_in_currency_agorot: open,
        },
        lines: [],
        payments: [],
      },
    ]
  })
  for (let from = 0; from < papers.length; from += batch)
    await sql`select
        keep_uniform_papers(${ctx.companyId}, ${json(papers.slice(from, from + batch))})`.execute(ctx.tx)
}

/**
 * What is owed to a supplier: one bill of opening balance each, without VAT, because its VAT was claimed by
 * the other program.
 */
async function openingExpenses(ctx: Ctx, plan: Plan, parties: Map<string, string>): Promise<void> {
  const owed = [...plan.openingItems].filter(([key]) => plan.cards.get(key)!.role === 'suppliers')
  if (!owed.length) return
  const company = await companyOf(ctx)
  const { rows } = await sql<{
    id: string
  }>`select id from accounts where company_id = ${ctx.companyId}
      and number = ${systemAccounts.openingBalances}`.execute(ctx.tx)
  if (!rows[0]) throw fail('ledger.noAccount', { number: systemAccounts.openingBalances })
  const accountId = rows[0].id
  const typeId = newId()
  const name = say(company.language as 'he', 'uniform.openingItem')
  await sql`insert into expense_types (company_id, id, name, account_id, vat_share, archived_at)
    values (${ctx.companyId}, ${typeId}, ${name}, ${accountId}, 'none', now())`.execute(ctx.tx)
  for (const [key, balance] of owed) {
    const agorot = -balance
    const id = newId()
    await sql`insert into expenses (company_id, id, supplier_id, paper, day, vat_day, claims_vat, books_day,
        details, net_agorot, vat_agorot, total_agorot, ils_net_agorot,
        ils_vat_agorot, ils_total_agorot, recognised_vat_agorot, equipment_vat_agorot, open_agorot, type_id,
        state, means, source, entered_by, approved_by, approved_at)
      values (${ctx.companyId}, ${id}, ${parties.get(key)!}, 'receipt', ${plan.openingDay},
        ${plan.openingDay}, false, ${plan.openingDay}, ${name}, ${agorot}, 0, ${agorot}, ${agorot},
        0, ${agorot}, 0, 0, ${agorot}, ${typeId}, 'approved', 'onCredit', 'import', ${ctx.caller.userId},
        ${ctx.caller.userId}, now())`.execute(ctx.tx)
    await sql`insert into expense_lines (company_id, expense_id, line, type_id, account_id, net_agorot,
        vat_agorot, ils_net_agorot, ils_vat_agorot, vat_share, recognised_vat_agorot,
        income_tax_bp, is_fixed_asset, depreciation_bp)
      values (${ctx.companyId}, ${id}, 1, ${typeId}, ${accountId}, ${agorot}, 0, ${agorot}, 0, 'none', 0, 0,
        false, 0)`.execute(ctx.tx)
  }
}

interface Posting {
  accounts: Map<string, string>
  parties: Map<string, string>
  documents: Map<string, string>
  tell: (n: number) => Promise<void>
}

async function postJournal(
  ctx: Ctx,
  importId: string,
  plan: Plan,
  { accounts, parties, documents, tell }: Posting,
): Promise<void> {
  const openingAccount = await sql<{
    id: string
  }>`select id from accounts where company_id = ${ctx.companyId}
      and number = ${systemAccounts.openingBalances}`.execute(ctx.tx)
  const difference = openingAccount.rows[0]?.id ?? ''
  const postings = (lines: { key: string; amount: number }[], missing: number) => [
    ...lines.map(({ key, amount }) => ({
      account: accounts.get(key)!,
      ...(parties.has(key) ? { party: parties.get(key)! } : {}),
      debit: Math.max(amount, 0),
      credit: Math.max(-amount, 0),
    })),
    ...(missing ? [{ account: difference, debit: Math.max(missing, 0), credit: Math.max(-missing, 0) }] : []),
  ]
  const { language } = await companyOf(ctx)
  const openings = [...plan.cards.values()]
    .filter(({ opening }) => opening !== 0)
    .map(({ key, opening }) => ({ key, amount: opening }))
  // An entry has room for so many lines; a chart with more balances is opened by several.
  for (let from = 0; from < openings.length; from += 10_000) {
    const some = openings.slice(from, from + 10_000)
    await post(ctx, {
      day: plan.openingDay,
      kind: 'opening',
      details: say(language as 'he', 'uniform.openingEntry'),
      postings: postings(some, -some.reduce((sum, { amount }) => sum + amount, 0)),
    })
  }
  const kinds = Object.keys(wordsOf('he')).flatMap((word) =>
    word.startsWith('ledger.kinds.') ? [word.slice('ledger.kinds.'.length)] : [],
  )
  let done = 0
  for (const entry of plan.entries) {
    const documentId = entry.documentKey ? documents.get(entry.documentKey) : undefined
    const kind = (plan.isOurs ? kinds.find((one) => one.slice(0, 15) === entry.kind) : undefined) ?? 'uniform'
    const lines = postings(entry.lines, entry.difference)
    const entryId = await post(ctx, {
      day: entry.day,
      valueDay: entry.valueDay,
      kind,
      reference: entry.reference,
      details: entry.details,
      ...(documentId ? { documentId } : {}),
      postings: lines,
    })
    // A supplier's bill comes as what the file told of it and is no document here: its entry goes on saying
    // what it was.
    const paper = entry.documentKey && !documentId ? Number(entry.documentKey.split('|')[0]) : undefined
    if (entry.told || paper)
      await sql`insert into uniform_entries (company_id, entry_id, import_id, told)
        values (${ctx.companyId}, ${entryId}, ${importId},
          ${JSON.stringify({ batch: '', matches: [], ...entry.told, paper })})`.execute(ctx.tx)
    if (++done % 100 === 0) await tell(done)
  }
}

/**
 * Numbers go on where the other program stopped, in every branch. Where all papers of a kind are of one
 * branch, as programs without branches write it, they go on outside it as well.
 */
async function goOn(ctx: Ctx, plan: Plan): Promise<void> {
  const last = new Map<string, { number: number; day: string }>()
  const branches = new Map<number, Set<string>>()
  for (const { type, letters, branch } of plan.documents)
    if (type !== null && !letters) branches.set(type, (branches.get(type) ?? new Set()).add(branch))
  for (const { type, letters, branch, number, day } of plan.documents) {
    if (type === null || letters) continue
    const name = documentTypeById(type)!
    for (const series of new Set([
      branch ? `${name}@${branch}` : name,
      ...(branches.get(type)!.size === 1 ? [name as string] : []),
    ])) {
      const before = last.get(series)
      last.set(series, {
        number: Math.max(number, before?.number ?? 0),
        day: before && before.day > day ? before.day : day,
      })
    }
  }
  for (const [series, { number, day }] of last)
    await sql`insert into number_series as s (company_id, series, next_number, last_day)
      values (${ctx.companyId}, ${series}, ${number + 1}, ${day})
      on conflict (company_id, series) do update
      set next_number = greatest(s.next_number, excluded.next_number),
        last_day = greatest(s.last_day, excluded.last_day)`.execute(ctx.tx)
}

/** The books must say what the dry run said, and balances must be their open items; or nothing is kept. */
async function verify(
  ctx: Ctx,
  plan: Plan,
  accounts: Map<string, string>,
  parties: Map<string, string>,
): Promise<void> {
  const { rows } = await sql<{
    account_id: string
    party_id: string | null
    balance: number
  }>`select account_id, party_id, sum(amount_agorot)::bigint as balance
    from postings where company_id = ${ctx.companyId} group by 1, 2`.execute(ctx.tx)
  const balances = new Map(rows.map((row) => [`${row.account_id}|${row.party_id ?? ''}`, row.balance]))
  const wanted = new Map<string, number>()
  for (const card of plan.cards.values()) {
    const place = `${accounts.get(card.key)}|${parties.get(card.key) ?? ''}`
    wanted.set(place, (wanted.get(place) ?? 0) + card.found)
  }
  const { rows: open } = await sql<{
    id: string
  }>`select p.id from parties p where p.company_id = ${ctx.companyId} and
    coalesce((select sum(m.debit_agorot - m.credit_agorot) from party_months m
    where m.company_id = p.company_id and m.party_id = p.id), 0) <>
      case p.role when 'customer' then
      coalesce((select sum(d.open_agorot) from documents d where d.company_id = p.company_id
      and d.customer_id = p.id and ${isIssued('d')}), 0)
        else -coalesce((select sum(e.open_agorot) from expenses e where e.company_id = p.company_id
        and e.supplier_id = p.id), 0) end limit 1`.execute(ctx.tx)
  const opening = [...balances.keys()].find((place) => !wanted.has(place))
  const { rows: account } = await sql<{
    id: string
  }>`select id from accounts where company_id = ${ctx.companyId}
      and number = ${systemAccounts.openingBalances}`.execute(ctx.tx)
  for (const [place, balance] of wanted)
    if ((balances.get(place) ?? 0) !== balance && !place.startsWith(account[0]?.id ?? '-'))
      throw new Error('a balance is not what the dry run said')
  if (opening && !opening.startsWith(account[0]?.id ?? '-'))
    throw new Error('a balance that the dry run did not know')
  if (open.length) throw new Error('a balance is not its open items')
}
