import type { Screen } from '#kit/describe/screen.ts'
import { call, keyOf, queryClient } from '#kit/web/call.ts'
import { mayDo, session } from '#kit/web/session.ts'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { homeFigures } from '#features/sales/documents/endpoints.ts'
import { expenseFigures } from '#features/purchases/expenses/endpoints.ts'
import { allScreensPath } from '#kit/web/shell/menu.ts'

/** Asks for the figures before there is a page to show them: they are what it waits for. */
function ahead(): void {
  const may = (rule: string) => mayDo(session(), rule)
  const asked = [getCompany, ...(may('documents.see') ? [homeFigures] : []), ...(may('expenses.see') ? [expenseFigures] : [])]
  for (const one of asked)
    void queryClient.prefetchQuery({ queryKey: keyOf(one, {}), queryFn: ({ signal }) => call<typeof one>(one, {}, { signal }) })
}

export const screens: Screen[] = [
  {
    name: 'home',
    path: '/invoice/main',
    open: 'login',
    feature: 'home',
    menu: { group: 'home', icon: 'house', order: 10 },
    load: () => import('./Home.tsx'),
    ahead,
  },
  { name: 'allScreens', path: allScreensPath, open: 'login', feature: 'home', load: () => import('./AllScreens.tsx') },
]
