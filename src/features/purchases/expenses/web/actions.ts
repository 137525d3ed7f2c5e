import { call, failureText, queryClient } from '#kit/web/calls/call.ts'
import { toast } from '#kit/web/parts/notices.ts'
import { banner } from '#kit/web/shell/banner.ts'
import type { Words } from '#kit/web/words/words.tsx'
import { approveExpense, deleteExpense } from '../endpoints.ts'

/** Whatever shows expenses or what follows from them is asked again; what is shown stays until then. */
export const refreshExpenses = (): Promise<unknown> =>
  Promise.all(
    [
      'expenses.list',
      'expenses.get',
      'expenses.mine',
      'expenses.figures',
      'expenses.entries',
      'expenses.history',
      'expenses.ofDocument',
      'expenses.defaults',
      'expenses.suppliers',
      'recurringexpenses.list',
      'fixedassets.list',
      'suppliers.list',
      'suppliers.get',
      'documents.home',
      'reports.run',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

/** Approves one after another; what is refused is said at the end, the rest is done. */
export async function approveAll(t: Words, ids: readonly string[]): Promise<void> {
  let done = 0
  let failure: unknown
  for (const id of ids)
    try {
      await call(approveExpense, { id })
      done++
    } catch (e) {
      failure ??= e
    }
  await refreshExpenses()
  if (done > 0) toast(t('expenses.approved', { count: done }))
  if (failure) banner.error(failureText(t, failure))
}

export async function throwAway(t: Words, id: string): Promise<boolean> {
  try {
    await call(deleteExpense, { id })
    await refreshExpenses()
    toast(t('expenses.deleted'))
    return true
  } catch (e) {
    banner.error(failureText(t, e))
    return false
  }
}
