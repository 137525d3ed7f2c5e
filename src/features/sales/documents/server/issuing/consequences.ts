import { sql, type RawBuilder } from 'kysely'
import type { DocumentTypeName } from '#domain/documents/kinds.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { StoredDocument } from '../content/load.ts'
import type { Prepared } from '../content/shapes.ts'

/** A document that has just been issued; its number is final, its transaction still open. */
export interface IssuedPaper {
  id: string
  number: number
  prepared: Prepared
}

/**
 * What comes with a document of a type in a feature above. Whatever is thrown takes the document back with
 * it.
 */
export interface Consequence {
  issued: (ctx: Ctx, paper: IssuedPaper) => Promise<void>
  /** Before the document is marked as cancelled. */
  cancelled: (ctx: Ctx, document: StoredDocument, reason: string) => Promise<void>
  /** A query of the ids of the entries that stand in the books in the document's place. */
  entries: (ctx: Ctx, documentId: string) => RawBuilder<unknown>
}

/** What follows papers whatever their type; it hears of those that were written together at once. */
export interface Follower {
  issued: (ctx: Ctx, papers: readonly IssuedPaper[]) => Promise<void>
  /** A document that moved no money, marked as cancelled directly. */
  cancelled: (ctx: Ctx, document: StoredDocument) => Promise<void>
}

const followers: Follower[] = []

/**
 * For a feature whose own ledger follows from papers, in the transaction that issues them. Whatever is thrown
 * takes the papers back.
 */
export const followPapers = (follower: Follower): void => void followers.push(follower)

export const allFollowers = (): readonly Follower[] => followers

const consequences = new Map<DocumentTypeName, Consequence>()

/**
 * For a feature whose own record follows from a type of document, in the transaction that issues it: one for
 * each type.
 */
export const registerConsequence = (type: DocumentTypeName, of: Consequence): void =>
  void consequences.set(type, of)

export const consequenceOf = (type: DocumentTypeName | undefined): Consequence | undefined =>
  type && consequences.get(type)

/** The entries of a document: its own, and those of what came with it. */
export const entriesOf = (
  ctx: Ctx,
  { id, type }: { id: string; type: DocumentTypeName | undefined },
): RawBuilder<unknown> => {
  const own = sql`select id from entries where company_id = ${ctx.companyId} and document_id = ${id}`
  const more = consequenceOf(type)?.entries(ctx, id)
  return more ? sql`${own} union ${more}` : own
}
