import { sql } from 'kysely'
import type { z } from 'zod'
import { can } from '#kit/describe/session.ts'
import { forbidden, failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { createExpense } from '#features/purchases/expenses/server/index.ts'
import { expenseInput } from '#features/purchases/expenses/endpoints.ts'
import type * as calls from '../endpoints.ts'
import { houseOf } from './house.ts'

/** An expense of the books that is of a house; the person who may not enter expenses enters none here either. */
export async function spend(
  ctx: Ctx,
  input: z.output<typeof calls.addExpense.input>,
): Promise<{ id: string }> {
  if (!can(ctx.caller, 'expenses.enter')) throw forbidden({ rule: 'expenses.enter' })
  await houseOf(ctx, input.id)
  if (input.levyId) {
    const { rows } =
      await sql`select 1 from committee_levies where company_id = ${ctx.companyId} and id = ${input.levyId}
          and building_id = ${input.id} and cancelled_at is null`.execute(ctx.tx)
    if (!rows.length) throw failField('levyId', 'fields.ref')
  }
  const { id } = await createExpense(
    ctx,
    expenseInput.parse({
      supplier: { name: input.supplier },
      supplierNumber: input.number,
      date: input.day,
      means: input.means,
      paidDate: input.day,
      details: input.said,
      lines: [{ typeId: input.typeId, netAgorot: input.agorot }],
      fileIds: input.fileIds,
    }),
  )
  await sql`insert into committee_expenses (company_id, expense_id, building_id, levy_id, said)
    values (${ctx.companyId}, ${id}, ${input.id}, ${input.levyId ?? null}, ${input.said})`.execute(ctx.tx)
  await ctx.audit('committee.addExpense', 'committeebuildings', input.id, undefined, {
    expenseId: id,
    agorot: input.agorot,
  })
  return { id }
}
