import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { formatMoney } from '#domain/format.ts'
import { Failure } from '#kit/describe/errors.ts'
import { defineResource } from '#kit/describe/resource.ts'
import { choice, day, money, number, text } from '#kit/fields/field.ts'
import { units } from '#domain/standingOrders/schedule.ts'
import type { Ctx } from '#kit/server/context.ts'
import { registerGroupedImport, type GivenValues } from '#kit/server/described/groupedImports.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { defaultCard } from '#features/money/acquirers/server/index.ts'
import { orderInput } from '../endpoints.ts'
import { means, standingOrders, typesFor, type Means } from '../standingOrders.ts'
import { cancelOrder, createOrder } from './actions.ts'
import { orderOf } from './order.ts'

/**
 * A row of a file of standing orders: the plainest kind, one line at one price. What else an order can do is
 * set on its page.
 */
const orderRows = defineResource({
  name: standingOrders.name,
  table: standingOrders.table,
  title: 'title',
  fields: {
    customer: text({ need: true, max: 200 }),
    title: text({ need: true, max: 200 }),
    /** With VAT, as the customer pays it. */
    priceAgorot: money({ need: true }),
    startDay: day({ need: true }),
    everyN: number({}),
    unit: choice(units, {}),
    billingDay: number({}),
    untilDay: day(),
    times: number({}),
    means: choice(means, {}),
    notesInternal: text({ max: 2000 }),
  },
  list: { columns: ['customer', 'title', 'priceAgorot', 'startDay'], filters: [], sort: ['title', 'asc'] },
  form: [
    {
      section: 'what',
      fields: [
        'customer',
        'title',
        'priceAgorot',
        'startDay',
        'everyN',
        'unit',
        'billingDay',
        'untilDay',
        'times',
        'means',
        'notesInternal',
      ],
    },
  ],
  allow: standingOrders.allow,
  screens: standingOrders.screens,
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const refused = (path: string, code: string, params: Record<string, string> = {}) =>
  new Failure('kit.badInput', {}, [{ path, code, ...(Object.keys(params).length ? { params } : {}) }])

/** The customer of a tax id or of a name; two of one name are nobody's until a person says which. */
async function customerOf(ctx: Ctx, word: string): Promise<string> {
  const { rows } = await sql<{
    id: string
    name: string
    taxId: string | null
  }>`select id, name, tax_id as "taxId" from parties
    where company_id = ${ctx.companyId} and role = 'customer' and merged_into is null and archived_at is null
      and (tax_id = ${word} or name = ${word}
      or id in (select search_customers(${fold(word).replace(/[\\%_]/g, '\\$&')})))`.execute(ctx.tx)
  const exact = rows.filter(({ taxId }) => taxId === word)
  const found = exact.length
    ? exact
    : rows.filter(({ name }) => (fold(name) || name) === (fold(word) || word))
  if (found.length !== 1)
    throw refused('customer', found.length ? 'imports.refMany' : 'imports.refMissing', {
      text: word.slice(0, 60),
    })
  return found[0]!.id
}

/** The order that is there already: the same customer, words and first day. */
async function refuseTwin(ctx: Ctx, customerId: string, title: string, startDay: string): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from standing_orders where company_id = ${ctx.companyId} and customer_id = ${customerId}
    and title = ${title} and start_day = ${startDay} and state not in ('ended', 'cancelled') limit 1`.execute(
    ctx.tx,
  )
  if (rows[0]) throw new Failure('standingOrders.alreadyHere', { id: rows[0].id })
}

async function contentOf(ctx: Ctx, row: GivenValues) {
  const customerId = await customerOf(ctx, textOf(row.customer))
  const title = textOf(row.title)
  const startDay = textOf(row.startDay)
  // What is past was charged by whatever program it comes from.
  if (startDay < ctx.today) throw refused('startDay', 'fields.dayPast')
  await refuseTwin(ctx, customerId, title, startDay)
  const way = (textOf(row.means) || 'bill') as Means
  const { kind } = await companyOf(ctx)
  const [type] = typesFor(way, kind)
  const card = way === 'card' ? await defaultCard(ctx, customerId) : undefined
  if (way === 'card' && !card) throw refused('means', 'standingOrders.noCard')
  const agorot = Number(row.priceAgorot)
  const given = orderInput.safeParse({
    title,
    customerId,
    means: way,
    ...(card ? { cardId: card.id } : {}),
    documentType: type,
    startDay,
    ...(row.everyN === undefined || row.everyN === null ? {} : { everyN: Number(row.everyN) }),
    ...(textOf(row.unit) ? { unit: textOf(row.unit) } : {}),
    ...(row.billingDay === undefined || row.billingDay === null
      ? {}
      : { billingDay: Number(row.billingDay) }),
    ...(textOf(row.untilDay) ? { untilDay: textOf(row.untilDay) } : {}),
    ...(row.times === undefined || row.times === null ? {} : { times: Number(row.times) }),
    notesInternal: textOf(row.notesInternal),
    lines: [
      { description: title, quantity: '1', unitPrice: formatMoney(agorot).replaceAll(',', ''), vatKind: 2 },
    ],
  })
  if (given.success) return given.data
  throw new Failure(
    'kit.badInput',
    {},
    given.error.issues.map(({ path, message }) => ({
      path: path.join('.'),
      code: message.startsWith('fields.') ? message : 'fields.range',
    })),
  )
}

registerGroupedImport({
  resource: orderRows,
  keyOf: (row) => {
    const [customer, title, startDay] = [textOf(row.customer), textOf(row.title), textOf(row.startDay)]
    return customer && title && startDay ? `${fold(customer) || customer}\t${title}\t${startDay}` : undefined
  },
  make: async (ctx, rows) => {
    // One deal twice is two deals or a slip: which, only a person can say.
    if (rows[1]) throw refused('rows.1.title', 'standingOrders.alreadyHere')
    return { id: await createOrder(ctx, await contentOf(ctx, rows[0]!)) }
  },
  twinOf: ({ code, params }) =>
    code === 'standingOrders.alreadyHere' && params.id ? String(params.id) : undefined,
  placeOf: (path) => {
    if (path === 'rows.1.title') return { row: 1, field: 'title' }
    const [part = ''] = path.split('.')
    return {
      row: 0,
      field: part === 'lines' ? 'priceAgorot' : part === 'customerId' ? 'customer' : part || null,
    }
  },
  // What was charged by it is no longer a row of a file.
  takeBack: async (ctx, id) => {
    const order = await orderOf(ctx, id, true).catch(() => undefined)
    if (!order || order.state === 'ended' || order.state === 'cancelled') return 'gone'
    const { rows } =
      await sql`select 1 from standing_periods where company_id = ${ctx.companyId} and order_id = ${id}
        limit 1`.execute(ctx.tx)
    if (rows.length) return 'used'
    await cancelOrder(ctx, order, {
      when: 'now',
      reason: say(ctx.caller.language, 'imports.undoReason'),
      by: 'business',
      notify: false,
    })
    return 'archived'
  },
})
