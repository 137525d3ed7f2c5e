import { fail } from '#kit/describe/errors.ts'
import { redraw, type Redrawn } from '#kit/server/paper/redraw.ts'

/** The logo of a brand, drawn again: as wide as any place that shows it, and no wider. */
async function logo({ bytes }: { bytes: Uint8Array }): Promise<Redrawn> {
  const drawn = await redraw(bytes, { widest: 640, highest: 320, as: 'png' })
  if (typeof drawn === 'string' || drawn.bytes.length > 1_000_000) throw fail('affiliates.badLogo')
  return drawn
}

/** What a thread looks at for this feature. */
export const readers = { 'affiliates.logo': logo }
