import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, money, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { sumOf } from '../sources.ts'

/** Every project with its budget, what was done of it and what is left, before VAT and in shekels. */
export const projectsReport = defineReport({
  name: 'projects',
  feature: 'projects',
  group: 'stock',
  path: '/invoice/reportprojects',
  allow: 'projects.see',
  filters: { state: choice(['open', 'closed'], { words: 'projects.state' }), customer: ref('customers') },
  columns: {
    name: text(),
    number: text(),
    customer: text(),
    state: choice(['open', 'closed'], { words: 'projects.state' }),
    budgetIncomeAgorot: money(),
    incomeAgorot: money(),
    leftIncomeAgorot: money(),
    budgetExpenseAgorot: money(),
    expenseAgorot: money(),
    leftExpenseAgorot: money(),
    profitAgorot: money(),
  },
  totals: [
    'budgetIncomeAgorot',
    'incomeAgorot',
    'leftIncomeAgorot',
    'budgetExpenseAgorot',
    'expenseAgorot',
    'leftExpenseAgorot',
    'profitAgorot',
  ],
  rows: async (ctx, { state, customer }) => {
    const { rows } = await sql<ReportRow>`
      with p as (
        select t.id, t.number, t.name, t.state, c.name as customer, coalesce(t.budget_income_agorot, 0) as
          budget_income, coalesce(t.budget_expense_agorot, 0) as budget_expense,
          ${sumOf('income')} as income, ${sumOf('expense')} as expense
        from projects t left join parties c on c.company_id = t.company_id and c.id = t.customer_id
        where t.company_id = ${ctx.companyId} and t.archived_at is null
          and (${state ?? null}::text is null or t.state = ${state ?? null})
          and (${customer ?? null}::uuid is null or t.customer_id = ${customer ?? null}::uuid)
      )
      select number, name, customer, state, budget_income::bigint as "budgetIncomeAgorot",
        income as "incomeAgorot", (budget_income - income)::bigint as "leftIncomeAgorot",
        budget_expense::bigint as "budgetExpenseAgorot", expense as "expenseAgorot",
        (budget_expense - expense)::bigint as "leftExpenseAgorot",
        (income - expense)::bigint as "profitAgorot", '/invoice/projectItems/' || id as open
      from p order by state desc, name, id`.execute(ctx.tx)
    return rows
  },
  must: { profit: (t) => (t.incomeAgorot ?? 0) - (t.expenseAgorot ?? 0) === t.profitAgorot },
})
