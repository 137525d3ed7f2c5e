import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { implement, implementOpen, implementOpenOutside } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { inLane } from '#kit/server/work/lanes.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import '#features/base/files/rules.ts'
import '#features/base/sms/rules.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { signGroups, signRequests, signTemplates } from '../signing.ts'
import './events.ts'
import { mailSealed, mailSigner, sendCode, smsSigner } from './invite.ts'
import { about } from './about.ts'
import { askConsent } from './consent.ts'
import { signDocument } from './documents.ts'
import { begin, link, linkLogo } from './link.ts'
import { seen } from './load.ts'
import { handBack, handout, prepareOutside, signOwn } from './own.ts'
import { pay } from './pay.ts'
import { askCode, byLogin, identify, page, pageLogo, pagePdf, picture } from './page.ts'
import { signReport } from './report.ts'
import { home, recall, remind, requestPdf, wholeRequest } from './requests.ts'
import { followJob, sealJob } from './seal.ts'
import { bulkTemplate, sendTemplate } from './send.ts'
import { setSettings, settingsOf } from './settings.ts'
import { addFile, decline, delegate, sign } from './sign.ts'
import {
  copyTemplate,
  openTemplate,
  saveTemplate,
  templatePicture,
  uploadTemplate,
  wholeTemplate,
} from './templates.ts'
import { allGroups, changeGroup, createGroup } from './groups.ts'
import { verifyFile } from './verify.ts'

export { signedAtOf, signStateOf } from './about.ts'
export { askedBefore, askForSignature } from './askFor.ts'
export { registerSigned, signedValues } from './consequences.ts'
export { isSigned, lookInto, NotTaken, sealable } from './reading/reader.ts'
export { showSigning } from './demo.ts'
export { approvalOf, sheetPdf, signingRows } from './sheet.ts'
export { uploadTemplate } from './templates.ts'
export { registerPayDoor } from './payDoor.ts'
export { home as signingHomeOf } from './requests.ts'
export { start, sweepSigning } from './sweep.ts'
export { waitingFor, type WaitingPaper } from './waiting.ts'

databaseFailures.PK280 = () => fail('signing.isSent')
databaseFailures.PK281 = () => fail('signing.hasEnded')

// The papers of a merged customer go to the one who stays.
registerFollower('customer', async (ctx, keepId, gone) => {
  await sql`update sign_requests set customer_id = ${keepId} where company_id = ${ctx.companyId}
      and customer_id = any(${[...gone]}::uuid[])`.execute(ctx.tx)
})

const live = sql`r.company_id = t.company_id and r.template_id = t.id`

