import { withExpanded } from '#kit/server/described/resources.ts'
import { sql } from 'kysely'
import { lastVatDay } from '#domain/law/terms.ts'
import { can } from '#kit/describe/session.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { entryLinesOf } from '#features/base/ledger/server/index.ts'
import { registerProjectSource } from '#features/registers/projects/server/index.ts'
import { registerAttachable } from '#features/base/files/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import './events.ts'
import { cancelPayment, enterPayOpen } from './book.ts'
import { warningsOf } from './checks.ts'
import { supplierDefaults } from './defaults.ts'
import {
  approveExpense,
  cancelExpense,
  changeExpense,
  createExpense,
  deleteExpense,
  posted,
  rejectExpense,
} from './enter.ts'
import { figures, mine, mineExport } from './figures.ts'
import './follow.ts'
import './importing.ts'
import { expenseImplementations, recurringImplementations } from './lists.ts'
import { answerOf, load } from './load.ts'
import { deductsVat, prepare } from './prepare.ts'
import { byTypeMonth } from './reports/byTypeMonth.ts'
import { expenditure } from './reports/expenditure.ts'
import { expenseList } from './reports/expenseList.ts'
import { expensesPayments } from './reports/expensesPayments.ts'
import { supplierBalances } from './reports/supplierBalances.ts'
import { billOfDocument } from './selfBilled.ts'
import { pastOf, skipRecurring, unskipRecurring } from './skips.ts'
import { supplierNames } from './suppliers.ts'
import { typeImplementations, typesToChoose } from './types.ts'

export { payOpen as payExpense } from './book.ts'
export {
  cancelSupplierPayment,
  enterCancelPayment,
  enterPayment,
  paySupplier,
  workOutPayment,
} from './pay.ts'
export { createRecurring } from './lists.ts'
export { approveExpense, cancelExpense, changeExpense, createExpense, rejectExpense } from './enter.ts'
export { followCancelledExpenses } from './followers.ts'
export { codedBy, registerCoding, supplierDefaults } from './defaults.ts'
export { typeByKey, typeOfAccount, typeName as expenseTypeName, typesToChoose } from './types.ts'
export { dropOpeningBills, keepOpeningBills, tieOpeningBills } from './opening.ts'
export { figures as expenseFiguresOf } from './figures.ts'
export { postponeVat } from './postpone.ts'
export { warningsOf as expenseWarnings } from './checks.ts'
export { prepare as prepareExpense } from './prepare.ts'

databaseFailures.PK005 = () => fail('expenses.frozen')
// What was bought for a project: net and the VAT that is not deducted; reversed bills count no more.
registerProjectSource('expenses', {
  side: 'expense',
  sum: sql`(select coalesce(sum(l.ils_net_agorot + l.ils_vat_agorot - l.recognised_vat_agorot), 0)
    from expense_lines l
    join expenses e on e.company_id = l.company_id and e.id = l.expense_id
    where l.company_id = t.company_id and l.project_id = t.id and e.state = 'approved')`,
})
registerAttachable('expenses', { see: 'expenses.see', change: 'expenses.enter', table: 'expenses' })

