import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBusiness, newTaxId, startWorld, type Business, type World } from '../world.ts'
import { chargesVat, documentTypesFor, documentTypes, type BusinessKind } from '#domain/documents/kinds.ts'
import { literal } from '#kit/server/data/db.ts'
import { addDays, dayInJerusalem, daysBetween, endOfMonth } from '#domain/day.ts'
import { mostVatIn } from '#domain/vat/openItems.ts'
import * as journal from '#features/books/journal/endpoints.ts'
import * as vat from '#features/tax/vat/endpoints.ts'
import { deedsOf, live, seeded, type Life } from './random.ts'

/** LIVES=1000 runs so many lives, from the seed SEED on; the seed of a life that fails is in its name. */
const lives = Number(process.env.LIVES ?? 5)
const firstSeed = Number(process.env.SEED ?? 1)
const steps = 225
/** At this step half a year passes: what nobody paid may then be written off. */
const longPause = 166
/** Around the pause: invoices that stay unpaid, the reports of their months, and write-offs. */
function deedAt(kind: BusinessKind, i: number): string | undefined {
  const since = i - longPause
  if (!chargesVat(kind) || since < -6 || since >= 14) return undefined
  return since < 0 ? 'invoice' : since < 3 ? 'reportVat' : 'badDebt'
}

let now = new Date('2024-12-01T09:00:00Z')
let world: World
beforeAll(async () => {
  world = await startWorld(() => now)
})
afterAll(() => world.close())

