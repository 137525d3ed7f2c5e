import { ReceiptText } from 'lucide-react'
import { formatMoney } from '#domain/format.ts'
import { call } from '#kit/web/calls/call.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import type { Found } from '#kit/web/shell/registry.ts'
import { expenses, type ExpenseRow } from '../expenses.ts'

/** Expenses by number, by sum or by the supplier's name, for the palette. */
export async function findExpenses(query: string, signal: AbortSignal): Promise<Found[]> {
  const { rows } = await call(callsOf(expenses).list, { size: 10, q: query }, { signal, quiet: true })
  return (rows as unknown as ExpenseRow[]).slice(0, 5).map((row) => ({
    key: row.id,
    label: [row.supplierIdName, row.supplierNumber].filter(Boolean).join(' · ') || (row.typeIdName ?? ''),
    icon: ReceiptText,
    ...(row.totalAgorot === null ? {} : { hint: formatMoney(row.totalAgorot) }),
    href: `/invoice/Expenses/all/${row.id}`,
  }))
}