export const implementations = [
  // Before `{id}`, which would take these words for one.
  implement(calls.myExpenses, mine),
  implement(calls.exportMyExpenses, mineExport),
  implement(calls.expenseFigures, figures),
  implement(calls.supplierNames, (ctx, { q }) => supplierNames(ctx, q)),
  implement(calls.supplierDefaults, (ctx, { supplierId, text }) => supplierDefaults(ctx, supplierId, text)),
  implement(calls.expenseFacts, async (ctx) => {
    const company = await companyOf(ctx)
    return {
      deductsVat: deductsVat(company),
      today: ctx.today,
      approvalAboveAgorot: await approvalAbove(ctx),
      mayApprove: can(ctx.caller, 'expenses.approve'),
      types: await typesToChoose(ctx),
    }
  }),
  implement(calls.checkExpense, async (ctx, { id, ...content }) => {
    const prepared = await prepare(ctx, content)
    return {
      warnings: await warningsOf(ctx, prepared, id),
      lastVatDay: lastVatDay(prepared.day),
      vatDate: prepared.vatDay,
    }
  }),
  ...expenseImplementations,
  ...typeImplementations,
  ...recurringImplementations,
  implement(calls.skipRecurring, skipRecurring),
  implement(calls.unskipRecurring, unskipRecurring),
  implement(calls.pastOfRecurring, (ctx, { id }) => pastOf(ctx, id)),
  implement(calls.createExpense, createExpense),
  implement(calls.getExpense, async (ctx, { id, expand }) => {
    if (!['expenses.see', 'expenses.enter', 'expenses.approve'].some((rule) => can(ctx.caller, rule)))
      throw forbidden({ rule: 'expenses.see' })
    return withExpanded(ctx, 'expenses', expand, await answerOf(ctx, id))
  }),
  implement(calls.changeExpense, changeExpense),
  implement(calls.deleteExpense, (ctx, { id }) => deleteExpense(ctx, id)),
  implement(calls.billOfDocument, (ctx, { id }) => billOfDocument(ctx, id)),
  implement(calls.approveExpense, (ctx, { id }) => approveExpense(ctx, id)),
  implement(calls.rejectExpense, rejectExpense),
  implement(calls.cancelExpense, cancelExpense),
  implement(calls.payExpense, async (ctx, { id, ...given }) => {
    return posted(ctx, id, [await enterPayOpen(ctx, id, given)])
  }),
  implement(calls.cancelExpensePayment, async (ctx, { id, paymentId }) => {
    return posted(ctx, id, [await cancelPayment(ctx, id, paymentId)])
  }),
  implement(calls.entriesOfExpense, async (ctx, { id }) => {
    await load(ctx, id)
    // Also of a payment of several bills, which is one entry in the books.
    const entries = sql`select entry_id from expense_entries where company_id = ${ctx.companyId}
        and expense_id = ${id}
      union select unnest(array[s.entry_id, s.cancel_entry_id]) from expense_payments y
        join supplier_payments s on s.company_id = y.company_id and s.id = y.supplier_payment_id
        where y.company_id = ${ctx.companyId} and y.expense_id = ${id}`
    return { rows: await entryLinesOf(ctx, entries) }
  }),
  implement(calls.historyOfExpense, async (ctx, { id }) => {
    if (!['expenses.see', 'expenses.enter', 'expenses.approve'].some((rule) => can(ctx.caller, rule)))
      throw forbidden({ rule: 'expenses.see' })
    await load(ctx, id)
    const { rows } = await sql<{
      at: string
      who: string | null
      action: string
    }>`select a.at, u.full_name as who, a.action from audit_log a left join users u on u.id = a.user_id
      where a.company_id = ${ctx.companyId} and a.entity_id = ${id} order by a.at, a.id`.execute(ctx.tx)
    return { rows }
  }),
  implement(calls.getExpenseSettings, async (ctx) => ({ approvalAboveAgorot: await approvalAbove(ctx) })),
  implement(calls.changeExpenseSettings, async (ctx, { approvalAboveAgorot }) => {
    const before = await approvalAbove(ctx)
    await sql`update companies set expense_approval_above_agorot = ${approvalAboveAgorot}, updated_at = now()
      where id = ${ctx.companyId}`.execute(ctx.tx)
    await ctx.audit(
      'expenses.changeSettings',
      'companies',
      ctx.companyId,
      { approvalAboveAgorot: before },
      { approvalAboveAgorot },
    )
    return { approvalAboveAgorot }
  }),
]

async function approvalAbove(ctx: Parameters<typeof mine>[0]): Promise<number | null> {
  const { rows } = await sql<{
    above: number | null
  }>`select expense_approval_above_agorot as above from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0]!.above
}

export const reports = [expenseList, byTypeMonth, expensesPayments, expenditure, supplierBalances]
