import type { Lacks } from '#kit/describe/errors.ts'
import { can, isUnlimited, seesWhole, type Rights } from '#kit/describe/session.ts'

/** What a kind of letter holds, and so who may read it and who may send it again. */
interface LetterKind {
  /** The rule of the person who reads it in the list. */
  see: string
  /** The rule of the person who sends it, beside the one of the list. */
  send: string
  /** Documents of every type of one customer, or amounts of the whole business: not for people who see a part. */
  holds?: 'types' | 'business'
  /**
   * People who may not see amounts may also send it, to the customer it concerns; they cannot send any other.
   */
  toOwner?: true
  /** It goes to an address of a register: another one is for those who may change that register. */
  addressOf?: string
}

/** The kinds of letters, as the column `kind` of messages knows them. */
export const letterKinds: Record<string, LetterKind> = {
  document: { see: 'documents.see', send: 'documents.send', toOwner: true },
  letter: { see: 'customers.see', send: 'documents.send', toOwner: true, addressOf: 'customers.change' },
  writtenLetter: { see: 'letters.see', send: 'letters.change', toOwner: true },
  statement: { see: 'reports.debts', send: 'reports.debts', holds: 'types' },
  reminder: { see: 'reports.debts', send: 'reminders.change', holds: 'types', addressOf: 'customers.change' },
  standingOrder: { see: 'standingOrders.see', send: 'standingOrders.change', toOwner: true },
  paymentLink: { see: 'paymentLinks.see', send: 'paymentLinks.change', toOwner: true },
  customerPage: { see: 'customers.see', send: 'documents.send', holds: 'types', toOwner: true },
  accountant: { see: 'accountant.see', send: 'accountant.change', holds: 'business' },
  form857: { see: 'filings.see', send: 'filings.make', holds: 'business', addressOf: 'suppliers.change' },
  supplierPayment: { see: 'supplierPayments.see', send: 'supplierPayments.change' },
  vatQuestion: { see: 'vat.see', send: 'vat.file', holds: 'business' },
  outside: { see: 'outside.see', send: 'outside.change', toOwner: true },
  classBooking: { see: 'calendar.see', send: 'calendar.desk' },
  signing: { see: 'signing.see', send: 'signing.send' },
  report: { see: 'reportPlans.change', send: 'reportPlans.change', holds: 'business' },
  proof: { see: 'ledger.see', send: 'ledger.see', holds: 'business' },
}

interface Reader extends Rights {
  ownCustomersOnly: boolean
}

const fits = ({ holds }: LetterKind, reader: Reader): boolean =>
  holds === 'business' ? seesWhole(reader) : holds === 'types' ? reader.docsAllow.length === 0 : true

/** The kinds somebody may read; undefined when all, those from before kinds were kept among them. */
export const readableKinds = (reader: Reader): string[] | undefined =>
  isUnlimited(reader.rules) && seesWhole(reader)
    ? undefined
    : Object.entries(letterKinds).flatMap(([name, kind]) =>
        can(reader, kind.see) && fits(kind, reader) ? [name] : [],
      )

type Sender = Rights & { hideTotalPrices: boolean; ownCustomersOnly?: boolean }

/** What somebody lacks to send a letter of a kind; undefined for those who may. */
export function lackingToSend(name: string, sender: Sender): Lacks | undefined {
  const kind = letterKinds[name]
  const reader = { ...sender, ownCustomersOnly: sender.ownCustomersOnly ?? false }
  if (!kind) {
    if (sender.hideTotalPrices) return { sight: 'figures' }
    return isUnlimited(sender.rules) && seesWhole(reader) ? undefined : { sight: 'whole' }
  }
  const rule = [kind.see, kind.send].find((one) => !can(sender, one))
  if (rule !== undefined) return { rule }
  if (!fits(kind, reader)) return { sight: kind.holds === 'types' ? 'documents' : 'whole' }
  return sender.hideTotalPrices && kind.toOwner !== true ? { sight: 'figures' } : undefined
}

/** What somebody lacks to send it to another address than it had; undefined for those who may. */
export function lackingToRedirect(name: string, sender: Sender): Lacks | undefined {
  if (sender.hideTotalPrices) return { sight: 'figures' }
  const rule = letterKinds[name]?.addressOf
  return rule === undefined || can(sender, rule) ? undefined : { rule }
}
