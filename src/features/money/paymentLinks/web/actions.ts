import { queryClient } from '#kit/web/calls/call.ts'

/** What shows links or charges, or follows from them, is asked again. */
export const refreshLinks = (): Promise<unknown> =>
  Promise.all(
    [
      'paymentLinks.list',
      'paymentLinks.get',
      'cardCharges.list',
      'cardCharges.get',
      'documents.get',
      'documents.list',
      'payments.list',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

/** WhatsApp with the words ready: to the customer's phone, or to whom the sender chooses. */
export function whatsApp(phone: string | null, text: string): string {
  const digits = (phone ?? '').replace(/\D/g, '')
  const number = digits.startsWith('972') ? digits : digits.startsWith('0') ? `972${digits.slice(1)}` : ''
  return `https://wa.me/${number}?${new URLSearchParams({ text })}`
}
