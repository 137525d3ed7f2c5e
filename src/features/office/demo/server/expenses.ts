import { sql } from 'kysely'
import { addDays, addMonths, monthsBetween, startOfMonth, type Day } from '#domain/day.ts'
import { dueDay } from '#domain/documents/due.ts'
import { credit, debit } from '#domain/ledger/entry.ts'
import { timesRate } from '#domain/money.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  createExpense,
  createRecurring,
  payExpense,
  typeByKey,
} from '#features/purchases/expenses/server/index.ts'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import { createSupplier } from '#features/registers/suppliers/server/index.ts'
import { streetOf } from './customers.ts'
import type { DemoBusiness, DemoExpense } from './world.ts'

/** A bill that is not paid yet. */
export interface Bill {
  id: string
  due: Day
}

/** Bills that come back by contract are expected from the first month on. */
export async function expectBills(ctx: Ctx, business: DemoBusiness, start: Day): Promise<void> {
  for (const expense of business.expenses.filter((e) => e.recurring)) {
    const supplierId = await supplierOf(ctx, expense)
    const vat =
      expense.vat === false ? 0 : vatOf(expense.agorot, start) + vatOf(expense.second?.agorot ?? 0, start)
    await createRecurring(ctx, {
      ...expense.recurring,
      supplierId,
      typeId: await typeByKey(ctx, expense.type),
      totalAgorot: expense.agorot + (expense.second?.agorot ?? 0) + vat,
      means: expense.means,
      firstDay: addDays(start, (expense.day ?? 1) - 1),
    })
  }
}

const vatOf = (net: number, day: Day) => timesRate(net, vatRateOn(day), 'halfAwayFromZero')

/** What a supplier of such bills does; who sold something once was never asked. */
const occupations: Record<string, string> = {
  rent: 'השכרת נכסים',
  phoneAndInternet: 'תקשורת',
  accountant: 'ראיית חשבון',
  electricity: 'אספקת חשמל',
  vehicleUpkeep: 'מוסך',
  advertising: 'שילוט ודפוס',
  equipment: 'מסחר בכלי עבודה',
  computers: 'מסחר במחשבים',
  vehicleLease: 'החכרת רכב',
}

/** One of the suppliers of this world, or one more. */
async function supplierOf(ctx: Ctx, { supplier, type }: DemoExpense): Promise<string | null> {
  if (!supplier) return null
  const { rows } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier'
      and name = ${supplier.name}`.execute(ctx.tx)
  if (rows[0]) return rows[0].id
  const { name, taxId = null } = supplier
  const occupation = occupations[type]
  const at = occupation ? streetOf(name) : null
  return (
    await createSupplier(ctx, {
      name,
      taxId,
      dueTerms: 'eom:30',
      occupation: occupation ?? '',
      street: at,
      ...(at ? { city: 'נתניה' } : {}),
    })
  ).id
}

/** The bills of one month; those on credit are answered, to be paid when they are due. */
export async function bookBills(
  ctx: Ctx,
  business: DemoBusiness,
  month: Day,
  last: Day,
  roll: (sides: number) => number,
): Promise<Bill[]> {
  const start = startOfMonth(addMonths(ctx.today, -11))
  const at = monthsBetween(start, month)
  const open: Bill[] = []
  for (const expense of business.expenses) {
    if ((at - (expense.from ?? 0)) % expense.every !== 0 || at < (expense.from ?? 0)) continue
    for (let time = 0; time < (expense.times ?? 1); time++) {
      const day = expense.day ? addDays(month, expense.day - 1) : addDays(month, roll(Number(last.slice(8))))
      // The month is not over: this one comes later. A contract's bill of the last days is late in coming.
      if (day > last || (expense.recurring && addDays(day, 12) > ctx.today && expense.day !== 1)) continue
      const share = expense.recurring ? 100 : 80 + roll(41)
      const parts = [
        { type: expense.type, agorot: expense.agorot },
        ...(expense.second ? [expense.second] : []),
      ]
      const lines: { typeId: string; netAgorot: number; vatAgorot: number }[] = []
      for (const { type, agorot } of parts) {
        const netAgorot = Math.round((agorot * share) / 100)
        lines.push({
          typeId: await typeByKey(ctx, type),
          netAgorot,
          vatAgorot: expense.vat === false ? 0 : vatOf(netAgorot, day),
        })
      }
      const needsNumber = expense.vat !== false && expense.agorot > 400_000
      const saved = await createExpense(ctx, {
        supplierId: await supplierOf(ctx, expense),
        supplierNumber: expense.supplier ? String(1000 + roll(90_000)) : '',
        paper: expense.paper ?? 'taxInvoice',
        date: day,
        ...(needsNumber ? { allocationNumber: String(100_000_000 + roll(899_999_999)) } : {}),
        details: expense.details ?? '',
        ...(expense.currency ? { currency: expense.currency.code, rate: expense.currency.rate } : {}),
        lines,
        means: expense.means,
      })
      if (expense.means === 'onCredit' && expense.agorot > 0)
        open.push({ id: saved.id, due: dueDay(day, { kind: 'endOfMonth', dueDays: 30 }) })
    }
  }
  return open
}

/** What is due has been paid by transfer, but for the last one. */
export async function payBills(ctx: Ctx, bills: readonly Bill[]): Promise<void> {
  const due = bills.filter((bill) => bill.due < ctx.today)
  for (const [i, bill] of due.slice(0, -1).entries())
    await payExpense(ctx, bill.id, { date: bill.due, means: 'bank', reference: String(4000 + i) })
}

/** A worker's expense that waits for approval, and a draft. */
export async function leaveForApproval(ctx: Ctx): Promise<void> {
  const worker: Ctx = { ...ctx, caller: { ...ctx.caller, rules: [41] } }
  await createExpense(worker, {
    supplier: { name: 'תחנת הדלק צומת הכרמל' },
    supplierNumber: '55120',
    date: addDays(ctx.today, -2),
    lines: [{ typeId: await typeByKey(ctx, 'fuel'), netAgorot: 27_119, vatAgorot: 4_881 }],
    means: 'owner',
    source: 'phone',
  })
  await createExpense(ctx, {
    supplier: { name: 'נייר ומחשב כפר יונה' },
    paper: 'receipt',
    date: ctx.today,
    lines: [{ typeId: await typeByKey(ctx, 'officeSupplies'), netAgorot: 9_900, vatAgorot: 0 }],
    draft: true,
  })
}

/** Wages are no bill: what the payroll says is a journal entry. */
export async function bookWages(ctx: Ctx, business: DemoBusiness, last: Day): Promise<void> {
  if (!business.wagesAgorot) return
  const accounts = await accountIds(ctx)
  await post(ctx, {
    day: last,
    kind: 'manual',
    postings: [
      debit(accounts.byNumber('6130')!, business.wagesAgorot),
      credit(accounts.of('bank'), business.wagesAgorot),
    ],
  })
}