export const implementations = [
  ...serveResource({
    resource: signTemplates,
    verbs: ['list', 'get', 'change', 'archive', 'restore', 'export'],
    compute: {
      sent: sql`(select count(*)::int from sign_requests r where ${live})`,
      signed: sql`(select count(*)::int from sign_requests r where ${live} and r.state = 'done')`,
    },
  }),
  ...serveResource({
    resource: signGroups,
    verbs: ['list', 'get', 'archive', 'restore', 'export'],
    compute: {
      members: sql`(select string_agg(p.one->>'name', ', ' order by p.at) from jsonb_array_elements(t.people)
        with ordinality p (one, at))`,
      count: sql`jsonb_array_length(t.people)`,
    },
  }),
  implement(calls.listGroups, allGroups),
  implement(calls.createGroup, createGroup),
  implement(calls.changeGroup, changeGroup),
  ...serveResource({
    resource: signRequests,
    verbs: ['list', 'get', 'archive', 'restore', 'export'],
    only: seen,
    compute: {
      signers: sql`(select string_agg(s.name, ', ' order by s.order_no, s.created_at) from sign_signers s
        where s.company_id = t.company_id and s.request_id = t.id
        and s.state <> 'delegated')`,
      signedCount: sql`(select count(*)::int from sign_signers s where s.company_id = t.company_id
          and s.request_id = t.id and s.state = 'signed')`,
      signerCount: sql`(select count(*)::int from sign_signers s where s.company_id = t.company_id
          and s.request_id = t.id and s.state not in ('delegated', 'spared'))`,
      sender: sql`(select u.full_name from users u where u.id = t.sent_by)`,
    },
    refNames: {
      templateId: sql`(select m.name from sign_templates m where m.company_id = t.company_id
          and m.id = t.template_id)`,
      customerId: sql`(select p.name from parties p where p.company_id = t.company_id
          and p.id = t.customer_id)`,
    },
    keptFrom: ({ caller }) => (caller.hideTotalPrices ? ['sumAgorot'] : []),
    beforeMove: async (_ctx, row, to) => {
      if (to === 'archive' && ['sent', 'inProgress', 'sealing'].includes(String(row.state)))
        throw fail('signing.isSent')
    },
    refuses: ['signing.isSent'],
  }),
  implement(calls.uploadTemplate, uploadTemplate),
  implement(calls.getTemplate, wholeTemplate),
  implement(calls.saveTemplate, saveTemplate),
  implement(calls.openTemplate, openTemplate),
  implement(calls.copyTemplate, copyTemplate),
  implement(calls.templatePicture, templatePicture),
  implement(calls.sendTemplate, sendTemplate),
  implement(calls.bulkTemplate, bulkTemplate),
  implement(calls.signDocument, signDocument),
  implement(calls.askConsent, askConsent),
  implement(calls.signAbout, about),
  implement(calls.getRequest, wholeRequest),
  implement(calls.recallRequest, recall),
  implement(calls.remindRequest, remind),
  implement(calls.requestPdf, requestPdf),
  implement(calls.getSignSettings, (ctx) => settingsOf(ctx)),
  implement(calls.setSignSettings, setSettings),
  implement(calls.signHome, (ctx) => home(ctx)),
  implementOpen(calls.signPage, page),
  implementOpen(calls.signPicture, picture),
  implementOpen(calls.signLogo, pageLogo),
  implementOpenOutside(calls.askSignCode, askCode),
  implementOpenOutside(calls.giveSignCode, identify),
  implementOpenOutside(calls.signLogin, byLogin),
  implementOpen(calls.addSignFile, addFile),
  implementOpen(calls.signPaper, sign),
  implementOpen(calls.payField, pay),
  implementOpenOutside(calls.signOwn, signOwn),
  implementOpenOutside(calls.prepareOutside, prepareOutside),
  implementOpen(calls.handout, handout),
  implementOpenOutside(calls.handBack, handBack),
  implementOpen(calls.declinePaper, decline),
  implementOpen(calls.delegatePaper, delegate),
  implementOpen(calls.signPagePdf, pagePdf),
  implementOpen(calls.openLink, link),
  implementOpen(calls.openLinkLogo, linkLogo),
  implementOpen(calls.beginLink, begin),
  implementOpenOutside(calls.verifyFile, verifyFile),
]

export const jobs: Record<string, Job> = {
  'signing.mail': mailSigner,
  'signing.sms': smsSigner,
  'signing.mailSealed': mailSealed,
  'signing.code': inLane('codes', sendCode),
  'signing.seal': inLane('documents', sealJob),
  'signing.follow': followJob,
}

export const reports = [signReport]

export const machines: Machines = {
  'signing.mail': { completes: 'a letter to a signer that signRequests or a person queued' },
  'signing.sms': { completes: 'a message to a signer that signRequests or a person queued' },
  'signing.mailSealed': { completes: 'the signed document goes to those who signed it' },
  'signing.code': { completes: 'a code that the signer asked for' },
  'signing.seal': { inside: 'seals what was signed' },
  'signing.follow': { orders: ['signRequests'] },
  'timer sweep.ts': { orders: ['signRequests'] },
}
