import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { imageKind, imageSize } from '#kit/server/paper/image.ts'

const smallest = 10
const largest = 2000

export async function getSignature(ctx: Ctx) {
  const { rows } = await sql<{
    isOn: boolean
    version: string
  }>`select is_on as "isOn", updated_at::text as version from signature_pictures
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return { has: !!rows[0], isOn: rows[0]?.isOn ?? false, version: rows[0]?.version ?? null }
}

export async function setSignature(
  ctx: Ctx,
  { image, isOn }: { image?: string | undefined; isOn?: boolean | undefined },
) {
  const before = await getSignature(ctx)
  if (image) {
    const bytes = Buffer.from(image.replace(/^data:image\/\w+;base64,/, ''), 'base64')
    const kind = imageKind(bytes)
    const size = imageSize(bytes)
    if (
      !kind ||
      !size ||
      bytes.length > 1_000_000 ||
      [size.width, size.height].some((side) => side < smallest || side > largest)
    )
      throw fail('documents.badSignature', { smallest, largest })
    await sql`insert into signature_pictures (company_id, mime, bytes, is_on)
      values (${ctx.companyId}, ${`image/${kind}`}, ${bytes}, ${isOn ?? true})
      on conflict (company_id) do update set mime = excluded.mime, bytes = excluded.bytes,
        is_on = excluded.is_on, updated_at = now()`.execute(ctx.tx)
  } else {
    if (!before.has) throw fail('documents.noSignature')
    if (isOn !== undefined)
      await sql`update signature_pictures set is_on = ${isOn} where company_id = ${ctx.companyId}`.execute(
        ctx.tx,
      )
  }
  await ctx.audit(
    'documents.setSignature',
    'companies',
    ctx.companyId,
    { isOn: before.isOn },
    { isOn: isOn ?? true, newPicture: !!image },
  )
  return getSignature(ctx)
}

export async function dropSignature(ctx: Ctx) {
  await sql`delete from signature_pictures where company_id = ${ctx.companyId}`.execute(ctx.tx)
  await ctx.audit('documents.dropSignature', 'companies', ctx.companyId)
  return getSignature(ctx)
}

export async function signaturePicture(ctx: Ctx): Promise<FileAnswer> {
  const { rows } = await sql<{
    mime: string
    bytes: Buffer
  }>`select mime, bytes from signature_pictures where company_id = ${ctx.companyId}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { ...rows[0], name: rows[0].mime === 'image/png' ? 'signature.png' : 'signature.jpg', inline: true }
}

/** The picture to print; none while it is switched off. */
export async function signatureOf(ctx: Ctx): Promise<Buffer | undefined> {
  const { rows } = await sql<{
    bytes: Buffer
  }>`select bytes from signature_pictures where company_id = ${ctx.companyId} and is_on`.execute(ctx.tx)
  return rows[0]?.bytes
}
