import type { Screen } from '#kit/describe/screen.ts'
<<<<<<< 51c2de67f57c4203253689a170796eacc1e5b103
import { allScreensPath } from '#kit/web/shell/menu.ts'
=======
import { call, keyOf, queryClient } from '#kit/web/call.ts'
import { mayDo, session } from '#kit/web/session.ts'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { homeFigures } from '#features/sales/documents/endpoints.ts'
import { expenseFigures } from '#features/purchases/expenses/endpoints.ts'

/** Asks for the figures before there is a page to show them: they are what it waits for. */
function ahead(): void {
  const may = (rule: string) => mayDo(session(), rule)
  const asked = [getCompany, ...(may('documents.see') ? [homeFigures] : []), ...(may('expenses.see') ? [expenseFigures] : [])]
  for (const one of asked)
    void queryClient.prefetchQuery({ queryKey: keyOf(one, {}), queryFn: ({ signal }) => call<typeof one>(one, {}, { signal }) })
}
>>>>>>> 0d06b12d94d91d9b067b40e1183f61bbe4740063

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
