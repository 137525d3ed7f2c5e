import {
  neededByCard as neededOfCard,
  neededDocument as neededOf,
  type MoneyReceived,
} from '#domain/documents/needed.ts'
import type { DocumentTypeName } from '#domain/documents/kinds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'

/**
 * The document that money by card needs when it is issued for today. The kind of the business is today's: a business may
 * issue nothing for the kind that it was before.
 */
export const neededByCard = async (
  ctx: Ctx,
  money: Pick<MoneyReceived, 'for' | 'pays'>,
): Promise<DocumentTypeName> => neededOfCard((await companyOf(ctx)).kind, money)

/** The document that money entered by a person needs, as `neededDocument`; the kind of the business is today's. */
export async function neededDocument(
  ctx: Ctx,
  money: Omit<MoneyReceived, 'kinds'>,
): Promise<DocumentTypeName | undefined> {
  const { kind } = await companyOf(ctx)
  return neededOf({ ...money, kinds: [{ from: '0001-01-01', kind }] })?.document
}
