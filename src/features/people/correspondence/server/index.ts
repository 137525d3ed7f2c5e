import { implement, Later } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { statementPdf, statementSvg } from '#features/sales/documents/server/index.ts'
import '#features/registers/parties/rules.ts'
import * as calls from '../endpoints.ts'
import { mailLetter, mailStatement, sendLetters, sendStatements, statementName } from './send.ts'
import { addressesOf, statementOf } from './statement.ts'
import { sendText, smsLetter } from './text.ts'

export { addressees, type Addressee } from './addressees.ts'
export { addressesOf, statementOf } from './statement.ts'

export const implementations = [
  implement(calls.statementFile, async (ctx, { id, ...which }) => {
    const { source } = await statementOf(ctx, id, which)
    return new Later(async () => ({
      bytes: await statementPdf(source),
      mime: 'application/pdf',
      name: statementName(source.to),
      inline: true,
    }))
  }),
  implement(calls.statementPages, async (ctx, { id, ...which }) => {
    const { source, customer } = await statementOf(ctx, id, which)
    const to = await addressesOf(ctx, customer)
    return new Later(async () => ({
      pages: await statementSvg(source),
      name: customer.name,
      to,
      language: customer.language,
    }))
  }),
  implement(calls.sendStatements, sendStatements),
  implement(calls.sendLetters, sendLetters),
  implement(calls.sendText, sendText),
]

export const jobs: Record<string, Job> = {
  'statements.mail': mailStatement,
  'letters.mail': mailLetter,
  'letters.sms': smsLetter,
}

export const machines: Machines = {
  'statements.mail': { completes: 'a letter that a call queued within the rights of its caller' },
  'letters.mail': { completes: 'a letter that a call or an order queued' },
  'letters.sms': { completes: 'a message that a call or an order queued' },
}
