import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { fold } from '#domain/fold.ts'
import { completeCheckDigit } from '#domain/taxId.ts'

const firstWords = [
  'מאפיית',
  'מוסך',
  'קייטרינג',
  'מרפאת',
  'סטודיו',
  'חוות',
  'ספריית',
  'נגריית',
  'משתלת',
  'בית קפה',
  'דפוס',
  'חשמל',
  'גני',
  'הובלות',
  'משרד',
  'אופטיקה',
]
const secondWords = [
  'שיפון הגליל',
  'הציר הירוק',
  'שבעת המינים',
  'אביטל',
  'תכלת',
  'עמק הדס',
  'רחוב הרימון',
  'אורן',
  'הכרמל',
  'לוי ובניו',
  'רוזנברג',
  'מזרחי',
  'אבו חטב',
  'הגפן',
  'השקמה',
  'פרידמן',
  'נחל עוז',
  'כוכב הצפון',
]

/** A part of a name that some customers bear, as people type it. */
export const wantedName = 'רוזנברג'

export interface Filled {
  documents: number
  customers: number
  postings: number
  /** The customer with a card as long as others have. */
  customerId: string
}

/**
 * Years of business put straight into the tables: five lines and one entry a document, a receipt for most,
 * evenly over the last 600 days. Keys are checked by nobody here, so the roll-ups are worked out from the
 * lines that were written.
 */
export async function fill(databaseUrl: string, companyId: string, documents: number): Promise<Filled> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    // Triggers that guard issued documents would look at every line; the reports' own checks say afterwards
    // whether all is consistent.
    await client.query('set local session_replication_role = replica')
    const customers = Math.max(50, Math.round(documents / 30))
    const names = Array.from(
      { length: customers },
      (_, n) =>
        `${firstWords[n % firstWords.length]} ${secondWords[(n * 7) % secondWords.length]} ${1 + Math.floor(n / 16)}`,
    )
    const ids = names.map(() => uuidv7())
    // Two of three are businesses: their documents are single entries in the detailed VAT report.
    const taxIds = names.map((_, n) => (n % 3 ? completeCheckDigit(String(51_400_000 + n)) : null))
    await client.query(
      `insert into parties (company_id, id, role, name, folded, city, due_terms, tax_id) select $1::uuid, id, 'customer', name, folded, 'חיפה', 'net:30', tax_id
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as t (id, name, folded, tax_id)`,
      [companyId, ids, names, names.map(fold), taxIds],
    )
    // Nine of ten say what they cost.
    const items = Array.from({ length: Math.min(1000, Math.max(50, Math.round(documents / 300))) }, () =>
      uuidv7(),
    )
    await client.query(
      `insert into items (company_id, id, name, folded, sku, price, cost) select $1::uuid, id, 'פריט ' || n, 'פריט ' || n, 'S-' || n, 100 + n, case when n % 10 = 0 then null else 40 + n % 60 end
        from unnest($2::uuid[]) with ordinality as t (id, n)`,
      [companyId, items],
    )
    await client.query(statements.plan, [companyId, documents, ids])
    await client.query(statements.lines, [companyId, items])
    await client.query(statements.orders, [companyId, items])
    for (const statement of [
      statements.documents,
      statements.entries,
      statements.postings,
      statements.series,
      statements.accountMonths,
      statements.partyMonths,
    ])
      await client.query(statement, [companyId])
    await client.query('drop table bench_plan')
    await client.query('commit')
    for (const table of [
      'parties',
      'items',
      'documents',
      'document_lines',
      'entries',
      'postings',
      'account_months',
      'party_months',
    ])
      await client.query(`vacuum analyze ${table}`)
    const { rows } = await client.query<{ n: string }>(
      'select count(*) as n from postings where company_id = $1',
      [companyId],
    )
    return { documents, customers, postings: Number(rows[0]!.n), customerId: ids[0]! }
  } finally {
    await client.end()
  }
}

/**
 * An id that sorts by its day, as the application's ids do: `n` is distinguished from the receipt of the same
 * document by `salt`.
 */
const idOf = (salt: string) =>
  `(lpad(to_hex((extract(epoch from day) * 1000)::bigint + n % 86400000), 12, '0') || '7' || substr(md5('${salt}' || n), 1, 3) || '8' || substr(md5('${salt}' || n), 4, 15))::uuid`

