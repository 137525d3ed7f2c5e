import { sql } from 'kysely'
import { Failure, fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import {
  CertificateError,
  makeSelfSigned,
  openPkcs12,
  signerOfPem,
  type Signer,
} from '#kit/server/seal/certificates.ts'
import { encrypt, decrypt } from '#kit/server/rights/vault.ts'

/** What is sealed in the vault: an uploaded file with its password, or a key of our own making. */
type Kept = { pkcs12: string; password: string } | { keyPem: string; certificatePem: string }

export interface CertificateRow {
  id: string
  subject: string
  issuer: string
  selfMade: boolean
  validFrom: string
  validTo: string
  active: boolean
}

const columns = sql`id, subject, issuer, self_made as "selfMade", valid_from as "validFrom",
    valid_to as "validTo", active`

export async function listCertificates(ctx: Ctx): Promise<{ rows: CertificateRow[] }> {
  const { rows } =
    await sql<CertificateRow>`select ${columns} from signing_certificates where company_id = ${ctx.companyId}
      order by active desc, created_at desc`.execute(ctx.tx)
  return { rows }
}

/** Puts a certificate into use; the one before it stays, so that what it signed can still be told. */
async function use(ctx: Ctx, signer: Signer, kept: Kept, selfMade: boolean): Promise<CertificateRow> {
  const id = newId()
  // The lock of `signerOf`: a certificate that is being made meanwhile must not replace the one uploaded here.
  await sql`select 1 from companies where id = ${ctx.companyId} for no key update`.execute(ctx.tx)
  await sql`update signing_certificates set active = false where company_id = ${ctx.companyId}
      and active`.execute(ctx.tx)
  const { rows } = await sql<CertificateRow>`insert into signing_certificates
        (company_id, id, sealed, subject, issuer, self_made, valid_from, valid_to)
    values (${ctx.companyId}, ${id}, ${encrypt(ctx.app.secrets.vault, Buffer.from(JSON.stringify(kept)))},
      ${signer.subject}, ${signer.issuer}, ${selfMade},
      ${signer.validFrom.toISOString()}, ${signer.validUntil.toISOString()}) returning ${columns}`.execute(
    ctx.tx,
  )
  await ctx.audit('companies.certificate', 'signing_certificates', id, undefined, {
    subject: signer.subject,
    selfMade,
  })
  return rows[0]!
}

const faults: Record<string, string> = {
  wrongPassword: 'companies.certificatePassword',
  expired: 'companies.certificateExpired',
  notYetValid: 'companies.certificateExpired',
}

export async function addCertificate(
  ctx: Ctx,
  { pkcs12, password }: { pkcs12: string; password: string },
): Promise<CertificateRow> {
  try {
    return await use(
      ctx,
      openPkcs12(Buffer.from(pkcs12, 'base64'), password, ctx.now),
      { pkcs12, password },
      false,
    )
  } catch (e) {
    if (!(e instanceof CertificateError)) throw e
    throw new Failure('kit.badInput', {}, [
      {
        path: e.code === 'wrongPassword' ? 'password' : 'pkcs12',
        code: faults[e.code] ?? 'companies.certificateBroken',
      },
    ])
  }
}

/** Ten years: the documents it signs are kept for seven. */
const ownDays = 3650

export async function makeCertificate(ctx: Ctx): Promise<CertificateRow> {
  const { rows } = await sql<{
    name: string
    tax_id: string
  }>`select name, tax_id from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  const { name, tax_id: taxId } = rows[0]!
  const made = await makeSelfSigned(
    { organisation: name, taxId, days: ownDays, from: ctx.now },
    ctx.app.newKeyPair,
  )
  return use(ctx, made, { keyPem: made.keyPem, certificatePem: made.certificatePem }, true)
}

const opened = new Map<string, Signer>()

/** The signer in use; a business that has none yet gets one of our own making. */
export async function signerOf(ctx: Ctx): Promise<Signer & { selfMade: boolean }> {
  const find = () =>
    sql<{
      id: string
      self_made: boolean
      valid_to: string
    }>`select id, self_made, valid_to from signing_certificates where company_id = ${ctx.companyId}
        and active`.execute(ctx.tx)
  let row = (await find()).rows[0]
  if (!row) {
    // The company's row is the lock: two papers printed at once must not make two certificates.
    await sql`select 1 from companies where id = ${ctx.companyId} for no key update`.execute(ctx.tx)
    row = (await find()).rows[0]
    if (!row) {
      await makeCertificate(ctx)
      row = (await find()).rows[0]!
    }
  }
  if (new Date(row.valid_to) < ctx.now) throw fail('companies.certificateExpired')
  const known = opened.get(row.id)
  if (known) return { ...known, selfMade: row.self_made }
  const { rows } = await sql<{
    sealed: Buffer
  }>`select sealed from signing_certificates where company_id = ${ctx.companyId} and id = ${row.id}`.execute(
    ctx.tx,
  )
  const kept = JSON.parse(decrypt(ctx.app.secrets.vault, rows[0]!.sealed).toString()) as Kept
  const signer =
    'pkcs12' in kept
      ? openPkcs12(Buffer.from(kept.pkcs12, 'base64'), kept.password)
      : signerOfPem(kept.keyPem, kept.certificatePem)
  if (opened.size > 500) opened.delete(opened.keys().next().value!)
  opened.set(row.id, signer)
  return { ...signer, selfMade: row.self_made }
}
