import { countryCode } from '#domain/countries.ts'
import { normaliseTaxId } from '#domain/taxId.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { tradeCalls } from '../calls.ts'
import type { Read } from '../fields.ts'
import type { Desk, Handler } from './desk.ts'
import { currencyOf } from './numbers.ts'

const base = '/api4/invoice'

/** Sizes that lists of the contract take; a page of another size is cut out of theirs. */
const sizes = [10, 20, 50, 100, 200] as const

interface Page {
  PageSize: number
  PageNumber: number
}

/** A page of a list as the trade counts pages: from 1, of any size; nothing lies behind the last. */
export async function pageOf<R>(
  desk: Desk,
  path: string,
  { PageSize, PageNumber }: Page,
  query: Record<string, unknown>,
): Promise<{ rows: R[]; total: number }> {
  const [first, behind] = [(PageNumber - 1) * PageSize, PageNumber * PageSize]
  const size =
    sizes.find((one) => Math.floor(first / one) === Math.floor((behind - 1) / one)) ?? sizes.at(-1)!
  const rows: R[] = []
  let total = 0
  for (let page = Math.floor(first / size); page * size < behind; page++) {
    const part = await desk.ask<{ rows: R[]; total: number }>('GET', path, { ...query, page: page + 1, size })
    total = part.total
    // A page beyond the last answers the first one again.
    if (page * size >= total) break
    rows.push(...part.rows.slice(Math.max(0, first - page * size), behind - page * size))
  }
  return { rows, total }
}

/** Fields that have no place here when they were not sent. */
export const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

export type PartyTakes = Partial<Read<(typeof tradeCalls)['addcustomer']['takes']>>

/** -1 and 0 are how programs say "none yet". */
export const idOf = (id: string | undefined): string | undefined =>
  id === undefined || id === '-1' || id === '0' ? undefined : id

const countries = new Intl.DisplayNames(['he'], { type: 'region' })

/** A country by its letters is written out, as it is printed; at home it goes without saying. */
function countryOf(sent: string | undefined): string | undefined {
  const code = sent === undefined ? undefined : countryCode(sent)
  if (code === 'IL') return undefined
  return code === undefined || !/^[A-Za-z]{2,3}$/.test(sent!) ? sent : countries.of(code)
}

/**
 * An id of ours where one was sent: numbers of another product name nothing here, and are refused before
 * something else is done than was meant.
 */
