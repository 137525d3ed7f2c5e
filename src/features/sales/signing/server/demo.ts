import { sql } from 'kysely'
import { newId, type Ctx } from '#kit/server/context.ts'
import { letterPdf } from '#features/sales/documents/server/index.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { fold } from '#domain/fold.ts'
import type { SignField, SignRole } from '../shapes.ts'
import { askConsent } from './consent.ts'
import { ask } from './send.ts'
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

/** Signing of a demo business: a service agreement and a consent, a group of signers, and papers that wait. */
export async function showSigning(ctx: Ctx, customers: readonly { id: string; name: string; email: string | null }[]): Promise<void> {
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
        business: { name: company.name, kind: company.kind, taxId: company.taxId, address: [company.street, company.city].filter(Boolean) },
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
    field('taxid', 'text', 'r1', [330, 515, 200, 22], { label: 'ת״ז או ח״פ', check: 'taxId', merge: 'customer.taxId' }),
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
  const consentId = await newTemplate(ctx, { name: 'הסכמה למסמכים ממוחשבים', ...consent, roles: one, fields: consentFields })
  await sql`update sign_templates set is_open = true, open_most = 500 where company_id = ${ctx.companyId} and id = ${consentId}`.execute(
    ctx.tx,
  )
  // One customer was asked for his consent from his card.
  const [, , , asked] = customers
  if (asked)
    await askConsent(ctx, {
      customerId: asked.id,
      signer: { name: asked.name, email: asked.email, identity: 'link', channel: 'person' },
      message: '',
    })
  await sql`insert into sign_groups (company_id, id, name, people, folded) values (${ctx.companyId}, ${newId()}, 'הנהלה',
    ${JSON.stringify([{ role: 'מנהל העסק', name: 'נועה ורדי', email: 'noa@example.com', phone: null, identity: 'link', channel: 'mail' }])}, ${fold('הנהלה')})`.execute(
    ctx.tx,
  )
  for (const [at, customer] of customers.slice(0, 3).entries())
    await ask(ctx, {
      name: at === 2 ? 'הסכמה למסמכים ממוחשבים' : 'הסכם שירות שנתי',
      fileId: at === 2 ? consent.fileId : service.fileId,
      roles: at === 2 ? one : roles,
      fields: at === 2 ? consentFields : fields,
      template: { id: at === 2 ? consentId : id, version: 1 },
      customerId: customer.id,
      sumAgorot: 1_200_000,
      // A demo writes to nobody: who is to sign gets his link by hand.
      signers: [{ role: 'r1', name: customer.name, email: customer.email, identity: 'link', channel: 'person' }],
    })
}
