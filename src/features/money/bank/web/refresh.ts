import { queryClient } from '#kit/web/calls/call.ts'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { bankAccounts, bankLines } from '../bankAccounts.ts'

export const accountPath = (id: string): string => `/invoice/banklist/${id}`

/** Whatever shows lines of the bank is asked again. */
export const refreshBank = (): Promise<unknown> =>
  Promise.all([
    refreshResource(bankAccounts),
    refreshResource(bankLines),
    ...['bankstatements.list', 'bankmatching.desk'].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  ])
