import { documentTypes, paymentMeans } from '#domain/documents/kinds.ts'
import {
  incomeNet,
  isCredit,
  isIncome as countsAsIncome,
  isIncomeLine,
  isIssued,
  sign as signOf,
  textOf,
} from '#kit/server/data/documentFacts.ts'
import { weekdays, type DimensionName, type FactName } from '#domain/questions/model.ts'

/*
 * The names of the model in the database. Every SQL text a question can contain is here, literally: names of a
 * question are looked up in these tables and never written into a statement, values are passed as parameters.
 * `:company` and `:today` are put in by the compiler.
 */

interface Told {
  /** What is grouped by, in the database's own type. */
  by: string
  /** Its key as text, of `x`. */
  key?: string
  joins?: readonly Join[]
}

interface Counted {
  /**
   * Of one record: what is summed, or the thing whose different ones are counted. Nothing for a plain count.
   */
  of?: string
  /** What an average is divided by; the number of records when absent. */
  per?: string
  joins?: readonly Join[]
}

interface FactSource {
  from: string
  where: string
  /** Replaces it when the unpaid part is asked for. */
  whereOwed?: string
  /** The fact's day, where it has one. */
  day?: string
  /** The type of the document it hangs on, for who may see some types only. */
  type?: string
  dimensions: Partial<Record<DimensionName, Told>>
  measures: Record<string, Counted>
  /** Quantities come in ten-thousandths. */
  amounts: Record<string, string>
  flags: Record<string, string>
  /** Free text of one record. */
  text?: string
  textJoins?: readonly Join[]
  /** One record, as a line under a figure. */
  line: {
    id: string
    day: string
    type?: string
    number: string
    who: string
    what: string
    open: string
    joins?: readonly Join[]
  }
}

export type Join = 'merged' | 'party' | 'standing' | 'item' | 'entry' | 'account'

const joinsOf: Record<FactName, Partial<Record<Join, string>>> = (() => {
  const customer = {
    // Only those few who were merged into another: a row is looked for in a small table.
    merged:
      'left join parties m0 on m0.company_id = d.company_id and m0.id = d.customer_id and m0.merged_into is not null',
    party: 'left join parties p0 on p0.company_id = d.company_id and p0.id = d.customer_id',
    standing: 'left join parties p on p.company_id = d.company_id and p.id = coalesce(p0.merged_into, p0.id)',
  }
  return {
    income: customer,
    documents: customer,
    lines: { ...customer, item: 'left join items i on i.company_id = l.company_id and i.id = l.item_id' },
    payments: customer,
    expenses: {
      merged:
        'left join parties m0 on m0.company_id = e.company_id and m0.id = e.supplier_id and m0.merged_into is not null',
      party: 'left join parties p0 on p0.company_id = e.company_id and p0.id = e.supplier_id',
    },
    entries: {
      party: 'left join parties p0 on p0.company_id = t.company_id and p0.id = t.party_id',
      entry: 'join entries e on e.company_id = t.company_id and e.id = t.entry_id',
      account: 'join accounts a on a.company_id = t.company_id and a.id = t.account_id',
    },
    items: {},
    customers: {},
  }
})()

/** The joins a query needs, each once and in the order in which they lean on each other. */
export function joinsFor(fact: FactName, wanted: Iterable<Join>): string {
  const all = new Set(wanted)
  if (all.has('standing')) all.add('party')
  return (['merged', 'party', 'standing', 'item', 'entry', 'account'] as const)
    .filter((one) => all.has(one))
    .map((one) => joinsOf[fact][one] ?? '')
    .join(' ')
}

const nameById = (table: Record<string, number>) =>
  `case x ${Object.entries(table)
    .map(([name, id]) => `when ${id} then '${name}'`)
    .join(' ')} end`
const typeNames = nameById(
  Object.fromEntries(Object.entries(documentTypes).map(([name, { id }]) => [name, id])),
)

const timesOf = (day: string): Partial<Record<DimensionName, Told>> => ({
  year: { by: `date_trunc('year', ${day}::timestamp)`, key: `to_char(x, 'YYYY')` },
  quarter: { by: `date_trunc('quarter', ${day}::timestamp)`, key: `to_char(x, 'YYYY-"Q"Q')` },
  month: { by: `date_trunc('month', ${day}::timestamp)`, key: `to_char(x, 'YYYY-MM')` },
  // A week begins on Sunday.
  week: { by: `(${day} - extract(dow from ${day})::int)`, key: `to_char(x, 'YYYY-MM-DD')` },
  day: { by: day, key: `to_char(x, 'YYYY-MM-DD')` },
  monthOfYear: { by: `extract(month from ${day})::int`, key: 'x' },
  weekday: {
    by: `extract(dow from ${day})::int`,
    key: `(array[${weekdays.map((one) => `'${one}'`).join(', ')}])[x + 1]`,
  },
})