/** What must hold after every step, asked of the database itself. */
const laws: readonly (readonly [law: string, sql: string])[] = [
  [
    'the ledger sums to zero',
    `select sum(amount_agorot) from postings where company_id = $1 having sum(amount_agorot) <> 0`,
  ],
  [
    'sums by month are the postings',
    `select account_id from account_months m where company_id = $1 and debit_agorot - credit_agorot <>
      (select coalesce(sum(amount_agorot), 0) from postings p where p.company_id = m.company_id and p.account_id = m.account_id and date_trunc('month', p.day) = m.month)`,
  ],
  [
    'a customer’s card is the sum of his open items',
    `select p.id, card.s, items.s from parties p,
      lateral (select coalesce(sum(debit_agorot - credit_agorot), 0) as s from party_months m where m.company_id = p.company_id and m.party_id = p.id) card,
      lateral (select coalesce(sum(open_agorot), 0) as s from documents d where d.company_id = p.company_id and d.customer_id = p.id) items
      where p.company_id = $1 and p.role = 'customer' and card.s <> items.s`,
  ],
  [
    'nothing is open in one money and closed in the other',
    `select id, open_agorot, open_in_currency_agorot from documents where company_id = $1 and (open_agorot <> 0) <> (open_in_currency_agorot <> 0) and abs(open_in_currency_agorot) > 2`,
  ],
  [
    'a series has no gap',
    `select series from documents where company_id = $1 and number is not null and not by_hand group by series having max(number) - min(number) + 1 <> count(*)`,
  ],
  [
    'no invoice is credited above its sum',
    `select i.id from documents i where company_id = $1 and type in (8, 9) and total_agorot <
      (select coalesce(sum(c.total_agorot), 0) from documents c where c.company_id = i.company_id and c.source_id = i.id and c.type = 10 and c.number is not null)`,
  ],
  [
    'no line gives more than it has',
    // What came back or was credited afterwards may leave less than nothing of what was charged and supplied
    // before, and what is charged after it was asked for leaves less than nothing to ask for.
    `select l.document_id, l.line, u.type, u.taken from (
        select t.company_id, t.source_document_id, t.source_line, f.type, sum(t.takes) as taken from document_lines t
          join documents d on d.company_id = t.company_id and d.id = t.document_id
          join documents s on s.company_id = t.company_id and s.id = t.source_document_id, generate_series(1, 14) f(type)
        where t.company_id = $1 and t.source_document_id is not null and d.status not in ('draft', 'cancelled')
          and d.type = any (used_by(s.type, f.type)) and (d.type = f.type or d.type not in (4, 10) and f.type <> 5)
        group by 1, 2, 3, 4) u
      join document_lines l on l.company_id = u.company_id and l.document_id = u.source_document_id and l.line = u.source_line
      where l.quantity > 0 and u.taken > l.quantity`,
  ],
  [
    'a request asks for what nobody answered, and for nothing once it was invoiced',
    `select d.id, d.asked_agorot from documents d where d.company_id = $1 and d.type = 5 and d.status not in ('draft', 'cancelled')
      and (d.asked_agorot <> d.total_agorot - (select coalesce(sum(a.agorot), 0) from asked_payments a where a.company_id = d.company_id and a.request_id = d.id)
        or (d.asked_agorot > 0 and d.total_agorot > 0 and not exists (select 1 from left_of_lines(d.company_id, d.id, 8) x where x.left_ > 0)))`,
  ],
  [
    'an invoice and its credits come to the same by class of VAT once nothing is left',
    `select i.id from documents i, lateral (select coalesce(sum(c.total_agorot), 0) as total, coalesce(sum(c.vat_agorot), 0) as vat,
        coalesce(sum(c.ils_vat_agorot), 0) as ils_vat, coalesce(sum(c.net_taxable_agorot), 0) as taxable, coalesce(sum(c.net_exempt_agorot), 0) as exempt,
        coalesce(sum(c.net_zero_agorot), 0) as zero from documents c where c.company_id = i.company_id and c.source_id = i.id and c.type = 10 and c.number is not null) c
      where i.company_id = $1 and i.type in (8, 9) and i.number is not null and c.total = i.total_agorot and i.total_agorot <> 0
        and (c.vat, c.ils_vat, c.taxable, c.exempt, c.zero) is distinct from
          (i.vat_agorot::numeric, i.ils_vat_agorot::numeric, i.net_taxable_agorot::numeric, i.net_exempt_agorot::numeric, i.net_zero_agorot::numeric)`,
  ],
  [
    'what is cancelled owes nothing',
    `select id from documents where company_id = $1 and status = 'cancelled' and (open_agorot <> 0 or asked_agorot <> 0)`,
  ],
  [
    'what is closed owes nothing',
    `select id, type from documents where company_id = $1 and status = 'closed' and open_in_currency_agorot <> 0`,
  ],
  [
    'cheques in hand are those on their account',
    `select b.s, y.s from (select coalesce(sum(amount_agorot), 0) as s from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = $1 and a.number = '1020') b,
      (select coalesce(sum(ils_agorot), 0) as s from document_payments y join documents d on d.company_id = y.company_id and d.id = y.document_id
        where y.company_id = $1 and d.status <> 'draft' and y.means = 2 and y.state = 'received') y where b.s <> y.s`,
  ],
  [
    'output VAT in the books is that of the papers',
    `select b.s, d.s from (select coalesce(-sum(amount_agorot), 0) as s from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = $1 and a.number = '2100') b,
      (select coalesce(sum(case when type = 10 then -ils_vat_agorot else ils_vat_agorot end), 0) as s from documents where company_id = $1 and status <> 'draft' and type in (8, 9, 10)) d,
      (select coalesce(sum(ils_vat_agorot), 0) as s from expenses where company_id = $1 and state = 'approved' and paper = 'selfInvoice') own,
      (select coalesce(sum(vat_agorot), 0) as s from opening_items where company_id = $1 and document_id is not null) before
      where b.s <> d.s + own.s + before.s`,
  ],
  [
    'a supplier’s card is the sum of his open bills',
    `select p.id, card.s, bills.s from parties p,
      lateral (select coalesce(-sum(amount_agorot), 0) as s from postings y where y.company_id = p.company_id and y.party_id = p.id) card,
      lateral (select coalesce(sum(open_agorot), 0) as s from expenses e where e.company_id = p.company_id and e.supplier_id = p.id) bills
      where p.company_id = $1 and p.role = 'supplier' and card.s <> bills.s`,
  ],
  [
    'input VAT in the books is that of the self-billed invoices that stand',
    `select b.s, d.s from (select coalesce(sum(amount_agorot), 0) as s from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = $1 and a.number in ('1200', '1210')) b,
      (select coalesce(sum(ils_vat_agorot), 0) as s from documents where company_id = $1 and status not in ('draft', 'cancelled') and type = 12) d where b.s <> d.s`,
  ],
  [
    'money held for others is that of its receipts',
    `select b.s, d.s from (select coalesce(-sum(amount_agorot), 0) as s from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = $1 and a.number = '2310') b,
      (select coalesce(sum(ils_total_agorot), 0) as s from documents where company_id = $1 and status <> 'draft' and type = 14) d,
      (select coalesce(sum(case when type = 10 then -ils_held_agorot else ils_held_agorot end), 0) as s from documents where company_id = $1 and status <> 'draft' and type in (6, 8, 9, 10)) held,
      (select coalesce(sum(y.ils_agorot), 0) as s from document_payments y join documents d on d.company_id = y.company_id and d.id = y.document_id
        where y.company_id = $1 and d.type = 14 and y.state in ('bounced', 'returned')) back where b.s <> d.s + held.s - back.s`,
  ],
  [
    'the VAT of a reported period does not move',
    `select f.from_day, f.figures, b.* from vat_filings f, lateral (select
        coalesce(-sum(p.amount_agorot) filter (where a.number = '2100'), 0) as output,
        coalesce(sum(p.amount_agorot) filter (where a.number in ('1200', '1210')), 0) as input
      from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
      where p.company_id = f.company_id and p.day between f.from_day and f.to_day) b
      where f.company_id = $1 and f.reopened_at is null and not exists (select 1 from vat_basis_changes c where c.company_id = $1 and c.basis = 'cash') and (b.output <> (f.figures->>'outputVat')::bigint
        or b.input <> (f.figures->>'inputVatEquipment')::bigint + (f.figures->>'inputVatOther')::bigint)`,
  ],
]

