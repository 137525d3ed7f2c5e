import { z } from 'zod'

/**
 * A run of text: told with weight, as a key of the keyboard or a name of the screen (`code`), or leading to a
 * screen.
 */
export const spanValue = z.object({
  text: z.string(),
  strong: z.boolean().optional(),
  code: z.boolean().optional(),
  href: z.string().optional(),
})

/** What an article and a release are made of: nothing a text can smuggle anything in by. */
export const blockValue = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), spans: z.array(spanValue) }),
  z.object({ kind: z.literal('head'), spans: z.array(spanValue) }),
  z.object({ kind: z.literal('list'), ordered: z.boolean(), items: z.array(z.array(spanValue)) }),
])

export type Block = z.output<typeof blockValue>
export type Span = z.output<typeof spanValue>

/** The same without its looks, for a search. */
export const plainOf = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.spans))
    .map(({ text }) => text)
    .join(' ')
