import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import { numberKey } from '#domain/vat/bills.ts'
import { fold } from '#domain/fold.ts'
import { parseMoney } from '#domain/money.ts'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { create, serveInWords, type ServedResource } from '#kit/server/described/resources.ts'
import { expenses, recurringExpenses } from '../expenses.ts'
import { answerOf } from './load.ts'
import { typeName } from './types.ts'

const escaped = (q: string) => q.replace(/[\\%_]/g, '\\$&')
const supplier = sql`(select p.name from parties p where p.company_id = t.company_id
    and p.id = t.supplier_id)`
/** The project of the first of its lines that names one. */
const project = sql`(select l.project_id from expense_lines l where l.company_id = t.company_id
    and l.expense_id = t.id and l.project_id is not null order by l.line limit 1)`
const type = (language: Language) =>
  sql`(select ${typeName(language, 'y')} from expense_types y where y.company_id = t.company_id
      and y.id = t.type_id)`

export const expenseImplementations = serveInWords((language, today) => ({
  resource: expenses,
  marks: 'expenses' as const,
  noArchive: true,
  verbs: ['list', 'export'],
  alsoCalled: { date: 'day', dueDate: 'dueDay', vatDate: 'vatDay', supplierName: 'supplierIdName' },
  parts: { names: ['lines', 'payments', 'files', 'document'], recordOf: answerOf },
  compute: {
    netAgorot: sql`t.ils_net_agorot`,
    vatAgorot: sql`t.ils_vat_agorot`,
    totalAgorot: sql`t.ils_total_agorot`,
    // Only posted bills are owed. Money on its way is read once, not bill by bill.
    paid: sql`case when t.state <> 'approved' then null when t.open_agorot = 0
        and t.id in (select x.expense_id from expense_payments x
      where x.company_id = current_company() and x.day > ${today}::date and x.cancelled_at is null) then
        'onTheWay' when t.open_agorot = 0 then 'paid' when t.open_agorot = t.owed_agorot then 'open'
        else 'partly' end`,
    projectId: project,
    hasPaper: sql`exists (select 1 from file_links k where k.company_id = t.company_id
        and k.entity = 'expenses' and k.entity_id = t.id)`,
  },
  refNames: {
    supplierId: supplier,
    typeId: type(language),
    projectId: sql`(select p.name from projects p where p.company_id = t.company_id and p.id = ${project})`,
  },
  filters: {
    projectId: (id) =>
      sql`t.id in (select l.expense_id from expense_lines l where l.company_id = current_company()
          and l.project_id = ${id})`,
  },
  // By number, by sum, by allocation number, by what it was for, or by part of the supplier's name.
  search: (q) => {
    const parts: RawBuilder<boolean>[] = [
      sql`t.supplier_id in (select search_suppliers(${escaped(fold(q))}))`,
      sql`t.details ilike ${`%${escaped(q)}%`}`,
    ]
    const key = numberKey(q)
    if (key) parts.push(sql`t.number_key = ${key}`, sql`t.allocation_number = ${key}`)
    const agorot = /\d/.test(q) ? parseMoney(q) : undefined
    if (agorot) parts.push(sql`t.total_agorot = ${agorot}`, sql`t.ils_total_agorot = ${agorot}`)
    return sql`(${sql.join(parts, sql` or `)})`
  },
}))

/** The last bill of a recurring expense that came. */
const last = (
  column: string,
) => sql`(select e.${sql.ref(column)} from expenses e where e.company_id = t.company_id
    and e.recurring_id = t.id
  and e.state not in ('rejected', 'cancelled') order by e.recurring_day desc, e.id desc limit 1)`
/** When its next bill is awaited; null after its last day. */
const nextDay = sql`awaited_day(t)`

const recurringServed = (language: Language, today: Day): ServedResource => ({
  resource: recurringExpenses,
  compute: {
    lastAgorot: last('ils_total_agorot'),
    nextDay,
    waits: sql`coalesce(${nextDay} < ${today}::date, false)`,
  },
  refNames: { supplierId: supplier, typeId: type(language) },
  beforeSave: async (ctx, values, before) => {
    const [first, end] = ['firstDay', 'lastDay'].map((name) =>
      values[name] === undefined ? before?.[name] : values[name],
    )
    if (first && end && String(end) < String(first)) throw failField('lastDay', 'expenses.endsBeforeItBegins')
    checkWithin('totalAgorot', values.totalAgorot, { min: 1 })
    await checkRefs(ctx, values)
    return values
  },
})

async function checkRefs(ctx: Ctx, values: Record<string, unknown>): Promise<void> {
  const there = async (field: string, found: RawBuilder<unknown>) => {
    if (values[field] && !(await sql`${found}`.execute(ctx.tx)).rows.length)
      throw failField(field, 'fields.ref')
  }
  await there(
    'supplierId',
    sql`select 1 from parties where company_id = ${ctx.companyId} and role = 'supplier'
        and id = ${values.supplierId}`,
  )
  await there(
    'typeId',
    sql`select 1 from expense_types where company_id = ${ctx.companyId} and id = ${values.typeId}`,
  )
}
export const recurringImplementations = serveInWords(recurringServed)

/** Makes a bill that comes back, on the way (demo, import). */
export const createRecurring = async (ctx: Ctx, values: Record<string, unknown>): Promise<{ id: string }> =>
  (await create(ctx, recurringServed(ctx.caller.language, ctx.today), values)) as { id: string }