const statements = {
  // Prices in steps of fifty agorot: 18% of each is whole, so that the VAT of the lines is the VAT of the
  // document.
  plan: `create temporary table bench_plan as
    select n, day, ${idOf('d')} as id, ${idOf('e')} as entry, ${idOf('r')} as receipt, customer, net, net * 18 / 100 as vat, n % 10 < 8 and day < current_date - 30 as paid
    from (select n, (current_date - 600 + (n::bigint * 600 / $2)::int) as day, ($3::uuid[])[1 + (n * 31) % cardinality($3::uuid[])] as customer,
            (select sum(50 * (100 + (n * 7 + l * 13) % 900))::bigint from generate_series(1, 5) l) as net
          from generate_series(1, $2::int) n where $1::uuid is not null) x`,
  documents: `insert into documents (company_id, id, type, series, number, status, day, due_day, customer_id, customer, business, vat_rate_bp, subtotal_agorot, net_taxable_agorot, vat_agorot, total_agorot,
      ils_net_agorot, ils_vat_agorot, ils_total_agorot, open_agorot, page_key, issued_at, created_at)
    select $1::uuid, p.id, 8, 'taxInvoice', n, case when paid then 'closed' else 'issued' end, day, day + 30, customer, jsonb_strip_nulls(jsonb_build_object('name', c.name, 'city', c.city, 'taxId', c.tax_id)), jsonb_build_object('name', b.name, 'taxId', b.tax_id),
      1800, net, net, vat, net + vat, net, vat, net + vat, case when paid then 0 else net + vat end, 'bench-' || n, day, day
    from bench_plan p join parties c on c.company_id = $1 and c.id = p.customer join companies b on b.id = $1`,
  lines: `insert into document_lines (company_id, document_id, line, item_id, description, quantity, unit_price, vat_kind, amount_agorot, net_agorot, vat_agorot, total_agorot, ils_net_agorot)
    select $1::uuid, id, l, ($2::uuid[])[1 + (n * 7 + l * 13) % cardinality($2::uuid[])], 'עבודה ' || l, 1, a / 100.0, 1, a, a, a * 18 / 100, a + a * 18 / 100, a from bench_plan, generate_series(1, 5) l, lateral (select 50 * (100 + (n * 7 + l * 13) % 900) as a) x`,
  // An order for every fiftieth invoice; one of four is still open, of some a part has gone.
  orders: `with o as (insert into documents (company_id, id, type, series, number, status, day, valid_until, customer_id, customer, business, vat_rate_bp, subtotal_agorot, net_taxable_agorot, vat_agorot, total_agorot,
        ils_net_agorot, ils_vat_agorot, ils_total_agorot, page_key, issued_at, created_at)
      select $1::uuid, ${idOf('o')}, 2, 'order', n / 50, case when n % 200 = 0 then 'issued' else 'closed' end, day, day + 30, customer, jsonb_build_object('name', c.name), '{}', 1800, net, net, vat, net + vat, net, vat, net + vat, 'order-' || n, day, day
      from bench_plan p join parties c on c.company_id = $1 and c.id = p.customer where n % 50 = 0 returning id, number, ils_net_agorot)
    insert into document_lines (company_id, document_id, line, item_id, description, quantity, unit_price, vat_kind, amount_agorot, net_agorot, vat_agorot, total_agorot, ils_net_agorot)
    select $1::uuid, o.id, l, ($2::uuid[])[1 + (o.number * 11 + l * 7) % cardinality($2::uuid[])], 'הזמנה ' || l, 10, 100, 1, 100000, 100000, 18000, 118000, 100000 from o, generate_series(1, 3) l`,
  entries: `insert into entries (company_id, id, day, value_day, kind, reference, details, document_id, created_at)
    select $1::uuid, entry, day, day, 'taxInvoice', n::text, '', id, day from bench_plan
    union all select $1::uuid, receipt, day + 30, day + 30, 'receipt', n::text, '', null, day + 30 from bench_plan where paid`,
  postings: `insert into postings (company_id, entry_id, line, account_id, party_id, day, amount_agorot)
    select $1::uuid, x.entry, x.line, a.id, x.party, x.day, x.amount from (
      select entry, 1 as line, '1100' as number, customer as party, day, net + vat as amount from bench_plan
      union all select entry, 2, '4000', null, day, -net from bench_plan
      union all select entry, 3, '2100', null, day, -vat from bench_plan
      union all select receipt, 1, '1010', null, day + 30, net + vat from bench_plan where paid
      union all select receipt, 2, '1100', customer, day + 30, -net - vat from bench_plan where paid) x
    join accounts a on a.company_id = $1 and a.number = x.number order by x.day, x.entry, x.line`,
  series: `insert into number_series as s (company_id, series, next_number, last_day) select $1::uuid, 'taxInvoice', max(n) + 1, max(day) from bench_plan
    on conflict (company_id, series) do update set next_number = excluded.next_number, last_day = excluded.last_day`,
  accountMonths: `insert into account_months select company_id, account_id, date_trunc('month', day)::date, sum(greatest(amount_agorot, 0)), sum(greatest(-amount_agorot, 0)) from postings where company_id = $1 group by 1, 2, 3`,
  partyMonths: `insert into party_months select company_id, party_id, account_id, date_trunc('month', day)::date, sum(greatest(amount_agorot, 0)), sum(greatest(-amount_agorot, 0)) from postings where company_id = $1 and party_id is not null group by 1, 2, 3, 4`,
}
