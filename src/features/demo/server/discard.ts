import { sql } from 'kysely'
import { fail } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { asSystem } from '../../../kit/server/db.ts'

/** Children before parents; every table of a business stands here, which a test checks against the database. */
export const companyTables = [
  'donation_reports',
  'charge_events',
  'charge_refunds',
  'card_charges',
  'payment_links',
  'customer_pages',
  'acquirer_accounts',
  'test_charges',
  'chain_links',
  'chain_waiting',
  'chain_heads',
  'document_bundles',
  'reminders',
  'reminder_pauses',
  'reminder_plans',
  'company_rates',
  'supplier_number_checks',
  'emergency_numbers',
  'allocation_requests',
  'authority_links',
  'import_mappings',
  'import_rows',
  'import_parts',
  'imports',
  'jobs',
  'captured_pages',
  'captured_papers',
  'paper_memories',
  'mail_addresses',
  'api_keys',
  'company_modules',
  'company_papers',
  'accountant_packages',
  'accountants',
  'invitations',
  'permission_sets',
  'file_links',
  'files',
  'file_folders',
  'file_contents',
  'asked_payments',
  'settlements',
  'payment_returns',
  'deposit_payments',
  'document_payments',
  'deposits',
  'document_papers',
  'messages',
  'saved_views',
  'outbox',
  'fixed_assets',
  'expense_payments',
  'supplier_payments',
  'withholding_certificates',
  'expense_entries',
  'expense_lines',
  'expenses',
  'recurring_expenses',
  'postings',
  'entries',
  'document_lines',
  'documents',
  'number_series',
  'account_months',
  'party_months',
  'price_list_change_lines',
  'price_list_changes',
  'price_change_lines',
  'price_changes',
  'price_list_lines',
  'customer_prices',
  'items',
  'income_kinds',
  'categories',
  'projects',
  'customer_contacts',
  'customer_addresses',
  'customer_proposals',
  'parties',
  'customer_types',
  'price_lists',
  'customer_statuses',
  'customer_fields',
  'portfolios',
  'registration_links',
  'expense_types',
  'accounts',
  'locked_periods',
  'signing_certificates',
  'logos',
  'audit_log',
  'sessions',
  'memberships',
] as const

/** Throws a demo business away with everything in it. The database lets only demo businesses go, and only the system. */
export async function discardDemo(ctx: Ctx) {
  const { rows } = await sql<{ demo: boolean }>`select demo from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  if (!rows[0]?.demo) throw fail('demo.notDemo')
  await asSystem(ctx.app.db, async (tx) => {
    const { rows: people } = await sql<{ user_id: string }>`select user_id from memberships where company_id = ${ctx.companyId}`.execute(tx)
    for (const table of companyTables) await sql`delete from ${sql.table(table)} where company_id = ${ctx.companyId}`.execute(tx)
    await sql`delete from companies where id = ${ctx.companyId} and demo`.execute(tx)
    for (const { user_id: id } of people) {
      await sql`delete from resets where user_id = ${id}`.execute(tx)
      await sql`delete from users u where id = ${id} and not exists (select 1 from memberships m where m.user_id = u.id)`.execute(tx)
    }
  })
  return { done: true as const }
}
