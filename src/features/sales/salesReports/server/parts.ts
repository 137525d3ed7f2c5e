import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  hasIncome,
  incomeNet,
  isIncome,
  isIncomeLine,
  isIssued,
  mayBeIncome,
  sign as signOf,
} from '#kit/server/data/documentFacts.ts'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'

/** What most reports of sales may be narrowed to. */
export interface Narrowed {
  customer?: string | undefined
  customerType?: string | undefined
  agent?: string | undefined
  project?: string | undefined
  /** Documents in one currency; their amounts stay in shekels. */
  currency?: string | undefined
}

/**
 * The conditions of these filters over a document `d`; nothing where nothing is asked, so that the plan is
 * that of the question.
 */
export const narrowed = (
  ctx: Ctx,
  { customer, customerType, agent, project, currency }: Narrowed,
): RawBuilder<unknown> =>
  sql`${
    customer
      ? sql`
      and d.customer_id in
      ${groupOf(ctx, customer)}`
      : sql``
  }${
    agent
      ? sql`
          and d.agent_id =
          ${agent}`
      : sql``
  }${
    project
      ? sql`
              and d.project_id =
              ${project}`
      : sql``
  }${currency ? sql` and d.currency = ${currency}` : sql``}${
    customerType
      ? sql` and d.customer_id in (select p.id from parties p where p.company_id = ${ctx.companyId}
          and p.type_id = ${customerType})`
      : sql``
  }`

/** An item and its variants. */
export const sameItem = (ctx: Ctx, id: string): RawBuilder<unknown> =>
  sql`(select i.id from items i where i.company_id = ${ctx.companyId}
      and (i.id = ${id} or i.parent_id = ${id}))`

/** The items of a category and of those below it. */
export const inCategory = (ctx: Ctx, id: string): RawBuilder<unknown> =>
  sql`(with recursive below as (select c.id from categories c where c.company_id = ${ctx.companyId}
      and c.id = ${id}
      union select c.id from categories c join below b on c.parent_id = b.id
      where c.company_id = ${ctx.companyId})
    select i.id from items i where i.company_id = ${ctx.companyId}
      and i.category_id in (select id from below))`

// example: facts
/** The documents of a period whose nets are income, as `d`. */
export const incomeOf = (ctx: Ctx, from: Day, to: Day, asked: Narrowed): RawBuilder<unknown> =>
  sql`d.company_id = ${ctx.companyId} and ${isIssued('d')} and ${isIncome('d')}
      and d.day between ${from} and ${to}${onlyAllowed(ctx, 'd.type')}${narrowed(ctx, asked)}`
// example end

/** What a credit takes away. */
export const sign: RawBuilder<number> = signOf('d')

/**
 * What was sold, line by line, in shekels before VAT: `columns` of a line `l` and its document `d`. A money document
 * that is the income itself may have no lines, or lines for a part of it: the rest is a separate line, so that the
 * lines are the income.
 */
export const soldLines = (
  ctx: Ctx,
  from: Day,
  to: Day,
  asked: Narrowed,
  items?: RawBuilder<unknown>,
  most?: number | null,
): RawBuilder<unknown> => sql`
  select d.id, d.day, d.type, d.number, d.customer_id, d.customer, d.agent_id, d.currency, d.rate, l.line,
    l.item_id, l.description, l.unit,
    (${sign}) * l.quantity as quantity, (${sign}) * l.ils_net_agorot as net
  from ${
    // A list that is cut wants the first papers alone: each has a line at least.
    most && !items
      ? sql`(select * from documents d where ${incomeOf(ctx, from, to, asked)}
        order by d.day, d.type, d.number limit ${most})`
      : sql`documents`
  } d join document_lines l on l.company_id = d.company_id and l.document_id = d.id
  where ${incomeOf(ctx, from, to, asked)}
    and ${isIncomeLine()}${items ? sql` and l.item_id in ${items}` : sql``}
  ${
    items
      ? sql``
      : sql`union all
  select d.id, d.day, d.type, d.number, d.customer_id, d.customer, d.agent_id, d.currency, d.rate, null, null,
    null, null, null,
    ${incomeNet('d')} -
    coalesce((select sum(l.ils_net_agorot) from document_lines l where l.company_id = d.company_id
    and l.document_id = d.id and ${isIncomeLine()}), 0)
  from documents d where ${incomeOf(ctx, from, to, asked)} and ${mayBeIncome('d')} and ${hasIncome('d')}
    and ${incomeNet('d')} <>
    coalesce((select sum(l.ils_net_agorot) from document_lines l where l.company_id = d.company_id
    and l.document_id = d.id and ${isIncomeLine()}), 0)`
  }`

/** The name of a document's type in place of its number. */
export const named = (rows: ReportRow[]): ReportRow[] =>
  rows.map(({ typeId, ...row }) =>
    typeId === null || typeId === undefined ? row : { ...row, type: documentTypeById(Number(typeId))! },
  )

/** A part of a whole in basis points; of nothing there is no part. */
export const shareBp = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 10_000) / whole)

/** Numbers that the database adds up as decimals, as plain text. */
export const decimal = (of: RawBuilder<unknown>): RawBuilder<string> => sql`trim_scale(${of})::text`
