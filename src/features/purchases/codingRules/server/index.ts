import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { addMonths } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { implement, type Implementation } from '#kit/server/contract/implement.ts'
import { serveInWords, type ServedResource } from '#kit/server/described/resources.ts'
import { expenseTypeName, registerCoding } from '#features/purchases/expenses/server/index.ts'
import { codingRules } from '../codingRules.ts'
import { previewCodingRule } from '../endpoints.ts'
import '../rules.ts'
import { findRule } from './find.ts'

// The form of an expense and the reading of papers ask here before they ask what the last bill was.
registerCoding(findRule)

const served = (language: Language): ServedResource => ({
  resource: codingRules,
  refNames: {
    supplierId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.supplier_id)`,
    typeId: sql`(select ${expenseTypeName(language, 'y')} from expense_types y
      where y.company_id = t.company_id and y.id = t.type_id)`,
    projectId: sql`(select j.name from projects j where j.company_id = t.company_id and j.id = t.project_id)`,
  },
  beforeSave: async (ctx, given, before) => {
    const values: Record<string, unknown> = { ...given }
    const all = { ...before, ...values } as {
      supplierId?: string | null
      contains?: string | null
      place?: number
    }
    if (typeof values.contains === 'string') values.contains = values.contains.trim()
    if (!all.supplierId && !all.contains?.trim()) throw failField('supplierId', 'codingRules.needsSomething')
    checkWithin('place', all.place, { min: 1, max: 9999 })
    await there(
      ctx,
      values,
      'supplierId',
      sql`select 1 from parties where company_id = ${ctx.companyId} and role = 'supplier'
          and id = ${values.supplierId}`,
    )
    await there(
      ctx,
      values,
      'typeId',
      sql`select 1 from expense_types where company_id = ${ctx.companyId} and id = ${values.typeId}`,
    )
    await there(
      ctx,
      values,
      'projectId',
      sql`select 1 from projects where company_id = ${ctx.companyId} and id = ${values.projectId}`,
    )
    return values
  },
})

async function there(
  ctx: Ctx,
  values: Record<string, unknown>,
  field: string,
  found: RawBuilder<unknown>,
): Promise<void> {
  if (values[field] && !(await sql`${found}`.execute(ctx.tx)).rows.length)
    throw failField(field, 'fields.ref')
}

async function preview(
  ctx: Ctx,
  { supplierId, contains, typeId, vatShare, projectId }: z.output<typeof previewCodingRule.input>,
) {
  if (!supplierId && !contains) return { fits: 0, differs: 0, rows: [] }
  const { language } = ctx.caller
  interface Row {
    id: string
    day: string
    supplier: string | null
    details: string
    totalAgorot: number
    type: string
    newType: string | null
    vatShareDiffers: boolean
    projectDiffers: boolean
  }
  const { rows } = await sql<
    Row & { text: string }
  >`select e.id, e.day, p.name as supplier, coalesce(nullif(e.details, ''), l.details, '') as details,
      e.ils_total_agorot as "totalAgorot", ${expenseTypeName(language, 'y')} as type,
      concat_ws(' ', e.details, e.supplier_number, (select string_agg(m.details, ' ') from expense_lines m
      where m.company_id = e.company_id and m.expense_id = e.id)) as text,
      case when ${typeId ?? null}::uuid is distinct
      from e.type_id then (select ${expenseTypeName(language, 'n')} from expense_types n
        where n.company_id = e.company_id and n.id = ${typeId ?? null}) end as "newType",
      coalesce(l.vat_share <>
      coalesce(${vatShare ?? null}::text,
      (select n.vat_share from expense_types n where n.company_id = e.company_id
      and n.id = ${typeId ?? null})), false) as "vatShareDiffers",
      (${projectId ?? null}::uuid is not null and l.project_id is distinct from ${projectId ?? null}::uuid) as
      "projectDiffers"
    from expenses e join expense_types y on y.company_id = e.company_id and y.id = e.type_id left
    join parties p on p.company_id = e.company_id and p.id = e.supplier_id
      left join expense_lines l on l.company_id = e.company_id and l.expense_id = e.id and l.line = 1
    where e.company_id = ${ctx.companyId} and e.state = 'approved' and e.day >= ${addMonths(ctx.today, -12)}
      and (${supplierId ?? null}::uuid is null or e.supplier_id = ${supplierId ?? null})
      order by e.day desc, e.id desc limit 5000`.execute(ctx.tx)
  // By the very comparison that a bill coming in is looked at with.
  const words = fold(contains ?? '')
  const fitting = rows.filter((row) => fold(row.text).includes(words)).map(({ text: _, ...row }) => row)
  const differs = fitting.filter((row) => row.newType !== null || row.vatShareDiffers || row.projectDiffers)
  return {
    fits: fitting.length,
    differs: differs.length,
    rows: [...differs, ...fitting.filter((row) => !differs.includes(row))].slice(0, 50),
  }
}

export const implementations: Implementation[] = [
  implement(previewCodingRule, preview),
  ...serveInWords(served),
]
