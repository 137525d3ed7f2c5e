import { sql } from 'kysely'
import { fieldsIn } from '#domain/letters/merge.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement, implementOpen, Later } from '#kit/server/contract/implement.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { inLane } from '#kit/server/work/lanes.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import type { Machines } from '#kit/server/rights/machines.ts'
import { addressees, type Addressee } from '#features/people/correspondence/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { letterSvg } from '#features/sales/documents/server/index.ts'
import * as calls from '../endpoints.ts'
import { letters, letterTemplates } from '../letters.ts'
import '../rules.ts'
import { dispatch, mailLetter, sealLetter } from './dispatch.ts'
import { answerOf, changeLetter, draftOf, dropLetter, makeLetter, ofSeenDocument, stateOf } from './drafts.ts'
import { aboutDocument, filled } from './fields.ts'
import { page, pageLogo, pagePdf } from './page.ts'
import { sealedLetter, sentLetter, sourceOf } from './paper.ts'
import { signLetter } from './sign.ts'

interface Shown {
  title: string
  body: string
  language: Addressee['language'] | null
  documentId: string | null
  signed: boolean
}

/** The draft as one customer would get it. */
async function pagesOfDraft(ctx: Ctx, letter: Shown, customer: Addressee | undefined) {
  const language = letter.language ?? customer?.language ?? (await companyOf(ctx)).language
  const said = await filled(ctx, letter, customer, language, await aboutDocument(ctx, letter.documentId))
  const written = { ...said, language, day: ctx.today, madeAt: ctx.now, signed: letter.signed, isDraft: true }
  const source = await sourceOf(ctx, written, customer)
  return { draw: () => letterSvg(source), empty: said.empty }
}

export const implementations = [
  ...serveResource({
    resource: letters,
    verbs: ['list', 'get', 'export'],
    noArchive: true,
    compute: {
      state: stateOf('t'),
      addressees: sql`(case when t.status = 'draft' then cardinality(t.customer_ids) else 1 end)`,
    },
    only: ({ caller }) => (caller.docsAllow.length ? [ofSeenDocument] : []),
    // A title may name a sum.
    keptFrom: ({ caller }) => (caller.hideTotalPrices ? ['title'] : []),
    refNames: {
      customerId: sql`coalesce((select p.name from parties p where p.company_id = t.company_id
          and p.id = t.customer_id),
        (select string_agg(x.name, ', ' order by x.name)
        from (select p.name from parties p where p.company_id = t.company_id
          and p.id = any(t.customer_ids) order by p.name limit 3) x))`,
      documentId: sql`(select d.number::text from documents d where d.company_id = t.company_id
          and d.id = t.document_id)`,
    },
    search: (q, { caller }) => {
      const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
      const name = sql`exists (select 1 from parties p where p.company_id = t.company_id
          and (p.id = t.customer_id or p.id = any(t.customer_ids))
        and p.name ilike ${pattern})`
      return caller.hideTotalPrices
        ? sql<boolean>`${name}`
        : sql<boolean>`(t.title ilike ${pattern} or ${name})`
    },
  }),
  ...serveResource({ resource: letterTemplates }),
  implement(calls.getLetter, (ctx, { id }) => answerOf(ctx, id)),
  implement(calls.makeLetter, makeLetter),
  implement(calls.changeLetter, changeLetter),
  implement(calls.dropLetter, dropLetter),
  implement(calls.previewLetter, async (ctx, { customerId, ...letter }) => {
    const [customer] = await addressees(ctx, customerId ? [customerId] : [])
    const { draw, empty } = await pagesOfDraft(ctx, letter, customer)
    const { unknown } = fieldsIn(`${letter.title}\n${letter.body}`)
    return new Later(async () => ({ pages: await draw(), unknown, empty: customer ? empty : [] }))
  }),
  implement(calls.picturesOfLetter, async (ctx, { id, customerId }) => {
    const { status } = await answerOf(ctx, id)
    if (status === 'sent') {
      const letter = await sentLetter(ctx, id)
      const [customer] = await addressees(ctx, [letter.customerId])
      const source = await sourceOf(
        ctx,
        { ...letter, madeAt: new Date(letter.sentAt), isDraft: false },
        customer,
      )
      return new Later(async () => ({ pages: await letterSvg(source) }))
    }
    const draft = await draftOf(ctx, id)
    const wanted = customerId ?? draft.customerIds[0]
    if (wanted && !draft.customerIds.includes(wanted)) throw fail('kit.notFound')
    const [customer] = await addressees(ctx, wanted ? [wanted] : [])
    const { draw } = await pagesOfDraft(ctx, draft, customer)
    return new Later(async () => ({ pages: await draw() }))
  }),
  implement(calls.pdfOfLetter, async (ctx, { id }) => {
    if ((await answerOf(ctx, id)).status === 'draft') throw fail('letters.stillDraft')
    const { bytes, letter } = await sealedLetter(ctx, id)
    return { bytes, mime: 'application/pdf', name: `letter-${letter.day}.pdf`, inline: true }
  }),
  implement(calls.dispatchLetter, dispatch),
  implement(calls.signLetter, signLetter),
  implementOpen(calls.pageOfLetter, page),
  implementOpen(calls.pagePdfOfLetter, pagePdf),
  implementOpen(calls.pageLogoOfLetter, pageLogo),
]

export const jobs: Record<string, Job> = {
  'letters.sealed': inLane('mail', mailLetter),
  'letters.seal': inLane('documents', sealLetter),
}

export { showLetters } from './demo.ts'

export const machines: Machines = {
  'letters.sealed': { completes: 'a letter that a call queued within the rights of its caller' },
  'letters.seal': { inside: 'seals a letter that was sent' },
}
