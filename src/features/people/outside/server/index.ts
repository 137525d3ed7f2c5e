import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { implement, implementOpen } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import '#features/base/files/rules.ts'
import { signedAtOf, signStateOf } from '#features/sales/signing/server/index.ts'
import * as calls from '../endpoints.ts'
import { outsideDocuments } from '../outsideDocuments.ts'
import '../rules.ts'
import { bytesOf, fileNameOf, loadOutside, readyMail, stateOf, urlOf } from './load.ts'
import { page, pageLogo, pagePdf } from './page.ts'
import { mailOutside, send } from './send.ts'
import { signOutside, templateOf } from './sign.ts'
import { take } from './take.ts'

databaseFailures.PK181 = () => fail('outside.isSent')

export const implementations = [
  ...serveResource({
    resource: outsideDocuments,
    verbs: ['list', 'get', 'change', 'archive', 'restore', 'export'],
    compute: {
      state: stateOf,
      signState: signStateOf('outside', sql`t.id`),
      signedAt: signedAtOf('outside', sql`t.id`),
    },
    keptFrom: ({ caller }) => (can(caller, 'signing.see') ? [] : ['signState', 'signedAt']),
    refNames: {
      customerId: sql`(select p.name from parties p where p.company_id = t.company_id
          and p.id = t.customer_id)`,
    },
  }),
  implement(calls.uploadOutside, take),
  implement(calls.getOutside, async (ctx, { id }) => {
    const d = await loadOutside(ctx, id)
    const { rows: messages } = await sql<{
      id: string
      at: string
      recipient: string
      state: string
      error: string | null
      openedAt: string | null
    }>`select id, created_at as at, recipient, state, error, opened_at as "openedAt" from messages
      where company_id = ${ctx.companyId} and outside_id = ${id} order by created_at desc, id desc
      limit 50`.execute(ctx.tx)
    const { customerId, customerName, email, language, pageKey: _, ...rest } = d
    const hides = ctx.caller.hideTotalPrices
    return {
      ...rest,
      customer:
        customerId && customerName
          ? { id: customerId, name: customerName, email, language: language ?? 'he' }
          : null,
      url: hides ? '' : urlOf(ctx, d),
      messages,
      // The ready words hold the address of the paper.
      mail: hides ? { subject: '', text: '' } : await readyMail(ctx, d),
    }
  }),
  implement(calls.pdfOfOutside, async (ctx, { id }) => {
    // A paper from elsewhere is nothing but figures.
    if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
    const d = await loadOutside(ctx, id)
    return { bytes: await bytesOf(ctx, id), mime: 'application/pdf', name: fileNameOf(d.name), inline: true }
  }),
  implement(calls.sendOutside, send),
  implement(calls.signOutside, signOutside),
  implement(calls.templateOfOutside, templateOf),
  implementOpen(calls.pageOfOutside, page),
  implementOpen(calls.pagePdfOfOutside, pagePdf),
  implementOpen(calls.pageLogoOfOutside, pageLogo),
]

export const jobs: Record<string, Job> = { 'outside.mail': mailOutside }

export { showOutside } from './demo.ts'

export const machines: Machines = {
  'outside.mail': { completes: 'a letter that a call queued within the rights of its caller' },
}
