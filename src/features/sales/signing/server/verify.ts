import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { FileOnDisk } from '#kit/fields/schema.ts'
import type { OpenCtx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { readers } from './readers.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 300) : '')

/**
 * Looks at a stranger's PDF in a thread and says what of it holds; nothing of it is kept. The person who has the
 * file may know what it says of itself.
 */
export async function verifyFile(ctx: OpenCtx, { bytes: { path } }: { bytes: FileOnDisk }) {
  const found = await readIn<typeof readers>()('signing.verifyFile', { path })
  if (!found) throw fail('signing.notPdf')
  const { rows } =
    await sql`select 1 from sign_sealed where sha256 = ${Buffer.from(found.sha256, 'hex')} limit 1`.execute(
      ctx.tx,
    )
  const told = found.evidence
  const signers = Array.isArray(told?.signers) ? (told.signers as Record<string, unknown>[]) : []
  return {
    verdict: found.verdict,
    seals: found.seals.slice(0, 60).map(({ name, issuer, at, stampedAt, isValid, after, isSelfMade }) => ({
      name: text(name),
      issuer: text(issuer),
      at: at?.toISOString() ?? null,
      stampedAt: stampedAt?.toISOString() ?? null,
      isValid,
      after,
      isSelfMade,
    })),
    pages: found.pages,
    changedPages: found.changedPages,
    changedElse: found.changedElse,
    evidence: told
      ? {
          paper: text(told.paper),
          request: text(told.request),
          business: text((told.business as Record<string, unknown> | undefined)?.name),
          signers: signers
            .filter(({ state }) => state === 'signed')
            .slice(0, 50)
            .map((s) => ({ name: text(s.name), role: text(s.role), at: text(s.signedAt), how: text(s.how) })),
        }
      : null,
    isKnown: rows.length > 0,
    sha256: found.sha256,
  }
}
