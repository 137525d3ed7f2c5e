import { queryClient } from '#kit/web/calls/call.ts'

/** Whatever shows what suppliers are owed or were paid is asked again. */
export const refreshPayments = (): Promise<unknown> =>
  Promise.all(
    [
      'supplierpayments.list',
      'supplierpayments.get',
      'supplierpayments.openBills',
      'supplierpayments.due',
      'supplierpayments.workOut',
      'expenses.list',
      'expenses.get',
      'expenses.entries',
      'expenses.history',
      'expenses.figures',
      'suppliers.list',
      'suppliers.get',
      'accounts.list',
      'reports.run',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

export const paymentPath = (id: string): string => `/invoice/supplierpayment/${id}`
export const payPath = (supplierId: string): string => `/invoice/supplierpayments/${supplierId}`
export const duePath = '/invoice/supplierdue'