/** Where no VAT is charged the receipt is the income, once for all money that came. */
const lawsWithoutVat: typeof laws = [
  [
    'income is what the receipts say, but for what the rates of currencies bring',
    `select b.s, d.s from (select coalesce(-sum(amount_agorot), 0) as s from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id
        where p.company_id = $1 and a.kind = 'income' and a.number <> '8910') b,
      (select coalesce(sum(ils_net_agorot - ils_held_agorot), 0) as s from documents where company_id = $1 and status <> 'draft' and type in (6, 11)) d,
      (select coalesce(sum(y.ils_agorot), 0) as s from document_payments y join documents d on d.company_id = y.company_id and d.id = y.document_id
        where y.company_id = $1 and d.type = 11 and y.state in ('bounced', 'returned')) back where b.s <> d.s - back.s`,
  ],
]

/** All laws at once, prepared once for each connection: what is asked after every step must cost little. */
const inOne = (of: typeof laws): string =>
  of
    .map(([law, query]) => `select ${literal(law)} as law, to_jsonb(broken) as broken from (${query}) broken`)
    .join(' union all ')
const withVat = { name: 'lawsWithVat', text: inOne(laws) }
const withoutVat = { name: 'lawsWithoutVat', text: inOne([...laws, ...lawsWithoutVat]) }

async function check(companyId: string, kind: BusinessKind, after: string): Promise<void> {
  const { rows } = await world.app.db.pool.query({
    ...(chargesVat(kind) ? withVat : withoutVat),
    values: [companyId],
  })
  expect(rows, `after ${after}`).toEqual([])
}

/**
 * What is shown of the month's VAT may have been kept from the last look: it is what the papers come to when
 * they are all read.
 */
async function checkVat(business: Business, after: string): Promise<void> {
  const period = dayInJerusalem(now).slice(0, 7)
  const shown = await business.call(vat.vatPeriodFacts, { period })
  const { rows } = await business.get(
    `/api4/invoice/reports/pcnVat?from=${period}-01&to=${endOfMonth(`${period}-01`)}`,
  )
  const told = (rows as { line: string; exactAgorot: number; returnAgorot: number }[]).map((r) => [
    r.line,
    r.exactAgorot,
    r.returnAgorot,
  ])
  expect(
    shown.figures.map((f) => [f.name, f.exactAgorot, f.filedAgorot]),
    `after ${after}`,
  ).toEqual(told)
  expect(shown.differences, `after ${after}`).toEqual([])
}

/** What was owed before the books began, of some with VAT that falls due as it is paid. */
async function bring(life: Life): Promise<void> {
  await life.business.call(vat.changeVatBasis, { basis: 'cash', from: '2024-12-01' })
  const day = '2024-11-15'
  for (const [i, partyId] of [...life.customers, ...life.customers].entries()) {
    const amountAgorot = 1 + Math.floor(life.random() * 300_000)
    const most = mostVatIn(amountAgorot, day)
    const vatAgorot = i % 3 === 0 ? Math.floor(life.random() * most) : i % 3 === 1 ? most : 0
    await life.business.send('POST', '/api5/invoicecpa/openingCustomers', {
      partyId,
      number: String(900 + i),
      day,
      amountAgorot,
      vatAgorot,
    })
  }
  await life.business.call(journal.keepOpening, { date: '2024-11-30', lines: [] })
  await life.business.call(journal.postOpening, { leaveDifference: true })
}

/**
 * On cash basis the lines of a reported period do not tell its VAT: it is worked out again from both sides,
 * and is what it was when it was reported.
 */
async function checkReported(
  { business, reported, filed }: Life & { filed: Map<string, unknown> },
  after: string,
): Promise<void> {
  const { figures, differences } = await business.call(vat.vatPeriodFacts, { period: reported })
  expect(differences, `after ${after}`).toEqual([])
  const now = figures.map((f) => [f.name, f.exactAgorot, f.booksAgorot])
  if (!filed.has(reported)) filed.set(reported, now)
  expect(now, `after ${after}`).toEqual(filed.get(reported))
}

/**
 * What customers owed and suppliers were owed on past days: each report of it is what the books say of that day, whatever came back, was taken
 * off or was dated back since.
 */
async function checkPastDays({ business, random, today }: Life, after: string): Promise<void> {
  const days = Array.from({ length: 10 }, () =>
    addDays('2024-12-01', Math.floor(random() * daysBetween('2024-12-01', today()))),
  )
  for (const day of days)
    for (const name of ['ageing', 'owe', 'oweSummary', 'supplierBalances']) {
      const { checks } = await business.get(`/api4/invoice/reports/${name}?day=${day}`)
      expect(
        checks.filter((one: { ok: boolean }) => !one.ok),
        `${name} as of ${day} ${after}`,
      ).toEqual([])
    }
}

const kinds: readonly BusinessKind[] = [
  'licensedDealer',
  'company',
  'partnership',
  'exemptDealer',
  'nonProfit',
]
const seeds = Array.from({ length: lives }, (_, n) => firstSeed + n)
const kindOf = (seed: number): BusinessKind => kinds[(seed - 1) % kinds.length]!

/** What the lives of a kind of business did, the types they issued and the months they came to report. */
const done = new Map(
  kinds.map((kind) => [
    kind,
    { deeds: new Set<string>(), types: new Set<number>(), reported: new Set<string>(), badDebts: 0 },
  ]),
)

describe('random lives', () => {
  test.each(seeds.map((seed) => [seed, kindOf(seed)] as const))(
    'of seed %i (%s) keep every law after every step, over both rates of VAT',
    { timeout: 200_000 },
    async (seed, kind) => {
      const random = seeded(seed)
      now = new Date('2024-12-01T09:00:00Z')
      const business: Business = await newBusiness(world, { kind })
      await business.send('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1, backDating: true })
      const { id: companyId } = await business.get('/api4/invoice/company')
      const customers = await Promise.all(
        ['א', 'ב', 'ג'].map(async (name) => (await business.customer(name)).id),
      )
      const suppliers = await Promise.all(
        ['ד', 'ה'].map(
          async (name) =>
            (await business.send('POST', '/api4/invoice/suppliers', { name, taxId: newTaxId() }))
              .id as string,
        ),
      )
      const life: Life = {
        business,
        kind,
        random,
        customers,
        suppliers,
        documents: new Map(),
        badDebts: new Set(),
        reported: '2024-11',
        today: () => dayInJerusalem(now),
      }
      // Every other business reports VAT as it is paid.
      const isCash = chargesVat(kind) && seed % 2 === 1
      if (isCash) await bring(life)
      const filed = new Map<string, unknown>()
      const { deeds, types, reported } = done.get(kind)!
      for (let i = 0; i < steps; i++) {
        // Two months in all: half of the life in the old year.
        now = new Date(now.getTime() + Math.floor((random() * 2 * 60 * 86_400_000) / steps))
        // Half a year passes, after which debts may be written off.
        if (i === longPause) now = new Date(now.getTime() + 185 * 86_400_000)
        const what = await live(life, deedAt(kind, i))
        deeds.add(what)
        await check(companyId, kind, `step ${i} (${what}) of seed ${seed}`)
        if (i % 4 === 0 && chargesVat(kind)) await checkVat(business, `step ${i} (${what}) of seed ${seed}`)
        if (isCash && life.reported !== '2024-11' && (i % 4 === 0 || !filed.has(life.reported)))
          await checkReported({ ...life, filed }, `step ${i} (${what}) of seed ${seed}`)
      }
      await checkPastDays(life, `of seed ${seed}`)
      done.get(kind)!.badDebts += life.badDebts.size
      reported.add(life.reported)
      for (const of of life.documents.values()) for (const { type } of of) types.add(type)
    },
  )

  // Lives in which nothing happened would keep every law too.
  test.each([...new Set(seeds.map(kindOf))])('of a business like %s did all that it may do', (kind) => {
    const { deeds, types, reported, badDebts } = done.get(kind)!
    expect(badDebts > 0).toBe(chargesVat(kind))
    expect(deedsOf(kind).filter(({ name }) => !deeds.has(name))).toEqual([])
    expect(documentTypesFor(kind).filter((type) => !types.has(documentTypes[type].id))).toEqual([])
    expect([...reported].some((month) => month >= '2024-12')).toBe(chargesVat(kind))
  })
})
