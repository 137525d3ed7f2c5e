import type { BusinessKind } from '#domain/documents/kinds.ts'
import { canDocument, type Session } from '#kit/describe/session.ts'
import { successors, typeById, typeId } from '../../types/index.ts'

/** What a document of this type may become, for this business and this person, as numeric ids. */
export function nextTypes(
  type: number,
  kind: BusinessKind | undefined,
  session: Session | undefined,
): number[] {
  const found = typeById(type)
  if (!found || !kind) return []
  // A credit is not a next step: it has a separate command, by what is left of the invoice.
  return successors(found.name, kind)
    .filter((one) => !one.parts.includes('original'))
    .map((one) => typeId(one.name))
    .filter((id) => canDocument(session, id))
}
