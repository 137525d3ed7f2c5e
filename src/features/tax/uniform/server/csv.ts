import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { harmless } from '#kit/server/described/exports/table.ts'
import { directionOf } from '#kit/server/words.ts'
import { ensureCodes } from '#features/base/ledger/server/index.ts'
import { inPages } from './rows.ts'
import type { Range } from './uniformFile.ts'
import { workbook, type SheetFile, type SheetValue } from './workbook.ts'

export interface Table {
  name: string
  /** The table of the database. */
  of: string
  /** Columns by name; those that end with _agorot come in units of the currency. */
  query: (ctx: Ctx, range: Range) => RawBuilder<Record<string, unknown>>
}

const all = (name: string, table: string, columns: string, order: string): Table => ({
  name,
  of: table,
  query: (ctx) =>
    sql`select ${sql.raw(columns)} from ${sql.table(table)} where company_id = ${ctx.companyId}
      order by ${sql.raw(order)}`,
})
const ofDays = (
  name: string,
  table: string,
  columns: string,
  dayed: string,
  link: string,
  order: string,
): Table => ({
  name,
  of: table,
  query: (ctx, { from, to }) => sql`select ${sql.raw(columns)} from ${sql.table(table)} t
    join ${sql.table(dayed)} d on d.company_id = t.company_id and d.id = t.${sql.ref(link)}
    where t.company_id = ${ctx.companyId} and d.day between ${from} and ${to} order by ${sql.raw(order)}`,
})

const partyColumns =
  'id, name, name_on_document, tax_id, is_dealer, contact, email, phone, mobile, street, city, zip, country, language, due_terms, zero_rate, zero_ground, exempt_ground, is_abroad, currency, notes, tags, bank_code, bank_branch, bank_account, iban, created_at, archived_at'

