import { queryClient } from '#kit/web/calls/call.ts'

/**
 * Whatever shows money of customers, or what follows from it, is asked again; what is shown stays until then.
 */
export const refreshMoney = (): Promise<unknown> =>
  Promise.all(
    [
      'payments.list',
      'payments.get',
      'deposits.list',
      'deposits.get',
      'deposits.inHand',
      'documents.list',
      'documents.get',
      'documents.home',
      'documents.entries',
      'documents.history',
      'documents.openItems',
      'customers.list',
      'customers.get',
      'accounts.list',
      'reports.run',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

export const paymentPath = (id: string): string => `/invoice/paymentview/${id}`
export const depositPath = (id: string): string => `/invoice/deposits/${id}`
export const newDepositPath = '/invoice/newdeposit'
