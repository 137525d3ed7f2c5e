import { sql } from 'kysely'
import { addDays, addMonths, compareDays, endOfMonth, startOfMonth, type Day } from '../../../domain/day.ts'
import { credit, debit } from '../../../domain/ledger/entry.ts'
import { postReceipt } from '../../../domain/ledger/posting.ts'
import { timesRate } from '../../../domain/money.ts'
import { vatRateOn } from '../../../domain/vat/rates.ts'
import { asCaller, newId, systemCaller, type App, type Ctx } from '../../../kit/server/context.ts'
import { asSystem } from '../../../kit/server/db.ts'
import { companyOf, openCompany } from '../../companies/server/index.ts'
import { cancelDocument, issuePrepared, keepPrepared, prepareDocument } from '../../documents/server/index.ts'
import { accountIds, post } from '../../ledger/server/index.ts'
import { createCustomer, type Customer } from '../../parties/server/index.ts'
import { createItem } from '../../items/server/index.ts'
import { hashPassword } from '../../session/server/index.ts'
import type { Item } from '../../items/items.ts'
import type { DemoBusiness } from './world.ts'

/** Numbers that look random and are the same every time. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** Opens a demo business with an owner and fills it with a year that ends today. */
export async function openDemoBusiness(
  app: App,
  business: DemoBusiness,
  account: { email: string; password: string; language: 'he' | 'en' | 'ar' | 'ru' | 'fr' },
): Promise<{ companyId: string; userId: string }> {
  const userId = newId()
  const passwordHash = await hashPassword(account.password)
  const companyId = await asSystem(app.db, async (tx) => {
    await sql`insert into users (id, email, full_name, language, password_hash) values (${userId}, ${account.email}, ${business.owner}, ${account.language}, ${passwordHash})`.execute(
      tx,
    )
    return openCompany(
      { tx },
      {
        name: business.name,
        kind: business.kind,
        taxId: business.taxId,
        email: account.email,
        phone: business.phone,
        language: 'he',
        demo: true,
      },
      userId,
    )
  })
  await asCaller(app, { ...systemCaller(companyId, userId), fullName: business.owner }, '', async (ctx) => {
    await sql`update companies set street = ${business.street}, city = ${business.city}, zip = ${business.zip}, accent = ${business.accent}, vat_period_months = ${business.vatPeriodMonths},
      due_terms = ${business.dueTerms} where id = ${companyId}`.execute(ctx.tx)
    const customers: Customer[] = []
    for (const c of business.customers)
      customers.push(await createCustomer(ctx, { language: 'he', isDealer: false, zeroRate: false, ...c }))
    const items: Item[] = []
    for (const i of business.items) items.push(await createItem(ctx, { currency: 'ILS', vatKind: 'beforeVat', ...i }))
    if (business.pace) await fillYear(ctx, business, customers, items)
  })
  // The papers of a made-up past are printed when somebody looks at them, not all at once.
  await sql`update outbox set done_at = now() where company_id = ${companyId} and name = 'documents.paper' and done_at is null`.execute(
    app.db.kysely,
  )
  return { companyId, userId }
}

async function fillYear(ctx: Ctx, business: DemoBusiness, customers: Customer[], items: Item[]): Promise<void> {
  const roll = dice(business.taxId.length * 7919 + (Number(business.taxId) % 9973))
  const { companyId } = ctx
  const company = await companyOf(ctx)
  const start = startOfMonth(addMonths(ctx.today, -11))
  const payments: { day: Day; documentId: string; customerId: string; agorot: number; number: number }[] = []
  for (let month = start; compareDays(month, ctx.today) <= 0; month = addMonths(month, 1)) {
    const last = endOfMonth(month) < ctx.today ? endOfMonth(month) : ctx.today
    const count = Math.max(2, business.pace + roll(4) - 2)
    const days = Array.from({ length: count }, () => addDays(month, roll(Number(last.slice(8))))).sort()
    for (const day of days) {
      const customer = customers[roll(customers.length)]!
      const wanted = 1 + roll(3)
      const fitting = items.filter((i) => (i.currency === 'EUR') === !!customer.zeroRate)
      const chosen = Array.from(
        { length: wanted },
        () => (fitting.length ? fitting : items)[roll((fitting.length ? fitting : items).length)]!,
      )
      const prepared = await prepareDocument(ctx, {
        type: 8,
        customerId: customer.id,
        date: day,
        ...(customer.zeroRate ? { currency: 'EUR', rate: '3.9' } : {}),
        ...(roll(9) === 0 ? { discount: { basisPoints: 500 } } : {}),
        lines: [...new Set(chosen)].map((i) => ({
          itemId: i.id,
          sku: i.sku ?? '',
          description: i.name,
          unit: i.unit ?? '',
          quantity: String(1 + roll(i.unit === 'מ׳' ? 24 : 3)),
          unitPrice: i.price ?? '0',
        })),
      })
      const issued = await issuePrepared(ctx, prepared)
      // The authority has long answered for what is older than a week.
      if (day < addDays(ctx.today, -7)) await grantAllocation(ctx, issued.id, String(100_000_000 + roll(899_999_999)))
      // Nine in ten pay, most of them a little after the due day.
      const paid = addDays(prepared.dueDay ?? day, roll(25) - 12)
      if (roll(40) === 0) await cancelDocument(ctx, { id: issued.id, reason: 'העבודה לא בוצעה' }, day)
      else if (roll(10) > 0 && paid <= ctx.today && paid >= day)
        payments.push({ day: paid, documentId: issued.id, customerId: customer.id, agorot: prepared.ils.total, number: issued.number })
    }
    await bookExpenses(ctx, business, month, last, roll)
  }
  for (const p of payments) await bookPayment(ctx, p)
  const draft = customers[1]!
  await keepPrepared(
    ctx,
    await prepareDocument(ctx, {
      type: 8,
      customerId: draft.id,
      subject: 'עבודות נובמבר',
      lines: [{ description: items[0]!.name, itemId: items[0]!.id, unitPrice: items[0]!.price ?? '0', quantity: '2' }],
    }),
  )
  await ctx.audit('demo.fill', 'companies', companyId, undefined, { name: company.name })
}

const grantAllocation = (ctx: Ctx, id: string, number: string) =>
  sql`update documents set allocation_state = 'granted', allocation_number = ${number} where company_id = ${ctx.companyId} and id = ${id} and allocation_state = 'waiting'`.execute(
    ctx.tx,
  )

/** A transfer that closes an invoice: the same entry a receipt will make, and the open item with it. */
async function bookPayment(
  ctx: Ctx,
  p: { day: Day; documentId: string; customerId: string; agorot: number; number: number },
): Promise<void> {
  const accounts = await accountIds(ctx)
  await post(ctx, {
    day: p.day,
    kind: 'receipt',
    reference: String(p.number),
    details: '',
    postings: postReceipt([{ account: accounts.of('bank'), amount: p.agorot }], {
      customers: accounts.of('customers'),
      customer: p.customerId,
    }),
  })
  await sql`update documents set open_agorot = 0, status = 'closed' where company_id = ${ctx.companyId} and id = ${p.documentId}`.execute(
    ctx.tx,
  )
}

async function bookExpenses(ctx: Ctx, business: DemoBusiness, month: Day, last: Day, roll: (sides: number) => number): Promise<void> {
  const accounts = await accountIds(ctx)
  const { rows } = await sql<{
    id: string
    key: string
  }>`select id, key from accounts where company_id = ${ctx.companyId} and key = any(${business.expenses.map((e) => e.account)})`.execute(
    ctx.tx,
  )
  for (const expense of business.expenses) {
    const account = rows.find((r) => r.key === expense.account)?.id
    if (!account) throw new Error(`no account ${expense.account}`)
    const net = Math.round((expense.monthlyAgorot * (80 + roll(41))) / 100)
    const vat = expense.account === 'wages' || expense.account === 'insurance' ? 0 : timesRate(net, vatRateOn(month), 'halfAwayFromZero')
    const day = addDays(month, roll(Number(last.slice(8))))
    await post(ctx, {
      day,
      kind: 'expense',
      details: '',
      postings: [debit(account, net), ...(vat ? [debit(accounts.of('inputVat'), vat)] : []), credit(accounts.of('bank'), net + vat)],
    })
  }
}