/** The customer of a document: a merged one is shown as the remaining one. */
const ofCustomer: Partial<Record<DimensionName, Told>> = {
  customer: { by: 'coalesce(m0.merged_into, d.customer_id)', joins: ['merged'] },
  customerType: { by: 'p.type_id', joins: ['standing'] },
  customerStatus: { by: 'p.status_id', joins: ['standing'] },
  city: { by: 'p.city', joins: ['standing'] },
  agent: { by: 'd.agent_id' },
}
const customers: Counted = { of: 'coalesce(m0.merged_into, d.customer_id)', joins: ['merged'] }

const sign = `(${textOf(signOf('d'))})`
/** What was owed before the books began is among the documents with its amount negated. */
const signOfAll = `(case when ${textOf(isCredit('d'))} or d.series like '%#opening' then -1 else 1 end)`
const issued = `d.company_id = :company and ${textOf(isIssued('d'))}`
const isOurs = `d.series not like '%#opening'`
// What was owed before the books began is no income: it has no net.
const isIncome = textOf(countsAsIncome('d'))
const isUnpaid = 'd.open_agorot <> 0'

const documentLine = {
  id: 'd.id',
  day: 'd.day',
  type: 'd.type',
  number: 'd.number::text',
  who: `coalesce(d.customer->>'name', '')`,
  what: 'd.subject',
  open: `'/invoice/preview/' || d.id`,
}

const documentSource = (where: string, turned = sign, net = 'd.ils_net_agorot'): FactSource => ({
  from: 'documents d',
  where,
  day: 'd.day',
  type: 'd.type',
  dimensions: {
    ...timesOf('d.day'),
    ...ofCustomer,
    type: { by: 'd.type', key: typeNames },
    status: { by: 'd.status' },
    project: { by: 'd.project_id' },
    currency: { by: 'd.currency' },
  },
  measures: {
    net: { of: `${turned} * ${net}` },
    vat: { of: `${turned} * d.ils_vat_agorot` },
    total: { of: `${turned} * d.ils_total_agorot` },
    open: { of: 'd.open_agorot' },
    count: {},
    average: { of: `${turned} * ${net}` },
    most: { of: `${turned} * ${net}` },
    customers,
  },
  amounts: {
    net: `${turned} * ${net}`,
    total: `${turned} * d.ils_total_agorot`,
    open: 'd.open_agorot',
  },
  flags: { unpaid: isUnpaid, overdue: `(${isUnpaid} and d.due_day is not null and d.due_day < :today)` },
  text: `(d.subject || ' ' || coalesce(d.customer->>'name', ''))`,
  line: documentLine,
})

