import { sql } from 'kysely'
import { newId, type Ctx } from '#kit/server/context.ts'
import { letterPdf } from '#features/sales/documents/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { addDays } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import type { SignField, SignRole } from '../shapes.ts'
import { act } from './acts.ts'
import { askConsent } from './consent.ts'
import { loadRequest, signersOf, type StoredRequest, type StoredSigner } from './load.ts'
import { firstOpened } from './page.ts'
import { ask } from './send.ts'
import { end, signed } from './sign.ts'
import { newTemplate, takeFile } from './templates.ts'

const field = (
  id: string,
  kind: SignField['kind'],
  role: string,
  at: [number, number, number, number],
  more: Partial<SignField> = {},
): SignField => ({
  id,
  kind,
  role,
  page: 1,
  x: at[0],
  y: at[1],
  w: at[2],
  h: at[3],
  label: '',
  must: true,
  check: 'none',
  merge: 'none',
  options: [],
  amountAgorot: null,
  ...more,
})

/**
 * Signing of a demo business: a service agreement and a consent, a group of signers, and papers that wait.
 */
export async function showSigning(
  ctx: Ctx,
  customers: readonly { id: string; name: string; email: string | null }[],
): Promise<void> {
  const company = await companyOf(ctx)
  const paper = async (title: string, body: string) =>
    takeFile(
      ctx,
      await letterPdf({
        language: 'he',
        day: ctx.today,
        madeAt: ctx.now,
        title,
        body,
        isDraft: false,
        business: {
          name: company.name,
          kind: company.kind,
          taxId: company.taxId,
          address: [company.street, company.city].filter(Boolean),
        },
        settings: { layout: company.layout, accent: company.accent },
      }),
    )
  const roles: SignRole[] = [
    { id: 'r1', name: 'הלקוח', order: 1, above: null },
    { id: 'r2', name: 'מנהל העסק', order: 2, above: 5_000_000 },
  ]
  const service = await paper(
    'הסכם שירות שנתי',
    'העסק ייתן ללקוח שירות ותחזוקה במשך שנה מיום החתימה.\n\nהתמורה תשולם בתשלומים חודשיים שווים, עד העשירי בכל חודש.\n\nכל צד רשאי לסיים את ההסכם בהודעה של שלושים יום מראש.',
  )
  const fields = [
    field('name', 'name', 'r1', [330, 480, 200, 22], { merge: 'customer.name' }),
    field('taxid', 'text', 'r1', [330, 515, 200, 22], {
      label: 'ת״ז או ח״פ',
      check: 'taxId',
      merge: 'customer.taxId',
    }),
    field('date', 'date', 'r1', [80, 480, 120, 22]),
    field('sign1', 'signature', 'r1', [330, 555, 200, 60]),
    field('sign2', 'signature', 'r2', [80, 555, 200, 60]),
  ]
  const id = await newTemplate(ctx, { name: 'הסכם שירות שנתי', ...service, roles, fields })
  const consent = await paper(
    'הסכמה לקבלת מסמכים ממוחשבים',
    'אני מסכים לקבל מהעסק מסמכים ממוחשבים חתומים בדואר אלקטרוני, במקום מסמכים על נייר.',
  )
  const one: SignRole[] = [{ id: 'r1', name: 'הלקוח', order: 1, above: null }]
  const consentFields = [
    field('name', 'name', 'r1', [330, 420, 200, 22], { merge: 'signer.name' }),
    field('agree', 'tick', 'r1', [510, 455, 18, 18], { label: 'אני מסכים' }),
    field('sign', 'signature', 'r1', [330, 490, 200, 60]),
  ]
  const consentId = await newTemplate(ctx, {
    name: 'הסכמה למסמכים ממוחשבים',
    ...consent,
    roles: one,
    fields: consentFields,
  })
  await sql`update sign_templates set is_open = true, open_most = 500 where company_id = ${ctx.companyId}
      and id = ${consentId}`.execute(ctx.tx)
  // One customer was asked for consent from the customer card.
  const [, , , asked] = customers
  if (asked)
    await askConsent(ctx, {
      customerId: asked.id,
      signer: { name: asked.name, email: asked.email, identity: 'link', channel: 'person' },
      message: '',
    })
  await sql`insert into sign_groups (company_id, id, name, people, folded)
    values (${ctx.companyId}, ${newId()}, 'הנהלה',
    ${JSON.stringify([{ role: 'מנהל העסק', name: 'נועה ורדי', email: 'noa@example.com', phone: null, identity: 'link', channel: 'mail' }])}, ${fold('הנהלה')})`.execute(
    ctx.tx,
  )
  const asks = (when: Ctx, customer: { id: string; name: string; email: string | null }, consents: boolean) =>
    ask(when, {
      name: consents ? 'הסכמה למסמכים ממוחשבים' : 'הסכם שירות שנתי',
      fileId: consents ? consent.fileId : service.fileId,
      roles: consents ? one : roles,
      fields: consents ? consentFields : fields,
      template: { id: consents ? consentId : id, version: 1 },
      customerId: customer.id,
      sumAgorot: 1_200_000,
      // A demo sends no email: signers get their links by hand.
      signers: [
        { role: 'r1', name: customer.name, email: customer.email, identity: 'link', channel: 'person' },
      ],
    })
  const [first, second, third, , fifth, sixth, seventh] = customers
  // One was signed and is sealed as any, one was declined, one was read and waits for longer than it should.
  if (fifth) {
    const sent = await asks(ago(ctx, 12), { ...fifth, email: null }, false)
    const { when, r, s } = await opened(ago(ctx, 11), sent.id)
    await signed(when, r, s, {
      values: { name: fifth.name, taxid: '', date: when.today, sign1: { typed: 'אבי מזרחי' } },
      agent,
      shown: 'he',
      seconds: 94,
    })
  }
  if (sixth) {
    const sent = await asks(ago(ctx, 20), sixth, false)
    const { when, r, s } = await opened(ago(ctx, 18), sent.id)
    const reason = 'נחזור אליכם אחרי שהתקציב לשנה הבאה יאושר'
    await sql`update sign_signers set state = 'declined' where company_id = ${ctx.companyId}
        and id = ${s.id}`.execute(ctx.tx)
    await act(when, r, { kind: 'declined', signerId: s.id, agent, detail: { reason } })
    await end(when, r, 'declined', reason)
  }
  if (seventh) {
    const sent = await asks(ago(ctx, 9), seventh, true)
    await opened(ago(ctx, 8), sent.id)
    const r = await loadRequest(ctx, sent.id, true)
    for (const days of [6, 2])
      await act(ago(ctx, days), r, { kind: 'reminded', signerId: (await signersOf(ctx, sent.id))[0]!.id })
    await sql`update sign_requests set reminded = 2, next_at = expires_at where company_id = ${ctx.companyId}
        and id = ${sent.id}`.execute(ctx.tx)
  }
  for (const customer of [first, second, third]) if (customer) await asks(ctx, customer, customer === third)
}

const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

/** The same hands some days before. */
const ago = (ctx: Ctx, days: number): Ctx => ({
  ...ctx,
  now: new Date(ctx.now.getTime() - days * 86_400_000),
  today: addDays(ctx.today, -days),
})

/** The only signer opens the document. */
async function opened(when: Ctx, id: string): Promise<{ when: Ctx; r: StoredRequest; s: StoredSigner }> {
  const [s] = await signersOf(when, id)
  await firstOpened(when, id, s!.id, agent)
  return { when, r: await loadRequest(when, id, true), s: s! }
}
