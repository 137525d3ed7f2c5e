import type { z } from 'zod'
import { Failure } from '#kit/describe/errors.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { answerOfDocument, issuePrepared, prepareDocument } from '#features/sales/documents/server/index.ts'
import { typeId } from '#features/sales/documents/types/index.ts'
import type { createPayment } from '../endpoints.ts'

/**
 * Money comes in by its receipt and by nothing else: the same command that the receipt of the editor goes
 * through.
 */
export async function create(ctx: Ctx, { apply, ...given }: z.output<typeof createPayment.input>) {
  try {
    const { id } = await issuePrepared(
      ctx,
      await prepareDocument(ctx, { ...given, type: typeId('receipt'), lines: [], closes: apply }),
    )
    return await answerOfDocument(ctx, id)
  } catch (e) {
    throw named(e)
  }
}

/** What is wrong is said of the field as it is called here. */
function named(e: unknown): unknown {
  if (!(e instanceof Failure)) return failureOf(e).code === 'kit.failed' ? e : named(failureOf(e))
  const errors = e.errors.map((one) => ({ ...one, path: one.path.replace(/^closes\b/, 'apply') }))
  return new Failure(e.code, e.params, errors)
}
