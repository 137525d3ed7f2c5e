import { queryClient } from '#kit/web/calls/call.ts'

/** Whatever shows lines of the bank, entries or what follows from them is asked again. */
export const refreshMatching = (): Promise<unknown> =>
  Promise.all(
    [
      'bankmatching.desk',
      'bankmatching.matches',
      'bankmatching.bookingFacts',
      'matches.list',
      'bankaccounts.list',
      'bankaccounts.get',
      'banklines.list',
      'bankstatements.list',
      'accounts.list',
      'payments.list',
      'documents.list',
      'customers.list',
      'supplierpayments.list',
      'reports.run',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )
