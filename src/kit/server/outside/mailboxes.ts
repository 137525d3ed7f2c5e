import type { App, Ctx } from '../context.ts'

/** A letter as it came, read in a thread; its texts are cleaned and bounded. */
export interface Letter {
  from: { name: string; address: string }
  subject: string
  text: string
  /** Its own number and those it answers, as mail programs write them. */
  messageId: string | undefined
  references: readonly string[]
}

/**
 * Addresses of a feature: who has one, and how an email to it is handled. The part before the @ is the token.
 */
export interface Mailbox {
  companyOf: (app: App, token: string) => Promise<string | undefined>
  /** In a transaction inside that business, as the system; the same letter may come twice. */
  take: (ctx: Ctx, token: string, letter: Letter) => Promise<void>
}

const mailboxes: Mailbox[] = []

/** Lets letters come to a feature; told once, when the server's parts are read. */
export const registerMailbox = (mailbox: Mailbox): void => void mailboxes.push(mailbox)

/** Whose address this is. */
export async function mailboxOf(
  app: App,
  token: string,
): Promise<{ companyId: string; mailbox: Mailbox } | undefined> {
  for (const mailbox of mailboxes) {
    const companyId = await mailbox.companyOf(app, token)
    if (companyId) return { companyId, mailbox }
  }
  return undefined
}
