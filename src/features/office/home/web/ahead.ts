import { call, keyOf, queryClient } from '#kit/web/call.ts'
import { mayDo, session } from '#kit/web/session.ts'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { homeFigures } from '#features/sales/documents/endpoints.ts'
import { expenseFigures } from '#features/purchases/expenses/endpoints.ts'

/** Asks for the figures while the page is still being made: they are what it waits for. */
export function ahead(): void {
  const may = (rule: string) => mayDo(session(), rule)
  const asked = [getCompany, ...(may('documents.see') ? [homeFigures] : []), ...(may('expenses.see') ? [expenseFigures] : [])]
  for (const one of asked)
    void queryClient.prefetchQuery({ queryKey: keyOf(one, {}), queryFn: ({ signal }) => call<typeof one>(one, {}, { signal }) })
}