export const sources: Record<FactName, FactSource> = {
  income: documentSource(`${issued} and ${isIncome}`, sign, textOf(incomeNet('d'))),
  // Who owes is asked of all that is owed, also from before the books.
  documents: { ...documentSource(`${issued} and ${isOurs}`, signOfAll), whereOwed: issued },
  lines: {
    from: 'document_lines l join documents d on d.company_id = l.company_id and d.id = l.document_id',
    where: `l.company_id = :company and ${issued} and ${isIncome} and ${textOf(isIncomeLine())}`,
    day: 'd.day',
    type: 'd.type',
    dimensions: {
      ...timesOf('d.day'),
      ...ofCustomer,
      item: { by: 'l.item_id' },
      category: { by: 'i.category_id', joins: ['item'] },
      unit: { by: 'l.unit' },
      type: { by: 'd.type', key: typeNames },
      project: { by: 'd.project_id' },
      currency: { by: 'd.currency' },
    },
    measures: {
      quantity: { of: `${sign} * l.quantity` },
      net: { of: `${sign} * l.ils_net_agorot` },
      count: {},
      price: { of: `${sign} * l.ils_net_agorot`, per: `${sign} * l.quantity` },
      documents: { of: 'l.document_id' },
      items: { of: 'l.item_id' },
      customers,
    },
    amounts: { net: `${sign} * l.ils_net_agorot`, quantity: `${sign} * l.quantity * 10000` },
    flags: {},
    text: 'l.description',
    line: { ...documentLine, id: `d.id || '-' || l.line`, what: 'l.description' },
  },
  payments: {
    from: 'document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id',
    where: `t.company_id = :company and ${issued} and ${isOurs}`,
    day: 't.day',
    type: 'd.type',
    dimensions: {
      ...timesOf('t.day'),
      ...ofCustomer,
      means: { by: 't.means', key: nameById(paymentMeans) },
      type: { by: 'd.type', key: typeNames },
      currency: { by: 'd.currency' },
    },
    measures: {
      sum: { of: 't.ils_agorot' },
      count: {},
      average: { of: 't.ils_agorot' },
      most: { of: 't.ils_agorot' },
      customers,
    },
    amounts: { sum: 't.ils_agorot' },
    flags: {},
    line: {
      ...documentLine,
      id: 't.id',
      day: 't.day',
      what: `coalesce(nullif(t.number, ''), nullif(t.card_last4, ''), t.reference)`,
      open: `'/invoice/paymentview/' || t.id`,
    },
  },
  expenses: {
    from: 'expense_lines l join expenses e on e.company_id = l.company_id and e.id = l.expense_id',
    where: `l.company_id = :company and e.company_id = :company and e.source <> 'opening' and e.state not in ('draft', 'rejected', 'cancelled')`,
    day: 'e.day',
    dimensions: {
      ...timesOf('e.day'),
      supplier: { by: 'coalesce(m0.merged_into, e.supplier_id)', joins: ['merged'] },
      expenseType: { by: 'l.type_id' },
      account: { by: 'l.account_id' },
      project: { by: 'l.project_id' },
      expenseState: { by: 'e.state' },
      currency: { by: 'e.currency' },
    },
    measures: {
      net: { of: 'l.ils_net_agorot' },
      vat: { of: 'l.ils_vat_agorot' },
      recognisedVat: { of: 'l.recognised_vat_agorot' },
      total: { of: '(l.ils_net_agorot + l.ils_vat_agorot)' },
      count: {},
      average: { of: 'l.ils_net_agorot' },
      bills: { of: 'e.id' },
      suppliers: { of: 'coalesce(m0.merged_into, e.supplier_id)', joins: ['merged'] },
    },
    amounts: { net: 'l.ils_net_agorot', total: 'e.ils_total_agorot' },
    flags: { unpaid: 'e.open_agorot <> 0' },
    text: `(l.details || ' ' || e.details)`,
    line: {
      id: `e.id || '-' || l.line`,
      day: 'e.day',
      number: 'e.supplier_number',
      who: `coalesce(p0.name, '')`,
      what: `coalesce(nullif(l.details, ''), e.details)`,
      open: `'/invoice/Expenses/all/' || e.id`,
      joins: ['party'],
    },
  },
  entries: {
    from: 'postings t',
    where: 't.company_id = :company',
    day: 't.day',
    dimensions: {
      ...timesOf('t.day'),
      account: { by: 't.account_id' },
      accountKind: { by: 'a.kind', joins: ['account'] },
      entryKind: { by: 'e.kind', joins: ['entry'] },
      customer: {
        by: `case when p0.role = 'customer' then coalesce(p0.merged_into, p0.id) end`,
        joins: ['party'],
      },
      supplier: {
        by: `case when p0.role = 'supplier' then coalesce(p0.merged_into, p0.id) end`,
        joins: ['party'],
      },
    },
    measures: {
      debit: { of: 'greatest(t.amount_agorot, 0)' },
      credit: { of: 'greatest(-t.amount_agorot, 0)' },
      balance: { of: 't.amount_agorot' },
      count: {},
      entries: { of: 't.entry_id' },
    },
    amounts: { debit: 'greatest(t.amount_agorot, 0)', credit: 'greatest(-t.amount_agorot, 0)' },
    flags: {},
    text: `(e.details || ' ' || e.reference)`,
    textJoins: ['entry'],
    line: {
      id: `t.entry_id || '-' || t.line`,
      day: 't.day',
      number: 'e.reference',
      who: `coalesce(p0.name, '')`,
      what: 'e.details',
      open: `'/invoice/entries/' || t.entry_id`,
      joins: ['party', 'entry'],
    },
  },
  items: {
    from: 'items i',
    where: 'i.company_id = :company and i.archived_at is null',
    dimensions: {
      category: { by: 'i.category_id' },
      unit: { by: 'i.unit' },
      active: { by: 'i.is_active', key: `case when x then 'yes' else 'no' end` },
      currency: { by: 'i.currency' },
    },
    measures: {
      count: {},
      // Prices of other currencies are no shekels.
      average: {
        of: `case when i.currency = 'ILS' then i.price * 100 end`,
        per: `case when i.currency = 'ILS' then 1 end`,
      },
      most: { of: `case when i.currency = 'ILS' then i.price * 100 end` },
    },
    amounts: { price: `case when i.currency = 'ILS' then i.price * 100 end` },
    flags: {},
    text: `(i.name || ' ' || coalesce(i.sku, ''))`,
    line: {
      id: 'i.id',
      day: 'null::date',
      number: `coalesce(i.sku, '')`,
      who: 'i.name',
      what: `coalesce(i.details, '')`,
      open: `'/invoice/items/' || i.id`,
    },
  },
  customers: {
    from: 'parties p',
    where: `p.company_id = :company and p.role = 'customer' and p.merged_into is null and p.archived_at is null`,
    day: `(p.created_at at time zone 'Asia/Jerusalem')::date`,
    dimensions: {
      ...timesOf(`(p.created_at at time zone 'Asia/Jerusalem')::date`),
      customerType: { by: 'p.type_id' },
      customerStatus: { by: 'p.status_id' },
      city: { by: 'p.city' },
      agent: { by: 'p.agent_id' },
    },
    measures: { count: {}, creditLimit: { of: 'p.credit_limit_agorot' } },
    amounts: { creditLimit: 'p.credit_limit_agorot' },
    flags: {},
    text: 'p.name',
    line: {
      id: 'p.id',
      day: `(p.created_at at time zone 'Asia/Jerusalem')::date`,
      number: `coalesce(p.tax_id, '')`,
      who: 'p.name',
      what: `coalesce(p.city, '')`,
      open: `replace('/invoice/invoiceCustomer/$id/details', '$id', p.id::text)`,
    },
  },
}
