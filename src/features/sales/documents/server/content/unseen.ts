import type { Ctx } from '#kit/server/context.ts'
import { loadLines, plainDecimal, type StoredDocument } from './load.ts'
import type { Given } from './shapes.ts'
import { unseenOf } from './sight.ts'

/**
 * Content of a draft as its caller saved it, with the connections to documents that were left out of what the caller was shown:
 * saving takes away only what a person can see.
 */
export async function withUnseen(ctx: Ctx, draft: StoredDocument, content: Given): Promise<Given> {
  if (!ctx.caller.docsAllow.length) return content
  const lines = await loadLines(ctx, draft.id)
  const closes = draft.pending?.closes ?? []
  const unseen = await unseenOf(ctx, [
    ...lines.flatMap((line) => line.source_document_id ?? []),
    ...closes.map(({ documentId }) => documentId),
  ])
  if (!unseen.size) return content
  const kept = closes.filter(({ documentId }) => unseen.has(documentId))
  return {
    ...content,
    lines: content.lines.map((line, i) => {
      const before = lines[i]
      const source = before?.source_document_id
      return !line.source &&
        source &&
        unseen.has(source) &&
        (before.item_id ?? null) === (line.itemId ?? null) &&
        before.description === line.description
        ? {
            ...line,
            source: { documentId: source, line: before.source_line!, quantity: plainDecimal(before.takes) },
          }
        : line
    }),
    ...(kept.length ? { closes: [...(content.closes ?? []), ...kept] } : {}),
  }
}
