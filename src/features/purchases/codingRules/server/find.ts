import { sql } from 'kysely'
import type { VatShare } from '#domain/vat/shares.ts'
import { fold } from '#domain/fold.ts'
import type { Ctx } from '#kit/server/context.ts'

export interface Coded {
  ruleId: string
  rule: string
  typeId: string
  vatShare: VatShare | null
  projectId: string | null
}

/**
 * The first rule that matches a bill, by supplier and by its text; both where a rule names both. Words are compared
 * as the search compares them. A rule whose kind of expense was archived does not apply.
 */
export async function findRule(
  ctx: Ctx,
  { supplierId, text }: { supplierId: string | null; text: string },
): Promise<Coded | null> {
  const { rows } = await sql<Coded>`select r.id as "ruleId", r.name as rule, r.type_id as "typeId",
        r.vat_share as "vatShare",
      case when j.archived_at is null then r.project_id end as "projectId"
    from coding_rules r join expense_types t on t.company_id = r.company_id and t.id = r.type_id
      and t.archived_at is null
      left join projects j on j.company_id = r.company_id and j.id = r.project_id
    where r.company_id = ${ctx.companyId} and r.archived_at is null
      and (r.supplier_id is null or r.supplier_id = ${supplierId})
      and (r.folded = '' or position(r.folded in ${fold(text)}) > 0)
    order by r.place, (r.supplier_id is not null) desc, length(r.folded) desc, r.created_at limit 1`.execute(
    ctx.tx,
  )
  return rows[0] ?? null
}