/** Registers, codes and lists, whole. */
const registers: readonly Table[] = [
  all(
    'work-terms',
    'work_terms',
    'born, created_at, day_minutes, days, from_day, hour_agorot, overtime, person_id, rest_day, set_by, short_day',
    'person_id, from_day',
  ),
  all(
    'clockings',
    'clockings',
    'archived_at, created_at, customer_id, document_id, ended_at, forgotten_at, id, person_id, project_id, source, started_at, task, updated_at',
    'started_at, id',
  ),
  all(
    'time-requests',
    'time_requests',
    'answer, clocking_id, created_at, decided_at, decided_by, ended_at, id, kind, person_id, project_id, reason, started_at, state',
    'created_at, id',
  ),
  all(
    'absences',
    'absences',
    'archived_at, created_at, created_by, from_day, id, kind, note, person_id, to_day',
    'from_day, id',
  ),
  all(
    'time-sheets',
    'time_sheets',
    'approved_at, approved_by, figures, month, person_id, updated_at, worker_at',
    'month, person_id',
  ),
  all('closings', 'closings', 'month, said_state, note, paid_at, paid_by, updated_at, updated_by', 'month'),
  all('closing-marks', 'closing_marks', 'at, by_user, count, deed, id, line, month, reason', 'at, id'),
  all('boards', 'boards', 'archived_at, created_at, id, is_main, lanes, looked_at, name, updated_at', 'id'),
  all(
    'board-columns',
    'board_columns',
    'board_id, card_limit, id, is_done, name, position',
    'board_id, position, id',
  ),
  all(
    'tasks',
    'tasks',
    'archived_at, board_id, column_id, created_at, created_by, customer_id, document_id, done_at, done_by, due_day, due_time, expense_id, id, lead_id, made_for, made_kind, notes, owner_id, priority, project_id, remind_at, remind_minutes, reminded_at, repeat, repeat_from, repeat_when, series_day, series_id, title, updated_at, waits_for_id, watchers',
    'created_at, id',
  ),
  all('task-items', 'task_items', 'done_at, id, position, task_id, text', 'task_id, position, id'),
  all('task-comments', 'task_comments', 'by_user, created_at, id, mentions, task_id, text', 'created_at, id'),
  all('lead-kinds', 'lead_kinds', 'archived_at, created_at, fields, id, name, updated_at', 'id'),
  all(
    'lead-stages',
    'lead_stages',
    'archived_at, chance_bp, color, created_at, id, kind_id, name, outcome, position, stale_days, updated_at',
    'id',
  ),
  all(
    'lead-sources',
    'lead_sources',
    'archived_at, campaign, channel, cost_month_agorot, created_at, id, is_on, kind_id, name, owner_id, thanks, updated_at',
    'id',
  ),
  all(
    'leads',
    'leads',
    'archived_at, campaign, category_id, chance_bp, city, closed_at, company, created_at, created_by, customer_id, email, first_answer_at, id, kind_id, lost_reason, name, next_day, next_text, notes, outcome, own, owner_id, phone, quote_id, source_id, stage_at, stage_id, stale_told_at, sum_agorot, tags, updated_at',
    'created_at, id',
  ),
  all('lead-moves', 'lead_moves', 'at, by_user, from_stage_id, id, lead_id, owner_id, stage_id', 'at, id'),
  all(
    'interactions',
    'interactions',
    'archived_at, at, by_user, channel, created_at, customer_id, direction, id, lead_id, message_id, next_day, next_text, outcome, sender, text, updated_at',
    'at, id',
  ),
  all(
    'standing-orders',
    'standing_orders',
    'agent_id, archived_at, arrears, billing_day, campaign_id, card_id, charge_today, created_at, created_by, currency, customer_id, discount_bp, discount_turns, document_type, end_by, end_reason, ended_on, every_n, failing_since, first_price_agorot, held_why, id, language, link_falls, linked, may_cancel, may_pause, means, next_at, next_day, next_from, next_no, next_total_agorot, notes, notes_internal, number, page_seen_at, party_kind, paused_until, project_id, prorate, send, send_to, shift, start_day, state, times, title, trial_days, unit, until_day, updated_at, yearly_receipt',
    'number, id',
  ),
  all(
    'standing-versions',
    'standing_versions',
    'base_of, base_value, from_day, lines, made_at, made_by, no, order_id, raises, why',
    'order_id, from_day',
  ),
  all(
    'standing-periods',
    'standing_periods',
    'charge_id, document_id, done_at, due_day, failed_on, failure_class, failure_code, id, link, made_at, monthly_agorot, net_agorot, no, order_id, part_days, part_of, period_end, period_start, reason, reduced, state, step_at, step_no, total_agorot, tries, version_no',
    'order_id, period_start',
  ),
  all(
    'acquirer-deals',
    'acquirer_deals',
    'charge_id, created_at, currency, day, explained_by, id, last4, note, own_agorot, ref, refund_id, state, terminal_id, told_agorot, uid, updated_at',
    'day, id',
  ),
  all(
    'acquirer-deposits',
    'acquirer_deposits',
    'bank_account_id, booked_by, created_at, day, entry_id, expense_id, external_id, fee_agorot, fee_vat_agorot, id, match_id, net_agorot, state, terminal_id, updated_at',
    'day, id',
  ),
  all(
    'acquirer-invoices',
    'acquirer_invoices',
    'created_at, created_by, fee_agorot, fee_vat_agorot, id, month, number, terminal_id, updated_at',
    'month, id',
  ),
  all(
    'payment-pages',
    'pay_pages',
    'accent, archived_at, asks_email, asks_phone, asks_tax_id, billing_day, charge_today, closes_at, created_at, created_by, every_n, fields, first_price_agorot, id, kind, language, least_agorot, most_agorot, most_instalments, must_agree, paper, places, places_taken, sites, state, suggested, sum_kind, takes_coupons, texts, thanks_url, times, title, told, trial_days, updated_at, version',
    'created_at, id',
  ),
  all(
    'payment-page-items',
    'pay_page_items',
    'archived_at, id, is_fixed, item_id, most_quantity, names, page_id, position, price_agorot, stock, taken',
    'page_id, position',
  ),
  all(
    'payment-page-payers',
    'pay_purchases',
    'answers, charge_id, coupon_id, created_at, customer_id, discount_agorot, gross_agorot, held_until, id, instalments, kind, language, order_id, page_id, paid_at, payer, plan, site, state, taken_agorot, takes, terms, total_agorot, updated_at, utm',
    'created_at, id',
  ),
  all(
    'payment-page-lines',
    'pay_purchase_lines',
    'discount_agorot, item_id, name, no, page_item_id, price_agorot, purchase_id, quantity',
    'purchase_id, no',
  ),
  all(
    'coupons',
    'coupons',
    'code, created_at, created_by, first_only, from_day, id, item_ids, kind, least_agorot, name, page_id, per_customer, stopped_at, to_day, updated_at, uses_max, value_agorot, value_bp',
    'created_at, id',
  ),
  all('coupon-uses', 'coupon_uses', 'at, coupon_id, discount_agorot, id, purchase_id, state', 'at, id'),
  all(
    'price-indices',
    'price_indices',
    'coefficient, created_by, month, source, updated_at, value',
    'coefficient, created_by',
  ),
  all(
    'shop-orders',
    'shop_orders',
    'created_at, currency, customer, difference_agorot, document_id, external_id, id, ignored_why, is_paid, issued_agorot, note, number, paid_day, receipt_id, shop_id, state, total_agorot, tried_at, trouble, trouble_params, updated_at',
    'created_at, id',
  ),
  all(
    'shop-refunds',
    'shop_refunds',
    'amount_agorot, created_at, credit_id, external_id, id, order_id, reason, receipt_id, refund_day, shop_id, state, trouble, trouble_params, updated_at',
    'created_at, id',
  ),
  all(
    'sort-codes',
    'sort_codes',
    'archived_at, balance_code_id, code, created_at, id, key, name, parent_id, position, profit_line, side',
    'code',
  ),
  all(
    'balance-codes',
    'balance_codes',
    'archived_at, code, created_at, id, key, name, parent_id, position, side',
    'code',
  ),
  all(
    'card-kinds',
    'card_kinds',
    'archived_at, created_at, from_number, id, key, kind, name, to_number',
    'from_number',
  ),
  all(
    'vat-codes',
    'vat_codes',
    'account_id, archived_at, code, created_at, id, key, kind, name, return_line, vat_share',
    'code',
  ),
  all(
    'vat-code-terms',
    'vat_code_terms',
    'archived_at, created_at, from_day, id, rate_bp, vat_code_id, vat_share',
    'vat_code_id, from_day, id',
  ),
  all('codes-6111', 'codes6111', 'code, name, part, year', 'year, code'),
  all('account-codes-6111', 'account_codes6111', 'account_id, code, year', 'year, account_id'),
  all(
    'withholding-codes',
    'withholding_codes',
    'archived_at, code, created_at, from_day, id, kind856, name, rate_bp, without_books_bp',
    'code',
  ),
  all(
    'withholding-rates',
    'withholding_rates',
    'code, created_at, from_day, rate_bp, without_books_bp',
    'code, from_day',
  ),
  all(
    'withholding-certificates',
    'withholding_certificates',
    'archived_at, books_to_day, books_valid, ceiling_agorot, created_at, file_id, from_day, id, notes, party_id, rate_bp, source, to_day',
    'from_day, id',
  ),
  all(
    'movement-kinds',
    'movement_kinds',
    'archived_at, code, created_at, credit_account_id, debit_account_id, details, id, name, vat_code_id',
    'code',
  ),
  all(
    'journal-batches',
    'journal_batches',
    'checked_at, checked_by, created_at, created_by, id, kind, name, number, opening_customers_agorot, opening_day, opening_suppliers_agorot, posted_at, posted_by, reverses_id, state',
    'number',
  ),
  all('batch-entries', 'batch_entries', 'batch_id, entry_id', 'batch_id, entry_id'),
  all(
    'journal-lines',
    'journal_lines',
    'amount_agorot, archived_at, batch_id, created_at, credit_account_id, currency, day, debit_account_id, details, entry_id, foreign_agorot, id, kind_id, position, posted_expense_agorot, posted_income_agorot, posted_recognised_agorot, posted_vat_agorot, project_id, reference, value_day, vat_agorot, vat_code_id',
    'batch_id, position, id',
  ),
  all(
    'entry-projects',
    'entry_projects',
    'account_id, amount_agorot, entry_id, project_id',
    'entry_id, project_id, account_id',
  ),
  all('expense-entries', 'expense_entries', 'entry_id, expense_id', 'expense_id, entry_id'),
  all(
    'bank-accounts',
    'bank_accounts',
    'account_id, archived_at, bank_code, branch, created_at, currency, id, name, number',
    'number',
  ),
  all(
    'bank-statements',
    'bank_statements',
    'bank_account_id, closing_agorot, created_at, created_by, from_day, gap_agorot, id, kind, known, name, opening_agorot, size, state, taken, taken_at, to_day, undone_at',
    'from_day, id',
  ),
  all(
    'bank-rules',
    'bank_rules',
    'account_id, archived_at, automatic, bank_account_id, contains, created_at, customer_id, deed, direction, id, supplier_id',
    'id',
  ),
  all(
    'matches',
    'matches',
    'account_id, automatic, created_at, created_by, deed, entry_id, id, kind, made_id, number, reasons',
    'number',
  ),
  all('match-lines', 'match_lines', 'line_id, match_id', 'match_id, line_id'),
  all(
    'match-postings',
    'match_postings',
    'amount_agorot, entry_id, line, match_id',
    'match_id, entry_id, line',
  ),
  all(
    'deposits',
    'deposits',
    'account_id, cancel_entry_id, cancelled_at, cash_agorot, cheques_agorot, created_at, created_by, day, entry_id, id, notes, number, reference',
    'number',
  ),
  all('deposit-payments', 'deposit_payments', 'deposit_id, payment_id', 'deposit_id, payment_id'),
  all(
    'payment-returns',
    'payment_returns',
    'asked, created_at, created_by, day, entry_id, fee_agorot, id, kind, payment_id, reason, undo_entry_id, undone_at',
    'day, id',
  ),
  all(
    'fixed-assets',
    'fixed_assets',
    'account_id, archived_at, cost_agorot, created_at, depreciation_bp, disposal, disposal_entry_id, disposal_run_id, disposed_day, expense_id, id, kind, line, name, opening_day, opening_entry_id, opening_worn_agorot, proceeds_agorot, rate_reason, start_day, supplier_id',
    'start_day, id',
  ),
  all(
    'depreciation-runs',
    'depreciation_runs',
    'created_at, created_by, entry_id, from_day, id, kind, reverse_entry_id, reversed_at, to_day, total_agorot',
    'from_day, id',
  ),
  all('depreciation-lines', 'depreciation_lines', 'amount_agorot, asset_id, run_id', 'run_id, asset_id'),
  all(
    'revaluations',
    'revaluations',
    'back_entry_id, created_at, created_by, day, entry_id, id, total_agorot, undo_back_entry_id, undo_entry_id, undone_at',
    'day, id',
  ),
  all(
    'revaluation-lines',
    'revaluation_lines',
    'account_id, books_agorot, currency, difference_agorot, foreign_agorot, line, party_id, rate, revaluation_id, what',
    'revaluation_id, line',
  ),
  all(
    'vat-filings',
    'vat_filings',
    'basis, confirmation, entry_count, figures, file_sha256, filed_figures, from_day, id, kind, lock_id, made_at, made_by, reopen_reason, reopened_at, reopened_by, sent_by, sent_day, to_day',
    'from_day, id',
  ),
  all('small-elections', 'small_elections', 'from_year, set_at, set_by, takes', 'from_year'),
  all(
    'small-payments',
    'small_payments',
    'amount_agorot, created_at, created_by, day, id, kind, note, withheld_agorot',
    'day, id',
  ),
  all(
    'small-statements',
    'small_statements',
    'figures, filed_at, filed_by, filed_day, id, reference, reopened_at, reopened_by, year',
    'year, id',
  ),
  all('vat-filing-papers', 'vat_filing_papers', 'filing_id, papers', 'filing_id'),
  all(
    'advance-filings',
    'advance_filings',
    'filed_at, filed_by, period_from, period_to, rate_bp, to_pay_agorot, turnover_agorot, withheld_agorot',
    'period_from',
  ),
  all(
    'vat-settlements',
    'vat_settlements',
    'entry_id, filing_id, made_at, made_by, reversal_id, to_pay_agorot',
    'made_at, filing_id',
  ),
  all('vat-basis-changes', 'vat_basis_changes', 'basis, created_at, created_by, from_day', 'from_day'),
  all('form-6111', 'form6111_heads', 'adjustments, head, updated_by, year', 'year'),
  all(
    'certificates-given',
    'given_certificates',
    'created_at, created_by, gross_agorot, id, message_id, recipient, supplier_id, withheld_agorot, year',
    'year, supplier_id, id',
  ),
  all(
    'certificates-received',
    'withheld_certificates',
    'created_at, created_by, customer_id, got_day, withheld_agorot, year',
    'year, customer_id',
  ),
  all(
    'locked-periods',
    'locked_periods',
    'from_day, id, kind, locked_at, locked_by, note, reopen_reason, reopened_at, reopened_by, to_day',
    'from_day, id',
  ),
  all(
    'opening-items',
    'opening_items',
    'allocation_number, amount_agorot, archived_at, batch_id, created_at, currency, day, document_id, due_day, expense_id, id, income_when_paid, number, party_id, rate, role, vat_agorot',
    'day, id',
  ),
  all('number-series', 'number_series', 'last_day, next_number, previous_day, series', 'series'),
  all(
    'price-lists',
    'price_lists',
    'archived_at, base, base_list_id, change_bp, created_at, currency, id, name, notes, valid_from, valid_to',
    'name, id',
  ),
  all(
    'price-list-lines',
    'price_list_lines',
    'archived_at, created_at, from_quantity, id, item_id, list_id, price, valid_from, valid_to',
    'list_id, item_id, from_quantity, id',
  ),
  all(
    'customer-prices',
    'customer_prices',
    'archived_at, created_at, currency, customer_id, from_quantity, id, item_id, price, valid_from, valid_to',
    'customer_id, item_id, id',
  ),
  all(
    'price-changes',
    'price_changes',
    'created_at, created_by, id, items, rule, undone_at',
    'created_at, id',
  ),
  all(
    'price-change-lines',
    'price_change_lines',
    'after_price, before_price, change_id, item_id',
    'change_id, item_id',
  ),
  all(
    'price-list-changes',
    'price_list_changes',
    'created_at, created_by, id, lines, list_id, rule, undone_at',
    'created_at, id',
  ),
  all(
    'price-list-change-lines',
    'price_list_change_lines',
    'after_price, before_price, change_id, line_id',
    'change_id, line_id',
  ),
  all('categories', 'categories', 'archived_at, created_at, id, kind, name, parent_id', 'name, id'),
  all('income-kinds', 'income_kinds', 'account_id, archived_at, created_at, id, name, vat_kind', 'name, id'),
  all(
    'customer-types',
    'customer_types',
    'archived_at, created_at, discount_bp, due_terms, id, name, price_list_id',
    'name, id',
  ),
  all(
    'customer-statuses',
    'customer_statuses',
    'archived_at, color, created_at, id, name, position',
    'position, id',
  ),
  all(
    'customer-fields',
    'customer_fields',
    'archived_at, choices, created_at, id, kind, name, needed, position',
    'position, id',
  ),
  all(
    'customer-contacts',
    'customer_contacts',
    'archived_at, created_at, duty, email, gets_invoices, gets_reminders, id, name, notes, party_id, phone',
    'party_id, id',
  ),
  all(
    'customer-addresses',
    'customer_addresses',
    'archived_at, city, contact, country, created_at, id, kind, name, notes, party_id, phone, street, zip',
    'party_id, id',
  ),
  all('portfolios', 'portfolios', 'agent_id, archived_at, created_at, id, name, notes', 'name, id'),
  all(
    'recurring-expenses',
    'recurring_expenses',
    'archived_at, created_at, cycle, first_day, id, last_day, means, name, supplier_id, total_agorot, type_id',
    'name, id',
  ),
  all(
    'recurring-skips',
    'recurring_skips',
    'created_at, day, id, reason, recurring_id, skipped_by, taken_back_at',
    'day, id',
  ),
  all(
    'expense-payments',
    'expense_payments',
    'amount_agorot, at_once, cancelled_at, created_at, created_by, day, entry_id, expense_id, id, means, reference, supplier_payment_id',
    'day, id',
  ),
  all(
    'coding-rules',
    'coding_rules',
    'archived_at, contains, created_at, id, name, place, project_id, supplier_id, type_id, vat_share',
    'place, id',
  ),
  all('export-entries', 'export_entries', 'document_id, number, updated_by', 'document_id'),
  all(
    'asked-payments',
    'asked_payments',
    'agorot, created_at, document_id, id, request_id',
    'request_id, document_id',
  ),
  all(
    'masav-runs',
    'masav_runs',
    'collected_at, created_at, created_by, direction, id, lines, made_on, number, pay_day, total_agorot',
    'number',
  ),
  all(
    'masav-lines',
    'masav_lines',
    'account, amount_agorot, bank, branch, document_id, line, name, party_id, receipt_id, reference, return_reason, returned_on, run_id, supplier_payment_id',
    'run_id, line',
  ),
  all(
    'debit-mandates',
    'debit_mandates',
    'ceiling_agorot, created_at, created_by, ended_at, party_id, reference, sign_request_id, since',
    'party_id',
  ),
  all(
    'donation-reports',
    'donation_reports',
    'anonymous, asked_at, cancels_id, created_at, document_id, message, next_at, reason, state, tries',
    'created_at, document_id',
  ),
  all(
    'allocation-requests',
    'allocation_requests',
    'action, asked_at, confirmation_number, created_at, decided_at, decided_by, decision, document_id, message, next_at, reason, told_at, tries',
    'created_at, document_id',
  ),
  all(
    'supplier-number-checks',
    'supplier_number_checks',
    'checked_at, checked_by, day, expense_id, found_day, found_net_agorot, found_number, found_vat_agorot, id, invoice_number, net_agorot, number, supplier_name, supplier_tax_id, vat_agorot',
    'day, id',
  ),
  all('exchange-rates', 'company_rates', 'created_by, currency, day, rate, source', 'day, currency'),
  all(
    'files',
    'files',
    'archived_at, created_at, created_by, folder_id, id, mime, name, size, source',
    'created_at, id',
  ),
  all('file-folders', 'file_folders', 'created_at, id, name, parent_id', 'name, id'),
  all('file-links', 'file_links', 'created_at, entity, entity_id, file_id', 'file_id, entity, entity_id'),
  all(
    'letters',
    'letters',
    'archived_at, body, created_at, created_by, customer_id, day, document_id, id, language, names_sums, sent_at, signed, status, title',
    'day, id',
  ),
  all(
    'messages',
    'messages',
    'attachments, body, card, channel, created_at, created_by, document_id, error, id, kind, letter_id, opened_at, outside_id, party_id, recipient, resend_of, sent_at, signer_id, state, subject',
    'created_at, id',
  ),
  all(
    'bad-debts',
    'bad_debts',
    'created_at, created_by, document_id, ground, invoice_id, paused_from, paused_to, recovers_id, steps, vat_paid',
    'created_at, document_id',
  ),
  all(
    'open-changes',
    'open_changes',
    'id, document_id, day, agorot, ils_agorot, created_by, created_at',
    'day, id',
  ),
  all(
    'reminders',
    'reminders',
    'created_at, customer_id, day, days, document_id, message_id, open_agorot',
    'day, customer_id, document_id',
  ),
  all(
    'card-charges',
    'charges',
    'amount_agorot, approval, card_brand, card_last4, created_at, currency, customer_id, decline_class, decline_code, description, document_id, given_back_agorot, id, instalments, language, lapses_at, link_id, most_instalments, paid_at, paper_failure, paper_id, payer, purpose, reference, state, surplus, terminal_id, uid',
    'created_at, id',
  ),
  all(
    'charge-disputes',
    'charge_disputes',
    'amount_agorot, answer_by, asked, charge_id, created_at, created_by, ended_on, entry_id, id, payment_id, reason, state, told_on',
    'created_at, id',
  ),
  all(
    'charge-refunds',
    'charge_refunds',
    'amount_agorot, automatic, charge_id, client_key, code, created_at, created_by, id, paper_failure, paper_id, reason, reference, state, tries',
    'created_at, id',
  ),
  all(
    'payment-links',
    'payment_links',
    'amount_agorot, charge_id, created_at, created_by, customer_id, description, document_id, email, error_url, expires_on, id, key_id, language, mails_paper, metadata, most_instalments, paid_at, paper, reference, remind_days, reminded, sent_at, state, success_url, viewed_at',
    'created_at, id',
  ),
  all(
    'accountants',
    'accountants',
    'access, archived_at, contents, created_at, email, id, invitation_id, language, may_expenses, may_post, name, office, phone, plan, send_day',
    'name, id',
  ),
  all('advance-rates', 'advance_rates', 'created_at, from_day, id, rate_bp, set_by', 'from_day'),
  all('vat-frequencies', 'vat_frequencies', 'created_at, from_day, months, set_by', 'from_day'),
  all(
    'company-languages',
    'company_languages',
    'bank_details, city, language, name, street, updated_at',
    'language',
  ),
  all(
    'company-papers',
    'company_papers',
    'created_at, id, kind, name, rate_bp, valid_from, valid_to',
    'kind, id',
  ),
  all('card-keys', 'uniform_cards', 'party_id, key', 'key'),
  all('quote-answers', 'quote_answers', 'answer, answered_at, comment, document_id, id', 'answered_at, id'),
  all(
    'outside-documents',
    'outside_documents',
    'archived_at, created_at, created_by, customer_id, id, name, note, opened_at, sent_at, size',
    'created_at, id',
  ),
]