export function refOf(path: string, sent: string | undefined): string | undefined {
  const id = idOf(sent)
  if (id !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
    throw failField(path, 'fields.ref')
  return id
}

const dates = { datecreated: 'createdAt', createddate: 'createdAt', date: 'createdAt' }
const ofParties = {
  id: 'createdAt',
  name: 'name',
  numberid: 'taxId',
  emailaddress: 'email',
  phone: 'phone',
  city: 'city',
  ...dates,
}
const ofItems = { id: 'createdAt', sku: 'sku', name: 'name', price: 'price', barcode: 'barcode', ...dates }

/**
 * The order of a list by a column as programs name it; one that is not known is refused, or what they take
 * for the first were any.
 */
export function sortOf(
  orderby: { column: string | undefined; asc: boolean } | undefined,
  columns: Readonly<Record<string, string>>,
): string | undefined {
  if (!orderby?.column) return undefined
  const column = orderby.column.toLowerCase()
  if (!Object.hasOwn(columns, column)) throw failField('orderby.column', 'fields.choice')
  return `${orderby.asc ? '' : '-'}${columns[column]!}`
}

export const customerOf = (of: PartyTakes): Record<string, unknown> =>
  given({
    name: of.Name ?? of.FullName,
    contact: of.FullName,
    country: countryOf(of.CountryCode),
    nameOnDocument: of.NameInvoice,
    taxId: of.NumberID,
    email: of.EmailAddress,
    mobile: of.Phone,
    phone: of.Phone2,
    street: of.Address,
    city: of.City,
    zip: of.ZipCode,
    customKey: of.CustomKey,
  })

interface Party {
  id: string
  name: string
  taxId: string | null
  email: string | null
  phone: string | null
  mobile?: string | null
  city: string | null
  customKey?: string | null
  portfolioId?: string | null
}

const shown = (row: Party) => ({
  id: row.id,
  name: row.name,
  Name: row.name,
  NumberID: row.taxId ?? '',
  EmailAddress: row.email ?? '',
  Phone: row.mobile ?? row.phone ?? '',
  City: row.city ?? '',
})

/** Changes the record that is meant, or makes one. */
async function put(
  desk: Desk,
  resource: string,
  id: string | undefined,
  values: Record<string, unknown>,
): Promise<{ value: { id: string } }> {
  const { id: made } = id
    ? await desk.ask<{ id: string }>('PATCH', `${base}/${resource}/${encodeURIComponent(id)}`, values)
    : await desk.ask<{ id: string }>('POST', `${base}/${resource}`, values)
  return { value: { id: made } }
}

/** Fields that a list is filtered by; by others it is searched, and what was found is compared. */
const filtered = ['customKey', 'sku']

/** The one living record with exactly this value in a field. */
export async function found(
  desk: Desk,
  resource: string,
  field: string,
  value: string | undefined,
): Promise<string | undefined> {
  if (!value) return undefined
  // Numbers of dealers are kept with all their digits and nothing between them.
  const kept = field === 'taxId' ? (normaliseTaxId(value) ?? value) : value
  const query = filtered.includes(field) ? { [field]: kept } : { q: kept }
  const { rows } = await desk.ask<{ rows: ({ id: string } & Record<string, unknown>)[] }>(
    'GET',
    `${base}/${resource}`,
    {
      ...query,
      size: 50,
    },
  )
  return rows.find((row) => row[field] === kept)?.id
}

interface Item {
  id: string
  sku: string | null
  name: string
  price: string | null
  currency: string
  vatKind: string
  barcode: string | null
}

const vatKinds = ['beforeVat', 'includingVat', 'withoutVat', 'withoutVat'] as const
const vatTypeOf = (kind: string): number => ({ beforeVat: 1, includingVat: 2 })[kind] ?? 4

type Names =
  | 'companies'
  | 'company'
  | 'addcustomer'
  | 'customers'
  | 'provider'
  | 'providers'
  | 'product'
  | 'products'
  | 'deleteproduct'

export const handlers: { [N in Names]: Handler<N> } = {
  companies: async (desk) => {
    const { id, name, taxId } = await desk.ask<{ id: string; name: string; taxId: string }>(
      'GET',
      `${base}/company`,
    )
    return { value: [{ id, Name: name, NumberID: taxId }], total: 1 }
  },
  company: async (desk) => {
    const of = await desk.ask<
      Record<'name' | 'taxId' | 'kind' | 'email' | 'phone' | 'street' | 'city' | 'zip', string | null>
    >('GET', `${base}/company`)
    return {
      value: {
        id: desk.caller.companyId,
        Name: of.name ?? '',
        NumberID: of.taxId ?? '',
        Kind: of.kind ?? '',
        EmailAddress: of.email ?? '',
        Phone: of.phone ?? '',
        Address: of.street ?? '',
        City: of.city ?? '',
        ZipCode: of.zip ?? '',
      },
    }
  },
  addcustomer: async (desk, takes) =>
    put(
      desk,
      'customers',
      idOf(takes.ID) ?? (await found(desk, 'customers', 'customKey', takes.CustomKey)),
      customerOf(takes),
    ),
  customers: async (desk, { Search, orderby, PortfolioID, ...page }) => {
    const portfolioId = refOf('PortfolioID', PortfolioID)
    const query = { q: Search, sort: sortOf(orderby, ofParties), portfolioId }
    const { rows, total } = await pageOf<Party>(desk, `${base}/customers`, page, query)
    const more = (row: Party) => ({ CustomKey: row.customKey ?? '', PortfolioID: row.portfolioId ?? '' })
    return { value: rows.map((row) => ({ ...shown(row), ...more(row) })), total }
  },
  provider: async (desk, takes) => {
    const { nameOnDocument: _, ...values } = customerOf(takes)
    return put(
      desk,
      'suppliers',
      idOf(takes.ID) ?? (await found(desk, 'suppliers', 'customKey', takes.CustomKey)),
      values,
    )
  },
  providers: async (desk, { Search, orderby, ...page }) => {
    const { rows, total } = await pageOf<Party>(desk, `${base}/suppliers`, page, {
      q: Search,
      sort: sortOf(orderby, ofParties),
    })
    return { value: rows.map(shown), total }
  },
  product: async (desk, takes) => {
    const id = idOf(takes.ID) ?? (await found(desk, 'items', 'sku', takes.Sku))
    return put(
      desk,
      'items',
      id,
      given({
        name: takes.Name,
        sku: takes.Sku,
        barcode: takes.Barcode,
        price: takes.Price,
        currency: currencyOf('CurrencyID', takes.CurrencyID, desk.trade),
        // What is not said of a product that is here already stays as it is.
        vatKind: takes.vatType === undefined ? (id ? undefined : vatKinds[0]) : vatKinds[takes.vatType - 1],
        details: takes.Description,
        unit: takes.Unit,
      }),
    )
  },
  products: async (desk, { Search, orderby, ...page }) => {
    const { rows, total } = await pageOf<Item>(desk, `${base}/items`, page, {
      q: Search,
      sort: sortOf(orderby, ofItems),
    })
    const value = rows.map((row) => ({
      id: row.id,
      sku: row.sku ?? '',
      name: row.name,
      price: row.price ?? '',
      Sku: row.sku ?? '',
      Name: row.name,
      Price: row.price ?? '',
      Currency: row.currency,
      vatType: vatTypeOf(row.vatKind),
      Barcode: row.barcode ?? '',
    }))
    return { value, total }
  },
  deleteproduct: async (desk, takes) => {
    const id = idOf(takes.ID) ?? (await found(desk, 'items', 'sku', takes.Sku))
    if (!id) throw fail('kit.notFound')
    await desk.ask('DELETE', `${base}/items/${encodeURIComponent(id)}`)
    return { value: { id } }
  },
}
