import type { Language } from '#kit/server/context.ts'
import type { MailCard } from '#kit/server/outside/mailLayout.ts'
import { say } from '#kit/server/words.ts'

interface MoneyCard {
  /** With its currency, as people read it. */
  amount: string
  /** What the amount is; left out, what is to be paid, by its day where there is one. */
  label?: string
  dueDay?: string | null | undefined
  /** The page where it is looked at or paid; without one nothing is pressed. */
  url?: string | undefined
  /** Of the button: what it leads to. */
  leads?: 'pay' | 'document' | 'details'
  /** The name of the file that comes along. */
  attached?: string | undefined
}

const buttons = {
  pay: 'documents.mail.viewAndPay',
  document: 'documents.mail.view',
  details: 'documents.mail.details',
}

/** What a mail with an amount shows above its text, the same in every such mail. */
export function moneyCard(
  language: Language,
  { amount, label, dueDay, url, leads = 'pay', attached }: MoneyCard,
): MailCard {
  return {
    label:
      label ??
      (dueDay
        ? say(language, 'documents.mail.toPayBy', { day: dueDay })
        : say(language, 'documents.mail.toPay')),
    amount,
    ...(url ? { button: { label: say(language, buttons[leads]), url } } : {}),
    ...(attached ? { note: say(language, 'documents.mail.attached', { name: attached }) } : {}),
  }
}

/** The same as it is kept with a queued message. */
export const keptCard = (language: Language, card: MoneyCard): string =>
  JSON.stringify({ ...moneyCard(language, card), language })
