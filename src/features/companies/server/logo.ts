import { sql } from 'kysely'
import { fail } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import type { FileAnswer } from '../../../kit/server/implement.ts'

const smallest = 10
const largest = 2000

/** Width and height of a JPEG or PNG from its own bytes; a name or a type that somebody claims is not believed. */
export function imageSize(bytes: Buffer): { mime: 'image/jpeg' | 'image/png'; width: number; height: number } | undefined {
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47 && bytes.toString('latin1', 12, 16) === 'IHDR') {
    return { mime: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { mime: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

export async function setLogo(ctx: Ctx, { image }: { image: string }) {
  const bytes = Buffer.from(image.replace(/^data:image\/\w+;base64,/, ''), 'base64')
  const size = imageSize(bytes)
  if (!size || bytes.length > 2_000_000 || [size.width, size.height].some((side) => side < smallest || side > largest))
    throw fail('companies.badImage', { smallest, largest })
  await sql`insert into logos (company_id, mime, bytes) values (${ctx.companyId}, ${size.mime}, ${bytes})
    on conflict (company_id) do update set mime = excluded.mime, bytes = excluded.bytes, updated_at = now()`.execute(ctx.tx)
  await ctx.audit('companies.setLogo', 'companies', ctx.companyId)
  return { done: true as const }
}

export async function dropLogo(ctx: Ctx) {
  await sql`delete from logos where company_id = ${ctx.companyId}`.execute(ctx.tx)
  await ctx.audit('companies.dropLogo', 'companies', ctx.companyId)
  return { done: true as const }
}

export async function logoOf(ctx: Ctx): Promise<{ mime: 'image/jpeg' | 'image/png'; bytes: Buffer } | undefined> {
  const { rows } = await sql<{
    mime: 'image/jpeg' | 'image/png'
    bytes: Buffer
  }>`select mime, bytes from logos where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0]
}

export async function getLogo(ctx: Ctx): Promise<FileAnswer> {
  const logo = await logoOf(ctx)
  if (!logo) throw fail('kit.notFound')
  return { ...logo, name: logo.mime === 'image/png' ? 'logo.png' : 'logo.jpg', inline: true }
}
