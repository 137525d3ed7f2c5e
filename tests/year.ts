import type { Raw } from './yearData.ts'
import { callAs, type World } from './world.ts'
import { signUp } from '#features/base/companies/endpoints.ts'

/*
 * A generated year (`yearData.ts`), entered through the calls in process.
 */

export interface Entered {
  get: (path: string) => Promise<any>
  /** Our id of a record: a customer, a document by its ref, an item by 'T00001@4000'. */
  id: (ref: string) => string
}

/** What the year does not say and a test adds. */
export interface Added {
  /** The cost of an item in agorot of a unit; null: nobody said. */
  costOf?: (item: string) => number | null
  /** Whether its customers have the owner as their agent. */
  isMine?: (customer: string) => boolean
  /**
   * How much of an order's line the document that came from it takes, in thousandths; nothing when undefined.
   */
  takes?: (order: Raw, line: number) => number | undefined
}

const types: Record<string, number> = {
  quote: 1,
  order: 2,
  proforma: 5,
  invoice: 8,
  invoice_receipt: 9,
  credit: 10,
  receipt: 6,
}
const means: Record<string, number> = { cash: 1, cheque: 2, transfer: 3, card: 4, app: 5, withholding: 7 }
const decimal = (n: number, places: number): string => (n / 10 ** places).toFixed(places)

/** Enters the sales of a year: customers, items, documents of every kind in their order. */
export async function enterYear(
  world: World,
  rows: readonly Raw[],
  { costOf, isMine, takes }: Added = {},
): Promise<Entered> {
  const of = (kind: string) => rows.filter(({ k }) => k === kind)
  const [company] = of('company') as [Raw]
  const email = `year${company.seed}${Date.now()}@example.com`
  const { UserKey: token } = await callAs(world, signUp, {
    email,
    password: 'a long enough password',
    fullName: 'נועה ורדי',
    business: { name: company.name, kind: 'company', taxId: company.company_no },
    language: 'he',
  })
  const request = async <T = any>(method: string, url: string, payload?: unknown): Promise<T> => {
    const answer = await world.http.inject({
      method: method as 'GET',
      url,
      headers: { 'x-access-token': token },
      ...(payload ? { payload: payload as object } : {}),
    })
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body.slice(0, 500)}`)
    return JSON.parse(answer.body) as T
  }
  const ids = new Map<string, string>()
  const id = (ref: string): string => {
    const found = ids.get(ref)
    if (!found) throw new Error(`unknown: ${ref}`)
    return found
  }
  await request('PATCH', '/api4/invoice/company', { vatPeriodMonths: 1 })
  const { rows: chart } = await request('GET', '/api5/invoicecpa/accounts?size=200')
  for (const a of of('account')) {
    const known = (chart as Raw[]).find(({ number }) => number === a.code)
    ids.set(
      `account:${a.code}`,
      known?.id ??
        (
          await request('POST', '/api5/invoicecpa/accounts', {
            number: a.code,
            name: a.name_he,
            kind: a.type,
          })
        ).id,
    )
  }
  const { rows: agents } = await request('GET', '/api4/invoice/agents')
  for (const c of of('customer')) {
    const made = await request('POST', '/api4/invoice/customers', {
      name: c.name,
      taxId: c.tax_id,
      isDealer: c.kind === 'business',
      language: c.lang,
      dueTerms: `${c.terms_from === 'date' ? 'net' : 'eom'}:${c.terms_days}`,
      ...(isMine?.(c.id) ? { agentId: agents[0].id } : {}),
    })
    ids.set(c.id, made.id)
  }
  const documents = of('document')
  // A line is posted where its customer belongs, so an item occurs once for each account.
  const sold = new Set(documents.flatMap((d) => (d.lines ?? []).map((l: Raw) => `${l.item}@${l.account}`)))
  const items = new Map(of('item').map((t) => [t.id as string, t]))
  for (const ref of [...sold].sort()) {
    const [item = '', account = ''] = ref.split('@')
    const t = items.get(item)!
    const cost = costOf?.(item) ?? null
    const made = await request('POST', '/api4/invoice/items', {
      name: t.name,
      sku: `${t.sku}-${account}`,
      price: decimal(t.unit_price, 2),
      accountId: id(`account:${account}`),
      ...(cost === null ? {} : { cost: decimal(cost, 2) }),
    })
    ids.set(ref, made.id)
  }
  const byRef = new Map(documents.map((d) => [d.ref as string, d]))
  const lineOf = (d: Raw, l: Raw, i: number) => {
    const source =
      d.from && byRef.get(d.from)?.type === 'order' && d.type === 'invoice'
        ? takes?.(byRef.get(d.from)!, i)
        : undefined
    return {
      itemId: id(`${l.item}@${l.account}`),
      description: l.description,
      quantity: decimal(l.qty_milli, 3),
      unitPrice: decimal(l.unit_price, 2),
      vatKind: l.vat_class === 'standard' ? (d.prices_include_vat ? 2 : 1) : 4,
      ...(l.discount_bp ? { discount: { basisPoints: l.discount_bp } } : {}),
      ...(source ? { source: { documentId: id(d.from), line: i + 1, quantity: decimal(source, 3) } } : {}),
    }
  }
  const paid = (p: Raw) => ({
    means: means[p.method]!,
    amountAgorot: p.amount,
    ...(p.due ? { dueDate: p.due } : {}),
    ...(p.bank ? { bank: String(p.bank) } : {}),
    ...(p.branch ? { branch: String(p.branch) } : {}),
    // The generator knows no account of a cheque.
    ...(p.cheque_no ? { account: '100000', number: String(p.cheque_no) } : {}),
    ...(p.last4 ? { cardBrand: p.brand, cardLast4: p.last4, instalments: p.instalments } : {}),
  })
  for (const type of Object.keys(types)) {
    const all = documents.filter((d) => d.type === type)
    for (let at = 0; at < all.length; at += 200) {
      const part = all.slice(at, at + 200)
      const { rows: made } = await request('POST', '/api4/invoice/documents/batch', {
        documents: part.map((d) => ({
          type: types[d.type],
          customerId: id(d.customer),
          date: d.date,
          clientKey: d.ref,
          cashException: 'generated data',
          ...(d.credits ? { classException: 'generated data', sourceId: id(d.credits) } : {}),
          ...(d.due ? { dueDate: d.due } : {}),
          ...(d.lines ? { lines: d.lines.map((l: Raw, i: number) => lineOf(d, l, i)) } : {}),
          ...(d.discount_bp ? { discount: { basisPoints: d.discount_bp } } : {}),
          ...(d.payments ? { payments: d.payments.map(paid) } : {}),
          ...(d.applied?.length
            ? { closes: d.applied.map((a: Raw) => ({ documentId: id(a.ref), amountAgorot: a.amount })) }
            : {}),
        })),
      })
      made.forEach((one: Raw, i: number) => ids.set(part[i]!.ref, one.id))
    }
  }
  return { get: (path) => request('GET', path), id }
}
