import { sql } from 'kysely'
import { addDays, addMonths, type Day } from '#domain/day.ts'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { attachFile } from '#features/base/files/server/index.ts'
import { dueDayOf } from '#features/sales/documents/workOut.ts'
import { deductsVat, type Prepared } from './prepare.ts'
import type { StoredExpense } from './load.ts'

/** A bill that comes back this many days before it is expected is still that bill. */
const early = 25

const monthsOf = { monthly: 1, twoMonthly: 2, quarterly: 3, yearly: 12 } as const

async function recurringOf(
  ctx: Ctx,
  p: Prepared,
  before: StoredExpense | undefined,
): Promise<{ id: string; day: string } | null> {
  if (before?.recurring_id && before.recurring_day)
    return { id: before.recurring_id, day: before.recurring_day }
  const { recurringId } = p.content
  if (!recurringId && !p.supplier) return null
  const { rows } = await sql<{
    id: string
    first: Day
    cycle: keyof typeof monthsOf
    day: Day | null
    skipped: Day | null
  }>`select r.id, r.first_day as first, r.cycle, awaited_day(r) as day,
      (select max(s.day) from recurring_skips s where s.company_id = r.company_id
      and s.recurring_id = r.id and s.taken_back_at is null and s.day <= ${p.day}
      and next_expected(r.first_day, r.cycle, s.day) > ${p.day}) as skipped
    from recurring_expenses r where r.company_id = ${ctx.companyId} and r.archived_at is null
    and ${
      recurringId
        ? sql`r.id =
        ${recurringId}`
        : sql`r.supplier_id = ${p.supplier!.id}
            and r.type_id = any(${p.lines.map((l) => l.typeId)}::uuid[])`
    }
    order by 4 limit 1`.execute(ctx.tx)
  const found = rows[0]
  if (!found) return null
  // It came after all, in the time it was said not to come.
  if (found.skipped) return { id: found.id, day: found.skipped }
  // After the last day nothing is expected; a bill that a person assigns to the series keeps its own number.
  if (found.day === null) return recurringId ? { id: found.id, day: p.day } : null
  if (!recurringId && addDays(p.day, early) < found.day) return null
  // A period whose bill never came is over when the bill of a later one does: otherwise every one after it
  // would count for the one before.
  let { day } = found
  for (
    let months = monthsOf[found.cycle];
    addMonths(found.first, months) <= p.day;
    months += monthsOf[found.cycle]
  )
    if (addMonths(found.first, months) > day) day = addMonths(found.first, months)
  return { id: found.id, day }
}

/**
 * Writes an expense that is not in the books yet, again or for the first time; `documentId` is what it comes
 * with.
 */
export async function keep(
  ctx: Ctx,
  p: Prepared,
  state: 'draft' | 'waiting',
  before?: StoredExpense,
  documentId?: string,
): Promise<string> {
  const id = before?.id ?? newId()
  const recurring = await recurringOf(ctx, p, before)
  const { worked } = p
  const columns: Record<string, unknown> = {
    supplier_id: p.supplier?.id ?? null,
    supplier_number: p.number,
    number_key: p.numberKey,
    paper: p.paper,
    day: p.day,
    vat_day: p.vatDay,
    // A business that charges no VAT claims none, also of this bill once it charges VAT.
    claims_vat: p.claimsVat && deductsVat(p.company),
    due_day:
      p.means === 'onCredit'
        ? (p.content.dueDate ?? (p.supplier?.dueTerms ? dueDayOf(p.day, p.supplier.dueTerms) : null))
        : null,
    allocation_number: p.content.allocationNumber ?? '',
    details: p.content.details ?? '',
    notes: p.content.notes ?? '',
    currency: p.currency,
    rate: p.rate,
    net_agorot: worked.paper.net,
    vat_agorot: worked.paper.vat,
    total_agorot: worked.paper.total,
    ils_net_agorot: worked.net,
    ils_vat_agorot: worked.vat,
    ils_total_agorot: worked.total,
    recognised_vat_agorot: worked.recognisedVat,
    equipment_vat_agorot: worked.equipmentVat,
    type_id: p.typeId,
    state,
    means: p.means,
    paid_day: p.paidDay,
    recurring_id: recurring?.id ?? null,
    recurring_day: recurring?.day ?? null,
    reason: '',
  }
  if (before)
    await sql`update expenses
      set ${sql.join(Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))},
        updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  else {
    const source = documentId ? 'document' : (p.content.source ?? 'typed')
    Object.assign(columns, {
      company_id: ctx.companyId,
      id,
      source,
      entered_by: byOf(ctx),
      document_id: documentId ?? null,
    })
    await sql`insert into expenses (${sql.join(Object.keys(columns).map((c) => sql.ref(c)))})
      values (${sql.join(Object.values(columns))})`.execute(ctx.tx)
  }
  await sql`delete from expense_lines where company_id = ${ctx.companyId} and expense_id = ${id}`.execute(
    ctx.tx,
  )
  const lines = p.lines.map((l, i) => ({
    company_id: ctx.companyId,
    expense_id: id,
    line: i + 1,
    type_id: l.typeId,
    account_id: l.accountId,
    details: l.details,
    net_agorot: l.netAgorot,
    vat_agorot: l.vatAgorot,
    ils_net_agorot: worked.parts[i]!.net,
    ils_vat_agorot: worked.parts[i]!.vat,
    vat_share: l.vatShare,
    recognised_vat_agorot: worked.parts[i]!.recognisedVat,
    income_tax_bp: l.incomeTaxBp,
    is_fixed_asset: l.isFixedAsset,
    depreciation_bp: l.depreciationBp,
    project_id: l.projectId,
  }))
  await sql`insert into expense_lines select *
    from jsonb_populate_recordset(null::expense_lines, ${JSON.stringify(lines)}::jsonb)`.execute(ctx.tx)
  await attachPapers(ctx, id, p.content.fileIds ?? [])
  await ctx.audit(
    before ? 'expenses.change' : 'expenses.create',
    'expenses',
    id,
    before && {
      supplierId: before.supplier_id,
      number: before.supplier_number,
      date: before.day,
      totalAgorot: before.total_agorot,
      state: before.state,
    },
    {
      supplierId: p.supplier?.id ?? null,
      number: p.number,
      date: p.day,
      totalAgorot: worked.paper.total,
      state,
    },
  )
  return id
}

/** A file is attached by who uploaded it, or by who may see all files. */
async function attachPapers(ctx: Ctx, id: string, fileIds: readonly string[]): Promise<void> {
  if (!fileIds.length) return
  const own = can(ctx.caller, 'files.see') ? sql`` : sql`and created_by = ${ctx.caller.userId}`
  const { rows } = await sql<{
    id: string
  }>`select id from files where company_id = ${ctx.companyId} and id = any(${[...fileIds]}::uuid[])
      ${own}`.execute(ctx.tx)
  if (rows.length !== new Set(fileIds).size) throw fail('kit.notFound')
  for (const fileId of fileIds) await attachFile(ctx, fileId, 'expenses', id)
}