/**
 * Every register whole, and what happened in the range. Keys of pages, tokens and what the program keeps for
 * itself stay out.
 */
export const tables: readonly Table[] = [
  all(
    'accounts',
    'accounts',
    'id, number, name, kind, card_kind_id, sort_code, code6111, outside_turnover, archived_at',
    'number',
  ),
  all(
    'committee-buildings',
    'committee_buildings',
    'id, name, address, treasurer, opened_on, opening_agorot, reserve_agorot, owner_copy_days, names_decided_on, names_decision, remind_every, remind_from, remind_on, archived_at, created_at',
    'created_at, id',
  ),
  all(
    'committee-rates',
    'committee_rates',
    'building_id, from_month, rule, agorot',
    'building_id, from_month',
  ),
  all(
    'committee-flats',
    'committee_flats',
    'id, building_id, entrance, number, floor, area, share_bp, own_agorot, is_exempt, archived_at',
    'building_id, id',
  ),
  all(
    'committee-people',
    'committee_people',
    'id, flat_id, customer_id, role, pays, split_bp, from_day, to_day, notes, archived_at',
    'flat_id, from_day, id',
  ),
  all(
    'committee-levies',
    'committee_levies',
    'id, building_id, name, purpose, rule, agorot, instalments, first_month, decided_on, votes_for, votes_against, voted_agorot, cancelled_at, created_at',
    'created_at, id',
  ),
  all(
    'committee-dues',
    'committee_dues',
    'id, flat_id, kind, month, levy_id, part, agorot, is_exempt, payer_id, paid_agorot, created_at',
    'flat_id, month, kind, id',
  ),
  all(
    'committee-payments',
    'committee_payments',
    'id, flat_id, customer_id, day, means, agorot, ahead_agorot, reference, document_id, cancelled_at, user_id, created_at',
    'day, id',
  ),
  all('committee-floors', 'committee_floors', 'building_id, floor, weight', 'building_id, floor'),
  all('committee-orders', 'committee_orders', 'order_id, building_id, customer_id, created_at', 'order_id'),
  all('committee-paid', 'committee_paid', 'payment_id, due_id, agorot', 'payment_id, due_id'),
  all(
    'committee-expenses',
    'committee_expenses',
    'expense_id, building_id, levy_id, said, created_at',
    'expense_id',
  ),
  all(
    'committee-handovers',
    'committee_handovers',
    'id, building_id, day, from_name, to_name, to_email, given_by, balance_agorot, debts_agorot, things, package, closes_on, taken_at, created_at',
    'created_at, id',
  ),
  all(
    'stock-counts',
    'stock_counts',
    'id, number, name, place_id, category_id, is_blind, state, day, frozen_at, approved_at, approved_by, user_id',
    'number',
  ),
  all(
    'stock-count-lines',
    'stock_count_lines',
    'count_id, item_id, place_id, batch_id, book, wants_second, approved, value_agorot',
    'count_id, item_id, place_id, batch_id',
  ),
  all(
    'stock-count-entries',
    'stock_count_entries',
    'count_id, client_id, item_id, place_id, batch_id, round, quantity, serial, note, user_id, counted_at',
    'count_id, counted_at, client_id',
  ),
  all(
    'stock-count-answers',
    'stock_count_answers',
    'count_id, move_id, was_counted, user_id, at',
    'count_id, move_id',
  ),
  all(
    'serials',
    'serials',
    'id, item_id, number, state, place_id, in_document_id, in_day, out_document_id, out_day, customer_id, warranty_until, created_at',
    'item_id, number',
  ),
  all(
    'serial-events',
    'serial_events',
    'serial_id, seq, kind, day, document_id, customer_id, move_id, note, user_id, at',
    'serial_id, seq',
  ),
  all(
    'stock-places',
    'stock_places',
    'id, kind, name, code, parent_id, is_main, archived_at, created_at',
    'created_at, id',
  ),
  all('stock-batches', 'stock_batches', 'id, item_id, number, expires, created_at', 'item_id, number'),
  all(
    'stock-moves',
    'stock_moves',
    'id, item_id, seq, day, kind, place_id, batch_id, quantity, value_agorot, guessed, left_quantity, left_agorot, document_id, line, reverses_id, entry_id, cause_id, reason, user_id, at',
    'item_id, seq',
  ),
  all(
    'stock-transfers',
    'stock_transfers',
    'id, number, from_id, to_id, day, arrived_day, note, user_id, created_at',
    'number',
  ),
  all(
    'stock-transfer-lines',
    'stock_transfer_lines',
    'transfer_id, item_id, quantity, arrived',
    'transfer_id, item_id',
  ),
  all('item-parts', 'item_parts', 'item_id, part_id, quantity', 'item_id, part_id'),
  all('item-units', 'item_units', 'item_id, unit, times, per', 'item_id, unit'),
  ...(['customer', 'supplier'] as const).map((role): Table => ({
    name: `${role}s`,
    of: 'parties',
    query: (ctx) =>
      sql`select ${sql.raw(partyColumns)} from parties where company_id = ${ctx.companyId} and role = ${role}
        order by id`,
  })),
  all(
    'items',
    'items',
    'id, sku, barcode, name, details, unit, price, currency, vat_kind, cost, is_stocked, minimum_quantity, order_quantity, supplier_id, tracking, weight, made_of, account_id, archived_at',
    'id',
  ),
  all(
    'projects',
    'projects',
    'archived_at, budget_expense_agorot, budget_income_agorot, created_at, customer_id, from_day, id, manager_id, name, notes, number, state, to_day',
    'number, id',
  ),
  all('budget', 'budget_sums', 'account_id, month, amount_agorot', 'month, account_id'),
  all(
    'forecast-sums',
    'forecast_sums',
    'id, name, amount_agorot, cycle, first_day, last_day, created_at',
    'first_day, id',
  ),
  all(
    'expense-types',
    'expense_types',
    'id, key, name, account_id, vat_share, income_tax_bp, is_fixed_asset, archived_at',
    'id',
  ),
  {
    name: 'documents',
    of: 'documents',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, type, series, number, status, day, due_day, currency, rate, language, customer_id,
        customer->>'name' as customer_name,
        customer->>'taxId' as customer_tax_id, subject, notes, order_number, vat_rate_bp, subtotal_agorot,
        discount_agorot, net_taxable_agorot, net_exempt_agorot,
        net_zero_agorot, vat_agorot, rounding_agorot, total_agorot, ils_net_agorot, ils_held_agorot,
        is_bad_debt,
        ils_vat_agorot,
        ils_total_agorot, open_agorot, source_id, cancelled_by_id,
        reason, by_hand, allocation_number, deliver_to->>'name' as deliver_name,
        deliver_to->>'street' as deliver_street, deliver_to->>'city' as deliver_city,
        deliver_to->>'zip' as deliver_zip, deliver_to->>'country' as deliver_country,
        deliver_to->>'contact' as deliver_contact,
        deliver_to->>'phone' as deliver_phone, deliver_to->>'notes' as deliver_notes, issued_at
      from documents where company_id = ${ctx.companyId} and ${isIssued()} and day between ${from}
        and ${to} order by day, type, number`,
  },
  ofDays(
    'document-lines',
    'document_lines',
    't.document_id, t.line, t.item_id, t.sku, t.description, t.quantity, t.unit, t.unit_price, t.discount_bp, t.discount_sum_agorot, t.vat_kind, t.vat_class, t.amount_agorot, t.discount_share_agorot, t.net_agorot, t.vat_agorot, t.total_agorot, t.ils_net_agorot, t.account_id',
    'documents',
    'document_id',
    'd.day, t.document_id, t.line',
  ),
  ofDays(
    'document-payments',
    'document_payments',
    't.document_id, t.line, t.means, t.amount_agorot, t.ils_agorot, t.day, t.due_day, t.instalments, t.card_brand, t.card_last4, t.bank, t.branch, t.account, t.number, t.reference, t.state',
    'documents',
    'document_id',
    'd.day, t.document_id, t.line',
  ),
  {
    name: 'settlements',
    of: 'settlements',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, day, from_id, to_id, from_agorot, to_agorot, from_ils_agorot, to_ils_agorot,
        reverses_id from settlements
      where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  {
    name: 'expenses',
    of: 'expenses',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, supplier_id, supplier_number, paper, day, vat_day, books_day, due_day,
        allocation_number, details, currency, rate, net_agorot, vat_agorot,
        total_agorot, ils_net_agorot, ils_vat_agorot, ils_total_agorot, recognised_vat_agorot,
        equipment_vat_agorot, open_agorot, type_id, state, means, paid_day
      from expenses where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  ofDays(
    'expense-lines',
    'expense_lines',
    't.expense_id, t.line, t.type_id, t.account_id, t.details, t.net_agorot, t.vat_agorot, t.ils_net_agorot, t.ils_vat_agorot, t.vat_share, t.recognised_vat_agorot, t.income_tax_bp, t.is_fixed_asset',
    'expenses',
    'expense_id',
    'd.day, t.expense_id, t.line',
  ),
  {
    name: 'supplier-payments',
    of: 'supplier_payments',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, number, supplier_id, day, means, reference, gross_agorot, withheld_agorot, net_agorot,
        withheld_bp, cancelled_at from supplier_payments
      where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  {
    name: 'entries',
    of: 'entries',
    query: (
      ctx,
      { from, to },
    ) => sql`select id, day, value_day, kind, reference, details, document_id, reverses_id, created_at
      from entries
      where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, id`,
  },
  {
    name: 'postings',
    of: 'postings',
    query: (
      ctx,
      { from, to },
    ) => sql`select p.entry_id, p.line, p.day, a.number as account, a.name as account_name, p.party_id,
        q.name as party, p.amount_agorot, p.currency, p.foreign_amount
      from postings p join accounts a on a.company_id = p.company_id and a.id = p.account_id left
      join parties q on q.company_id = p.company_id and q.id = p.party_id
      where p.company_id = ${ctx.companyId} and p.day between ${from} and ${to}
      order by p.day, p.entry_id, p.line`,
  },
  {
    name: 'bank-lines',
    of: 'bank_lines',
    query: (
      ctx,
      { from, to },
    ) => sql`select amount_agorot, balance_agorot, bank_account_id, created_at, day, details, id, position,
        reference, statement_id, text, value_day from bank_lines
      where company_id = ${ctx.companyId} and day between ${from} and ${to} order by day, bank_account_id,
        position, id`,
  },
  ...registers,
]

/** Tables of a business that are in no CSV, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  clock_presses: 'presses of the clock, which the clockings tell',
  time_consents: 'consents to telling where one clocks, and nothing that follows from them',
  time_settings: 'settings',
  affiliate_plans: 'settings',
  affiliates: 'who brings businesses: his card of supplier tells it',
  affiliate_links: 'settings',
  affiliate_views: 'how often links were opened',
  affiliate_signups: 'whom affiliates brought: their report tells it',
  affiliate_commissions: 'what affiliates earned: their report tells it',
  affiliate_payouts: 'which invoices paid them: the papers tell it',
  affiliate_pay_days: 'settings',
  affiliate_pay_turns: 'what came of each day of pay-out: the log and the papers tell it',
  offices: 'an accountant’s office: settings',
  closing_templates: 'an office’s lists: settings',
  engagements: 'whom an office works for: the log tells it',
  office_people: 'settings',
  office_clients: 'settings',
  office_fees: 'which fees were charged: the papers tell it',
  office_invites: 'invitations under way',
  duty_summaries: 'sums of clients’ books, which their own files hold',
  bank_feeds: 'doors for files of banks, with their secrets',
  bank_feed_files: 'files that came by them; what they brought is in the statements',
  contact_settings: 'settings',
  drive_targets: 'where copies go, with its secrets',
  drive_folders: 'where copies go',
  drive_copies: 'which copies were made',
  drive_ties: 'consents that are under way',
  lead_absences: 'settings',
  lead_mornings: 'the day of each person’s last letter',
  lead_handovers: 'who was given which lead: the moves and the log tell it',
  lead_intakes: 'what came in by forms and letters as it came; the leads tell what it says',
  lead_marks: 'phones and mails of open leads, for the program itself',
  lead_rules: 'settings',
  notification_choices: 'settings',
  notifications: 'what the bell told one person',
  client_keys: 'what programs sent under keys of their own, as digests',
  record_marks: 'ids that other programs gave records',
  shops: 'shops and their secrets',
  shop_notices: 'what shops sent in the last weeks',
  shop_ties: 'consents that are under way',
  acquirer_days: 'which lists of acquirers were had',
  pay_page_days: 'how often pages were opened',
  pay_page_files: 'files themselves, which payers attached and the backup gives',
  pay_page_pictures: 'pictures of pages',
  standing_campaigns: 'settings',
  standing_settings: 'settings',
  standing_words: 'settings',
  standing_notices: 'letters the law asks for: they are among the messages',
  standing_steps: 'what was done about a charge that failed; the charges say what became of it',
  task_feeds: 'secret addresses of calendars',
  task_makers: 'settings',
  work_teams: 'who works together',
  account_months: 'sums of postings',
  party_months: 'sums of postings',
  book_days: 'when the books of a day last changed, for the program itself',
  journal_counters: 'the next number of batches',
  chain_heads: 'hashes, shown by the proof of the books',
  chain_links: 'hashes, shown by the proof of the books',
  chain_waiting: 'hashes, shown by the proof of the books',
  document_papers: 'papers themselves, which the archive of documents gives',
  file_contents: 'files themselves, which the backup gives',
  letter_files: 'papers themselves',
  outside_files: 'papers themselves',
  document_bundles: 'papers themselves',
  expense_archives: 'archives of pictures, kept for a week',
  expense_archive_files: 'archives of pictures, kept for a week',
  document_files: 'which files stand with a document: file-links',
  captured_papers: 'bills that were not entered yet; those that were are expenses',
  captured_pages: 'pictures of pages',
  paper_memories: 'what the reading of papers learnt',
  uniform_files: 'files that were made, kept for a week',
  uniform_file_parts: 'files that were made, kept for a week',
  uniform_runs: 'names of folders',
  uniform_imports: 'files that were brought in; what they brought is in its own tables',
  uniform_import_parts: 'files that were brought in',
  uniform_papers: 'records of another program, told by the uniform file',
  uniform_entries: 'records of another program, told by the uniform file',
  imports: 'files that were brought in; what they brought is in its own tables',
  import_parts: 'files that were brought in',
  import_rows: 'files that were brought in',
  import_mappings: 'how columns of files were understood',
  bank_mappings: 'how columns of statements were understood',
  jobs: 'work of the program',
  outbox: 'work of the program',
  webhook_payments: 'addresses that programs named for their payments',
  webhook_endpoints: 'addresses of programs that listen, with their secrets',
  webhook_deliveries: 'what was sent to programs in the last month',
  webhook_tries: 'what was sent to programs in the last month',
  events: 'what happened in the last month, for programs that listen',
  saved_views: 'how one person looks at a list',
  sign_files: 'papers themselves',
  sign_payments: 'which link a field of a signed paper was paid by; the links are exported',
  sign_handouts: 'papers on their way to a signer',
  mandate_papers: 'mandates on their way to be signed; signed ones stand among the mandates',
  sign_templates: 'templates, whose list is exported by itself',
  sign_versions: 'what a template looked like; the signed papers hold it',
  sign_groups: 'groups of signers, whose list is exported by itself',
  sign_settings: 'settings of signing',
  sign_requests: 'papers sent to be signed, whose list is exported by itself',
  sign_signers: 'signers, told in the evidence of each signed paper',
  sign_acts: 'the chain of what happened, told in the evidence of each signed paper',
  sign_codes: 'codes, which are secret',
  sign_uploads: 'files inside the signed papers',
  sign_sealed: 'papers themselves',
  committee_tenant_pages: 'addresses of pages',
  committee_requests: 'requests to pay; the papers are exported',
  committee_levy_asks: 'who was asked for a levy; the letters are in messages',
  committee_order_turns: 'which receipts became payments of tenants; the payments are exported',
  committee_reminders: 'who was reminded in which week; the letters are in messages',
  serial_counters: 'settings',
  stock_items: 'sums of stock-moves',
  stock_low: 'what has been told of stock that is low',
  sweep_faults: 'rows that the server could not process yet and will try again',
  stock_on_hand: 'sums of stock-moves',
  stock_days: 'sums of stock-moves',
  stock_layers: 'what is left of arrivals: follows from stock-moves',
  stock_settings: 'settings',
  class_places: 'places of classes, whose list is exported by itself',
  class_kinds: 'kinds of classes, whose list is exported by itself',
  class_trainers: 'trainers, whose list is exported by itself',
  class_groups: 'courses, whose list is exported by itself',
  class_group_people: 'who belongs to a course',
  class_series: 'rules by which classes come back',
  classes: 'the calendar, which is had as iCalendar',
  class_seats: 'seats: follow from bookings',
  class_bookings: 'attendance, whose report is exported by itself',
  class_blocks: 'when somebody is away',
  class_swaps: 'who took over whose class',
  outside_calendars: 'addresses of calendars elsewhere, which are secrets',
  booking_words: 'own words of letters of bookings',
  class_feeds: 'addresses of calendars',
  trainer_sheets: 'months of trainers that became bills, which are exported',
  pass_kinds: 'kinds of passes, whose list is exported by itself',
  passes: 'passes: their papers are exported',
  pass_renewals: 'which standing orders bring which passes',
  pass_people: 'who uses a pass',
  pass_freezes: 'when a pass was frozen',
  pass_moves: 'visits of passes',
  health_forms: 'declarations of health, which leave the business with nobody',
  entry_bans: 'who is kept out',
  booking_pages: 'settings',
  booking_codes: 'codes that were sent, gone after a day',
  pest_sites: 'places of pest control, whose list is exported by itself',
  pest_licences: 'who may treat, whose list is exported by itself',
  pest_treatments: 'treatments, whose list is exported by itself',
  pest_certificates: 'papers themselves',
  client_requests: 'what the accountant asked',
  client_request_words: 'what the accountant asked',
  client_request_links: 'the page on which the accountant is answered',
  tickets: 'what was asked of whoever runs the installation',
  ticket_messages: 'what was asked of whoever runs the installation',
  ticket_pictures: 'what was asked of whoever runs the installation',
  ticket_files: 'what was asked of whoever runs the installation',
  home_tiles: 'how one person looks at his home page',
  forecast_left_out: 'bills that somebody does not expect again: what was booked of them is in the books',
  questions: 'how somebody asked: what they say is in the books',
  report_plans: 'reports that are sent by themselves: what they say is in the books',
  report_plan_people: 'whom they go to',
  report_plan_log: 'what came of each time; the letters are in messages',
  file_shares: 'files that were shown outside: the files are here themselves',
  authorities: 'who ordered what happens later',
  approvals: 'what waits for a person before it is carried out',
  mail_days: 'how many people got mail on a day: follows from messages',
  mail_recipients: 'who got mail on a day: follows from messages',
  report_shares: 'reports that were shown outside: what they say is in the books',
  report_share_views: 'who looked at them',
  accountant_packages: 'which month was sent; the letter is among messages',
  reminder_plans: 'settings',
  reminder_pauses: 'settings',
  letter_templates: 'settings',
  masav_settings: 'settings',
  company_modules: 'settings',
  logos: 'settings',
  permission_sets: 'rights of people',
  invitations: 'rights of people',
  customer_pages: 'keys of pages',
  customer_page_payments: 'choices of payers; what was paid is on its receipt',
  customer_page_payment_documents: 'choices of payers; what was paid is on its receipt',
  customer_proposals: 'answers of customers waiting for a decision, and those decided',
  registration_links: 'keys of pages',
  emergency_numbers: 'numbers of the authority not used yet; used ones stand on their documents',
  charge_events: 'the talk with the acquirer',
  charge_tries: 'the talk with the acquirer',
  terminal_calls: 'the talk with the acquirer',
  card_requests: 'keys of pages',
  card_warnings: 'which owners of cards were told; the letters are in messages',
  card_sales: 'what a card was charged for: its document says it',
  test_charges: 'made-up charges',
  test_tokens: 'made-up cards',
  cards: 'secrets: whom they belong to and how they end stands on the page of cards',
  terminals: 'secrets',
  sms_accounts: 'secrets',
  api_keys: 'secrets',
  authority_links: 'secrets',
  mail_addresses: 'secrets',
  signature_pictures: 'secrets',
  signing_certificates: 'secrets',
  sessions: 'rights of people',
  memberships: 'rights of people',
  audit_log: 'the log of deeds, which has a list and a file of its own',
}

/**
 * Decimals of the database come as text; what else looks like one (a number of the customer's order) stays
 * text.
 */
const isDecimal = (column: string): boolean => /(^|_)(quantity|price|rate|takes)$/.test(column)

/** A value as a program counts with it or a person reads it. */
function valueOf(column: string, value: unknown): SheetValue {
  if (value === null || value === undefined) return null
  if (column.endsWith('_agorot') || column === 'foreign_amount') return Number(value) / 100
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const csvCell = (column: string, value: unknown): string => {
  const plain = valueOf(column, value)
  if (plain === null) return ''
  if (typeof plain === 'number' && (column.endsWith('_agorot') || column === 'foreign_amount'))
    return plain.toFixed(2)
  const text = String(plain)
  // A decimal is a decimal; whatever else begins like a formula may not run.
  const safe = typeof plain !== 'string' || /^-?\d+(\.\d+)?$/.test(text) ? text : harmless(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A cell of a sheet: a text of ours is never a formula there. */
const sheetCell = (column: string, value: unknown): SheetValue => {
  const plain = valueOf(column, value)
  return typeof plain === 'string' && isDecimal(column) && /^-?\d{1,12}(\.\d{1,8})?$/.test(plain)
    ? Number(plain)
    : plain
}

type Row = Record<string, unknown>
interface TableFile {
  rows: (page: readonly Row[]) => void
  end: () => void
}
type Watched = (rows: number) => Promise<void>

/**
 * Processes all tables; answers the number of rows of each. A register without records has no file. Headings are the
 * names of the columns, amounts in units of their currency.
 */
async function writeTables(
  ctx: Ctx,
  range: Range,
  open: (name: string, columns: readonly string[], heads: string[]) => TableFile,
  tell: Watched,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let rows = 0
  // Codes stand from their first use on; who takes everything along takes them too.
  await ensureCodes(ctx)
  for (const table of tables) {
    let file: TableFile | undefined
    counts[table.name] = 0
    for await (const page of inPages(ctx, table.query(ctx, range))) {
      const columns = Object.keys(page[0]!)
      file ??= open(
        table.name,
        columns,
        columns.map((column) => column.replace(/_agorot$/, '')),
      )
      file.rows(page)
      counts[table.name]! += page.length
      rows += page.length
      await tell(rows)
    }
    file?.end()
  }
  return counts
}

/** Everything as CSV files, one for each table. */
export const writeCsv = (
  ctx: Ctx,
  range: Range,
  open: (name: string) => SheetFile,
  tell: Watched,
): Promise<Record<string, number>> =>
  writeTables(
    ctx,
    range,
    (name, columns, heads) => {
      const file = open(`${name}.csv`)
      file.write(`\ufeff${heads.join(',')}\r\n`)
      return {
        rows: (page) =>
          file.write(
            page
              .map((row) => `${columns.map((column) => csvCell(column, row[column])).join(',')}\r\n`)
              .join(''),
          ),
        end: file.end,
      }
    },
    tell,
  )

/** The same as one workbook, a sheet for each table. `open` opens a file of the archive it is. */
export async function writeXlsx(
  ctx: Ctx,
  range: Range,
  open: (path: string) => SheetFile,
  tell: Watched,
): Promise<Record<string, number>> {
  const book = workbook(open, { rightToLeft: directionOf(ctx.caller.language) === 'rtl' })
  const counts = await writeTables(
    ctx,
    range,
    (name, columns, heads) => {
      const sheet = book.sheet(name, heads)
      return {
        rows: (page) => sheet.add(page.map((row) => columns.map((column) => sheetCell(column, row[column])))),
        end: sheet.end,
      }
    },
    tell,
  )
  book.end()
  return counts
}
